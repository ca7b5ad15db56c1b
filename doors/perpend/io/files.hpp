// Files as the user names them.
//
// Outputs appear whole or not at all: they are written under a name that nobody can guess and
// renamed when they are complete. The user's symbolic links stay links, and pipes, devices and open
// descriptors (/dev/stdout, /dev/fd/N) are written into, never replaced. Inputs are plain files of
// bounded size. "-" is a standard stream. Whatever is wrong is an InputError of one line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::io {

// The most one JSON document may have: a line of JSON lines, a scene, a snapshot, a raw problem.
inline constexpr std::uint64_t kLongestDocument = std::uint64_t{256} << 20;  // bytes
// The most standard input may have where it is kept in a temporary file.
inline constexpr std::uint64_t kLongestInput = std::uint64_t{4} << 30;  // bytes

// The size of a plain file. Throws for everything else, without opening it.
std::uint64_t plain_size(const std::string& path);
// The whole of a plain file or of standard input ("-").
std::string read_text(const std::string& path, std::uint64_t longest = kLongestDocument);

// A new empty file, PATH + mark + 16 letters that nobody can guess, with the rights `mode` less the
// umask (0: those that a file at PATH has, 0666 where there is none). Never follows a link, never
// opens what was there.
struct Temporary {
  std::string path;
  int descriptor = -1;  // for reading and writing; the caller closes it
};
Temporary make_temporary(const std::string& path, std::string_view mark = ".new-",
                         unsigned mode = 0);

// What standard input holds, in a temporary file that is gone with this object. It keeps its name
// so long: HDF5 asks for it.
class Spool {
 public:
  explicit Spool(int from, std::uint64_t longest = kLongestInput);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Where writing to a name leads: a plain file (which need not exist), or something that is written
// into.
struct Destination {
  std::string path;     // the last component is no symbolic link
  int descriptor = -1;  // an open one of this process: "-", /dev/stdout, /dev/fd/N
  bool plain = true;    // a plain file, or nothing yet
};
Destination destination_of(const std::string& path);
// The same for a file that has to be plain, as HDF5 needs it: its path without links at its end.
std::string plain_target(const std::string& path);

class OutputFile {
 public:
  enum class Content { text, hdf5 };
  // Throws before any work when nothing can be written there. HDF5 needs a plain file.
  OutputFile(const std::string& target, Content);
  ~OutputFile();  // what was not committed leaves no file
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& target() const { return target_; }  // as the user named it
  const Destination& place() const { return place_; }
  // The file under construction; empty where there is none, because the place is written into.
  const std::string& path() const { return temporary_; }
  void write(std::string_view);
  void copy(const std::string& from);  // the bytes of a plain file
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void open();
  void flush();

  std::string target_;
  Destination place_;
  std::string temporary_, buffer_;
  int descriptor_ = -1;
};

// A text as a file, or into a pipe or a device.
void write_text(const std::string& target, std::string_view);

// Held while a file is read, changed and put back under its name: those who change files of one
// folder take turns.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path);  // of a file in that folder
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// Files of other engines: told by their content, so that who meets one where he cannot read it can
// say who does.

struct EngineFile {
  std::string words;                 // "this is URDF: perpend capture dart FILE ... records it"
  std::vector<std::string> endings;  // that such files usually have: ".urdf"
};

// By the beginning of the text; nothing when it is none. Any other XML is one without endings.
std::optional<EngineFile> engine_file(std::string_view text);
// By the beginning of a file; nothing when there is no such plain file.
std::optional<EngineFile> engine_file_at(const std::string& path);
// Whether an engine that reads files with these endings reads this one: by its ending or content.
bool is_engine_file(const std::string& path, const std::vector<std::string>& endings);

// Texts from files and names of files, on their way to a terminal.
//
// A terminal obeys control characters, and a reader is led astray by characters that change the
// direction of writing: both are shown as escapes, "\x1b", "\u202e".

// One line: control characters (C0, DEL, C1), line ends, marks of writing direction and bytes that
// are not UTF-8 as escapes, everything else as it is.
std::string printable(std::string_view);
// A JSON document that means the same, with such characters as JSON's own escapes. Line ends
// between its parts stay.
std::string printable_json(std::string_view document);

}  // namespace perpend::io
