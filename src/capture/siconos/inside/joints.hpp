// Joints of a scene as relations of Siconos, and bodies that move by themselves.
//
// A hinge is a PivotJointR, a slider a PrismaticJointR, a point a KneeJointR, a fixed joint a
// FixedJointR, each with an EqualityConditionNSL; a limit is a JointStopR with a NewtonImpactNSL.
// Siconos has no angles of a ball joint and no motors. Made here, of what it lets users derive:
//   EulerJointR  a KneeJointR with the angles a, b, c that JointStopR asks for,
//                R_first^T R_second = Rz(c) Ry(b) Rx(a)
//   MotorR       a JointFrictionR with a RelayNSL of bounds -tau h, tau h; what makes it a motor is
//                the speed that JointProblem adds to its row of q
//   Motion       a BoundaryCondition on all six velocities of a body
#pragma once

// First of all: it names the classes that the visitors of Siconos' kernel are to know.
#include <siconos/mechanics/MechanicsFwd.hpp>
//
#include <siconos/kernel/BoundaryCondition.hpp>
#include <siconos/kernel/GenericMechanical.hpp>
#include <siconos/kernel/Interaction.hpp>
#include <siconos/kernel/NewtonEulerDS.hpp>
#include <siconos/mechanics/JointFrictionR.hpp>
#include <vector>

#include "capture/siconos/world.hpp"

namespace perpend::capture::from_siconos {

// Contacts and joints in one problem.
class JointProblem : public GenericMechanical {
 public:
  using GenericMechanical::GenericMechanical;
  void computeqBlock(InteractionsGraph::VDescriptor& vertex, unsigned int pos) override;
};

class MotorR : public JointFrictionR {
 public:
  MotorR(SP::NewtonEulerJointR joint, unsigned int axis, double speed);
  double speed() const { return speed_; }
  // No distance, but what keeps it among the active ones whichever way the joint turns.
  void computeh(double time, const BlockVector& q, SiconosVector& y) override;

 private:
  double speed_;
};

class Motion : public BoundaryCondition {
 public:
  Motion(std::function<std::array<double, 6>(double)> velocity, const NewtonEulerDS& body);
  void computePrescribedVelocity(double time) override;

 private:
  std::function<std::array<double, 6>(double)> velocity_;
  const NewtonEulerDS& body_;
};

// All interactions of a joint: its own first, then those of its limits and motors. One of the
// bodies may be null: it stands still.
std::vector<SP::Interaction> make_joint(const SiconosScene::Joint&, double h,
                                        const SP::NewtonEulerDS& first,
                                        const SP::NewtonEulerDS& second);

}  // namespace perpend::capture::from_siconos
