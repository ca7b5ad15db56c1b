// The method itself is tested in mlcp_path_test; here, that it is one method for three forms.
#include "solve/kit/path_method.hpp"

#include <gtest/gtest.h>

#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace path_method_test {

TEST(PathMethod, HasTheSameOptionsInEveryForm) {
  for (const char* name : {"box/path", "lcp/path", "mlcp/path"}) {
    const SolverInfo* info = solver_named(name);
    ASSERT_NE(info, nullptr) << name;
    ASSERT_EQ(info->options.size(), path_options().size());
    for (std::size_t k = 0; k < info->options.size(); ++k)
      EXPECT_EQ(info->options[k].name, path_options()[k].name);
  }
}

TEST(PathMethod, ItsAnswerIsInTheUnknownsOfTheForm) {
  // Of one frame the three forms have 3 m, (n_d + 2) m and 6 n + (n_d + 2) m unknowns.
  const System s = assemble(boxes::shaken(boxes::column(2, 1, 1), 0.1));
  const Index m = s.contacts();
  Options o;
  o.facets = 4;
  EXPECT_EQ(solve(s, "box/path", o).z.size(), 3 * m);
  EXPECT_EQ(solve(s, "lcp/path", o).z.size(), 6 * m);
  EXPECT_EQ(solve(s, "mlcp/path", o).z.size(), 12 + 6 * m);
}

TEST(PathMethod, OnTheAxesBoxAndPyramidOfFourAreOneModel) {
  // Pushed along t, a block reaches the same bound in both: mu lambda_n along one axis.
  boxes::World w;
  const Index floor = w.fixed();
  const Index cube = w.cube(1, 1, {0, 0, 0.5}, {0.9, 0, -1});
  w.face(floor, cube, {0, 0, 0}, 1, 0.5);
  const System s = assemble(w.frame());
  Options o;
  o.facets = 4;
  o.tolerance = 1e-12;
  const VectorXd box = velocity_plus(s, solve(s, "box/path", o).impulses);
  const VectorXd pyramid = velocity_plus(s, solve(s, "mlcp/path", o).impulses);
  EXPECT_GT(box.norm(), 1e-3);
  EXPECT_LT((box - pyramid).norm(), 1e-11);
}

// A lever of 1e300 m, squared: the residual is no number, and no proximal term is large enough.
TEST(PathMethod, ItsCrashEndsWhereNumbersDo) {
  boxes::World w;
  const Index floor = w.fixed(), cube = w.cube(1, 1, {0, 0, 0.5});
  w.contact(floor, cube, {1e300, 0, 0}, {0, 0, 1}, 0.5);
  const System s = assemble(w.frame());
  for (const std::string type : {"lcp", "mlcp"}) {
    std::string why;
    const auto problem = formulate(s, type, {}, why);
    Options o;
    o.set["start"] = "crash";
    const Result r = solve(*problem, type + "/path", o);
    EXPECT_NE(r.status, Status::converged) << type;
    EXPECT_TRUE(r.z.allFinite()) << type;
  }
}

}  // namespace path_method_test
}  // namespace perpend
