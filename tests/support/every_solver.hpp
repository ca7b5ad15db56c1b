// Parameters of the tests that ask every registered solver.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::every_solver {

inline std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const SolverInfo& s : solvers()) all.push_back(s.name);
  return all;
}

// ncp/pgs-sm as a test's name: ncp_pgs_sm.
inline std::string test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  for (char& c : name)
    if (c == '/' || c == '-') c = '_';
  return name;
}

}  // namespace perpend::every_solver
