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

std::string html_head(std::string_view title, std::string_view style) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" +
         html_text(title) + "</title>\n" + std::string(style) + "</head>";
}

}  // namespace perpend
