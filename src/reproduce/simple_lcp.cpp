// Preda and Florian 2005, section 4: scenes of one to four resting contacts without friction,
// solved by the simple method (normal/simple) and by Baraff's (normal/baraff).
//
// The paper tells of its scenes only that they are simulations in Thyrix with less than five
// contacts. Examples of such: a cube on one to four legs, a cube in a corner, both on tilted
// ground, and cubes on each other. Then a thousand random scenes: one to three bodies with random
// masses and inertia at rest under gravity; every contact is between a random body and the floor,
// or between two bodies, at a random point of the surface of a sphere, with a normal that may lean.
// Solutions are compared by the accelerations that they give to the contacts, since forces on four
// corners are not unique.
#include <algorithm>
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kGravity = 9.81;     // m/s^2
constexpr double kComparable = 0.01;  // of g, in the acceleration of a contact
constexpr long kMost = 2000;

Frame random_contacts(std::uint64_t seed) {
  Dice dice(seed);
  const Index contacts = 1 + dice.below(4), bodies = 1 + dice.below(std::min<Index>(contacts, 3));
  Frame frame = make_frame(bodies + 1, contacts);
  frame.step = 1.0 / 60;
  frame.bodies.masses[0] = 0;
  for (Index i = 1; i <= bodies; ++i) {
    const double mass = std::exp(dice.uniform(std::log(0.2), std::log(5.0)));
    frame.bodies.masses[i] = mass;
    const Matrix3d inertia =
        Vector3d(dice.uniform(0.2, 0.6), dice.uniform(0.2, 0.6), dice.uniform(0.2, 0.6))
            .asDiagonal();
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(frame.bodies.inertia.row(i).data()) =
        mass * inertia;
    frame.bodies.positions.row(i) << 2.0 * static_cast<double>(i), 0, 1;
    frame.bodies.forces.row(i) << 0, 0, -mass * kGravity, 0, 0, 0;
  }
  for (Index c = 0; c < contacts; ++c) {
    // The second body lies on the first, which may be the floor. None hangs in the air.
    const Index second = c < bodies ? c + 1 : 1 + dice.below(bodies), first = dice.below(second);
    Vector3d normal = dice.direction();
    normal.z() = std::abs(normal.z()) + 0.3;
    normal.normalize();
    frame.contacts.pairs.row(c) << first, second;
    frame.contacts.normals.row(c) = normal.transpose();
    frame.contacts.gap[c] = 0;
    frame.contacts.mu[c] = 0;
    const Vector3d lever = Vector3d(dice.direction() - normal).normalized();
    const Vector3d from_first = first == 0 ? Vector3d::Zero() : dice.direction();
    if (frame.contacts.points2.rows() == 0) frame.contacts.points2 = Rows3::Zero(contacts, 3);
    frame.contacts.points.row(c) = from_first.transpose();
    frame.contacts.points2.row(c) = lever.transpose();
  }
  return frame;
}

// Cubes of 1 m at rest, gravity turned by `tilt` about y.
class Cubes {
 public:
  Cubes(Index cubes, Index contacts, double tilt) : frame_(make_frame(cubes + 1, contacts)) {
    frame_.step = 1.0 / 60;
    frame_.bodies.masses[0] = 0;
    frame_.contacts.points2 = Rows3::Zero(contacts, 3);
    frame_.contacts.gap.setZero();
    frame_.contacts.mu.setZero();
    for (Index i = 1; i <= cubes; ++i) {
      frame_.bodies.masses[i] = 1;
      Eigen::Map<Matrix3d>(frame_.bodies.inertia.row(i).data()) = Matrix3d::Identity() / 6;
      frame_.bodies.positions.row(i) << 0, 0, static_cast<double>(i) - 0.5;
      frame_.bodies.forces.row(i) << kGravity * std::sin(tilt), 0, -kGravity * std::cos(tilt), 0, 0,
          0;
    }
  }
  // Between the body `first` and the one above it, at a place in the world.
  void touch(Index first, const Vector3d& place, const Vector3d& normal = Vector3d::UnitZ()) {
    const Vector3d below = frame_.bodies.positions.row(first).transpose(),
                   above = frame_.bodies.positions.row(first + 1).transpose();
    frame_.contacts.pairs.row(next_) << first, first + 1;
    frame_.contacts.normals.row(next_) = normal.transpose();
    frame_.contacts.points.row(next_) = (place - below).transpose();
    frame_.contacts.points2.row(next_++) = (place - above).transpose();
  }
  const Frame& frame() const { return frame_; }

