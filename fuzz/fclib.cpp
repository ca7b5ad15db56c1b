// Any bytes as an FCLIB file: a system, or one line. The way is that of standard_file.cpp.
//
// About: src/io/fclib.cpp src/io/hdf5.cpp src/system/blocks.cpp
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  fuzz::accepted([&] {
    const io::FclibProblem problem = io::read_fclib(file.path());
    const System& system = problem.system;
    fuzz::require(relative_velocity(system, Impulses::Zero(system.rows())).size() == system.rows());
  });
  return 0;
}
