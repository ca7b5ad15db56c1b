// perpend forces: what contacts and joints did to bodies over a recording, and the energy it took.
#include "perpend/io/forces.hpp"

#include <iostream>
#include <memory>
#include <set>

#include "command.hpp"
#include "common_options.hpp"
#include "forces_show.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "perpend/io/names.hpp"
#include "picture_file.hpp"
#include "progress_bar.hpp"
#include "solver_options.hpp"
#include "source.hpp"
#include "standard_file.hpp"

namespace perpend::app {
namespace {

struct ForcesRequest {
  std::string file, frames, out, plot, along = "norm";
  std::vector<std::string> bodies, joints;
  std::vector<std::pair<std::string, std::string>> pairs;
  SolverOptions solver{io::recorded_solver().name, Options(), true};
  bool json = false;
};

// What was asked for by name. Nothing: everything is.
class Selection {
 public:
  Selection(const ForcesRequest& request, const io::Names& names)
      : request_(request),
        names_(names),
        all_(request.bodies.empty() && request.joints.empty() && request.pairs.empty()),
        found_bodies_(request.bodies.size()),
        found_joints_(request.joints.size()),
        found_pairs_(request.pairs.size()) {
    for (const std::string& body : request.bodies) bodies_.push_back(names.bodies_called(body));
    for (const auto& [a, b] : request.pairs)
      pairs_.push_back({names.bodies_called(a), names.bodies_called(b)});
    for (const std::string& joint : request.joints) joints_.push_back(names.joints_called(joint));
  }
  bool all() const { return all_; }
  bool body(std::int64_t id) const { return all_ || in(bodies_, id); }
  // 0: not chosen; 1: the force on the second body; -1: on the first.
  int pair(std::int64_t first, std::int64_t second) const {
    if (all_) return 1;
    for (const auto& [on, by] : pairs_) {
      if (has(on, second) && has(by, first)) return 1;
      if (has(on, first) && has(by, second)) return -1;
    }
    if (in(bodies_, second)) return 1;
    return in(bodies_, first) ? -1 : 0;
  }
  bool joint(const io::FrameNames& names, const Integers& ids, Index joint) const {
    if (all_) return true;
    for (std::size_t i = 0; i < joints_.size(); ++i)
      if (is(i, names, ids, joint)) return true;
    return false;
  }
  // To be called with every frame before any is told.
  void look(const io::Record& record) {
    const Integers& ids = record.frame.bodies.ids;
    const auto there = [&](const Integers& wanted) {
      return std::any_of(ids.begin(), ids.end(), [&](std::int64_t id) { return has(wanted, id); });
    };
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      found_bodies_[i] = found_bodies_[i] || there(bodies_[i]);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      found_pairs_[i] = found_pairs_[i] || (there(pairs_[i].first) && there(pairs_[i].second));
    const io::FrameNames names(names_, record);
    for (Index k = 0; k < record.frame.joints.count(); ++k)
      for (std::size_t i = 0; i < joints_.size(); ++i)
        found_joints_[i] = found_joints_[i] || is(i, names, record.joint_ids, k);
    for (const std::int64_t id : ids) add(known_bodies_, names_.body(id));
    for (Index k = 0; k < record.frame.joints.count(); ++k) add(known_joints_, names.joint(k));
  }
  void check() const {
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      if (!found_bodies_[i]) unknown("--body", "body", request_.bodies[i], known_bodies_);
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      if (!found_pairs_[i]) {
        const auto& [a, b] = request_.pairs[i];
        unknown("--pair", "pair of bodies", a + "' and '" + b, known_bodies_);
      }
    for (std::size_t i = 0; i < joints_.size(); ++i)
      if (!found_joints_[i]) unknown("--joint", "joint", request_.joints[i], known_joints_);
  }