 private:
  Frame frame_;
  Index next_ = 0;
};

struct Example {
  std::string what;
  std::vector<Frame> frames;
};

std::vector<Example> examples() {
  std::vector<Example> out;
  for (Index legs = 1; legs <= 4; ++legs) {
    const std::string count = std::to_string(legs);
    Example one{legs == 1 ? "a cube on a leg" : "a cube on " + count + " legs", {}};
    for (const double x : {0.0, 0.1, 0.2, 0.3, 0.4})  // legs in the middle and aside
      for (const double tilt : {0.0, 0.05, 0.1, 0.2, 0.3}) {
        Cubes cube(1, legs, tilt);
        if (legs == 1) {
          cube.touch(0, {x, 0, 0});
        } else {
          const double y = legs > 2 ? -0.5 : 0;
          cube.touch(0, {-0.5, y, 0});
          cube.touch(0, {0.5 - x, y, 0});
          if (legs > 2) cube.touch(0, {legs > 3 ? -0.5 : 0.5 - x, 0.5, 0});
          if (legs > 3) cube.touch(0, {0.5, 0.5, 0});
        }
        one.frames.push_back(cube.frame());
      }
    out.push_back(std::move(one));
  }
  Example corner{"a cube in a corner", {}};
  for (const double tilt : {0.05, 0.2, 0.5, 0.8}) {
    Cubes cube(1, 3, tilt);
    cube.touch(0, {-0.5, 0, 0});
    cube.touch(0, {0.5, 0, 0});
    cube.touch(0, {0.5, 0, 0.9}, -Vector3d::UnitX());
    corner.frames.push_back(cube.frame());
  }
  out.push_back(std::move(corner));
  for (Index cubes = 2; cubes <= 4; ++cubes) {
    Cubes column(cubes, cubes, 0);
    for (Index i = 0; i < cubes; ++i) column.touch(i, {0, 0, static_cast<double>(i)});
    out.push_back({std::to_string(cubes) + " cubes on each other", {column.frame()}});
  }
  return out;
}

struct Count {
  long iterations = kMost + 1;  // until the accelerations are comparable
  bool solved = false, singular = false, baraff = false;
  Index contacts = 0;
  double diagonal = 0;  // the largest A_ii over 1/m_A + 1/m_B
};

Count counted(const Frame& frame, const Settings& settings) {
  const System system = assemble(frame);
  Options options;
  options.set["level"] = "acceleration";
  options.tolerance = 1e-12;
  options.measure_all = false;
  options.cancelled = settings.cancelled;
  Count out;
  out.contacts = system.contacts();
  const Result baraff = solve(system, solver(settings, "normal/baraff"), options);
  out.singular = baraff.path != "normal/baraff";
  out.baraff = baraff.status == Status::converged;
  const auto normal_velocity = [&](const Impulses& lambda) {
    const VectorXd y = relative_velocity(system, lambda);
    VectorXd normal(system.contacts());
    for (Index i = 0; i < system.contacts(); ++i) normal[i] = y[3 * i];
    return normal;
  };
  const VectorXd wanted = normal_velocity(baraff.impulses);
  const auto comparable = [&](const Impulses& lambda) {
    const double apart = (normal_velocity(lambda) - wanted).cwiseAbs().maxCoeff() / frame.step;
    out.solved = apart <= kComparable * kGravity;
    return out.solved;
  };
  if (comparable(Impulses::Zero(system.rows()))) out.iterations = 0;
  options.max_iterations = kMost;
  options.tolerance = 0;
  options.observer = [&](const Iteration& at) {
    Impulses lambda = Impulses::Zero(system.rows());
    for (Index i = 0; i < system.contacts(); ++i) lambda[3 * i] = at.z[i];
    if (!comparable(lambda)) return true;
    out.iterations = at.iteration;
    return false;
  };
  if (!out.solved) solve(system, solver(settings, "normal/simple"), options);
  for (Index c = 0; c < system.contacts(); ++c) {
    double masses = 0;
    for (const Index side : {0, 1})
      if (const double mass = frame.bodies.masses[frame.contacts.pairs(c, side)]; mass > 0)
        masses += 1 / mass;
    out.diagonal = std::max(out.diagonal, contact_block(system, c)(0, 0) / masses);
  }
  return out;
}

