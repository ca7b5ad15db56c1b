#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <unordered_map>

#include "capture/clock.hpp"
#include "capture/ode/exported.hpp"
#include "capture/ode/step_reader.hpp"
#include "capture/outlet.hpp"

namespace perpend::capture::from_ode {
namespace {

// ODE says on its message handler that a solve broke down, and the handler gets nothing but the
// text: it can reach nothing but globals. The handler that was there is still called, ODE's own as
// well.
std::atomic<long> failed_solves{0};
std::atomic<dMessageFunction*> handler_before{nullptr};

void count_message(int number, const char* text, va_list arguments) {
  if (number == d_ERR_LCP) ++failed_solves;
  if (dMessageFunction* before = handler_before) return before(number, text, arguments);
  char line[256];
  std::vsnprintf(line, sizeof line, text, arguments);
  dSetMessageHandler(nullptr);
  dMessage(number, "%s", line);
  dSetMessageHandler(count_message);
}

// What contact joints were made with. ODE makes its joints of one step where those of the step
// before were, so that their places here are mostly the same.
class Told {
 public:
  struct One {
    dJointID joint;
    dContact made;
    long told, seen;  // rounds: when it was told last, when its joint was there
  };
  void put(dJointID joint, const dContact& made) {
    const auto [place, added] = places_.emplace(joint, static_cast<std::int64_t>(all_.size()));
    if (added) all_.emplace_back();
    One& one = all_[static_cast<std::size_t>(place)];
    one.joint = joint;
    one.made = made;
    one.told = round_;
    one.seen = 0;
  }
  // Null: it was told of another joint, which is gone, or not at all.
  One* find(dJointID joint) {
    const std::int64_t place = places_.find(joint);
    if (place < 0) return nullptr;
    One& one = all_[static_cast<std::size_t>(place)];
    return one.told == round_ || one.seen >= round_ - 1 ? &one : nullptr;
  }
  // The first time in this round.
  bool meet(One& one) {
    if (one.seen == round_) return false;
    one.seen = round_;
    ++met_;
    return true;
  }
  // A step is read. Of joints that are gone no more is kept than of those that are there.
  void end_round() {
    if (all_.size() > 2 * met_ + 64) {
      std::erase_if(all_, [&](const One& one) { return one.seen != round_; });
      places_.clear();
      for (std::size_t i = 0; i < all_.size(); ++i)
        places_.emplace(all_[i].joint, static_cast<std::int64_t>(i));
    }
    ++round_;
    met_ = 0;
  }

 private:
  Places places_;  // of joints
  std::vector<One> all_;
  std::size_t met_ = 0;
  long round_ = 2;
};

}  // namespace

struct OdeRecorder::State {
  dWorldID world;
  std::vector<dSpaceID> spaces;
  std::vector<dBodyID> bodies;
  Outlet outlet;
  std::unique_ptr<StepRecord> emptied;  // of steps that went to a sink
  double time = 0;
  Told told,
      told_before;  // since the last step; and what was there in it, which may be there still
  Places seen;      // joints of the step in work that nobody told
  std::vector<dJointID> untold;
  std::unordered_map<dJointID, OdeRest> rests;  // only looked up
  std::unordered_map<const void*, std::int64_t> ids;

  // Of the step in work.
  OdeStepReader asked;
  double h = 0;
  long failures = 0;
  double recording = 0;
  Clock::time_point began, mark;

