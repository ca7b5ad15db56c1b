// Columns of text, aligned; what a terminal would obey is shown as an escape.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace perpend::app {

class Table {
 public:
  enum class Align { left, right };
  void column(const std::string& title, Align = Align::right);
  void row(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  void print(std::ostream&) const;

 private:
  std::vector<std::string> titles_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

// Three digits; "-" when not a number.
std::string brief(double);

}  // namespace perpend::app
