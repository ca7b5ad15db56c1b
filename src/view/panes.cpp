#include "view/panes.hpp"

#include <algorithm>
#include <charconv>

namespace perpend::view {

std::string parse_pane(const std::string& text, const StepOptions& step, PaneOptions& out) {
  const std::size_t at = text.find('@');
  const std::string which = text.substr(0, at);
  out = {};
  out.step = step;
  out.stock = which == "bullet";
  if (out.stock)
    out.step.solve.max_iterations = 10;  // Bullet's own default
  else if (solver_named(which))
    out.step.solver = which;
  else
    return "no solver is called '" + which + "', and it is not bullet";
  if (at == std::string::npos) return {};
  const char *first = text.data() + at + 1, *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, out.step.solve.max_iterations);
  if (error != std::errc() || end != last || out.step.solve.max_iterations < 1 ||
      out.step.solve.max_iterations > 1000000)
    return "'" + text.substr(at + 1) + "' is not a number of iterations from 1 to 1000000";
  out.step.correct = 0;  // so many iterations are all
  return {};
}

Panes::Panes(const Scene& scene, const std::vector<PaneOptions>& panes, Executor& executor,
             const Hand& hand)
    : apart_(panes.size(), 0) {
  for (const PaneOptions& pane : panes)
    sessions_.push_back(
        std::make_unique<Session>(scene, pane.step, executor, hand,
                                  PaneRole{sessions_.size() + 1, panes.size(),
                                           pane.stock ? Engine::bullet : Engine::perpend}));
}

std::string Panes::step() {
  const Index before = first().steps();
  for (std::size_t k = 0; k < count(); ++k) {
    const std::string why = sessions_[k]->step();
    if (why.empty()) continue;
    for (std::size_t made = 0; made <= k && count() > 1; ++made) sessions_[made]->go_back(before);
    return count() > 1 ? sessions_[k]->title() + ": " + why : why;
  }
  compare();
  return {};
}

void Panes::compare() {
  const std::vector<Body>& bodies = first().scene().bodies;
  for (std::size_t k = 1; k < count(); ++k) {
    apart_[k] = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].mass <= 0) continue;
      const double distance = (sessions_[k]->pose(i).position - first().pose(i).position).norm();
      apart_[k] = std::max(apart_[k], distance);
      if (parting_.step < 0 && !(distance <= kApart * radius(bodies[i])))
        parting_ = {first().steps(), k, i, distance};
    }
  }
}

void Panes::go_back(Index to) {
  for (const auto& session : sessions_) session->go_back(to);
  if (parting_.step > first().steps()) parting_ = {};
  compare();
}

void Panes::reset() {
  std::vector<Set> settings;
  for (const auto& session : sessions_)
    for (const Set& set : session->start_again())
      if (std::none_of(settings.begin(), settings.end(),
                       [&](const Set& other) { return other.name == set.name; }))
        settings.push_back(set);
  for (const Set& set : settings) act(set);
  parting_ = {};
  compare();
}

std::string Panes::act(const Message& message) {
  for (const auto& session : sessions_)
    if (std::string why = session->why_not(message); !why.empty()) return why;
  for (const auto& session : sessions_) session->act(message);
  return {};
}

void Panes::watch(bool on) {
  for (const auto& session : sessions_) session->watch(on);
}

void Panes::keep_within(std::size_t bytes) {
  for (const auto& session : sessions_) session->keep_within(bytes);
}

SettingsMessage Panes::settings_message() const {
  std::vector<PaneSettings> all;
  for (const auto& session : sessions_) all.push_back(session->settings());
  SettingsMessage out;
  out.json = to_json(all, first().settings_list());
  return out;
}

CurveMessage Panes::curve_message() const {
  CurveMessage out;
  out.step = static_cast<double>(first().steps());
  for (const auto& session : sessions_) {
    const CurveMessage one = session->curve_message();
    out.iterations.insert(out.iterations.end(), one.iterations.begin(), one.iterations.end());
    out.own.insert(out.own.end(), one.own.begin(), one.own.end());
    out.errors.insert(out.errors.end(), one.errors.begin(), one.errors.end());
    out.restarts.insert(out.restarts.end(), one.restarts.begin(), one.restarts.end());
    out.lengths.push_back(static_cast<std::uint32_t>(one.iterations.size()));
  }
  return out;
}

PanesMessage Panes::panes_message(const std::vector<StateMessage>& states) const {
  PanesMessage out;
  for (const StateMessage& state : states) add_state(state, out);
  for (std::size_t k = 0; k < count(); ++k) {
    if (k > 0) out.titles += '\n';
    out.titles += sessions_[k]->title();
    out.apart.push_back(static_cast<float>(apart_[k]));
  }
  out.parted = static_cast<double>(parting_.step);
  out.words = words();
  return out;
}

std::string Panes::words() const {
  if (parting_.step < 0) return {};
  const Body& body = first().scene().bodies[parting_.body];
  return "Pane " + std::to_string(parting_.pane + 1) + " parts from pane 1 in step " +
         std::to_string(parting_.step) + ": " +
         (body.name.empty() ? "body " + std::to_string(parting_.body) : body.name) + " is " +
         formatted("%.2g", 1e3 * parting_.distance) + " mm off, more than a tenth of its radius";
}

}  // namespace perpend::view