 private:
  static constexpr std::size_t kMostNames = 20;
  static bool has(const Integers& ids, std::int64_t id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  }
  static bool in(const std::vector<Integers>& lists, std::int64_t id) {
    return std::any_of(lists.begin(), lists.end(),
                       [&](const Integers& ids) { return has(ids, id); });
  }
  static void add(std::vector<std::string>& known, const std::string& name) {
    if (known.size() <= kMostNames && std::find(known.begin(), known.end(), name) == known.end())
      known.push_back(name);
  }
  bool is(std::size_t i, const io::FrameNames& names, const Integers& ids, Index joint) const {
    const auto at = static_cast<std::size_t>(joint);
    const std::int64_t id = at < ids.size() && ids[at] >= 0 ? ids[at] : -1;
    if (id >= 0) return has(joints_[i], id) || names.joint(joint) == request_.joints[i];
    return names.joint(joint) == request_.joints[i] ||
           request_.joints[i] == "joint " + std::to_string(joint);
  }
  [[noreturn]] void unknown(const std::string& option, const std::string& what,
                            const std::string& asked, const std::vector<std::string>& known) const {
    std::string list;
    for (std::size_t i = 0; i < known.size() && i < kMostNames; ++i)
      list += (i > 0 ? ", " : "") + known[i];
    if (known.size() > kMostNames) list += ", ...";
    throw UsageError(option + ": no " + what + " of " + request_.file + " is called '" + asked +
                     "'; it has " + (list.empty() ? "none" : list));
  }

