// What is read of DART, and when. A step of its world integrates all skeletons without constraints,
// calls the constraint solver, adds the velocities that its impulses give, and moves. The world's
// constraint solver is replaced by `Recording`, which derives from DART's own:
//
//   Witness::update           a constraint that is never active, asked first of all in every step:
//                             skeletons as they are after the integration (links.hpp)
//   solveConstrainedGroup     one boxed LCP; contacts have been found
//   LcpListener::solve            the LCP's solver, with A, b, lo, hi before it overwrites them;
//   here
//                             the constraints tell their rows (rows.hpp)
//   mX, afterwards            what was answered; v+ is v_free and DART's own response to the
//                             impulses that it has then put on the skeletons
//
// The first solver's failure makes DART ask the second one, which is seen here too.
#include <algorithm>
#include <dart/collision/CollisionResult.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/BoxedLcpSolver.hpp>
#include <dart/constraint/ConstraintBase.hpp>
#include <dart/constraint/ContactConstraint.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <map>
#include <optional>
#include <unordered_map>

#include "capture/clock.hpp"
#include "capture/dart/rows.hpp"
#include "perpend/capture/dart.hpp"

namespace perpend::capture::from_dart {
namespace {

using dart::constraint::BoxedLcpConstraintSolver;
using dart::constraint::BoxedLcpSolver;
using dart::constraint::ConstraintBase;

std::string name_of(const BoxedLcpSolver* solver) {
  if (solver && solver->is<dart::constraint::DantzigBoxedLcpSolver>()) return kDartDantzig;
  if (solver && solver->is<dart::constraint::PgsBoxedLcpSolver>()) return kDartSweeps;
  return kDartOther;
}

// Everything of a step that is in work.
struct Step {
  double h = 0, time = 0;
  std::vector<Link> links;
  std::vector<Range> skeletons;
  std::optional<LcpRows> rows;
  Index groups = 0, secondary = 0;
  double collision = 0, formulation = 0, solver = 0, recording = 0;
  Clock::time_point mark;  // the recorder did something last
};

// Rows of the frame's bodies: links that move, those that something touches, and the world.
class Places {
 public:
  Places(const Step& step, const std::vector<UpToSix>& reactions)
      : used_(step.links.size(), false), place_(step.links.size(), -1) {
    for (std::size_t i = 0; i < step.links.size(); ++i) {
      const Link& link = step.links[i];
      used_[i] = used_[i] || link.moving;
      if (reactions[i].size()) use(link.parent);
    }
    for (const ContactRow& row : step.rows->contacts) {
      use(row.first);
      use(row.second);
    }
    for (const ConstraintRow& row : step.rows->constraints) {
      use(row.first);
      use(row.second);
    }
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (used_[i]) place_[i] = count_++;
    if (world_ == 0) world_ = count_++;
  }
  Index count() const { return count_; }
  Index operator()(Index link) const {
    return link < 0 ? world_ : place_[static_cast<std::size_t>(link)];
  }