// The line of Algorithm 1 as it is printed, on one contact: f <- f - q/A with q = b (no other
// contact), where q >= 0 does not hold. It grows without end.
double printed_line(int sweeps) {
  const double a = 1, b = -kGravity;
  double f = 0;
  for (int k = 0; k < sweeps; ++k) f = b >= 0 ? 0 : f - b / a;
  return std::abs(a * f + b) / kGravity;
}

// The examples, and the claim about them.
void add_examples(Outcome& out, const Settings& settings) {
  Table table{"simple-lcp-examples",
              "Examples: iterations until the accelerations are within 1 % of g of Baraff's",
              {"what", "contacts", "scenes", "median", "most", "Baraff solved"},
              {}};
  const std::vector<Example> list = examples();
  std::vector<double> most(list.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<double> iterations;
    double baraff = 0;
    Index contacts = 0;
    for (const Frame& frame : list[k].frames) {
      const Count one = counted(frame, settings);
      iterations.push_back(static_cast<double>(one.iterations));
      baraff += one.baraff;
      contacts = one.contacts;
    }
    most[k] = quantile(iterations, 1);
    table.rows.push_back({list[k].what, std::to_string(contacts), std::to_string(iterations.size()),
                          whole(median(iterations)), whole(most[k]), whole(baraff)});
  }
  const auto first_column = static_cast<std::ptrdiff_t>(list.size()) - 3;
  out.claims.push_back({"Section 4", "examples, one cube on up to four contacts: most iterations",
                        below(10), *std::max_element(most.begin(), most.begin() + first_column),
                        "A cube on one to four legs and in a corner, on level and tilted ground.",
                        "", ""});
  out.claims.push_back({"Section 4", "examples, up to four cubes on each other: most iterations",
                        below(10), *std::max_element(most.begin() + first_column, most.end()),
                        "Two, three and four: " + whole(most[most.size() - 3]) + ", " +
                            whole(most[most.size() - 2]) + " and " + whole(most.back()) + ".",
                        "A force goes up a column by one contact an iteration.", ""});
  out.tables.push_back(std::move(table));
}

