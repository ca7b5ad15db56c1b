#include "perpend/base/html_text.hpp"

namespace perpend {

std::string html_text(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\t':
      case '\n':
        out += letter;
        break;
      default:
        if (static_cast<unsigned char>(letter) >= 32) out += letter;
    }
  }
  return out;
}

}  // namespace perpend
