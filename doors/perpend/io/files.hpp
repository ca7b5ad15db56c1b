// Reading and writing files that the user names.
//
// An output file is complete or does not exist: it is written under a temporary name and renamed at
// the end. Symbolic links are followed. Pipes, devices and open descriptors (/dev/stdout,
// /dev/fd/N) are written to, not replaced. Inputs are plain files of limited size. "-" is standard
// input or output. All errors are InputErrors of one line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perpend::io {

// The largest JSON document: a line of JSON lines, a scene, a snapshot, a raw problem.
inline constexpr std::uint64_t kLongestDocument = std::uint64_t{256} << 20;  // bytes
// The largest standard input that is copied to a temporary file.
inline constexpr std::uint64_t kLongestInput = std::uint64_t{4} << 30;  // bytes

// The size of a plain file. Throws for anything else, without opening it.
std::uint64_t plain_size(const std::string& path);
// The content of a plain file or of standard input ("-").
std::string read_text(const std::string& path, std::uint64_t longest = kLongestDocument);

// Makes a new empty file, PATH + mark + 16 random letters, with the rights `mode` without the umask
// (0: the rights of the file at PATH, or 0666). Never follows a link or opens an existing file.
struct Temporary {
  std::string path;
  int descriptor = -1;  // for reading and writing; the caller closes it
};
Temporary make_temporary(const std::string& path, std::string_view mark = ".new-",
                         unsigned mode = 0);

// A copy of standard input in a temporary file. The destructor removes it.
class Spool {
 public:
  // `made` gets the file's name before it is filled.
  explicit Spool(
      int from, const std::function<void(const std::string&)>& made = [](const std::string&) {},
      std::uint64_t longest = kLongestInput);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Where output goes: a plain file, which need not exist, or a pipe or device.
struct Destination {
  std::string path;     // with symbolic links followed
  int descriptor = -1;  // of this process, for "-", /dev/stdout, /dev/fd/N
  bool plain = true;    // a plain file, or nothing yet
};
Destination destination_of(const std::string& path);
// The path with links followed. Throws if it is not a plain file, which HDF5 needs.
std::string plain_target(const std::string& path);

class OutputFile {
 public:
  enum class Content { text, hdf5 };
  // Throws if nothing can be written there. HDF5 needs a plain file.
  OutputFile(const std::string& target, Content);
  virtual ~OutputFile();  // without commit() there is no file
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& target() const { return target_; }  // as the user named it
  const Destination& place() const { return place_; }
  // The temporary file; empty for pipes and devices.
  const std::string& path() const { return temporary_; }
  void write(std::string_view);
  void copy(const std::string& from);  // the bytes of a plain file
  void commit();

 protected:
  // Does what may wait for the reader of a pipe.
  virtual void outside(const std::function<void()>& action) { action(); }

 private:
  [[noreturn]] void fail(int error) const;
  void open();
  void flush();

  std::string target_;
  Destination place_;
  std::string temporary_, buffer_;
  int descriptor_ = -1;
};

// Writes a text to a file, a pipe or a device.
void write_text(const std::string& target, std::string_view);

// Held while a file is read, changed and replaced, so that programs which change files of one
// folder take turns.
class FolderLock {
 public:
  explicit FolderLock(const std::string& path);  // of a file in the folder
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

// A file format of another engine, so that a message can say which command reads it.
struct EngineFile {
  std::string words;                 // "this is URDF: perpend capture dart FILE ... records it"
  std::vector<std::string> endings;  // usual file name endings: ".urdf"
};

// Recognizes the format by the beginning of the text. Other XML has no endings.
std::optional<EngineFile> engine_file(std::string_view text);
// The same for a file. Empty if there is no such plain file.
std::optional<EngineFile> engine_file_at(const std::string& path);
// True if an engine that reads files with these endings reads this file, by its ending or content.
bool is_engine_file(const std::string& path, const std::vector<std::string>& endings);

// Makes a text from a file safe to print as one line. Control characters, line ends, marks of
// writing direction and bytes that are not UTF-8 become escapes such as "\x1b" and "\u202e".
std::string printable(std::string_view);
// The same for a JSON document, with JSON's escapes. Line ends between its parts stay.
std::string printable_json(std::string_view document);

}  // namespace perpend::io
