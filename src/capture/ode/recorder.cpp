#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <unordered_set>

#include "capture/ode/answerers.hpp"
#include "capture/ode/asked.hpp"
#include "capture/ode/exported.hpp"
#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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

}  // namespace

struct OdeRecorder::State {
  dWorldID world;
  std::vector<dSpaceID> spaces;
  std::vector<dBodyID> bodies;
  Sink sink;
  bool measured;
  double time = 0;
  std::unordered_map<dJointID, dContact> told;  // only looked up
  std::unordered_map<dJointID, OdeRest> rests;  // the same
  std::unordered_map<const void*, std::int64_t> ids;

  // Of the step in work.
  std::optional<OdeAsked> asked;
  unsigned long seed = 0;
  double h = 0;
  long failures = 0;
  double recording = 0;
  Clock::time_point began, mark;

  void find_joints();
  void find_untold(const std::vector<dJointID>&);
};

// All joints of all bodies, and the bodies that they lead to.
void OdeRecorder::State::find_joints() {
  std::unordered_set<dJointID> seen;
  std::vector<dJointID> untold;
  for (std::size_t i = 0; i < asked->bodies().size(); ++i) {
    const dBodyID from = asked->bodies()[i].body;
    if (!from) continue;
    for (int k = 0; k < dBodyGetNumJoints(from); ++k) {
      const dJointID joint = dBodyGetJoint(from, k);
      if (!seen.insert(joint).second || !dJointIsEnabled(joint)) continue;
      const OdePair pair = bodies_of(joint);
      const bool moves =
          !dBodyIsKinematic(pair.first) || (pair.second && !dBodyIsKinematic(pair.second));
      if (!moves) continue;
      const bool contact = dJointGetType(joint) == dJointTypeContact;
      const auto made = told.find(joint);
      if (contact && made != told.end()) {
        asked->add_contact(joint, pair, made->second);
      } else if (contact) {
        asked->add(pair.first);
        if (pair.second) asked->add(pair.second);
        untold.push_back(joint);
      } else {
        asked->add_joint(joint, pair, rests.try_emplace(joint, read_rest(joint)).first->second);
      }
    }
  }
  if (!untold.empty()) find_untold(untold);
  // Joints that are gone: their addresses may come again.
  std::erase_if(told, [&](const auto& one) { return !seen.contains(one.first); });
  std::erase_if(rests, [&](const auto& one) { return !seen.contains(one.first); });
}

void OdeRecorder::State::find_untold(const std::vector<dJointID>& untold) {
  std::vector<dBodyID> known;
  for (const OdeBody& one : asked->bodies())
    if (one.body) known.push_back(one.body);
  const std::unordered_map<dJointID, dContact> exported = exported_contacts(world, known);
  for (const dJointID joint : untold) {
    const OdePair pair = bodies_of(joint);
    if (const auto made = exported.find(joint); made != exported.end())
      asked->add_contact(joint, pair, made->second);
    else
      asked->add_joint(joint, pair, {});
  }
}

OdeRecorder::OdeRecorder(dWorldID world, dSpaceID space, Sink sink, bool measured)
    : state_(std::make_unique<State>()) {
  state_->world = world;
  state_->sink = std::move(sink);
  state_->measured = measured;
  watch(space);
  id = [state = state_.get()](dBodyID body, dGeomID geom) {
    const void* key = body ? static_cast<const void*>(body) : static_cast<const void*>(geom);
    const auto next = static_cast<std::int64_t>(state->ids.size());
    return state->ids.emplace(key, next).first->second;
  };
}

OdeRecorder::~OdeRecorder() = default;

void OdeRecorder::watch(dSpaceID space) {
  if (space) state_->spaces.push_back(space);
}
void OdeRecorder::watch(dBodyID body) { state_->bodies.push_back(body); }
void OdeRecorder::forget(dBodyID body) { std::erase(state_->bodies, body); }

dJointID OdeRecorder::contact(dJointID joint, const dContact& made) {
  state_->told[joint] = made;
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
  s.asked.emplace(s.world, method, h);
  for (const dSpaceID space : s.spaces) s.asked->add(space);
  for (const dBodyID body : s.bodies) s.asked->add(body);
  s.find_joints();
  s.seed = dRandGetSeed();
  s.failures = failed_solves;
  handler_before = dGetMessageHandler();
  dSetMessageHandler(count_message);
  s.mark = Clock::now();
  s.recording = std::chrono::duration<double>(s.mark - s.began).count();
}

void OdeRecorder::after() {
  State& s = *state_;
  if (!s.asked) return;
  const double spent = seconds_since(s.mark);
  const Clock::time_point start = Clock::now();
  dSetMessageHandler(handler_before);
  OdeStep out = s.asked->answered(id, failed_solves != s.failures);
  s.asked->give_back();
  s.asked.reset();
  out.seed = s.seed;
  out.began = s.began;
  out.record.answer.answered = out.gave_up                     ? kGaveUp
                               : out.method == OdeMethod::step ? kWorldStep
                                                               : kQuickStep;
  out.record.timing.solver = spent;
  out.record.frame.time = s.time;
  s.time += s.h;
  if (s.measured) measure_answer(out.record);
  out.seconds = s.recording + seconds_since(start);
  s.sink(out);
}

}  // namespace perpend::capture