 private:
  void use(Index link) {
    if (link < 0)
      world_ = 0;
    else
      used_[static_cast<std::size_t>(link)] = true;
  }
  std::vector<bool> used_;
  std::vector<Index> place_;
  Index count_ = 0, world_ = -1;
};

// Rows between two links: a joint of the skeletons with its limits and motors, or what else
// constrains them.
struct LinkRows {
  Index first, second;  // links
  std::int64_t id;
  std::vector<ConstraintRow> rows;
};

std::int64_t id_of_body(const Step& step, const DartIds& ids, Index link) {
  return ids.body ? ids.body(*step.links[static_cast<std::size_t>(link)].node) : link;
}

// Of the joint above a link.
std::int64_t id_of_joint(const Step& step, const DartIds& ids, Index link) {
  return ids.joint ? ids.joint(*step.links[static_cast<std::size_t>(link)].node->getParentJoint())
                   : link;
}

std::vector<LinkRows> joints_of(const Step& step, const DartIds& ids,
                                const std::vector<UpToSix>& reactions) {
  std::vector<LinkRows> out;
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> above(step.links.size(), kNone);  // of a link, in `out`
  for (std::size_t i = 0; i < step.links.size(); ++i) {
    const Link& link = step.links[i];
    const UpToSix& z = reactions[i];
    if (z.size() == 0) continue;
    const auto at = static_cast<Index>(i);
    above[i] = out.size();
    out.push_back({link.parent, at, id_of_joint(step, ids, at), {}});
    for (Index r = 0; r < z.size(); ++r) {
      const Vector6 d = link.joint.blocked.col(r);
      ConstraintRow row;
      row.on_second = on_child(link, d);
      if (link.parent >= 0)
        row.on_first =
            on_parent(link, step.links[static_cast<std::size_t>(link.parent)].position, d);
      row.rate = row.bias = link.joint.rate[r];
      row.z = z[r];
      out.back().rows.push_back(row);
    }
  }
  LinkRows* current = nullptr;
  for (const ConstraintRow& row : step.rows->constraints) {
    if (row.starts) {
      const std::int64_t id = ids.constraint ? ids.constraint(*row.constraint) : -1;
      const std::size_t joint =
          id < 0 && row.joint >= 0 ? above[static_cast<std::size_t>(row.joint)] : kNone;
      if (joint < out.size() && out[joint].first == row.first && out[joint].second == row.second) {
        current = &out[joint];
      } else {
        out.push_back({row.first,
                       row.second,
                       id < 0 && row.joint >= 0 ? id_of_joint(step, ids, row.joint) : id,
                       {}});
        current = &out.back();
      }
    }
    current->rows.push_back(row);
  }
  return out;
}

// Impulses of contacts and constraints on every link.
void add_impulses(Step& step) {
  const auto at = [&](Index link) -> Link& { return step.links[static_cast<std::size_t>(link)]; };
  for (const ContactRow& c : step.rows->contacts) {
    const Vector3d impulse = c.z[0] * c.n + c.z[1] * c.t + c.z[2] * c.o;
    const auto add = [&](Index link, double sign, const Vector3d& arm) {
      at(link).impulse.head<3>() += sign * impulse;
      at(link).impulse.tail<3>() += sign * arm.cross(impulse);
    };
    add(c.first, -1, c.r1);
    add(c.second, 1, c.r2);
  }
  for (const ConstraintRow& row : step.rows->constraints) {
    if (row.first >= 0) at(row.first).impulse += row.z * row.on_first;
    if (row.second >= 0) at(row.second).impulse += row.z * row.on_second;
  }
}

void add_bodies(const Step& step, const Places& place, const DartIds& ids, RecordBuilder& builder) {
  for (std::size_t i = 0; i < step.links.size(); ++i) {
    const Link& link = step.links[i];
    if (place(static_cast<Index>(i)) < 0) continue;
    const Eigen::Quaterniond q(link.rotation);
    builder.add(BodyRow{id_of_body(step, ids, static_cast<Index>(i)), link.mass,
                        link.moving ? link.inertia : Matrix3d(Matrix3d::Identity()), link.position,
                        kDart.wxyz(q.coeffs().data()), link.velocity, link.force, link.plus});
  }
  if (place(-1) >= 0) {
    BodyRow world;
    world.id = -1;
    builder.add(world);
  }
}

// What is named. A name that several skeletons use is told with that of the skeleton.
io::ModelColumns names_of(const Step& step, const DartIds& ids) {
  io::ModelColumns out;
  std::map<std::string, int> uses;
  for (const Link& link : step.links)
    for (const std::string& name : {link.node->getName(), link.node->getParentJoint()->getName()})
      ++uses[name];
  const auto add = [&](std::int64_t id, const std::string& name, const Link& link, Integers& to,
                       std::vector<io::NameText>& names) {
    if (std::find(to.begin(), to.end(), id) != to.end()) return;
    to.push_back(id);
    names.emplace_back(uses[name] > 1 ? link.node->getSkeleton()->getName() + "/" + name : name);
  };
  for (std::size_t i = 0; i < step.links.size(); ++i) {
    const Link& link = step.links[i];
    const auto at = static_cast<Index>(i);
    add(id_of_body(step, ids, at), link.node->getName(), link, out.body_ids, out.body_names);
    const std::int64_t joint = id_of_joint(step, ids, at);
    if (joint >= 0)
      add(joint, link.node->getParentJoint()->getName(), link, out.joint_ids, out.joint_names);
  }
  if (std::find(out.body_ids.begin(), out.body_ids.end(), -1) == out.body_ids.end()) {
    out.body_ids.push_back(-1);
    out.body_names.emplace_back("world");
  }
  return out;
}

io::Record record_of(Step& step, const DartIds& ids) {
  add_impulses(step);
  const std::vector<UpToSix> given = reactions(step.links, step.h);
  const Places place(step, given);
  const std::vector<LinkRows> joints = joints_of(step, ids, given);
  Integers counts;
  for (const LinkRows& joint : joints)
    counts.push_back(static_cast<std::int64_t>(joint.rows.size()));
  io::Record record;
  RecordBuilder::Columns columns;
  columns.joint_ids = true;
  RecordBuilder builder(record,
                        {place.count(), static_cast<Index>(step.rows->contacts.size()), counts},
                        columns, step.h, step.time);
  add_bodies(step, place, ids, builder);
  for (ContactRow contact : step.rows->contacts) {
    contact.first = place(contact.first);
    contact.second = place(contact.second);
    builder.add(contact);
  }
  for (const LinkRows& joint : joints) {
    builder.add_joint(place(joint.first), place(joint.second), joint.id);
    for (const ConstraintRow& row : joint.rows) builder.add(row);
  }
  if (step.groups > 0) record.timing.collision = step.collision;
  record.timing.formulation = step.formulation;
  record.timing.solver = step.solver;
  return record;
}

}  // namespace

class DartRecorder::Core {
 public:
  Sink sink;
  DartIds ids;
  const dart::simulation::World* world = nullptr;
  std::string first, second;  // solvers of LCPs, as the frames name them

