// The table of docs/errors.md, "A worked example", against what `measure` returns.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "measure/scenes.hpp"

namespace perpend {
namespace worked_example_test {

using namespace scenes;

using Cells = std::vector<std::string>;

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream in(line);
  std::string cell;
  std::getline(in, cell, '|');
  while (std::getline(in, cell, '|')) {
    const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

double number(const std::string& cell) {
  constexpr std::string_view kMinus = "\xe2\x88\x92";  // the document's minus sign
  return cell.starts_with(kMinus) ? -std::stod(cell.substr(kMinus.size())) : std::stod(cell);
}

// The rows of the table by their first cell, the header under "answer".
std::map<std::string, Cells> table() {
  std::ifstream in(PERPEND_SOURCE_DIR "/docs/errors.md");
  std::map<std::string, Cells> rows;
  bool here = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) here = line.find("worked example") != std::string::npos;
    if (here && line.starts_with("| ")) {
      const Cells cells = cells_of(line);
      rows[cells.at(0)] = cells;
    }
  }
  return rows;
}

TEST(WorkedExample, OfTheDocumentIsWhatMeasureReturns) {
  const std::map<std::string, Cells> rows = table();
  ASSERT_TRUE(rows.contains("answer"));
  const Cells header = rows.at("answer");
  const System system = assemble(sliding());
  const std::map<std::string, Impulses> answers{{"exact", impulses({2, -1, 0})},
                                                {"no friction", impulses({2, 0, 0})},
                                                {"held by force", impulses({2, -2, 0})},
                                                {"wrong sign", impulses({2, 1, 0})},
                                                {"nothing", impulses({0, 0, 0})}};
  for (const auto& [answer, lambda] : answers) {
    ASSERT_TRUE(rows.contains(answer)) << answer;
    const Cells& row = rows.at(answer);
    ASSERT_EQ(row.size(), header.size()) << answer;
    for (std::size_t k = 3; k < header.size(); ++k) {
      const std::optional<Measure> m = measure_named(header[k]);
      ASSERT_TRUE(m) << header[k];
      // Four decimals are printed.
      EXPECT_NEAR(measure(system, lambda, *m), number(row[k]), 0.5e-4)
          << answer << " " << header[k];
    }
  }
}

}  // namespace worked_example_test
}  // namespace perpend
