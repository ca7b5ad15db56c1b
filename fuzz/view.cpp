// Any bytes as a message of a page: what is read can be written, and reads back to the same bytes.
//
// About: src/view/messages.cpp
#include "input.hpp"
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
  return 0;
}
