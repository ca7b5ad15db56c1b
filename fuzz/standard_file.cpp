// Any bytes as a standard file: read, validate, repair and the systems of its frames answer or
// refuse, and do not crash.
//
// The bytes take the way a user's file takes, child process first: HDF5 may die there, which makes
// the file a damaged one. What passes is then parsed here, under the address sanitizer.
//
// About: src/io/frame_reader.cpp src/io/columns_layout.cpp src/io/frames_layout.cpp
// src/io/columns.cpp src/io/column_values.cpp src/io/stored_columns.cpp src/io/hdf5.cpp
// src/io/solutions.cpp src/io/validate.cpp src/io/repair.cpp src/io/system_columns.cpp
// src/io/source.cpp src/io/kind.cpp src/io/recipe.cpp src/io/file_columns.cpp src/io/model.cpp
#include <algorithm>

#include "input.hpp"

namespace perpend::fuzz {
namespace {

constexpr Index kFrames = 8;  // read at most

void read(const std::string& path) {
  const io::FrameReader reader(path);
  for (Index i = 0; i < std::min(reader.frames(), kFrames); ++i) {
    reader.counts(i);
    const io::Record record = reader.read(i);
    if (invalid(record.frame).empty()) accepted([&] { io::system_of(record, path); });
  }
  accepted([&] { io::scene_of(reader.model()); });
  accepted([&] { reader.events(); });
  accepted([&] { reader.numbers("solution/velocity_error"); });
  for (const std::string& name : reader.solutions())
    accepted([&] { io::read_solution(path, name); });
  if (!reader.header().simulate.empty()) accepted([&] { io::recipe_of(reader.header(), path); });
}

void solve(const std::string& path) {
  const auto source = io::open_source(path);
  for (Index i = 0; i < std::min(source->frames(), kFrames); ++i)
    accepted([&] { io::recorded(source->read(i)); });
}

}  // namespace
}  // namespace perpend::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  fuzz::accepted([&] {
    switch (size % 4) {
      case 0:
        io::validate(file.path());
        break;
      case 1:
        io::repair(file.path());
        break;
      case 2:
        fuzz::solve(file.path());
        break;
      default:
        fuzz::read(file.path());
    }
  });
  return 0;
}
