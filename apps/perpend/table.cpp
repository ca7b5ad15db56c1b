#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "perpend/base.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {
namespace {

// Letters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace

void Table::column(const std::string& title, Align align) {
  titles_.push_back(io::printable(title));
  aligns_.push_back(align);
}

void Table::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = io::printable(cell);
  cells.resize(titles_.size());
  rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < titles_.size(); ++c) {
    widths.push_back(width(titles_[c]));
    for (const auto& row : rows_) widths[c] = std::max(widths[c], width(row[c]));
  }
  auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string blanks(widths[c] - width(cells[c]), ' ');
      if (c > 0) text += "  ";
      text += aligns_[c] == Align::right ? blanks + cells[c] : cells[c] + blanks;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << "\n";
  };
  line(titles_);
  for (const auto& row : rows_) line(row);
}

std::string brief(double value) { return std::isnan(value) ? "-" : short_number(value); }

}  // namespace perpend::app
