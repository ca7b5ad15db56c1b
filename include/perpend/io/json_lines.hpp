// Frames as JSON lines (docs/json.md), one after the other or not in a file.
#pragma once

#include <cstdint>
#include <fstream>
#include <iosfwd>
#include <string>
#include <vector>

#include "perpend/io.hpp"

namespace perpend::io {

// The most a file of JSON lines may have.
inline constexpr std::uint64_t kLongestLines = std::uint64_t{1} << 30;  // bytes

// A file of JSON lines whose frames stay on the disk: each is read and checked at first, and read
// again when it is asked for.
class JsonLines {
 public:
  explicit JsonLines(const std::string& path);
  explicit JsonLines(OpenFile);
  Index frames() const { return static_cast<Index>(lines_.size()); }
  FrameCounts counts(Index frame) const;
  Record read(Index frame) const;
  Stepper stepper() const { return stepper_; }  // of the first frame
  const std::vector<std::string>& answerers() const { return answerers_; }

 private:
  void read_all();

  struct Line {
    std::int64_t at;  // its first byte
    std::int32_t number, bodies, joints, joint_rows, contacts;
  };
  std::string path_;
  mutable std::ifstream file_;
  std::vector<Line> lines_;
  Stepper stepper_ = Stepper::st;
  std::vector<std::string> answerers_;
};

// `name` stands for the file in errors.
std::vector<Record> read_json_lines(std::istream&, const std::string& name);

}  // namespace perpend::io
