// Nguyen and Trinkle 2010, Figs. 4 and 5: a vertex P beside a convex obstacle in the plane, with
// all faces as constraints (eq. 13) and with only the largest gap as one (eqs. 14 to 21).
//
// P is a mass of 1 kg in the plane y = 0, and the faces are contacts with their gaps: alternatives
// of one group, or ordinary ones. One time step without gravity shows where P may go.
#include <array>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kStep = 0.01;  // s

struct Plane {
  Vector3d normal;
  double level;  // m: psi = normal . x - level
};

struct Vertex {
  Vector3d from, velocity;
  std::vector<Plane> faces;
  double gap(std::size_t face, const Vector3d& x) const {
    return faces[face].normal.dot(x) - faces[face].level;
  }
  Vector3d free_end() const { return from + kStep * velocity; }
};

struct Move {
  Vector3d end;
  double error = 0;  // m/s, of the problem: zero for a solution
};

// Face u pushes; none: all faces are ordinary contacts.
Move move(const Vertex& p, std::optional<std::size_t> u, const Settings& settings) {
  const auto m = static_cast<Index>(p.faces.size());
  Frame frame = make_frame(2, m);
  frame.step = kStep;
  frame.bodies.masses << 0, 1;
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(frame.bodies.inertia.row(1).data())
      .setIdentity();
  frame.bodies.positions.row(1) = p.from.transpose();
  frame.bodies.velocities.row(1).head<3>() = p.velocity.transpose();
  for (Index k = 0; k < m; ++k) {
    const auto face = static_cast<std::size_t>(k);
    frame.contacts.pairs.row(k) << 0, 1;
    frame.contacts.normals.row(k) = p.faces[face].normal.transpose();
    frame.contacts.gap[k] = p.gap(face, p.from);
    frame.contacts.points.row(k) =
        (p.from - frame.contacts.gap[k] * p.faces[face].normal).transpose();
    frame.contacts.mu[k] = 0;
  }
  if (u) frame.contacts.group.assign(p.faces.size(), 0);
  System system = assemble(frame);
  for (Group& group : system.groups) group.u = static_cast<Index>(*u);
  Options options;
  options.tolerance = 1e-9;
  options.cancelled = settings.cancelled;
  const Result result = solve(system, solver(settings, "mlcp/path"), options);
  const VectorXd v = velocity_plus(system, result.impulses);
  return {p.from + kStep * v.tail<6>().head<3>(), result.errors[Measure::own_error]};
}

double smallest_gap(const Vertex& p, const Vector3d& x) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < p.faces.size(); ++k) out = std::min(out, p.gap(k, x));
  return out;
}

draw::Plot picture(const char* title, const std::vector<Vector3d>& outline) {
  draw::Plot plot;
  plot.title = title;
  plot.x.label = "x, m";
  plot.y.label = "z, m";
  draw::Curve edge;
  edge.label = "obstacle";
  for (const Vector3d& x : outline) {
    edge.x.push_back(x.x());
    edge.y.push_back(x.z());
  }
  plot.curves.push_back(edge);
  return plot;
}

void add_way(draw::Plot& plot, const std::string& label, const Vector3d& from, const Vector3d& to) {
  plot.curves.push_back(curve(label, {from.x(), to.x()}, {from.z(), to.z()}));
  plot.curves.back().marks = true;
}

std::string place(const Vector3d& x) {
  return "(" + short_number(x.x()) + ", " + short_number(x.z()) + ")";
}

