#include "sim/step.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "perpend/measure.hpp"
#include "sim/advance.hpp"
#include "sim/bullet_body.hpp"
#include "sim/closed_contacts.hpp"
#include "sim/open_rows.hpp"
#include "sim/sleep.hpp"
#include "sim/stopwatch.hpp"

namespace perpend::sim {
namespace {

// How often a step is solved again for bodies that were sent farther than expected; with a limited
// effort what is left is for the next step.
constexpr int kBlows = 20, kLimitedBlows = 2;
// Iterations of such a solve until it is known to be the last one: enough to tell where bodies go.
constexpr long kRough = 200;

}  // namespace

std::optional<StepProblem> Step::take(double h, bool may_sleep) {
  StepClock clock(options.solve);
  Account account(options.effort, options.correct > 0);
  const JointList joints = order_.joints(world_);
  for (btTypedConstraint* joint : joints) {
    if (!joint->isEnabled()) write_joint_impulses(*joint, {}, {}, h);
    btTypedConstraint::btConstraintInfo1 size{};
    joint->getInfo1(&size);  // Bullet's joints measure their angles and positions then
  }
  StepBodies moving = bodies(h);
  if (refused(runaway(moving))) return {};
  const std::vector<NearPair> pairs = near(moving);
  if (may_sleep) {
    fall_asleep_or_wake(
        moving, pairs, joints,
        [&](const auto* a, const auto* b) { return world_.getDispatcher()->needsCollision(a, b); },
        &drives_);
    if (others_awake(moving)) moving = bodies(h);
  }

  Touches touches = find(moving, pairs);
  StepSetup setup = set_up(std::move(moving), std::move(touches), joints, h);
  setup.islands = islands(setup.frame);
  if (std::string told = begun_ ? "" : overlaps(setup.touches, setup.bodies); !told.empty())
    report.notes.push_back(std::move(told));
  if (std::string told = begun_ ? "" : open_at_start(setup); !told.empty())
    report.notes.push_back(std::move(told));
  begun_ = true;
  std::ranges::move(ignored_.news(setup.bodies, joints, world_.getSolverInfo()),
                    std::back_inserter(report.notes));
  Start from = start(setup);
  const bool softens = options.effort.limited() || sweeps(options.solver);
  if (softens) soften(setup.frame, setup.islands, setup.bodies, from, options.solver, account);
  if (!options.effort.limited() && options.correct > 0)
    keep_closed(setup.frame, setup.islands, setup.bodies, from);
  Solution solution = solve(setup, from, clock, account);
  // A blow is passed on from body to body, one farther each time.
  const int most = options.effort.limited() ? kLimitedBlows : kBlows;
  bool rough = false;
  for (int attempt = 0; attempt < most && !clock.over(); ++attempt) {
    std::optional<StepSetup> wider = found_farther(setup, solution, joints, account);
    if (!wider && !rough) break;
    if (!wider) {
      finish(setup, solution, from, clock, account);
      rough = false;
      continue;
    }
    ++report.retries;
    if (!options.effort.limited() && options.correct > 0)
      keep_closed(wider->frame, wider->islands, wider->bodies, start(*wider));
    from = start(*wider, contact_memory(setup, as_vectors(setup.touches, solution.impulses)),
                 solution);
    if (softens) soften(wider->frame, wider->islands, wider->bodies, from, options.solver, account);
    const Before before{setup.frame, solution};
    rough = !options.effort.limited();
    Solution again = solve(*wider, from, clock, account, &before, rough ? kRough : 0);
    setup = std::move(*wider);
    solution = std::move(again);
  }
  if (rough) finish(setup, solution, from, clock, account);
  memory_.fell_short = from.fell_short = solution.fell_short(setup.frame.bodies);
  memory_.held = solution.held(setup.frame.bodies);
  report.held = std::ranges::count(solution.outcomes, true, &Outcome::held);
  if (report.held > 0) report.held_rows = most_open(setup, solution);
  report.contacts = setup.frame.contacts.count();
  report.joint_rows = setup.frame.joints.row_count();
  if (refused(runaway(setup.bodies, solution.velocities_plus))) return {};

  advance(setup.bodies, solution.velocities_plus, h);
  kinematic_.advance(h);
  write_back(setup, solution);

  account.correct();
  Stopwatch watch(report.correction_seconds);
  const Closing closing = close_joints(
      setup, solution, std::move(from), options.correct,
      {solvers_, clock, executor(), &account, nullptr, 0, nullptr, options.max_push}, held_);
  if (closing.tried) {
    prepare_solvers();  // and says again that there is none of that name
    for (const IslandAnswer& answer : closing.answers) count(answer);
    report.corrected += closing.islands;
    write_back(setup, solution);
  }
  report.corrected += correct_positions(setup, solution, joints, options, finders_,
                                        {correctors_, clock, executor(), &account});
  if (!drives_.empty())
    note_drives(setup.joints, solution.impulses.tail(setup.frame.joints.row_count()), h, drives_);
  report.sweeps = account.sweeps();
  if (clock.ended()) {
    report.status = clock.status();
    report.message = clock.message();
  }
  std::vector<HistoryPoint> history;
  for (IslandAnswer& answer : solution.answers)
    if (answer.result.history.size() > history.size()) history = std::move(answer.result.history);
  return StepProblem{std::move(setup.frame), std::move(solution.impulses),
                     std::move(solution.velocities_plus), std::move(history),
                     joint_ids(setup.joints)};
}

Frame Step::frame(double h) {
  StepBodies moving = bodies(h);
  Touches touches = find(moving, near(moving));
  StepSetup setup = set_up(std::move(moving), std::move(touches), order_.joints(world_), h);
  if (!options.effort.limited() && options.correct > 0)
    keep_closed(setup.frame, islands(setup.frame), setup.bodies, start(setup));
  return std::move(setup.frame);
}

// An observer sees one island after the other.
Executor& Step::executor() { return options.solve.observer ? serial_ : *executor_; }

StepBodies Step::bodies(double h) {
  kinematic_.place();
  solids_.begin();
  return gather_bodies(order_.bodies(world_), h, surfaces);
}

std::vector<NearPair> Step::near(const StepBodies& bodies) {
  Stopwatch watch(report.collision_seconds);
  const std::vector<Box> boxes = grown_boxes(bodies, world_.getForceUpdateAllAabbs());
  put_boxes(boxes, bodies, *world_.getBroadphase(), *world_.getDispatcher());
  world_.computeOverlappingPairs();
  return near_pairs(*world_.getBroadphase(), bodies, boxes);
}

Touches Step::find(const StepBodies& bodies, const std::vector<NearPair>& pairs) {
  Stopwatch watch(report.collision_seconds);
  return find_touches(
      colliding_pairs(pairs, bodies, *world_.getDispatcher(), world_.getDispatchInfo()), bodies,
      options.contacts, solids_, executor());
}

StepSetup Step::set_up(StepBodies bodies, Touches touches, const JointList& joints, double h) {
  Stopwatch watch(report.formulation_seconds);
  StepSetup setup;
  setup.touches = std::move(touches);
  setup.joints = held_joints(joints, bodies, h, &drives_, world_.getSolverInfo().m_erp);
  leave_for_later(setup.joints, bodies, h, options.max_push);
  setup.frame = step_frame(body_columns(bodies), setup.touches, setup.joints, h, options.stepper,
                           options.max_push);
  setup.bodies = std::move(bodies);
  return setup;
}

// Where bodies went farther than they were looked for, and would meet something: the setup of the
// ways they really go.
std::optional<StepSetup> Step::found_farther(StepSetup& setup, const Solution& solution,
                                             const JointList& joints, const Account& account) {
  const double h = setup.frame.step;
  const Rows6& velocities_plus = solution.velocities_plus;
  const std::vector<bool> alone = left_alone(setup.frame, solution, options.solver, &account);
  const std::vector<Index> rows = gone_farther(setup.bodies, velocities_plus, h, alone);
  if (rows.empty()) return {};
  StepBodies farther = reaching(setup.bodies, rows, velocities_plus, h);
  Touches touches = find(farther, near(farther));
  if (touches.list.empty()) {
    follow(setup.touches.pairs, touches.pairs);
    return {};
  }
  StepSetup wider = set_up(std::move(farther), std::move(touches), joints, h);
  const std::vector<bool> hit = would_hit(setup.frame, wider.frame, velocities_plus);
  if (std::find(hit.begin(), hit.end(), true) == hit.end()) {
    follow(setup.touches.pairs, wider.touches.pairs);
    return {};
  }
  wider.islands = islands(wider.frame);
  const std::vector<bool> connected = connected_with(hit, wider.islands);
  bool back = false;
  for (Index row : rows)
    if (!connected[static_cast<std::size_t>(row)]) {
      wider.bodies[row] = setup.bodies[row];
      back = true;
    }
  if (back) {
    touches = find(wider.bodies, near(wider.bodies));
    wider = set_up(std::move(wider.bodies), std::move(touches), joints, h);
    wider.islands = islands(wider.frame);
  }
  return wider;
}

void Step::prepare_solvers() {
  const SolverInfo* info = solver_named(options.solver);
  if (!info) {  // a world that is told a wrong name still holds its bodies apart
    report.status = Status::invalid_input;
    report.message = "no solver is called '" + options.solver + "'; ncp/auto is used";
    info = solver_named("ncp/auto");
  }
  solvers_.prepare(*info, executor().workers());
  if (options.effort.limited()) solvers_.also(*solver_named(kAnytime), executor().workers());
}

Start Step::start(const StepSetup& setup) {
  Stopwatch watch(report.formulation_seconds);
  return options.warm ? start_from(memory_, setup.bodies, setup.touches, setup.joints) : Start{};
}

// Of a second solve: where the first one has come to, its contacts and joint rows.
Start Step::start(const StepSetup& setup, const ContactMemory& contacts, const Solution& solution) {
  if (!options.warm) return {};
  Memory memory;
  memory.contacts = contacts;
  memory.fell_short = memory_.fell_short;
  memory.held = memory_.held;
  Start from = start_from(memory, setup.bodies, setup.touches, setup.joints);
  const Index rows = setup.frame.joints.row_count();
  from.impulses.tail(rows) = solution.impulses.tail(rows);
  return from;
}

Solution Step::solve(StepSetup& setup, const Start& from, StepClock& clock, Account& account,
                     const Before* before, long most_iterations) {
  prepare_solvers();
  Solution solution;
  std::vector<Index> kept;  // of the islands: which one it was before, -1: it is solved
  {
    Stopwatch watch(report.formulation_seconds);
    solution = free_motion(setup.frame, setup.bodies, std::move(setup.islands));
    // With a limited effort no energy may come from closing, and what is foreseen is a part of it.
    if (options.correct > 0 && !options.effort.limited())
      for (const Island& island : solution.islands) foresee(setup, island);
    kept.assign(solution.islands.size(), -1);
    if (before)
      kept = unchanged(before->frame, before->solution.islands, setup.frame, solution.islands);
  }
  std::vector<std::size_t> order = largest_first(solution.islands);
  solution.answers.resize(order.size());
  std::erase_if(order, [&](std::size_t k) {
    if (kept[k] < 0) return false;
    IslandAnswer& old = before->solution.answers[static_cast<std::size_t>(kept[k])];
    if (before->solution.linear[static_cast<std::size_t>(kept[k])]) return false;
    solution.answers[k] = std::move(old);
    solution.take(setup.frame, k, solution.answers[k]);
    solution.outcomes[k].rough = before->solution.outcomes[static_cast<std::size_t>(kept[k])].rough;
    return true;
  });
  account.open(solution.islands, order);
  if (held_.size() < solution.islands.size()) held_.resize(solution.islands.size());
  answer_islands(setup, solution, order, from,
                 {solvers_, clock, executor(), &account, &held_, most_iterations, &setup.joints,
                  options.max_push});
  return solution;
}

// What a rough solve left short of the tolerance, from where it has come to.
void Step::finish(const StepSetup& setup, Solution& solution, Start from, StepClock& clock,
                  Account& account) {
  if (clock.over()) return;
  std::vector<std::size_t> order = largest_first(solution.islands);
  std::erase_if(order, [&](std::size_t k) { return !solution.outcomes[k].rough; });
  if (options.warm) from.impulses = solution.impulses;
  answer_islands(
      setup, solution, order, from,
      {solvers_, clock, executor(), &account, nullptr, 0, &setup.joints, options.max_push});
}

void Step::answer_islands(const StepSetup& setup, Solution& solution,
                          std::span<const std::size_t> order, const Start& from,
                          const Solving& with) {
  std::vector<IslandAnswer> answers = solve_islands(
      solution.islands, order,
      [&](std::size_t k) { return island_problem(setup.frame, solution.islands[k], from); }, with);
  for (std::size_t i = 0; i < order.size(); ++i) {
    IslandAnswer& answer = solution.answers[order[i]] = std::move(answers[i]);
    solution.take(setup.frame, order[i], answer);
    with.clock.note(answer.result.status);
    count(answer);
    bool& rough = solution.outcomes[order[i]].rough;
    rough = with.most_iterations > 0 && answer.result.status != Status::converged;
    if (rough) continue;
    tell(answer.result);
    if (!answer.infeasible.empty()) {
      report.status = Status::infeasible;
      report.message = answer.infeasible;
    }
    ++report.islands;
  }
  report.errors = {};
  double rows = 0;
  for (std::size_t k = 0; k < solution.islands.size(); ++k) {
    const Island& island = solution.islands[k];
    tell(solution.answers[k].result.errors, rows,
         static_cast<double>(island.contacts.size() + island.joint_rows.size()));
  }
}

ContactMemory Step::contact_memory(const StepSetup& setup,
                                   std::span<const Vector3d> impulses) const {
  return remembered(memory_.contacts, setup.touches, setup.bodies, impulses);
}

void Step::write_back(const StepSetup& setup, const Solution& solution) {
  const std::vector<Vector3d> impulses = as_vectors(setup.touches, solution.impulses);
  memory_.contacts = contact_memory(setup, impulses);
  write_contacts(setup.touches, impulses);
  write_joints(setup.joints, solution.impulses.tail(setup.frame.joints.row_count()),
               setup.frame.step, memory_);
}

void Step::count(const IslandAnswer& answer) {
  report.formulation_seconds += answer.formulation_seconds;
  report.solver_seconds += answer.solver_seconds;
  report.settled += answer.settled;
  report.iterations += answer.result.iterations;
  for (std::size_t w = 0; w < kWorks; ++w) report.work[w] += answer.result.work[w];
}

void Step::tell(const Result& result) {
  ++report.paths[result.path.substr(0, result.path.find(','))];
  if (result.status != Status::converged) {
    ++report.unconverged;
    report.capped += result.status == Status::iteration_limit;
    report.status = result.status;
    report.message = result.message;
  }
}

// `rows`: of the islands told before, `more`: of this one.
void Step::tell(const Errors& errors, double& rows, double more) {
  for (const MeasureInfo& one : measures()) {
    if (!errors.has(one.measure)) continue;
    double& all = report.errors[one.measure];
    const double own = errors[one.measure];
    if (rows == 0)
      all = own;
    else if (one.measure == Measure::energy_change)
      all += own;
    else if (one.measure == Measure::rms_violation)
      all = std::sqrt((rows * all * all + more * own * own) / (rows + more));
    else
      all = std::max(all, own);
  }
  rows += more;
}

bool Step::refused(const std::string& runaway) {
  if (runaway.empty()) return false;
  report.status = Status::failed;
  report.message = runaway;
  return true;
}

bool Step::give_id(const btCollisionObject* object, std::int64_t id) {
  if (order_.has(object, id)) return true;
  if (!order_.give(object, id)) return false;
  memory_.forget_bodies();
  return true;
}

ContactFinder& Step::finder() {
  if (finders_.empty()) finders_.emplace_back();
  return finders_.front();
}

void Step::forget(const btTypedConstraint* joint) {
  memory_.joints.erase(joint);
  drives_.erase(joint);
  for (auto& [other, drives] : drives_)
    if (drives.followed == joint) drives.followed = nullptr;
  order_.forget(joint);
}

void Step::forget(const btCollisionObject* object) {
  kinematic_.forget(object);
  surfaces.erase(object);
  if (object->getBroadphaseHandle()) memory_.forget_body(order_.id(*object));
  if (order_.forget(object)) memory_.forget_bodies();
}

std::string Step::restore(const Snapshot& saved) {
  const std::string why = sim::restore(saved, world_, order_, memory_, drives_);
  if (why.empty()) kinematic_.clear();
  return why;
}

}  // namespace perpend::sim
