// A Siconos program that records itself: a box of 3 kg falls half a metre onto a floor and lies
// there. C++17, as Siconos' headers are.
#include <perpend/capture/siconos.hpp>
//
#include <cstdio>
#include <siconos/kernel/FrictionContact.hpp>
#include <siconos/kernel/NewtonImpactFrictionNSL.hpp>
#include <siconos/kernel/NonSmoothDynamicalSystem.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/TimeDiscretisation.hpp>
#include <siconos/kernel/TimeStepping.hpp>
#include <siconos/mechanics/RigidBodyDS.hpp>
#include <siconos/mechanics/SiconosBulletCollisionManager.hpp>
#include <siconos/mechanics/SiconosContactor.hpp>
#include <siconos/mechanics/SiconosShape.hpp>

namespace {

SP::SiconosContactorSet contactors(double edge, double height, double z) {
  const auto box = std::make_shared<SiconosBox>(edge, edge, height);
  box->setInsideMargin(0);
  box->setOutsideMargin(0);
  const auto pose = std::make_shared<SiconosVector>(7);
  (*pose)(2) = z;
  (*pose)(3) = 1;
  const auto set = std::make_shared<SiconosContactorSet>();
  set->push_back(std::make_shared<SiconosContactor>(box, pose));
  return set;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE.h5\n", argv[0]);
    return 2;
  }
  const std::string path = argv[1];
  const double h = 1.0 / 60, mass = 3;
  perpend::capture::SiconosFile file(path);
  auto osi = std::make_shared<perpend::capture::RecordingMoreauJean>(file, 0.5);

  const auto position = std::make_shared<SiconosVector>(7);
  (*position)(2) = 1;  // the cube's half edge, and half a metre
  (*position)(3) = 1;
  const auto inertia = std::make_shared<SimpleMatrix>(3, 3);
  for (unsigned i = 0; i < 3; ++i) inertia->setValue(i, i, mass / 6);
  const auto box =
      std::make_shared<RigidBodyDS>(position, std::make_shared<SiconosVector>(6), mass, inertia);
  box->setUseContactorInertia(false);
  box->setContactors(contactors(1, 1, 0));
  const auto weight = std::make_shared<SiconosVector>(3);
  (*weight)(2) = -9.81 * mass;
  box->setFExtPtr(weight);
  const auto bodies = std::make_shared<NonSmoothDynamicalSystem>(0.0, 1e9);
  bodies->insertDynamicalSystem(box);

  const auto stepping =
      std::make_shared<TimeStepping>(bodies, std::make_shared<TimeDiscretisation>(0.0, h));
  stepping->insertIntegrator(osi);
  stepping->insertNonSmoothProblem(std::make_shared<FrictionContact>(3));
  const auto manager = std::make_shared<SiconosBulletCollisionManager>();
  stepping->insertInteractionManager(manager);
  manager->insertStaticContactorSet(contactors(100, 2, -1));
  manager->insertNonSmoothLaw(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, 0.5, 3), 0, 0);

  const int steps = 600;
  for (int i = 0; i < steps; ++i) {
    stepping->computeOneStep();
    if (i + 1 < steps) stepping->nextStep();
  }
  const SiconosVector& impulse = *box->p(1);
  file.close();
  std::printf("%d steps, contact force %.4f %.4f %.4f N, weight %.4f N\n", steps,
              impulse.getValue(0) / h, impulse.getValue(1) / h, impulse.getValue(2) / h,
              9.81 * mass);
  return 0;
}
