#include "view/session.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/io.hpp"

namespace perpend::view {
namespace {

constexpr std::size_t kMostThrown = 1000;

std::size_t size_of(const Snapshot& s) {
  std::size_t bytes = sizeof s + s.bodies.size() * sizeof(Snapshot::Body) +
                      s.pairs.size() * sizeof(Snapshot::Pair) +
                      s.joints.size() * sizeof(Snapshot::Joint);
  for (const Snapshot::Pair& pair : s.pairs)
    bytes += pair.contacts.size() * sizeof(Snapshot::Contact);
  for (const Snapshot::Joint& joint : s.joints) bytes += joint.rows.size() * sizeof(Snapshot::Row);
  return bytes;
}

// For the page, which draws triangles: a hull becomes the mesh of its surface.
void show_hulls(Shape& shape) {
  if (shape.type == Shape::Type::hull) {
    shape.triangles = hull_triangles(shape.points);
    shape.type = Shape::Type::mesh;
  }
  for (Part& part : shape.parts) show_hulls(part.shape);
}

Vector3d vector(const field::vector& v) { return {v[0], v[1], v[2]}; }

template <class... Vectors>
void append(field::floats& list, const Vectors&... vectors) {
  const auto add = [&](const auto& v) {
    for (Index k = 0; k < v.size(); ++k) list.push_back(static_cast<float>(v[k]));
  };
  (add(vectors), ...);
}

}  // namespace

Session::Session(Scene scene, const StepOptions& options, Executor& executor, Hand hand,
                 PaneRole role)
    : scene_(std::move(scene)),
      own_bodies_(scene_.bodies.size()),
      executor_(executor),
      role_(role),
      list_(settings_of(scene_)),
      start_(start_settings(scene_, options)),
      settings_(start_),
      events_(std::move(hand.events)),
      followed_(!events_.empty()) {
  std::size_t bodies = scene_.bodies.size();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Message& message = events_[i].message;
    std::string why = why_not(message);
    const auto about = [&](std::uint32_t body) { return body >= own_bodies_ && body < bodies; };
    // A ball that a hand throws first can be held afterwards.
    if (const Drag* drag = std::get_if<Drag>(&message); drag && about(drag->body)) why.clear();
    if (const Twist* twist = std::get_if<Twist>(&message); twist && about(twist->body)) why.clear();
    if (std::holds_alternative<Throw>(message)) ++bodies;
    if (why.empty()) continue;
    throw io::InputError((hand.where.empty() ? "" : hand.where + ": ") + "events " +
                         std::to_string(i) + ": " + why);
  }
  build();
  keep();
  happen();
}

Session::~Session() = default;

void Session::build() {
  world_ = std::make_unique<World>(scene_, settings_, role_.engine, executor_);
  world_->watch(watched_);
}

void Session::watch(bool on) {
  watched_ = on;
  world_->watch(on);
}

void Session::go_on_from(const Snapshot& from) {
  if (const std::string why = world_->restore(from, time_); !why.empty())
    throw std::logic_error("a state of this run does not fit it: " + why);
}

void Session::happen() {
  for (; next_ < events_.size() && events_[next_].step <= steps_; ++next_)
    take(events_[next_].message);
}

std::string Session::step() {
  happen();
  const double next = since_.time + static_cast<double>(steps_ + 1 - since_.step) * settings_.h;
  if (std::string why = world_->step(time_, next, holds_); !why.empty()) return why;
  ++steps_;
  time_ = next;
  keep();
  return {};
}

void Session::keep() {
  Kept one{
      steps_,        time_, since_, next_, settings_, holds_, scene_.bodies.size() - own_bodies_,
      world_->save()};
  // Stock Bullet cannot be taken up again but at the start.
  if (!one.snapshot && !kept_.empty()) return;
  one.bytes = sizeof one + (one.snapshot ? size_of(*one.snapshot) : 0);
  kept_bytes_ += one.bytes;
  kept_.push_back(std::move(one));
  if (kept_bytes_ > most_kept_) thin_out();
}

