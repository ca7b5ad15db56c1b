// Any bytes as a hand file: what is read can be written, and reads back to the same text.
//
// About: src/view/hand.cpp src/view/messages.cpp src/io/json_fields.cpp
#include "view/hand.hpp"

#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace perpend;
  view::Hand hand;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!fuzz::accepted([&] { hand = view::hand_from_json(text, "input"); })) return 0;
  const std::string written = to_json(hand);
  fuzz::require(to_json(view::hand_from_json(written, "written")) == written);
  return 0;
}