  // Called by DART, through what follows below, in this order.
  void begin(double h, const std::vector<dart::dynamics::SkeletonPtr>& skeletons) {
    finish();
    if (!sink) return;
    const Clock::time_point start = Clock::now();
    step_ = std::make_unique<Step>();
    step_->h = h;
    step_->time = world->getTime();
    std::size_t count = 0;
    for (const dart::dynamics::SkeletonPtr& skeleton : skeletons)
      count += skeleton->getNumBodyNodes();
    step_->links.reserve(count);
    for (const dart::dynamics::SkeletonPtr& skeleton : skeletons) {
      const std::size_t begin_at = step_->links.size();
      add_links(*skeleton, h, step_->links);
      step_->skeletons.push_back({skeleton.get(), begin_at, step_->links.size()});
    }
    step_->rows.emplace(step_->links, step_->skeletons, h);
    done(start);
  }
  void group_begins(dart::constraint::ConstrainedGroup& group) {
    if (!step_) return;
    if (step_->groups++ == 0) step_->collision = seconds_since(step_->mark);
    group_ = &group;
    step_->rows->start_group();  // of a group without rows DART asks nobody
    step_->mark = Clock::now();
  }
  template <class ContactOf>
  void asked(const BoxedLcp& lcp, ContactOf&& contact_of) {
    if (!step_) return;
    step_->formulation += seconds_since(step_->mark);
    const Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < group_->getNumConstraints(); ++i) {
      const dart::constraint::ConstraintBasePtr constraint = group_->getConstraint(i);
      if (dart::collision::Contact* contact = contact_of(constraint.get()))
        step_->rows->add_contact(*constraint, *contact, lcp);
      else
        step_->rows->add_constraint(*constraint, lcp);
    }
    by_dantzig_ = first == kDartDantzig;
    if (by_dantzig_) step_->rows->keep_frictionless(lcp);
    done(start);
  }
  void solver_ends(bool was_second) {
    if (!step_) return;
    step_->solver += seconds_since(step_->mark);
    step_->secondary += was_second;
    by_dantzig_ = by_dantzig_ && !was_second;
    step_->mark = Clock::now();
  }
  void group_ends(const VectorXd& x) {
    if (!step_) return;
    const Clock::time_point start = Clock::now();
    step_->rows->answer(x, by_dantzig_);
    done(start);
  }
  void finish() {
    if (!step_) return;
    const std::unique_ptr<Step> step = std::move(step_);
    if (!sink) return;
    DartStep out;
    const Clock::time_point start = Clock::now();
    out.record = record_of(*step, ids);
    if (named_ != step->links.size()) out.record.model = names_of(*step, ids);
    named_ = step->links.size();
    out.groups = step->groups;
    out.secondary = step->secondary;
    out.record.answer.answered = who(*step);
    out.seconds = step->recording + seconds_since(start);
    sink(out);
  }

 private:
  std::string who(const Step& step) const {
    if (step.secondary == 0 || first == second) return first;
    if (step.secondary == step.groups) return second;
    return first == kDartDantzig && second == kDartSweeps ? kDartBoth : kDartOther;
  }
  void done(Clock::time_point start) {
    step_->recording += seconds_since(start);
    step_->mark = Clock::now();
  }
  std::unique_ptr<Step> step_;
  dart::constraint::ConstrainedGroup* group_ = nullptr;
  bool by_dantzig_ = false;  // the group's answer
  std::size_t named_ = 0;    // links whose names are in a record
};

namespace {

class Recording;

// Never active; asked in every step whether it is, before contacts are looked for.
class Witness : public ConstraintBase {
 public:
  explicit Witness(const Recording& solver) : solver_(solver) { mDim = 0; }
  void update() override;
  bool isActive() const override { return false; }

 private:  // never asked
  void getInformation(dart::constraint::ConstraintInfo*) override {}
  void applyUnitImpulse(std::size_t) override {}
  void getVelocityChange(double*, bool) override {}
  void excite() override {}
  void unexcite() override {}
  void applyImpulse(double*) override {}
  dart::dynamics::SkeletonPtr getRootSkeleton() const override { return nullptr; }