// Every second one of the older half, but not the first.
void Session::thin_out() {
  std::deque<Kept> left;
  kept_bytes_ = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (i < kept_.size() / 2 && i % 2 == 1) continue;
    kept_bytes_ += kept_[i].bytes;
    left.push_back(std::move(kept_[i]));
  }
  kept_ = std::move(left);
}

void Session::restore(const Kept& kept) {
  const bool same =
      settings_.h == kept.settings.h && scene_.bodies.size() == own_bodies_ + kept.thrown;
  steps_ = kept.step;
  time_ = kept.time;
  since_ = kept.since;
  next_ = kept.next;
  settings_ = kept.settings;
  holds_ = kept.holds;
  if (scene_.bodies.size() != own_bodies_ + kept.thrown) {
    scene_.bodies.resize(own_bodies_ + kept.thrown);
    ++run_;
  }
  if (!same || !kept.snapshot) build();
  if (kept.snapshot) go_on_from(*kept.snapshot);
  world_->set(settings_);
}

void Session::rewind(Index to) {
  while (kept_.size() > 1 && kept_.back().step > to) {
    kept_bytes_ -= kept_.back().bytes;
    kept_.pop_back();
  }
  restore(kept_.back());
}

// From the step before, which is made again: its contacts and errors are shown.
void Session::go_back(Index to) {
  to = std::max<Index>(to, 0);
  rewind(std::max<Index>(to - 1, 0));
  while (steps_ < to && step().empty()) {
  }
  happen();
}

void Session::reset() {
  for (const Set& set : start_again()) act(set);
}

std::vector<Set> Session::start_again() {
  std::vector<Set> out;
  const Settings as_they_are = settings_;
  rewind(0);
  if (followed_) {
    happen();
    return out;
  }
  events_.clear();
  for (const Setting& setting : list_)
    if (setting.get(as_they_are) != setting.get(settings_)) {
      Set set;
      if (setting.own && role_.of > 1) set.name = std::to_string(role_.number) + ":";
      set.name += setting.name;
      set.value = setting.get(as_they_are);
      out.push_back(set);
    }
  return out;
}

std::string Session::act(const Message& message) {
  if (std::string why = why_not(message); !why.empty()) return why;
  events_.resize(next_);
  followed_ = false;
  // A hand that moves while the run waits has one place when it goes on.
  const Drag* drag = std::get_if<Drag>(&message);
  if (drag && !events_.empty() && events_.back().step == steps_)
    if (const Drag* before = std::get_if<Drag>(&events_.back().message);
        before && before->body == drag->body)
      events_.pop_back();
  events_.push_back({steps_, message});
  next_ = events_.size();
  take(message);
  return {};
}

std::string Session::why_not(const Message& message) const {
  const auto body = [&](std::uint32_t i) -> std::string {
    if (i >= scene_.bodies.size())
      return "body " + std::to_string(i) + ": there are " + std::to_string(scene_.bodies.size());
    return scene_.bodies[i].mass > 0 ? "" : "body " + std::to_string(i) + " is fixed";
  };
  const auto far = [](const field::vector& v) { return !(vector(v).norm() <= 1e6); };
  if (const auto* drag = std::get_if<Drag>(&message)) {
    if (far(drag->point) || far(drag->target)) return "farther than 1000 km";
    return body(drag->body);
  }
  if (const auto* twist = std::get_if<Twist>(&message)) {
    if (!(vector(twist->torque).norm() <= 1e12)) return "a torque of more than 1e12 N m";
    return body(twist->body);
  }
  if (std::holds_alternative<Release>(message)) return {};
  if (const auto* cut = std::get_if<Cut>(&message))
    return cut->joint < scene_.joints.size()
               ? ""
               : "joint " + std::to_string(cut->joint) + ": there are " +
                     std::to_string(scene_.joints.size());
  if (const auto* ball = std::get_if<Throw>(&message)) {
    if (!(ball->radius > 1e-4 && ball->radius < 1e4)) return "radius is not within 1e-4 and 1e4 m";
    if (!(ball->mass > 1e-6 && ball->mass < 1e9)) return "mass is not within 1e-6 and 1e9 kg";
    if (far(ball->position) || !(vector(ball->velocity).norm() <= 1e3))
      return "farther than 1000 km, or faster than 1000 m/s";
    return scene_.bodies.size() < own_bodies_ + kMostThrown ? "" : "enough balls were thrown";
  }
  if (const auto* set = std::get_if<Set>(&message)) {
    if (set->name.size() + set->value.size() > 100) return "a name or value is too long";
    const SettingName about = setting_name(set->name);
    if (about.pane > role_.of)
      return set->name + ": there " + (role_.of == 1 ? "is" : "are") + " " +
             std::to_string(role_.of) + (role_.of == 1 ? " pane" : " panes");
    for (const Setting& setting : list_)
      if (about.pane > 0 && !setting.own && setting.name == about.name)
        return about.name + " is the same in all panes";
    Settings tried = settings_;
    return change(tried, list_, about.name, set->value);
  }
  return std::string(name(message)) + " is nothing that a hand does";
}

