#include "view/messages.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace perpend::view {
namespace {

static_assert(std::endian::native == std::endian::little, "messages are written as they lie");

// visit(name, value) for each field of a message, in order.
#define PERPEND_MESSAGE(Struct, label, value, from, meaning) \
  template <class Self, class Visit>                         \
  requires std::is_same_v<std::remove_const_t<Self>, Struct> \
  void each_field([[maybe_unused]] Self& message, [[maybe_unused]] Visit&& visit) {
#define PERPEND_FIELD(type, name, meaning) visit(#name, message.name);
#define PERPEND_END(Struct) }
#include "view/messages.inc"
#undef PERPEND_MESSAGE
#undef PERPEND_FIELD
#undef PERPEND_END

// make(Struct{}) for each message of the list.
template <class Make>
void each_message(Make&& make) {
#define PERPEND_MESSAGE(Struct, label, value, from, meaning) make(Struct{});
#define PERPEND_FIELD(type, name, meaning)
#define PERPEND_END(Struct)
#include "view/messages.inc"
#undef PERPEND_MESSAGE
#undef PERPEND_FIELD
#undef PERPEND_END
}

#define PERPEND_MESSAGE(Struct, label, value, from, meaning) \
  static_assert(Struct::kNumber > 0 && Struct::kNumber < kNumbers);
#define PERPEND_FIELD(type, name, meaning)
#define PERPEND_END(Struct)
#include "view/messages.inc"
#undef PERPEND_MESSAGE
#undef PERPEND_FIELD
#undef PERPEND_END

class Writer {
 public:
  explicit Writer(std::uint8_t number) { out_.push_back(number); }
  void operator()(const char*, bool value) { out_.push_back(value ? 1 : 0); }
  void operator()(const char*, std::uint32_t value) { put(&value, 1); }
  void operator()(const char*, double value) { put(&value, 1); }
  void operator()(const char*, const field::vector& value) { put(value.data(), 3); }
  template <class Element>
  void operator()(const char*, const std::vector<Element>& list) {
    elements(list.data(), list.size());
  }
  void operator()(const char*, const std::string& text) { elements(text.data(), text.size()); }
  Bytes take() { return std::move(out_); }

 private:
  template <class Element>
  void elements(const Element* first, std::size_t count) {
    const auto told = static_cast<std::uint32_t>(count);
    put(&told, 1);
    put(first, count);
  }
  template <class Element>
  void put(const Element* first, std::size_t count) {
    const std::size_t at = (out_.size() + sizeof(Element) - 1) / sizeof(Element) * sizeof(Element);
    out_.resize(at + count * sizeof(Element));
    if (count > 0) std::memcpy(out_.data() + at, first, count * sizeof(Element));
  }
  Bytes out_;
};

class Reader {
 public:
  Reader(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
  void operator()(const char* name, bool& value) {
    std::uint8_t byte = 0;
    get(name, &byte, 1);
    if (byte > 1) fail(name, "is neither 0 nor 1");
    value = byte == 1;
  }
  void operator()(const char* name, std::uint32_t& value) { get(name, &value, 1); }
  void operator()(const char* name, double& value) {
    get(name, &value, 1);
    if (!std::isfinite(value)) fail(name, "is not finite");
  }
  void operator()(const char* name, field::vector& value) {
    get(name, value.data(), 3);
    for (const double one : value)
      if (!std::isfinite(one)) fail(name, "is not finite");
  }
  template <class Element>
  void operator()(const char* name, std::vector<Element>& list) {
    elements<Element>(name, list);
  }
  void operator()(const char* name, std::string& text) { elements<char>(name, text); }
  std::string end() {
    if (why_.empty() && at_ != size_) why_ = "has bytes after its last field";
    return why_;
  }

 private:
  template <class Element, class List>
  void elements(const char* name, List& list) {
    std::uint32_t count = 0;
    get(name, &count, 1);
    if (!why_.empty()) return;
    if (count > (size_ - at_) / sizeof(Element)) return fail(name, "is longer than the message");
    list.resize(count);
    get(name, list.data(), count);
  }
  template <class Element>
  void get(const char* name, Element* first, std::size_t count) {
    const std::size_t from = (at_ + sizeof(Element) - 1) / sizeof(Element) * sizeof(Element);
    const std::size_t bytes = count * sizeof(Element);
    if (!why_.empty()) return;
    if (from > size_ || bytes > size_ - from) return fail(name, "is missing");
    if (bytes > 0) std::memcpy(first, bytes_ + from, bytes);
    at_ = from + bytes;
  }
  void fail(const char* name, const char* what) {
    if (why_.empty()) why_ = std::string(name) + " " + what;
  }
  const std::uint8_t* bytes_;
  std::size_t size_, at_ = 1;
  std::string why_;
};

using Json = nlohmann::ordered_json;

class JsonReader {
 public:
  explicit JsonReader(const Json& document) : document_(document) {}
  template <class Value>
  void operator()(const char* name, Value& value) {
    ++fields_;
    const auto found = document_.find(name);
    if (found == document_.end()) return fail(name, "is missing");
    read(name, *found, value);
  }
  std::size_t fields() const { return fields_; }
  const std::string& why() const { return why_; }

 private:
  void read(const char* name, const Json& given, bool& value) {
    if (!given.is_boolean()) return fail(name, "is neither true nor false");
    value = given.get<bool>();
  }
  void read(const char* name, const Json& given, std::uint32_t& value) {
    if (!given.is_number_unsigned() ||
        given.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
      return fail(name, "is not a whole number that fits");
    value = given.get<std::uint32_t>();
  }
  void read(const char* name, const Json& given, double& value) {
    if (!given.is_number()) return fail(name, "is not a number");
    value = given.get<double>();
  }
  void read(const char* name, const Json& given, std::string& value) {
    if (!given.is_string()) return fail(name, "is not a text");
    value = given.get<std::string>();
  }
  void read(const char* name, const Json& given, field::vector& value) {
    if (!given.is_array() || given.size() != 3) return fail(name, "is not a list of three numbers");
    for (std::size_t i = 0; i < 3; ++i) read(name, given[i], value[i]);
  }
  template <class Element>
  void read(const char* name, const Json&, std::vector<Element>&) {
    fail(name, "is a list, which no hand sends");
  }
  void fail(const char* name, const char* what) {
    if (why_.empty()) why_ = std::string(name) + " " + what;
  }
  const Json& document_;
  std::size_t fields_ = 0;
  std::string why_;
};

template <class Result, class Ask>
Result ask(const Message& message, Result none, Ask&& answer) {
  return std::visit(
      [&](const auto& one) -> Result {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(one)>, std::monostate>)
          return none;
        else
          return answer(one);
      },
      message);
}

}  // namespace

std::uint8_t number(const Message& message) {
  return ask(message, std::uint8_t{0}, [](const auto& one) { return one.kNumber; });
}

std::string_view name(const Message& message) {
  return ask(message, std::string_view(), [](const auto& one) { return one.kName; });
}

std::optional<From> from(const Message& message) {
  return ask(message, std::optional<From>(),
             [](const auto& one) { return std::optional(one.kFrom); });
}

Bytes encoded(const Message& message) {
  Writer writer(number(message));
  ask(message, 0, [&](const auto& one) {
    each_field(one, writer);
    return 0;
  });
  return writer.take();
}

Message decoded(const std::uint8_t* bytes, std::size_t size, std::string& why) {
  Message out;
  why = size == 0 ? "an empty message" : "an unknown kind of message";
  if (size == 0) return out;
  each_message([&](auto one) {
    if (one.kNumber != bytes[0]) return;
    Reader reader(bytes, size);
    each_field(one, reader);
    why = reader.end();
    if (why.empty())
      out = std::move(one);
    else
      why = std::string(one.kName) + ": " + why;
  });
  return out;
}

Json to_json(const Message& message) {
  Json out;
  out["kind"] = name(message);
  ask(message, 0, [&](const auto& one) {
    each_field(one, [&](const char* field, const auto& value) { out[field] = value; });
    return 0;
  });
  return out;
}

Message from_json(const Json& document, std::string_view besides, std::string& why) {
  Message out;
  const auto kind = document.find("kind");
  if (kind == document.end() || !kind->is_string()) {
    why = "kind is missing";
    return out;
  }
  why = "kind: '" + kind->get<std::string>() + "' is unknown";
  each_message([&](auto one) {
    if (one.kFrom != From::hand || *kind != one.kName) return;
    JsonReader reader(document);
    each_field(one, reader);
    why = reader.why();
    if (!why.empty()) return;
    if (document.size() != reader.fields() + 1 + (document.contains(besides) ? 1 : 0)) {
      for (auto at = document.begin(); at != document.end(); ++at) {
        const std::string& name = at.key();
        bool known = name == "kind" || name == besides;
        each_field(one, [&](const char* field, auto&) { known |= name == field; });
        if (!known) why = name + " is unknown";
      }
      return;
    }
    out = std::move(one);
  });
  return out;
}

}  // namespace perpend::view
