// What the step leaves behind: slide_or_stick, max_penetration, energy_change.
#include <gtest/gtest.h>

#include "measure/scenes.hpp"

namespace perpend {
namespace outcome_test {

using namespace scenes;

std::int8_t state_of(const Frame& frame, const Impulses& lambda) {
  return slide_or_stick(assemble(frame), lambda).at(0);
}

TEST(SlideOrStick, TellsOpenStickAndSlide) {
  EXPECT_EQ(state_of(separating(), impulses({0, 0, 0})), 0);
  EXPECT_EQ(state_of(sticking(), impulses({2, -0.5, 0})), 1);
  EXPECT_EQ(state_of(sliding(), impulses({2, -1, 0})), 2);
}

// Open: b_n = 1/4, lambda_n = 1 gives wn = 3/4, which is above lambda_n/rho = 1/2 but not above
// lambda_n. Slide: b_t = 5/8, lambda = (2, -1/2, 0) gives s = 3/8, which is above
// sigma/rho = (1 - 1/2)/2 = 1/4 but not above sigma.
TEST(SlideOrStick, ComparesVelocitiesWithVelocities) {
  EXPECT_EQ(state_of(block({0, 0, 0.25}, {0, 0, 0}), impulses({1, 0, 0})), 0);
  EXPECT_EQ(state_of(block({0, 0, -0.25}, {0, 0, 0}), impulses({1, 0, 0})), 1);  // 1/4 < 1/2
  EXPECT_EQ(state_of(block({0, 0, 0}, {10, 0, -16}), impulses({2, -0.5, 0})), 2);
  EXPECT_EQ(state_of(block({0, 0, 0}, {6, 0, -16}), impulses({2, -0.5, 0})), 1);  // 1/8 < 1/4
}

TEST(MaxPenetration, IsTheDeepestGapAfterTheStep) {
  // Free fall from the surface at 1 m/s for 1/8 s.
  EXPECT_EQ(measure(assemble(sticking()), impulses({0, 0, 0}), Measure::max_penetration), 0.125);
  // From 1/4 m above it at 3 m/s: 1/4 - 3/8.
  EXPECT_EQ(measure(assemble(block({0, 0, -2}, {0, 0, -16}, 0.5, 0.25)), impulses({0, 0, 0}),
                    Measure::max_penetration),
            0.125);
  // Thrown off: nothing.
  EXPECT_EQ(measure(assemble(separating()), impulses({0, 0, 0}), Measure::max_penetration), 0);
}

// Stewart-Trinkle pushes 1/4 m out within the step (c = -2 m/s, v+ = 2 m/s); Anitescu-Potra stops.
TEST(MaxPenetration, KeepsWhatTheStepperDoesNotRepair) {
  Frame frame = block({0, 0, 0}, {0, 0, -16}, 0.5, -0.25);
  EXPECT_EQ(measure(assemble(frame), impulses({6, 0, 0}), Measure::max_penetration), 0);
  frame.stepper = Stepper::ap;
  EXPECT_EQ(measure(assemble(frame), impulses({2, 0, 0}), Measure::max_penetration), 0.25);
}

// An engine's compliance 1/2 is part of A but moves no body: at lambda_n = 2 the block stands
// although y_n = 1. Its bias (c = 1/4) is no motion either.
TEST(MaxPenetration, IsTheMotionOfBodiesNotTheEnginesCompliance) {
  Frame frame = sticking();
  frame.contacts.cfm = Rows3::Constant(1, 3, 0.5);
  frame.contacts.bias.resize(1, 3);
  frame.contacts.bias << 0.25, 0, 0;
  const System system = assemble(frame, Model::engine);
  EXPECT_EQ(relative_velocity(system, impulses({2, 0, 0}))[0], 1.25);
  for (const System& form : {system, with_blocks(system)}) {
    EXPECT_EQ(measure(form, impulses({2, 0, 0}), Measure::max_penetration), 0);
    EXPECT_EQ(measure(form, impulses({1, 0, 0}), Measure::max_penetration), 0.0625);
  }
}

// v_free = (1, 0, -1), lambda = (2, -2, 0) stops it: -1/2 2 2 = -2. lambda = (2, 1, 0) pushes on:
// v+ = (3/2, 0, 0), 9/4 - 2 = +1/4.
TEST(EnergyChange, IsNegativeWhenImpulsesBrakeAndPositiveWhenTheyDrive) {
  const System system = assemble(sliding());
  EXPECT_EQ(measure(system, impulses({2, -2, 0}), Measure::energy_change), -2);
  EXPECT_EQ(measure(system, impulses({2, 1, 0}), Measure::energy_change), 0.25);
  EXPECT_EQ(measure(system, impulses({0, 0, 0}), Measure::energy_change), 0);
}

// Rotation counts: an off-centre push of 2 N s along z at r2 = x/2, unit inertia: v_z = 1,
// omega_y = -1: 1/2 2 1 + 1/2 1 1.
TEST(EnergyChange, CountsRotation) {
  Frame frame = block({0, 0, 0}, {0, 0, 0});
  frame.contacts.points2.row(0) << 0.5, 0, 0;
  EXPECT_EQ(measure(assemble(frame), impulses({2, 0, 0}), Measure::energy_change), 1.5);
}

// A ball at 1e8 m/s braked by 2e-8 m/s loses 4 J = 1/2 2 (2 1e8 2e-8); subtracting squares of
// 1e16 would leave nothing of it. v itself is rounded to 1.5e-8: the velocity is chosen exact.
TEST(EnergyChange, DoesNotSubtractLargeSquares) {
  const double v = 0x1p26, brake = 0x1p-26;
  const System system = assemble(block({v, 0, 0}, {0, 0, 0}));
  const double exact = -2 * v * brake + brake * brake;  // 1/2 m ((v - d)^2 - v^2), m = 2
  EXPECT_EQ(measure(system, impulses({0, -2 * brake, 0}), Measure::energy_change), exact);
}

}  // namespace outcome_test
}  // namespace perpend
