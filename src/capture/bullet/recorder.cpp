#include <unordered_map>

#include "capture/bullet/mlcp.hpp"
#include "capture/bullet/step_record.hpp"
#include "capture/clock.hpp"
#include "capture/outlet.hpp"
#include "capture/places.hpp"
#include "perpend/capture/bullet.hpp"

namespace perpend::capture::from_bullet {
namespace {

// Time until its end is the recorder's.
class RecordingTime {
 public:
  RecordingTime(double& spent, Clock::time_point& mark) : seconds_(spent), mark_(mark) {}
  ~RecordingTime() {
    mark_ = Clock::now();
    seconds_ += seconds(mark_ - start_);
  }

 private:
  double& seconds_;
  Clock::time_point& mark_;
  Clock::time_point start_ = Clock::now();
};

// Rows of the contacts of a group.
class ContactRows {
 public:
  ContactRows(const BulletPools& pools, bool two_directions)
      : pools_(pools), two_directions_(two_directions) {}
  PointRows operator()(int contact) const {
    const btSolverConstraint& normal = pools_.contacts[contact];
    const int at = normal.m_frictionIndex;
    return {&normal, friction(at), two_directions_ ? friction(at + 1) : nullptr};
  }

 private:
  const btSolverConstraint* friction(int k) const {
    return k >= 0 && k < pools_.friction.size() ? &pools_.friction[k] : nullptr;
  }
  const BulletPools& pools_;
  bool two_directions_;
};

// Finds the manifold of a contact point. Bullet makes its rows manifold by manifold, so that the
// next one's is rarely far.
class Owners {
 public:
  Owners(btPersistentManifold** manifolds, int count) : manifolds_(manifolds), count_(count) {}
  const btPersistentManifold& of(const btManifoldPoint* point) {
    for (int tried = 0; tried < count_; ++tried) {
      const btPersistentManifold* manifold = manifolds_[at_];
      const std::less<const void*> before;
      if (!before(point, manifold) && before(point, manifold + 1)) return *manifold;
      if (++at_ == count_) at_ = 0;
    }
    throw std::logic_error("a contact of Bullet's solver is in none of its manifolds");
  }

 private:
  btPersistentManifold** manifolds_;
  int count_, at_ = 0;
};

}  // namespace

struct BulletRecorder::Step {
  std::unique_ptr<BulletStepRecord> made;
  // Behind the bodies of `made`.
  std::vector<const btCollisionObject*> objects;
  Places places;
  // Of the group in work.
  std::vector<JointTarget> asked;
  std::vector<std::size_t> first_asked;  // of every joint, and the end
  std::vector<std::int32_t> of_pool;     // places of the solver's bodies; -1: stands for fixed ones
  std::size_t first_body = 0;
  btPersistentManifold** manifolds = nullptr;
  btTypedConstraint** joints = nullptr;
  int manifold_count = 0;
  bool two_directions = false;

  double formulation = 0, solver = 0, recording = 0;
  Clock::time_point began, mark;