  void find_joints();
  void look_at(dJointID);
  void add_joint(dJointID, const OdePair&);
  void find_untold();
};

// All joints of all bodies, and the bodies that they lead to.
void OdeRecorder::State::find_joints() {
  seen.clear();
  untold.clear();
  for (std::size_t i = 0; i < asked.bodies().size(); ++i) {
    const dBodyID from = asked.stand_at(i);
    const int count = from ? dBodyGetNumJoints(from) : 0;
    for (int k = 0; k < count; ++k) look_at(dBodyGetJoint(from, k));
  }
  if (!untold.empty()) find_untold();
  // Joints that are gone: their addresses may come again.
  told.end_round();
  std::erase_if(rests, [&](const auto& one) { return seen.find(one.first) == Places::kNone; });
}

void OdeRecorder::State::look_at(dJointID joint) {
  Told::One* one = told.find(joint);
  if (one ? !told.meet(*one) : !seen.emplace(joint, 0).second) return;
  if (!dJointIsEnabled(joint)) return;
  const OdePair pair = bodies_of(joint);
  const bool moves =
      !dBodyIsKinematic(pair.first) || (pair.second && !dBodyIsKinematic(pair.second));
  if (!moves) return;
  const bool contact = dJointGetType(joint) == dJointTypeContact;
  if (contact && one) {
    asked.add_contact(joint, pair, one->made);
  } else if (contact) {
    asked.add(pair.first);
    if (pair.second) asked.add(pair.second);
    untold.push_back(joint);
  } else {
    add_joint(joint, pair);
  }
}

void OdeRecorder::State::add_joint(dJointID joint, const OdePair& pair) {
  seen.emplace(joint, 0);
  auto rest = rests.find(joint);
  if (rest == rests.end()) rest = rests.emplace(joint, read_rest(joint)).first;
  asked.add_joint(joint, pair, rest->second);
}

void OdeRecorder::State::find_untold() {
  std::vector<dBodyID> known;
  for (const OdeBodyCopy& one : asked.bodies())
    if (one.body) known.push_back(one.body);
  const std::unordered_map<dJointID, dContact> exported = exported_contacts(world, known);
  for (const dJointID joint : untold) {
    const OdePair pair = bodies_of(joint);
    if (const auto made = exported.find(joint); made != exported.end())
      asked.add_contact(joint, pair, made->second);
    else
      asked.add_joint(joint, pair, {});
  }
}

OdeRecorder::OdeRecorder(dWorldID world, dSpaceID space, Outlet outlet)
    : state_(std::make_unique<State>()) {
  state_->world = world;
  state_->outlet = std::move(outlet);
  watch(space);
  id = [state = state_.get()](dBodyID body, dGeomID geom) {
    const void* key = body ? static_cast<const void*>(body) : static_cast<const void*>(geom);
    const auto next = static_cast<std::int64_t>(state->ids.size());
    return state->ids.emplace(key, next).first->second;
  };
}

OdeRecorder::OdeRecorder(dWorldID world, dSpaceID space, Sink sink, bool measured)
    : OdeRecorder(world, space,
                  Outlet{[this, sink = std::move(sink), measured](RecordedStep step) {
                           const Clock::time_point start = Clock::now();
                           auto& made = static_cast<OdeStepRecord&>(*step.record);
                           OdeStep out;
                           out.record = record_of(made);
                           out.method = made.method;
                           out.contacts = std::move(made.contact_joints);
                           out.joints = std::move(made.row_joints);
                           out.seed = made.seed;
                           out.gave_up = made.gave_up;
                           out.bounds_known = made.bounds_known;
                           out.opaque = made.opaque;
                           out.began = step.began;
                           if (measured) measure_answer(out.record);
                           out.seconds = step.recording + seconds_since(start);
                           sink(out);
                           state_->emptied = std::move(step.record);
                         },
                         [this] { return std::move(state_->emptied); }}) {}

OdeRecorder::~OdeRecorder() = default;

void OdeRecorder::watch(dSpaceID space) {
  if (space) state_->spaces.push_back(space);
}
void OdeRecorder::watch(dBodyID body) { state_->bodies.push_back(body); }
void OdeRecorder::forget(dBodyID body) { std::erase(state_->bodies, body); }

dJointID OdeRecorder::contact(dJointID joint, const dContact& made) {
  state_->told.put(joint, made);
  return joint;
}

void OdeRecorder::set(dJointID joint) { state_->rests[joint] = read_rest(joint); }

void OdeRecorder::step(dReal h) {
  before(OdeMethod::step, h);
  dWorldStep(state_->world, h);
  after();
}

void OdeRecorder::quick_step(dReal h) {
  before(OdeMethod::quick_step, h);
  dWorldQuickStep(state_->world, h);
  after();
}

void OdeRecorder::before(OdeMethod method, dReal h) {
  State& s = *state_;
  s.began = Clock::now();
  s.h = h;
  auto made = refilled<OdeStepRecord>(s.outlet.emptied());
  made->seed = dRandGetSeed();
  s.asked.begin(std::move(made), s.world, method, h);
  for (const dSpaceID space : s.spaces) s.asked.add(space);
  for (const dBodyID body : s.bodies) s.asked.add(body);
  s.find_joints();
  s.failures = failed_solves;
  handler_before = dGetMessageHandler();
  dSetMessageHandler(count_message);
  s.mark = Clock::now();
  s.recording = seconds(s.mark - s.began);
}

void OdeRecorder::after() {
  State& s = *state_;
  if (!s.asked.open()) return;
  const Clock::time_point start = Clock::now();
  dSetMessageHandler(handler_before);
  std::unique_ptr<OdeStepRecord> made = s.asked.answered(id, joint_id, joint_turned);
  made->gave_up = failed_solves != s.failures;
  made->timing.solver = seconds(start - s.mark);
  made->time = s.time;
  s.time += s.h;
  s.outlet.put({std::move(made), s.recording + seconds_since(start), s.began});
}

}  // namespace perpend::capture::from_ode
