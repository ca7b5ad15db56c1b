#include "perpend/base/csv_text.hpp"

#include <cstdlib>

namespace perpend {
namespace {

bool is_number(const std::string& text) {
  char* end = nullptr;
  std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

}  // namespace

std::string csv_text(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool formula = first != std::string_view::npos && first + 1 < text.size() &&
                       std::string_view("=+-@").find(text[first]) != std::string_view::npos &&
                       !is_number(std::string(text));
  std::string cell = formula ? "'" : "";
  cell += text;
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string out = "\"";
  for (const char letter : cell)
    out += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return out + "\"";
}

}  // namespace perpend
