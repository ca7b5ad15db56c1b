#include "draw/xml.hpp"

#include <cstdio>

#include "perpend/base.hpp"
#include "perpend/base/html_text.hpp"

namespace perpend::draw {

std::string pixels(double value) {
  std::string out = formatted("%.2f", value);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string svg_start(int width, int height) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h +
         "\" viewBox=\"0 0 " + w + " " + h + "\">\n";
}

std::string text(double x, double y, int size, const char* anchor, const std::string& words,
                 const std::string& attributes) {
  if (words.empty()) return {};
  return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" font-size=\"" +
         std::to_string(size) + "\" text-anchor=\"" + anchor + "\"" +
         (attributes.empty() ? "" : " " + attributes) + ">" + html_text(words) + "</text>\n";
}

}  // namespace perpend::draw
