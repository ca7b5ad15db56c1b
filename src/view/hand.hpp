// What hands did to a run: events with the number of the step before which they happen, as data. A
// list of events and a scene repeat the run bit for bit. docs/view.md describes the JSON form.
#pragma once

#include <string>
#include <vector>

#include "perpend/frame.hpp"
#include "view/messages.hpp"

namespace perpend::view {

struct Event {
  Index step = 0;   // so many steps have been made when it happens
  Message message;  // from a hand
};

struct Hand {
  std::string where;          // it was read: opens what is said of it
  std::string scene;          // its name
  std::vector<Event> events;  // in the order of their steps
};

std::string to_json(const Event&);
std::string to_json(const Hand&);  // an event per line
// Throws io::InputError, a line that opens with `where`.
Hand hand_from_json(const std::string& text, const std::string& where);

}  // namespace perpend::view
