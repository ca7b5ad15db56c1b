// Texts on their way to a terminal (printable.hpp).
#include <array>
#include <cstdint>
#include <cstdio>

#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The letter that a text begins with: UTF-8 of RFC 3629, no overlong forms, no surrogates.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return {};
  std::uint32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[bytes] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

bool harmless(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) return false;
  if (code == 0x061C || code == 0x200E || code == 0x200F) return false;  // direction marks
  if (code >= 0x2028 && code <= 0x202E) return false;  // line ends, embeddings and overrides
  if (code >= 0x2066 && code <= 0x2069) return false;  // isolates
  return code != 0xFEFF;
}

std::string escape(const char* format, std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// `bad(code, bytes)` stands for what is not harmless; `bytes` of 0 are one byte that is not UTF-8.
template <class Bad>
std::string replaced(std::string_view text, Bad bad) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::size_t bytes = letter.bytes ? letter.bytes : 1;
    if (letter.bytes && harmless(letter.code))
      out += text.substr(0, bytes);
    else
      out += bad(letter.bytes ? letter.code : static_cast<unsigned char>(text[0]), letter.bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return replaced(text, [](std::uint32_t code, std::size_t bytes) -> std::string {
    if (code == '\n') return "\\n";
    if (code == '\r') return "\\r";
    if (code == '\t') return "\\t";
    return escape(bytes > 1 ? "\\u%04x" : "\\x%02x", code);
  });
}

std::string printable_json(std::string_view document) {
  return replaced(document, [](std::uint32_t code, std::size_t bytes) -> std::string {
    if (code == '\n' || code == '\r' || code == '\t') return {static_cast<char>(code)};
    if (bytes == 0) return "\xEF\xBF\xBD";
    return escape("\\u%04x", code);
  });
}

}  // namespace perpend::io
