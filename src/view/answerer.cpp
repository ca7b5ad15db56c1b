#include "view/answerer.hpp"

#include <cmath>

namespace perpend::view {
namespace {

constexpr int kBetweenTimelines = 20;  // steps of look_ahead

Message answer(const Message& message, const Recordings& recordings,
               std::unique_ptr<Resolved>& solved) {
  if (const auto* frame = std::get_if<ShowFrame>(&message)) return recordings.frame(frame->frame);
  if (const auto* asked = std::get_if<SolveFrame>(&message)) {
    io::Record record = recordings.to_solve(*asked);
    SolveFrame whole = *asked;
    whole.frame = std::floor(asked->frame);
    solved = std::make_unique<Resolved>(std::move(record), whole, [] { return false; });
    return solved->message();
  }
  if (const auto* iterate = std::get_if<ShowIterate>(&message)) {
    if (!solved) throw io::InputError("show_iterate: no frame was solved yet");
    return solved->iterate(iterate->point);
  }
  if (const auto* form = std::get_if<SaveFrame>(&message)) return recordings.saved(*form);
  throw io::InputError(std::string(name(message)) + ": not with a recording");
}

}  // namespace

Bytes complaint(const std::string& words) {
  NoticeMessage out;
  out.wrong = true;
  out.words = words;
  return encoded(out);
}

Answerer::Answers Answerer::joined() {
  return {encoded(recordings_.about()), encoded(recordings_.timeline()),
          encoded(recordings_.frame(0))};
}

Answerer::Answers Answerer::heard(const std::uint8_t* bytes, std::size_t size) {
  std::string why;
  const Message message = decoded(bytes, size, why);
  if (number(message) == 0) return {complaint(why)};
  try {
    return {encoded(answer(message, recordings_, solved_))};
  } catch (const std::exception& error) {
    return {complaint(error.what())};
  }
}

Answerer::Answers Answerer::look_ahead(bool& more) {
  more = false;
  if (const std::optional<Recordings::Place> place = recordings_.next_unmeasured()) {
    recordings_.measured(*place, recorded_error(recordings_.read(*place)));
    more = true;
  } else {
    more = recordings_.compare_next();
  }
  const bool late = !more || ++untold_ > kBetweenTimelines;
  if (!recordings_.urgent() && !(recordings_.news() && late)) return {};
  untold_ = 0;
  return {encoded(recordings_.timeline())};
}

}  // namespace perpend::view