  const ForcesRequest& request_;
  const io::Names& names_;
  bool all_;
  std::vector<Integers> bodies_, joints_;
  std::vector<std::pair<Integers, Integers>> pairs_;
  std::vector<bool> found_bodies_, found_joints_, found_pairs_;
  std::vector<std::string> known_bodies_, known_joints_;
};

// Impulses of a frame: those recorded, or those of a solver.
struct Answered {
  Rows3 z;
  VectorXd z_joints;
  bool solved = true;
};

Answered recorded(const io::Record& record, const std::string& where) {
  const Frame& f = record.frame;
  const auto missing = [&](const char* dataset, Index rows) {
    if (rows > 0)
      throw io::InputError(where + ": " + dataset +
                           ": is missing; --solver S solves the frames again");
  };
  if (record.answer.z.rows() != f.contacts.count()) missing("/solution/z", f.contacts.count());
  if (record.answer.z_joints.size() != f.joints.row_count())
    missing("/solution/z_joints", f.joints.row_count());
  const Rows3 z = f.contacts.count() > 0 ? record.answer.z : Rows3(0, 3);
  const VectorXd z_joints = f.joints.row_count() > 0 ? record.answer.z_joints : VectorXd();
  if (!z.allFinite()) throw io::InputError(where + ": /solution/z: is not finite");
  if (!z_joints.allFinite()) throw io::InputError(where + ": /solution/z_joints: is not finite");
  return {z, z_joints, true};
}

Answered answer(const io::Record& record, const std::string& where, const SolverInfo& info,
                const Options& options) {
  if (&info == &io::recorded_solver()) return recorded(record, where);
  const System system = io::system_of(record, where);
  if (!info.joints && system.joint_rows() > 0)
    throw io::InputError(where + ": " + info.name + " does not accept joints");
  const Result result = solve(system, info.name, options);
  if (result.impulses.size() != system.rows())
    throw io::InputError(where + ": " + info.name + ": " + result.message);
  return {contact_rows(system, result.impulses), result.impulses.tail(system.joint_rows()),
          result.status == Status::converged};
}

using Ways = std::set<std::pair<std::int64_t, std::int64_t>>;

// The forces of one frame as lines, in the order contacts, pairs, bodies, joints. `ways`: the pairs
// of earlier frames, as they were told.
void tell(const io::Record& record, Index frame, const io::StepForces& forces,
          const Selection& selection, const io::Names& texts, Ways& ways, ForceTable& out) {
  const Frame& f = record.frame;
  const io::FrameNames names(texts, record);
  std::map<std::pair<Index, Index>, ForceLine> pairs;
  const auto id = [&](std::int64_t row) { return f.bodies.ids[static_cast<std::size_t>(row)]; };
  std::vector<char> touched(f.bodies.ids.size(), 0);
  for (Index i = 0; i < f.contacts.count(); ++i) {
    Index first = f.contacts.pairs(i, 0), second = f.contacts.pairs(i, 1);
    touched[static_cast<std::size_t>(first)] = touched[static_cast<std::size_t>(second)] = 1;
    const int sign = selection.pair(id(first), id(second));
    if (sign == 0) continue;
    if (sign < 0) std::swap(first, second);
    const Vector3d force = sign * forces.contacts.row(i).transpose();
    const Vector3d normal = sign * f.contacts.normals.row(i).transpose();
    ForceLine line(ForceLine::Kind::contact, "contact " + std::to_string(i), names.body(first),
                   names.body(second));
    line.point = forces.contact_points.row(i).transpose();
    line.force = force;
    line.normal = force.dot(normal);
    line.friction = (force - line.normal * normal).norm();
    out.add(frame, f.time, line);
    // A pair is told one way round, whatever the order in its contacts.
    const bool turned = ways.contains({id(second), id(first)});
    if (turned) std::swap(first, second);
    ways.insert({id(first), id(second)});
    ForceLine& sum = pairs[{first, second}];
    if (sum.first.empty())
      sum = ForceLine(ForceLine::Kind::pair, "", names.body(first), names.body(second));
    sum.force += turned ? Vector3d(-force) : force;
    sum.add_normal(line.normal);
  }
  for (const auto& [bodies, line] : pairs) out.add(frame, f.time, line);
  for (Index i = 0; i < f.bodies.count(); ++i) {
    if (!selection.body(id(i))) continue;
    if (selection.all() && !touched[static_cast<std::size_t>(i)]) continue;
    ForceLine line(ForceLine::Kind::body, names.body(i), "", "");
    line.point = f.bodies.positions.row(i).transpose();
    line.force = forces.by_contacts.row(i).head<3>().transpose();
    line.torque = forces.by_contacts.row(i).tail<3>().transpose();
    out.add(frame, f.time, line);
  }
  for (Index k = 0; k < f.joints.count(); ++k) {
    if (!selection.joint(names, record.joint_ids, k)) continue;
    ForceLine line(ForceLine::Kind::joint, names.joint(k), names.body(f.joints.pairs(k, 0)),
                   names.body(f.joints.pairs(k, 1)));
    line.point = forces.joint_points.row(k).transpose();
    line.force = forces.joints.row(k).head<3>().transpose();
    line.torque = forces.joints.row(k).tail<3>().transpose();
    out.add(frame, f.time, line);
  }
}

std::vector<Index> frames_of(const ForcesRequest& request, const std::string& path, Index count,
                             const Globals& globals) {
  if (!request.frames.empty())
    return select_frames(request.frames, request.file, *io::open_source(path), globals);
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

int run_forces(ForcesRequest& request, const Globals& globals) {
  const Patient patient;
  const std::vector<const SolverInfo*> chosen = request.solver.chosen();
  if (chosen.size() != 1) throw UsageError("--solver: forces takes one solver");
  Options options = request.solver.options(*chosen.front(), globals, chosen);
  options.cancelled = interrupted;
  const std::optional<Along> along = along_named(request.along);
  if (!along) throw UsageError("--along: '" + request.along + "' is none of x, y, z, norm, normal");
  if (!request.plot.empty()) check_ending("--plot", request.plot, {".svg"});
  if (!request.out.empty()) claim(io::destination_of(request.out));
  const Input input(request.file);
  const io::Kind kind = io::kind_of(input.path());
  if (kind == io::Kind::fclib)
    throw io::InputError(request.file + ": an FCLIB problem has no bodies, and so no forces");
  if (kind != io::Kind::standard && kind != io::Kind::json_lines)
    throw io::InputError(request.file + ": is not a recording");
  const Frames file = open_frames(input.path(), kind);
  const std::vector<Index> frames = frames_of(request, input.path(), file.count, globals);

  Selection selection(request, *file.names);
  if (!selection.all()) {
    for (const Index frame : frames) selection.look(file.read(frame));
    selection.check();
  }
  ForceTable table(!request.out.empty(), !request.plot.empty() || !selection.all());
  long unsolved = 0;
  {
    ProgressBar bar(globals, "frames", static_cast<long>(frames.size()));
    std::optional<Vector3d> gravity;
    Ways ways;
    for (const Index frame : frames) {
      if (interrupted()) break;
      const io::Record record = file.read(frame);
      const std::string where = request.file + ": frame " + std::to_string(frame);
      if (record.frame.bodies.count() == 0)
        throw io::InputError(where + ": /bodies/: is empty; forces need bodies");
      if (const std::string why = invalid(record.frame); !why.empty())
        throw io::InputError(where + ": " +
                             io::with_names(why, io::FrameNames(*file.names, record)));
      if (frame == frames.front()) gravity = io::gravity_of(file.header, record.frame);
      const Answered answered = answer(record, where, *chosen.front(), options);
      unsolved += answered.solved ? 0 : 1;
      const io::StepForces forces = io::forces(record.frame, answered.z, answered.z_joints);
      tell(record, frame, forces, selection, *file.names, ways, table);
      table.energy(frame, record.frame.time, forces,
                   gravity ? io::potential_energy(record.frame, *gravity) : kUnknown);
      bar.show(static_cast<long>(table.frames()));
    }
  }
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by() + "; nothing is written");
    return kInterrupted;
  }
  if (!request.out.empty()) write_output(request.out, table.csv());
  if (!request.plot.empty()) {
    const std::string title = file.header.scene.empty() ? request.file : file.header.scene;
    write_output(request.plot, plot(table, title, *along, selection.all()));
  }
  const std::string solver = chosen.front()->name;
  request.json ? print(document(table, request.file, solver, !selection.all()))
               : print_table(table, globals);
  if (unsolved > 0)
    note(globals, std::to_string(unsolved) + " of " + std::to_string(frames.size()) +
                      " frames did not converge");
  return unsolved > 0 ? kFailed : kSuccess;
}

}  // namespace

