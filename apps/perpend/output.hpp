// Files that a command writes and reads, as the user names them: "-" is a standard stream.
#pragma once

#include <optional>
#include <string>

#include "interrupt.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {

// An output that is whole or not there, also when Ctrl-C ends the program at once.
class Output : public io::OutputFile {
 public:
  enum class Place { free, claimed };  // claimed: by claim(), before
  Output(const std::string& target, Content, Place = Place::free);
  // A complaint about the file under construction, told about the file asked for.
  std::string about_target(std::string complaint) const;

 private:
  void outside(const std::function<void()>& action) override;

  UnfinishedFile unfinished_;
};

// The same in one go, to a place that was claimed or is a plain file.
void write_output(const std::string& target, std::string_view text);

// To be called once for what writes to a place later: where that is standard output, everything
// else that the program says goes to standard error from here on.
void claim(const io::Destination&);

// An input: a file, or what standard input holds.
class Input {
 public:
  explicit Input(const std::string& name);
  const std::string& path() const { return path_; }  // to be opened

 private:
  std::optional<io::Spool> spool_;
  std::optional<UnfinishedFile> unfinished_;
  std::string path_;
};

// A complaint about what was read from standard input, told about that.
std::string as_named(std::string complaint);

}  // namespace perpend::app