  const Recording& solver_;
};

// One of the two LCP solvers: the first is handed every problem, the second those it failed on.
class LcpListener : public BoxedLcpSolver {
 public:
  LcpListener(Recording& recording, dart::constraint::BoxedLcpSolverPtr solver, bool second)
      : recording_(recording), solver_(std::move(solver)), second_(second) {}
  const std::string& getType() const override { return solver_->getType(); }
  bool solve(int n, double* A, double* x, double* b, int nub, double* lo, double* hi, int* findex,
             bool early) override;
  bool canSolve(int n, const double* A) override { return solver_->canSolve(n, A); }

 private:
  Recording& recording_;
  dart::constraint::BoxedLcpSolverPtr solver_;
  bool second_;
};

class Recording : public BoxedLcpConstraintSolver {
 public:
  // In the place of `old`: with its skeletons, constraints, detector, options and LCP solvers. The
  // group of collision objects is the very same one: in another, FCL finds contacts in another
  // order.
  Recording(std::shared_ptr<DartRecorder::Core> recorder, BoxedLcpConstraintSolver& old)
      : core(std::move(recorder)) {
    mCollisionDetector = old.getCollisionDetector();
    mCollisionGroup = old.getCollisionGroup();
    mCollisionOption = old.getCollisionOption();
    mSkeletons = old.getSkeletons();
    mManualConstraints = old.getConstraints();
    mManualConstraints.push_back(std::make_shared<Witness>(*this));
    const auto solver = [](const dart::constraint::ConstBoxedLcpSolverPtr& one) {
      return std::const_pointer_cast<BoxedLcpSolver>(one);
    };
    setBoxedLcpSolver(std::make_shared<LcpListener>(*this, solver(old.getBoxedLcpSolver()), false));
    const auto second = solver(old.getSecondaryBoxedLcpSolver());
    setSecondaryBoxedLcpSolver(second ? std::make_shared<LcpListener>(*this, second, true)
                                      : nullptr);
  }
  void setFromOtherConstraintSolver(const dart::constraint::ConstraintSolver&) override {}

  // The contact of a contact constraint; null for other constraints.
  dart::collision::Contact* contact_of(const ConstraintBase* constraint) const {
    const auto found = contacts_.find(constraint);
    return found == contacts_.end() ? nullptr : found->second;
  }

  const std::shared_ptr<DartRecorder::Core> core;

 protected:
  void solveConstrainedGroup(dart::constraint::ConstrainedGroup& group) override {
    if (&group == &mConstrainedGroups.front()) find_contacts();
    core->group_begins(group);
    BoxedLcpConstraintSolver::solveConstrainedGroup(group);
    core->group_ends(mX);
  }

 private:
  // DART makes its contact constraints from the contacts in their order, and leaves out those
  // without a normal, apart, or of soft bodies.
  void find_contacts() {
    contacts_.clear();
    std::size_t next = 0;
    for (std::size_t i = 0; i < mCollisionResult.getNumContacts(); ++i) {
      dart::collision::Contact& contact = mCollisionResult.getContact(i);
      if (dart::collision::Contact::isZeroNormal(contact.normal) || contact.penetrationDepth < 0 ||
          isSoftContact(contact))
        continue;
      contacts_[mContactConstraints[next++].get()] = &contact;
    }
  }
  std::unordered_map<const ConstraintBase*, dart::collision::Contact*> contacts_;  // only looked up
};

void Witness::update() { solver_.core->begin(solver_.getTimeStep(), solver_.getSkeletons()); }

bool LcpListener::solve(int n, double* A, double* x, double* b, int nub, double* lo, double* hi,
                        int* findex, bool early) {
  if (!second_)
    recording_.core->asked(
        {n, padded(n), A, b, lo, hi, findex},
        [&](const ConstraintBase* constraint) { return recording_.contact_of(constraint); });
  const bool solved = solver_->solve(n, A, x, b, nub, lo, hi, findex, early);
  recording_.core->solver_ends(second_);
  return solved;
}

}  // namespace

DartRecorder::DartRecorder(Sink sink) : core_(std::make_shared<Core>()) {
  core_->sink = std::move(sink);
}

DartRecorder::~DartRecorder() { core_->sink = nullptr; }

void DartRecorder::record(dart::simulation::World& world) {
  auto* old = dynamic_cast<BoxedLcpConstraintSolver*>(world.getConstraintSolver());
  if (!old) throw io::InputError("the world's constraint solver does not solve boxed LCPs");
  core_->world = &world;
  core_->first = name_of(old->getBoxedLcpSolver().get());
  core_->second = name_of(old->getSecondaryBoxedLcpSolver().get());
  world.setConstraintSolver(std::make_unique<Recording>(core_, *old));
}

void DartRecorder::finish() { core_->finish(); }

void DartRecorder::stop() {
  core_->finish();
  core_->sink = nullptr;
}

void DartRecorder::identify(DartIds ids) { core_->ids = std::move(ids); }

}  // namespace perpend::capture::from_dart
