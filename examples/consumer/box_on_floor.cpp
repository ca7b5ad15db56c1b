// A box of 1 kg slides over a fixed floor at 1 m/s; mu = 0.5, h = 0.01 s.
//
// By hand: the floor carries the weight, and friction is mu m g against the motion. The box does
// not tip, because mu is less than its width divided by twice the height of its centre.
//   v+ = 1 - mu g h = 1 - 0.5 * 9.81 * 0.01 = 0.95095 m/s.
#include <cstdio>
#include <perpend/solve.hpp>

namespace {

int complain(const std::string& why) {
  std::fprintf(stderr, "invalid frame: %s\n", why.c_str());
  return 2;
}

}  // namespace

int main() {
  // [README]
  perpend::Frame frame = perpend::make_frame(2, 4);    // two bodies, four contacts
  frame.step = 0.01;                                   // h, s
  frame.bodies.masses << 0, 1;                         // kg; 0: the floor is fixed
  frame.bodies.positions.row(1) << 0, 0, 0.5;          // a cube of 1 m on z = 0
  frame.bodies.velocities.row(1) << 1, 0, 0, 0, 0, 0;  // m/s, rad/s
  frame.bodies.forces.row(1) << 0, 0, -9.81, 0, 0, 0;  // N, N m
  frame.contacts.points << 0.5, 0.5, 0, -0.5, 0.5, 0, -0.5, -0.5, 0, 0.5, -0.5, 0;
  for (int i = 0; i < 4; ++i) frame.contacts.pairs.row(i) << 0, 1;  // the floor carries the box
  frame.contacts.normals.col(2).setOnes();
  frame.contacts.mu.setConstant(0.5);
  if (std::string why = perpend::invalid(frame); !why.empty()) return complain(why);
  const perpend::System system = perpend::assemble(frame);
  const perpend::Result result = perpend::solve(system, "ncp/nncg");
  const perpend::Rows6 v = perpend::velocity_plus(frame, system, result.impulses);
  // [README]

  std::printf("status           %s: %s\n", std::string(perpend::name(result.status)).c_str(),
              result.message.c_str());
  std::printf("velocity         %.6f %.6f %.6f m/s\n", v(1, 0), v(1, 1), v(1, 2));
  std::printf("angular velocity %.6f %.6f %.6f rad/s\n", v(1, 3), v(1, 4), v(1, 5));
  for (const perpend::MeasureInfo& info : perpend::measures())
    if (result.errors.has(info.measure))
      std::printf("%-17s %.3e %s\n", std::string(info.name).c_str(), result.errors[info.measure],
                  std::string(info.unit).c_str());
  return result.status == perpend::Status::converged ? 0 : 1;
}
