// Solver stopped early: the engine's own problem, with its own softness and bounds, is not solved.
// Experiment: the frame that asked for most of what can be solved is solved again by sweeps until
// it is.
#include <cmath>

#include "doctor/examination.hpp"
#include "perpend/formulate.hpp"

namespace perpend::doctor {
namespace {

constexpr long kSweeps = 20000;
constexpr double kGoal = 0.01;  // of what the step asked for

// Root mean square of the frames that asked for something: after a while a solver that stops early
// has less to do, since what it held has fallen.
double typical(const Examination& e) {
  double sum = 0;
  Index count = 0;
  for (const Vitals& v : e.frames) {
    if (!v.answered || v.contacts + v.joint_rows == 0 || std::isnan(v.own) || e.foreign(v))
      continue;
    sum += v.own * v.own;
    ++count;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

// The frame solved again. Empty: nobody can solve it.
struct Again {
  Result result;
  bool sweeps = true;
};
std::optional<Again> again(const io::Record& record, double goal) {
  const System engine = record.system.b.size() > 0 ? io::system_of(record, "frame")
                                                   : assemble(record.frame, Model::engine);
  Again out{solved(engine, "box/pgs", goal, kSweeps)};
  out.sweeps = out.result.status == Status::converged;
  if (!out.sweeps) out.result = solved(engine, "ncp/auto", goal, 2000);
  if (out.result.status != Status::converged) out.result = solved(engine, "box/newton", goal, 200);
  if (out.result.status != Status::converged && record.frame.bodies.count() > 0 &&
      infeasible(assemble(record.frame)).certain)
    return std::nullopt;
  return out;
}

Finding told(const Examination& e, const Vitals& v, const io::Record& record, double goal,
             const Again& solution) {
  const auto& [again, sweeps] = solution;
  Finding out;
  out.frame = v.frame;
  out.where = e.row(record, v.own_row.row);
  out.value = typical(e);
  const Index contacts = record.frame.contacts.count();
  const bool joint = record.frame.bodies.count() > 0 && v.own_row.row >= contacts;
  out.unit = (joint ? unit_of(record.frame.joints, v.own_row.row - contacts) : "m") + "/s";
  out.says = "the engine left " + number_with(out.value, out.unit) +
             " of its own problem unsolved (root mean square), and " +
             number_with(v.own, out.unit) + " here, " + short_number(100 * e.short_by(v)) +
             " % of what the step asked for";
  const long made = record.answer.iterations;
  const std::string had = made > 0 ? " (it made " + std::to_string(made) + ")" : "";
  if (again.status == Status::converged) {
    out.predicted_value = goal;
    out.proof = "solved again, the frame reaches " +
                number_with(again.errors[Measure::own_error], out.unit) + " in " +
                std::to_string(again.iterations) + " iterations of " + again.path;
    out.change = sweeps && made > again.iterations
                     ? "more iterations do not help" + had +
                           ": look at its stopping rule, warm start and relaxation"
                 : sweeps ? "let the solver make about " + std::to_string(again.iterations) +
                                " sweeps a step" + had
                          : "use another method: sweeps do not solve this frame" + had;
    out.predicted = "its own error falls to about " + number_with(goal, out.unit);
  } else {
    out.proof = "solved again, the frame stays at " +
                number_with(again.errors[Measure::own_error], out.unit) + ": a hard one";
    out.change = "more iterations or a smaller step" + had;
    out.predicted = "its own error falls";
  }
  return out;
}

std::optional<Finding> find(Examination& e) {
  if (!e.solver_fails()) return std::nullopt;
  for (const Vitals* at : e.suspects()) {
    const io::Record record = e.read(at->frame);
    const double goal = kGoal * std::max(e.scale(*at), at->demand);
    if (const std::optional<Again> solution = again(record, goal))
      return told(e, *at, record, goal, *solution);
  }
  return std::nullopt;
}

}  // namespace

Judge solver_stopped_early() {
  return {"solver_stopped_early",
          "Solver stopped early, too few iterations",
          Blame::solver,
          "residual of the engine's own problem, m/s, above 10 % of g h or of what the step asks "
          "for",
          "more iterations, or another solver",
          find};
}

}  // namespace perpend::doctor
