#include "solve/kit/newton_space.hpp"

#include <gtest/gtest.h>

#include "solve/kit/prox_cone.hpp"
#include "support/boxes.hpp"
#include "support/shaken.hpp"

namespace perpend {
namespace newton_space_test {

// The defect w - w(p(w)) as a function of w.
template <class Space>
VectorXd defect(Space& space, ProxCone& cone, const VectorXd& w) {
  VectorXd u, w_p;
  space.velocity(w, u);
  cone.project(u);
  space.respond(cone.p(), w_p);
  return w - w_p;
}

// A Newton step is what makes the defect vanish to first order: moved by a small part t of it, the
// defect is (1 - t) of what it was. With t = 1e-6 kinks are not met and squares do not count.
template <class Space>
void expect_newton(const System& s, ProxCone::Law law) {
  Space space;
  ASSERT_TRUE(space.prepare(s));
  ProxCone cone;
  cone.prepare(s);
  cone.set_law(law);
  cone.penalize(5);
  const Impulses impulses = 0.02 * Impulses::Ones(s.rows());
  cone.centre(impulses, VectorXd::Zero(s.contacts()));
  VectorXd w, d;
  space.respond(impulses, w);
  const VectorXd e = defect(space, cone, w);
  cone.linearize();
  ASSERT_TRUE(space.factorize(cone.slopes()));
  space.step(e, d);
  VectorXd by_motion, against;
  space.step(w, by_motion);
  space.step_against(impulses, against);
  EXPECT_LT((against - by_motion).norm(), 1e-12 * by_motion.norm());
  const double t = 1e-6;
  EXPECT_LT((defect(space, cone, w + t * d) - (1 - t) * e).norm(), 1e-3 * t * e.norm());
}

TEST(NewtonSpace, StepsOfBothSpacesAndBothLawsAreNewtons) {
  const System s = assemble(boxes::shaken(boxes::wall(3, 3, 0.4), 0.5));
  for (const ProxCone::Law law : {ProxCone::Law::coulomb, ProxCone::Law::associated}) {
    expect_newton<BodyNewtonSpace>(s, law);
    expect_newton<ImpulseNewtonSpace>(with_blocks(s), law);
  }
}

TEST(NewtonSpace, OfBodiesNeedsBodies) {
  BodyNewtonSpace space;
  EXPECT_FALSE(space.prepare(with_blocks(assemble(boxes::column(1, 1, 1)))));
}

}  // namespace newton_space_test
}  // namespace perpend