Outcome run_corners(const Settings& settings) {
  const Plane top{Vector3d::UnitZ(), 0}, side{Vector3d::UnitX(), 0};
  constexpr double kThick = 0.01;  // m, of the plate of Fig. 4 (b)
  const Plane under{-Vector3d::UnitZ(), kThick};
  Outcome out;
  out.text =
      "One step of 0.01 s of a vertex P beside the edge of a block (x < 0, z < 0) and before the "
      "end "
      "of a plate of 0.01 m, in the plane, solved by mlcp/path. Old: all faces are constraints "
      "(eq. 13). New: the largest gap alone must stay open (eqs. 18 to 21).";
  Table table{"corners",
              "Where P goes, (x, z) in m",
              {"figure", "case", "from", "without forces", "old", "new", "error of old, m/s",
               "error of new, m/s"},
              {}};
  const auto add_row = [&](const char* figure, const std::string& what, const Vertex& p,
                           const Move& old_model, const Move& new_model) {
    table.rows.push_back({figure, what, place(p.from), place(p.free_end()), place(old_model.end),
                          place(new_model.end), short_number(old_model.error),
                          short_number(new_model.error)});
  };

  // Fig. 4 (a): P is in cone I, where both gaps are open, and moves into II and IV beside the
  // block.
  draw::Plot cones = picture("Fig. 4 (a)", {{-0.06, 0, 0}, {0, 0, 0}, {0, 0, -0.06}});
  double leaves = 0, hindered = 0;  // m
  const std::array<std::pair<const char*, Vector3d>, 2> ways{
      {{"into cone II", {0, 0, -4}}, {"into cone IV", {-4, 0, 0}}}};
  for (const auto& [what, velocity] : ways) {
    const Vertex p{{0.02, 0, 0.02}, velocity, {top, side}};
    const Move old_model = move(p, {}, settings), new_model = move(p, 0, settings);
    leaves = std::max(leaves, -smallest_gap(p, old_model.end));
    hindered = std::max(hindered, (new_model.end - p.free_end()).norm());
    add_row("4 (a)", what, p, old_model, new_model);
    add_way(cones, std::string("old, ") + what, p.from, old_model.end);
    add_way(cones, std::string("new, ") + what, p.from, new_model.end);
  }
  out.claims.push_back({"Fig. 4 (a)", "old model: how far P leaves cone I, m", at_most(1e-9),
                        leaves, "“P cannot leave the cone (I).”", "", ""});
  out.claims.push_back(
      {"Fig. 4 (a)", "new model: how far P is kept from its free way, m", at_most(1e-9), hindered,
       "“Physically, it should be allowed to pass through cone (II) and (IV).”", "", ""});

  // Fig. 4 (b): no point lies above the plate and below it.
  const Vertex before{{0.02, 0, -0.003}, {-4, 0, 0}, {top, side, under}};
  const Move none = move(before, {}, settings), stopped = move(before, 1, settings);
  add_row("4 (b)", "before a plate", before, none, stopped);
  draw::Plot plate =
      picture("Fig. 4 (b)", {{-0.03, 0, 0}, {0, 0, 0}, {0, 0, -kThick}, {-0.03, 0, -kThick}});
  add_way(plate, "no contact: P to P′", before.from, before.free_end());
  add_way(plate, "old: P′ to its answer", before.free_end(), none.end);
  add_way(plate, "new: P′ to the end", before.free_end(), stopped.end);
  out.figures.push_back({"corners-4", "Fig. 4: a vertex beside an edge", {cones, plate}});
  out.claims.push_back(
      {"Fig. 4 (b)", "old model: error of the answer, m/s", above(1e-3), none.error,
       "“Infeasible”: the two gaps add up to −0.01 m wherever P is, and a solution "
       "would have the error 0.",
       "", ""});
  out.claims.push_back({"Fig. 4 (b)", "new model: error of the answer, m/s", at_most(1e-9),
                        stopped.error, "P stops at the end of the plate.", "", ""});
  out.claims.push_back({"Fig. 4 (b)", "new model: largest gap of P after the step, m",
                        about(0, 1e-9), before.gap(1, stopped.end), "", "", ""});

  // Fig. 5: P is above the block and would be inside it after the step, nearest to its side.
  draw::Plot ends = picture("Fig. 5", {{-0.06, 0, 0}, {0, 0, 0}, {0, 0, -0.06}});
  const Vertex inside{{-0.03, 0, 0.01}, {2.5, 0, -3}, {top, side}};
  const Move old_model = move(inside, {}, settings);
  const std::array<Move, 2> along{move(inside, 0, settings), move(inside, 1, settings)};
  const auto shift = [&](const Move& one) { return (one.end - inside.free_end()).norm(); };
  add_way(ends, "no contact: P to P′", inside.from, inside.free_end());
  add_way(ends, "old: P′ to P*", inside.free_end(), old_model.end);
  for (std::size_t k = 0; k < along.size(); ++k) {
    const std::string name = k == 0 ? "P₁" : "P₂";
    add_way(ends, "new: P′ to " + name, inside.free_end(), along[k].end);
    add_row("5", "along face " + std::to_string(k + 1), inside, old_model, along[k]);
    out.claims.push_back({"Fig. 5", name + ": way from P′ over that of P*", below(1),
                          shift(along[k]) / shift(old_model),
                          "P′: without contacts. " + short_number(shift(along[k])) + " m, P* " +
                              short_number(shift(old_model)) +
                              " m. “Both P₁ and P₂ are better than the result of ST.”",
                          "", ""});
  }
  out.claims.push_back({"Fig. 5", "P₂: way from P′ over that of P₁", below(1),
                        shift(along[1]) / shift(along[0]), "“Arguably the best result.”", "", ""});
  out.figures.push_back({"corners-5", "Fig. 5: a vertex that would be inside", {ends}});
  out.tables.push_back(std::move(table));
  return out;
}

}  // namespace

Experiment corners() {
  return {"corners", kDvcPaper, "Figs. 4, 5", "a vertex beside an edge", run_corners};
}

}  // namespace perpend::reproduce
