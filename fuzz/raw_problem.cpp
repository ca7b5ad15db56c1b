// Any bytes as a raw LCP or MLCP: what is read has an error at zero, or at its bounds.
//
// About: src/io/raw_problem.cpp src/io/json_fields.cpp src/io/kind.cpp
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  const fuzz::InputFile file(data, size);
  fuzz::accepted([&] {
    io::kind_of(file.path());
    const std::unique_ptr<LinearProblem> problem = io::read_raw_problem(file.path());
    problem->own_error(VectorXd::Zero(problem->size()));
  });
  return 0;
}