  void begin(std::unique_ptr<StepRecord> emptied);
  // Adds an object that was not met in this step, and lets `copy` fill in what it is.
  template <class Copy>
  std::int32_t add(const btCollisionObject& object, Copy&& copy) {
    const auto next = static_cast<std::int64_t>(objects.size());
    const auto [place, added] = places.emplace(&object, next);
    if (added) {
      objects.push_back(&object);
      copy(made->bodies.emplace_back());
    }
    return static_cast<std::int32_t>(place);
  }
  std::int32_t add_fixed(const btCollisionObject& object) {
    return add(object, [&](EngineBody& copy) { copy_fixed(object, copy); });
  }
  bool fixed(Index i) const { return made->bodies[static_cast<std::size_t>(i)].inverse_mass == 0; }
  void copy_bodies(const BulletPools&);
  void copy_joints(const BulletPools&, const BulletRecorder&);
  void copy_contacts(const BulletPools&);
  void copy_mixed(const BulletPools&, const std::vector<double>& bounds);
};

void BulletRecorder::Step::begin(std::unique_ptr<StepRecord> emptied) {
  made = refilled<BulletStepRecord>(std::move(emptied));
  made->clear();
  objects.clear();
  places.clear();
  formulation = solver = recording = 0;
}

void BulletRecorder::Step::copy_bodies(const BulletPools& pools) {
  first_body = objects.size();
  of_pool.clear();
  for (int k = 0; k < pools.bodies.size(); ++k) {
    const btSolverBody& body = pools.bodies[k];
    of_pool.push_back(
        body.m_originalBody  // null: the one that stands for all fixed bodies
            ? add(*body.m_originalBody, [&](EngineBody& copy) { copy_body(body, copy); })
            : -1);
  }
}

void BulletRecorder::Step::copy_joints(const BulletPools& pools, const BulletRecorder& recorder) {
  int next = 0;
  for (int k = 0; k < pools.joint_sizes.size(); ++k) {
    const int rows = pools.joint_sizes[k].m_numConstraintRows;
    if (rows <= 0) continue;
    const Index first = add_fixed(joints[k]->getRigidBodyA());
    const Index second = add_fixed(joints[k]->getRigidBodyB());
    if (fixed(first) && fixed(second)) {  // nothing that it holds can move
      next += rows;
      continue;
    }
    made->joints.push_back(
        {first, second, rows, recorder.joint_id ? recorder.joint_id(*joints[k]) : -1});
    const std::size_t start = first_asked[static_cast<std::size_t>(k)],
                      end = first_asked[static_cast<std::size_t>(k) + 1];
    for (std::size_t r = start; r < start + static_cast<std::size_t>(rows); ++r, ++next)
      made->joint_rows.push_back(
          copy_joint(pools.joints[next], r < end ? asked[r] : JointTarget{}));
  }
}

void BulletRecorder::Step::copy_contacts(const BulletPools& pools) {
  const ContactRows rows_of(pools, two_directions);
  Owners owners(manifolds, manifold_count);
  const auto count = static_cast<std::size_t>(pools.contacts.size());
  made->contacts.reserve(made->contacts.size() + count);
  if (two_directions) {
    EngineFriction none;
    copy_friction(nullptr, none);
    made->along_o.resize(made->contacts.size(), none);
    made->along_o.reserve(made->contacts.size() + count);
  }
  for (int k = 0; k < pools.contacts.size(); ++k) {
    const PointRows rows = rows_of(k);
    const auto* point = static_cast<const btManifoldPoint*>(rows.normal->m_originalContactPoint);
    const btPersistentManifold& manifold = owners.of(point);
    const auto place = [&](int in_pool, const btCollisionObject* object) {
      const std::int32_t known = of_pool[static_cast<std::size_t>(in_pool)];
      return known >= 0 ? known : add_fixed(*object);
    };
    EngineContact& copy = made->contacts.emplace_back();
    copy.first = place(rows.normal->m_solverBodyIdA, manifold.getBody0());
    copy.second = place(rows.normal->m_solverBodyIdB, manifold.getBody1());
    copy_contact(*point, rows, copy);
    if (two_directions) copy_friction(rows.along_o, made->along_o.emplace_back());
  }
}

// Bounds of friction of the last group, as its MLCP had them.
void BulletRecorder::Step::copy_mixed(const BulletPools& pools, const std::vector<double>& bounds) {
  std::unordered_map<const btSolverConstraint*, double> bound;  // only looked up
  for (std::size_t row = 0; row < bounds.size(); ++row)
    bound.emplace((*pools.mixed)[static_cast<int>(row)], bounds[row]);
  const auto bound_of = [&](const btSolverConstraint* row) {
    const auto found = bound.find(row);
    return found == bound.end() ? 0 : found->second;
  };
  const ContactRows rows_of(pools, two_directions);
  MixedGroup& mixed = made->mixed.emplace_back();
  mixed.group = made->groups.back();
  for (int k = 0; k < pools.contacts.size(); ++k) {
    const PointRows rows = rows_of(k);
    mixed.bounds.emplace_back(bound_of(rows.along_t), bound_of(rows.along_o));
  }
}

BulletRecorder::BulletRecorder(Outlet outlet, bool with_start)
    : id([](const btCollisionObject& object) { return object.getWorldArrayIndex(); }),
      step_(std::make_unique<Step>()),
      listener_(std::make_unique<MlcpListener>()),
      outlet_(std::move(outlet)),
      with_start_(with_start) {}

BulletRecorder::BulletRecorder(Sink sink, bool measured)
    : BulletRecorder(Outlet{[this, sink = std::move(sink), measured](RecordedStep step) {
                              const Clock::time_point start = Clock::now();
                              auto& made = static_cast<BulletStepRecord&>(*step.record);
                              BulletStep out;
                              out.record = record_of(made);
                              out.start = std::move(made.start);
                              out.fell_back = made.fell_back();
                              out.groups = std::move(made.groups);
                              out.began = step.began;
                              if (measured) measure_answer(out.record);
                              out.seconds = step.recording + seconds_since(start);
                              sink(out);
                              emptied_ = std::move(step.record);
                            },
                            [this] { return std::move(emptied_); }},
                     true) {}

BulletRecorder::~BulletRecorder() = default;

void BulletRecorder::begin_step() {
  step_->began = Clock::now();
  step_->begin(outlet_.emptied());
}

void BulletRecorder::before_setup(btTypedConstraint** joints, int count,
                                  const btContactSolverInfo& info) {
  Step& s = *step_;
  const RecordingTime recorded(s.recording, s.mark);
  s.asked.clear();
  s.first_asked.assign(1, 0);
  for (int k = 0; k < count; ++k) {
    ask(*joints[k], info, s.asked);
    s.first_asked.push_back(s.asked.size());
  }
}

void BulletRecorder::spent(Part part) {
  (part == Part::formulation ? step_->formulation : step_->solver) += seconds_since(step_->mark);
}

void BulletRecorder::after_setup(const BulletPools& pools, btPersistentManifold** manifolds,
                                 int count, btTypedConstraint** joints,
                                 const btContactSolverInfo& info) {
  Step& s = *step_;
  const RecordingTime recorded(s.recording, s.mark);
  s.made->h = info.m_timeStep;
  s.made->mixed_cfm = info.m_globalCfm / info.m_timeStep;
  s.two_directions = (info.m_solverMode & SOLVER_USE_2_FRICTION_DIRECTIONS) != 0;
  s.manifolds = manifolds;
  s.manifold_count = count;
  s.joints = joints;
  if (!with_start_) return;
  const ContactRows rows_of(pools, s.two_directions);
  const auto impulse = [](const btSolverConstraint* row) -> double {
    return row ? static_cast<double>(row->m_appliedImpulse) : 0;
  };
  for (int k = 0; k < pools.contacts.size(); ++k) {
    const PointRows rows = rows_of(k);
    s.made->started.emplace_back(impulse(rows.normal), impulse(rows.along_t),
                                 impulse(rows.along_o));
  }
}

// All is copied here, at once: of what the solver was asked it has changed nothing, and its rows
// are in the caches now.
void BulletRecorder::before_finish(const BulletPools& pools, int iterations, bool fell_back) {
  Step& s = *step_;
  const RecordingTime recorded(s.recording, s.mark);
  BulletGroup group;
  group.first_contact = static_cast<Index>(s.made->contacts.size());
  group.first_joint_row = static_cast<Index>(s.made->joint_rows.size());
  s.copy_bodies(pools);
  s.copy_joints(pools, *this);
  s.copy_contacts(pools);
  group.contacts = static_cast<Index>(s.made->contacts.size()) - group.first_contact;
  group.joint_rows = static_cast<Index>(s.made->joint_rows.size()) - group.first_joint_row;
  group.iterations = iterations;
  group.fell_back = fell_back;
  s.made->groups.push_back(group);
  if (pools.mixed && !fell_back) s.copy_mixed(pools, listener_->bounds());
}

btMLCPSolverInterface* BulletRecorder::overhear(btMLCPSolverInterface* method) {
  listener_->listen_to(method);
  solver = listener_->name();
  return listener_.get();
}

void BulletRecorder::after_finish() {
  Step& s = *step_;
  const RecordingTime recorded(s.recording, s.mark);
  for (std::size_t i = s.first_body; i < s.objects.size(); ++i) {
    EngineBody& copy = s.made->bodies[i];
    if (copy.inverse_mass == 0) continue;
    const btRigidBody& body = *btRigidBody::upcast(s.objects[i]);
    const btVector3 &v = body.getLinearVelocity(), &w = body.getAngularVelocity();
    copy.linear_plus << v.x(), v.y(), v.z();
    copy.angular_plus << w.x(), w.y(), w.z();
  }
}

void BulletRecorder::end_step() {
  Step& s = *step_;
  {
    const RecordingTime recorded(s.recording, s.mark);
    BulletStepRecord& made = *s.made;
    for (const btCollisionObject* object : s.objects) made.ids.push_back(id(*object));
    made.time = time_;
    time_ += made.h;
    made.answered = made.fell_back() ? kSequential : solver;
    made.timing.formulation = s.formulation;
    made.timing.solver = s.solver;
  }
  outlet_.put({std::move(s.made), s.recording, s.began});
}

}  // namespace perpend::capture::from_bullet