void Session::take(const Message& message) {
  std::visit(
      [this](const auto& one) {
        using One = std::remove_cvref_t<decltype(one)>;
        if constexpr (!std::is_same_v<One, std::monostate>)
          if constexpr (One::kFrom == From::hand) take(one);
      },
      message);
}

Hold& Session::hold_of(std::uint32_t body) {
  const auto at = std::find_if(holds_.begin(), holds_.end(),
                               [&](const Hold& hold) { return hold.body >= body; });
  if (at != holds_.end() && at->body == body) return *at;
  Hold made;
  made.body = body;
  return *holds_.insert(at, made);
}

bool Session::holds(std::uint32_t body) const {
  return std::any_of(holds_.begin(), holds_.end(),
                     [&](const Hold& hold) { return hold.body == body; });
}

void Session::take(const Drag& drag) {
  Hold& hold = hold_of(drag.body);
  hold.drags = true;
  hold.point = vector(drag.point);
  hold.target = vector(drag.target);
}

void Session::take(const Twist& twist) { hold_of(twist.body).torque = vector(twist.torque); }

void Session::take(const Release& release) {
  std::erase_if(holds_, [&](const Hold& hold) { return hold.body == release.body; });
}

void Session::take(const Cut& cut) { world_->cut(cut.joint); }

// Stock Bullet goes on with one more body; our world is built again and goes on from its state.
void Session::take(const Throw& thrown) {
  Body ball;
  ball.name = "ball " + std::to_string(scene_.bodies.size() - own_bodies_ + 1);
  ball.shape.type = Shape::Type::sphere;
  ball.shape.radius = thrown.radius;
  ball.mass = thrown.mass;
  ball.pose.position = vector(thrown.position);
  ball.velocity.head<3>() = vector(thrown.velocity);
  std::optional<Snapshot> kept = world_->save();
  if (!kept) {
    scene_.bodies.push_back(ball);
    ++run_;
    return world_->add(ball);
  }
  Snapshot& saved = *kept;
  // After all others: by an id where they have them, else as the last one added.
  std::int64_t largest = -1;
  for (const Snapshot::Body& body : saved.bodies) largest = std::max(largest, body.id);
  if (!scene_.bodies.empty() && scene_.bodies.front().id) ball.id = largest + 1;
  scene_.bodies.push_back(ball);
  ++run_;
  build();
  const std::int64_t id = world_->id(scene_.bodies.size() - 1);
  const Snapshot fresh = *world_->save();
  for (const Snapshot::Body& body : fresh.bodies)
    if (body.id == id) saved.bodies.push_back(body);
  std::sort(saved.bodies.begin(), saved.bodies.end(),
            [](const Snapshot::Body& a, const Snapshot::Body& b) { return a.id < b.id; });
  go_on_from(saved);
}