void add_forces(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "forces", "Forces of contacts and joints over time by name, and energies");
  const auto request = std::make_shared<ForcesRequest>();
  command
      ->add_option("FILE", request->file,
                   "Standard file or JSON lines, recorded from any engine; -: standard input")
      ->required();
  command->add_option("--frames", request->frames, "K, A-B, most-contacts:N or worst:N [all]")
      ->type_name("SELECTION");
  command
      ->add_option("--body", request->bodies,
                   "Only forces on this body; you may use this option several times")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_option("--joint", request->joints, "Only this joint; several times")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_option("--pair", request->pairs, "Only forces on body A by body B; several times")
      ->allow_extra_args(false)
      ->type_name("A B");
  command->add_option("--out", request->out, "Write a line per frame and force; -: standard output")
      ->type_name("FILE.csv");
  command->add_option("--plot", request->plot, "Plot forces and energies over time")
      ->type_name("FILE.svg");
  command
      ->add_option("--along", request->along,
                   "What of forces is plotted: x, y, z, norm, or normal (of contacts)")
      ->type_name("WHAT")
      ->capture_default_str();
  add_json(*command, request->json);
  request->solver.add(*command);
  command->footer(
      "Exits 1 if a frame is solved again and does not converge.\n\n"
      "Example:\n  perpend forces recording.h5 --out forces.csv\n"
      "  perpend forces walk.h5 --body \"left foot\" --body \"right foot\" --along z --plot f.svg\n"
      "  perpend forces grip.h5 --pair finger egg --solver ncp/auto --json");
  command->callback([request, &globals, &exit] { exit = run_forces(*request, globals); });
}

}  // namespace perpend::app
