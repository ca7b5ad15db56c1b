// Any bytes as JSON lines of frames: what is read can be assembled, and written and read again it
// is the same.
//
// About: src/io/json_lines.cpp src/io/record_json.cpp src/io/json_fields.cpp
// src/io/kind.cpp src/frame/frame.cpp src/system/assemble.cpp
#include <sstream>

#include "input.hpp"
#include "perpend/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  std::vector<io::Record> records;
  if (!fuzz::accepted([&] {
        io::kind_of(file.path());
        records = io::read_json_lines(file.path());
      }))
    return 0;
  for (const io::Record& record : records) {
    fuzz::accepted([&] { io::system_of(record, "frame"); });
    const std::string line = io::to_json_line(record);
    std::istringstream text(line);
    fuzz::require(io::to_json_line(io::read_json_lines(text, "again").front()) == line);
  }
  return 0;
}