void Session::take(const Set& set) {
  const SettingName about = setting_name(set.name);
  if (about.pane != 0 && about.pane != role_.number) return;
  const double h = settings_.h;
  change(settings_, list_, about.name, set.value);
  const std::optional<Snapshot> saved = settings_.h == h ? std::nullopt : world_->save();
  if (!saved) return world_->set(settings_);
  since_ = {time_, steps_};
  build();  // joints of the world know h
  go_on_from(*saved);
}

SceneMessage Session::scene_message() const {
  Scene shown = scene_;
  for (Body& body : shown.bodies) show_hulls(body.shape);
  SceneMessage out;
  out.run = run_;
  out.json = io::to_json(shown);
  return out;
}

SettingsMessage Session::settings_message() const {
  SettingsMessage out;
  out.json = to_json(std::vector{settings()}, list_);
  return out;
}

EventsMessage Session::events_message() const {
  EventsMessage out;
  out.json = to_json(hand());
  return out;
}

std::string Session::title() const {
  const StepOptions& step = settings_.step;
  std::string out = role_.engine == Engine::bullet ? "Bullet " + bullet_version() : step.solver;
  if (role_.engine == Engine::perpend) {
    if (step.effort.limited()) return out + ", effort " + name(step.effort);
    if (step.solve.max_iterations == StepOptions().solve.max_iterations) return out;
  }
  return out + ", " + std::to_string(step.solve.max_iterations) + " iterations";
}

CurveMessage Session::curve_message() const {
  CurveMessage out;
  out.step = static_cast<double>(steps_);
  for (const HistoryPoint& point : world_->history()) {
    out.iterations.push_back(static_cast<float>(point.iteration));
    out.own.push_back(static_cast<float>(point.errors[Measure::own_error]));
    out.errors.push_back(static_cast<float>(point.errors[Measure::velocity_error]));
    out.restarts.push_back(point.restart ? 1 : 0);
  }
  return out;
}

StateMessage Session::state_message() const {
  StateMessage out;
  out.run = run_;
  out.step = static_cast<double>(steps_);
  out.time = time_;
  const StepReport& report = world_->report();
  const auto told = [](double value) { return std::isfinite(value) ? value : 0; };
  const auto known = [&](Measure measure) {  // without contacts nothing is wrong
    const double error = report.errors[measure];
    return std::isfinite(error) ? error : role_.engine == Engine::bullet ? -1 : 0;
  };
  out.error = known(Measure::velocity_error);
  out.own = known(Measure::own_error);
  out.penetration = told(world_->penetration());
  out.energy = told(world_->energy());
  out.milliseconds = 1e3 * report.total_seconds;
  out.iterations = static_cast<double>(report.iterations);
  if (role_.engine == Engine::perpend) out.status = std::string(name(report.status));
  out.hash = hexadecimal(world_->hash());
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const Pose pose = world_->pose(i);
    append(out.poses, pose.position, pose.orientation.coeffs());
    append(out.velocities, world_->velocity(i));
  }
  for (const ContactForce& touch : world_->touches()) {
    out.pairs.push_back(touch.first);
    out.pairs.push_back(touch.second);
    append(out.points, touch.point);
    append(out.normals, touch.normal);
    append(out.forces, touch.force);
    out.frictions.push_back(static_cast<float>(touch.mu));
    out.gaps.push_back(static_cast<float>(touch.gap));
    out.errors.push_back(static_cast<float>(touch.error));
    out.modes.push_back(static_cast<std::uint8_t>(touch.mode));
  }
  for (const Hold& hold : holds_) {
    if (!hold.drags) continue;
    const Pose pose = world_->pose(hold.body);
    out.held.push_back(hold.body);
    append(out.grips, Vector3d(pose.position + pose.orientation * hold.point), hold.target);
    append(out.pulls, hold.force);
  }
  for (std::size_t i = 0; i < scene_.joints.size(); ++i)
    out.cut.push_back(world_->is_cut(i) ? 1 : 0);
  return out;
}

}  // namespace perpend::view
