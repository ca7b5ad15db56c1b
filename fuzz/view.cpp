// Any bytes as a message of a page, and as a hand file: what is read can be written, and reads back
// to the same bytes.
//
// About: src/view/messages.cpp src/view/hand.cpp
#include "input.hpp"
#include "view/hand.hpp"
#include "view/messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  std::string why;
  const view::Message message = view::decoded(data, size, why);
  fuzz::require((view::number(message) == 0) == !why.empty());
  if (why.empty()) {
    const view::Bytes bytes = view::encoded(message);
    const view::Message again = view::decoded(bytes.data(), bytes.size(), why);
    fuzz::require(bytes.size() == size && why.empty() && view::encoded(again) == bytes);
  }
  view::Hand hand;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!fuzz::accepted([&] { hand = view::hand_from_json(text, "input"); })) return 0;
  const std::string written = to_json(hand);
  fuzz::require(to_json(view::hand_from_json(written, "written")) == written);
  return 0;
}