Outcome run_simple_lcp(const Settings& settings) {
  const std::size_t scenes = settings.quick ? 200 : 1000;
  std::vector<Count> counts(scenes);
  for_each(settings, scenes,
           [&](std::size_t i) { counts[i] = counted(random_contacts(i + 1), settings); });

  std::vector<double> iterations, share, worst(5, 0), many(5, 0), middle;
  double solved = 0, fewer = 0, singular = 0, diagonal = 0;
  Table table{"simple-lcp",
              "Iterations until the accelerations are within 1 % of g of Baraff's",
              {"contacts", "scenes", "median", "90 %", "99 %", "most", "10 or more"},
              {}};
  for (const Count& one : counts) {
    iterations.push_back(static_cast<double>(one.iterations));
    solved += one.solved;
    fewer += one.iterations < 10;
    singular += one.singular;
    diagonal = std::max(diagonal, one.diagonal);
  }
  for (Index contacts = 1; contacts <= 4; ++contacts) {
    std::vector<double> some;
    double slow = 0;
    for (const Count& one : counts)
      if (one.contacts == contacts) {
        some.push_back(static_cast<double>(one.iterations));
        slow += one.iterations >= 10;
      }
    table.rows.push_back({std::to_string(contacts), std::to_string(some.size()),
                          whole(median(some)), whole(quantile(some, 0.9)),
                          whole(quantile(some, 0.99)), whole(quantile(some, 1)), whole(slow)});
  }
  draw::Plot plot;
  plot.title = "fewer than five contacts";
  plot.x = {"iterations", true};
  plot.y.label = "share of scenes solved, %";
  for (Index contacts = 1; contacts <= 4; ++contacts) {
    std::vector<double> some, part;
    for (const Count& one : counts)
      if (one.contacts == contacts) some.push_back(static_cast<double>(one.iterations));
    std::sort(some.begin(), some.end());
    for (std::size_t k = 0; k < some.size(); ++k)
      part.push_back(100 * static_cast<double>(k + 1) / static_cast<double>(some.size()));
    plot.curves.push_back(
        curve(std::to_string(contacts) + (contacts == 1 ? " contact" : " contacts"), some, part));
  }
  draw::Curve ten;
  ten.x = {10, 10};
  ten.y = {0, 100};
  ten.guide = true;
  ten.label = "10 iterations";
  plot.curves.push_back(ten);

  Outcome out;
  out.text =
      "Examples (cubes on legs, in a corner and on each other) and " + std::to_string(scenes) +
      " random scenes, all of one to four contacts without friction. A solution is comparable to "
      "Baraff's where the acceleration of every contact is within 1 % of g of his.";
  out.figures.push_back({"simple-lcp", "Section 4: iterations", {plot}});
  Table all{"simple-lcp-scenes",
            "Every scene",
            {"scene", "contacts", "iterations", "solved", "Baraff solved",
             "largest A_ii/(1/m_A + 1/m_B)"},
            {},
            false};
  for (std::size_t i = 0; i < scenes; ++i)
    all.rows.push_back({std::to_string(i + 1), std::to_string(counts[i].contacts),
                        std::to_string(counts[i].iterations), counts[i].solved ? "yes" : "no",
                        counts[i].baraff ? "yes" : "no", short_number(counts[i].diagonal)});
  add_examples(out, settings);
  const std::string part = whole(100 * fewer / static_cast<double>(scenes)) +
                           " % of the scenes need "
                           "fewer than 10 iterations.";
  out.claims.push_back(
      {"Section 4", "iterations, median over scenes", below(10), median(iterations), part, "", ""});
  out.claims.push_back({"Section 4", "iterations, the most over scenes", below(10),
                        quantile(iterations, 1), part,
                        "Gauss-Seidel is slow where two contacts of one body are nearly the same, "
                        "or a heavy body lies on a light one; the paper tells neither its scenes "
                        "nor what it calls comparable.",
                        ""});
  out.claims.push_back({"Section 4", "scenes that the simple method does not solve", exactly(0),
                        static_cast<double>(scenes) - solved,
                        "“Does not suffer of problems”: within " + std::to_string(kMost) +
                            " iterations. Baraff's method met a singular matrix in " +
                            whole(singular) + " of " + std::to_string(scenes) + " scenes.",
                        "", ""});
  out.claims.push_back({"Algorithm 1", "error of the printed line f = f − q/A on one contact, g",
                        at_most(kComparable), printed_line(10), "After ten iterations.",
                        "A misprint: the text of section 3 computes f = −q/A, which is exact after "
                        "one. The printed line adds the same force again and again.",
                        ""});
  out.claims.push_back({"Appendix", "largest A_ii over 1/m_A + 1/m_B", about(1, 0.01), diagonal,
                        "“We get A_ii = 1/m_A + 1/m_B.”",
                        "True only where the normal passes through both centres of mass: eq. 8 has "
                        "a term of the lever arms, (p × n)·I⁻¹(p × n), which the paper leaves out.",
                        ""});
  out.tables.push_back(std::move(table));
  out.tables.push_back(std::move(all));
  return out;
}

}  // namespace

Experiment simple_lcp() {
  return {"simple-lcp", kSimplePaper, "Section 4", "the simple method on few contacts",
          run_simple_lcp};
}

}  // namespace perpend::reproduce
