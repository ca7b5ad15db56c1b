// Recordings that one thread looks at: messages in, messages out. This is what runs inside a page
// that carries them (docs/share.md), where a worker of the browser is the thread.
#pragma once

#include <memory>

#include "view/recordings.hpp"
#include "view/resolve.hpp"

namespace perpend::view {

class Answerer {
 public:
  using Answers = std::vector<Bytes>;  // encoded messages

  explicit Answerer(std::vector<std::unique_ptr<Recording>> recordings)
      : recordings_(std::move(recordings)) {}

  Answers joined();  // what a page hears first
  Answers heard(const std::uint8_t* message, std::size_t size);
  // Something that nobody asked for; `more` tells whether to call again.
  Answers look_ahead(bool& more);

 private:
  Recordings recordings_;
  std::unique_ptr<Resolved> solved_;
  int untold_ = 0;  // steps of look_ahead since the timeline was told
};

// A line for the person, of something that failed.
Bytes complaint(const std::string& words);

}  // namespace perpend::view
