// Reads frames from JSON lines, solves each with ncp/nncg, prints one line per frame.
#include <cstdio>
#include <perpend/io.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FRAMES.jsonl\n", argv[0]);
    return 2;
  }
  bool all_solved = true;
  try {
    for (const perpend::io::Record& record : perpend::io::read_json_lines(argv[1])) {
      const perpend::Result result = perpend::solve(perpend::assemble(record.frame), "ncp/nncg");
      std::printf("%s: %s, velocity_error %.1e m/s\n", record.name.c_str(),
                  std::string(perpend::name(result.status)).c_str(),
                  result.errors[perpend::Measure::velocity_error]);
      all_solved = all_solved && result.status == perpend::Status::converged;
    }
  } catch (const perpend::io::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return all_solved ? 0 : 1;
}
