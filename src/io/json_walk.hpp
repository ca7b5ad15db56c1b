// A JSON text for the parser, and a walk through one that keeps nothing and goes on to its end, or
// to the first mistake.
#pragma once

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

namespace perpend::io {

// The first `most` characters from `at` on; `taken` is how many of them the parser has.
template <class At>
class JsonText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  JsonText() = default;  // the end of any
  JsonText(At at, At end, std::uint64_t most, std::uint64_t& taken)
      : at_(at), end_(end), most_(most), taken_(&taken) {}
  char operator*() const { return *at_; }
  JsonText& operator++() {
    ++at_;
    ++*taken_;
    return *this;
  }
  bool operator==(const JsonText& other) const { return ended() == other.ended(); }

 private:
  bool ended() const { return taken_ == nullptr || *taken_ == most_ || at_ == end_; }

  At at_{}, end_{};
  std::uint64_t most_ = 0;
  std::uint64_t* taken_ = nullptr;
};

class JsonWalk : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }
};

}  // namespace perpend::io
