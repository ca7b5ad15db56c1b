// The messages of messages.inc as structs, and their two forms: bytes for the socket, and JSON for
// what a hand does (docs/view.md).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perpend::view {

using Bytes = std::vector<std::uint8_t>;

namespace field {
using flag = bool;
using count = std::uint32_t;
using number = double;
using vector = std::array<double, 3>;
using text = std::string;
using bytes = std::vector<std::uint8_t>;
using counts = std::vector<std::uint32_t>;
using floats = std::vector<float>;
}  // namespace field

enum class From { program, page, hand };

#define PERPEND_MESSAGE(Struct, label, value, from, meaning) \
  struct Struct {                                            \
    static constexpr std::uint8_t kNumber = value;           \
    static constexpr std::string_view kName = #label;        \
    static constexpr From kFrom = From::from;
#define PERPEND_FIELD(type, name, meaning) field::type name{};
#define PERPEND_END(Struct) \
  }                         \
  ;
#include "view/messages.inc"
#undef PERPEND_MESSAGE
#undef PERPEND_FIELD
#undef PERPEND_END

// Any of them.
using Message = std::variant<std::monostate
#define PERPEND_MESSAGE(Struct, label, value, from, meaning) , Struct
#define PERPEND_FIELD(type, name, meaning)
#define PERPEND_END(Struct)
#include "view/messages.inc"
#undef PERPEND_MESSAGE
#undef PERPEND_FIELD
#undef PERPEND_END
                             >;

inline constexpr std::size_t kNumbers = 64;  // all numbers are below
std::uint8_t number(const Message&);         // 0: none
std::string_view name(const Message&);
std::optional<From> from(const Message&);

// Precondition: there is a message, and no list is longer than 2^32 - 1.
Bytes encoded(const Message&);
// Of exactly those bytes. Without a message, `why` tells what is wrong with them.
Message decoded(const std::uint8_t* bytes, std::size_t size, std::string& why);

// Into a message with states one after the other.
template <class What>
void add_state(const StateMessage& state, What& out) {
  const Bytes bytes = encoded(state);
  out.sizes.push_back(static_cast<std::uint32_t>(bytes.size()));
  out.states.insert(out.states.end(), bytes.begin(), bytes.end());
}

// What a hand does: {"kind": "drag", "body": 3, ...}. The other way `document` is an object; other
// names than the message's fields and `besides` are refused.
nlohmann::ordered_json to_json(const Message&);
Message from_json(const nlohmann::ordered_json& document, std::string_view besides,
                  std::string& why);

}  // namespace perpend::view
