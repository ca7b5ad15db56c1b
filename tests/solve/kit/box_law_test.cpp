#include "solve/kit/box_law.hpp"

#include <gtest/gtest.h>

#include "perpend/formulate.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace box_law_test {

// Impulses and a velocity with nothing in common, so that all kinds of rows occur.
struct Point {
  System s = assemble(boxes::shaken(boxes::wall(2, 2), 1));
  VectorXd lambda = VectorXd::Zero(s.rows()), v = s.b;
  Point() {
    for (Index i = 0; i < s.rows(); ++i) lambda[i] = 0.1 * static_cast<double>((7 * i) % 11 - 3);
  }
};

TEST(BoxLaw, StepIsTheDerivativeOfItsEquations) {
  const Point at;
  for (const BoxLaw::Map map : {BoxLaw::Map::fischer, BoxLaw::Map::natural}) {
    BoxLaw law;
    law.prepare(at.s);
    law.set_map(map);
    law.penalize(3);
    law.linearize(at.lambda, at.v);
    const VectorXd phi = law.phi();
    // Along any dv the step makes the linearized equations zero: what is left is of second order.
    const VectorXd dv = 1e-5 * VectorXd::LinSpaced(at.s.rows(), -1, 1);
    VectorXd step;
    law.step(dv, step);
    double left[2];
    for (const int k : {0, 1}) {
      const double a = k ? 1e-7 : 1e-6;
      law.evaluate(at.lambda + a * step, at.v + a * dv);
      left[k] = (law.phi() - (1 - a) * phi).lpNorm<Eigen::Infinity>() / a;
    }
    EXPECT_LT(left[1], 1e-4);
    EXPECT_LT(left[1], 0.2 * left[0] + 1e-7);
  }
}

TEST(BoxLaw, ResidualIsTheOwnErrorOfTheProblem) {
  const Point at;
  BoxLaw law;
  law.prepare(at.s);
  VectorXd lambda = at.lambda;
  law.project(lambda);
  EXPECT_NEAR(law.residual(lambda, relative_velocity(at.s, lambda)),
              BoxProblem(at.s).own_error(lambda), 1e-13);
}

}  // namespace box_law_test
}  // namespace perpend
