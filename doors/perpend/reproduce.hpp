// Figures and tables of papers again: what was printed beside what this program computes.
//
// An experiment runs the methods of one figure or table. It returns plots, tables and claims; a
// claim's verdict is computed from the two values alone.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perpend/base.hpp"
#include "perpend/draw.hpp"

namespace perpend::reproduce {

// What a paper says of a quantity, as it can be read off: all values that agree with it.
struct Printed {
  double lowest = 0, highest = 0;
  std::string words;  // "171", "fewer than 10"
};
Printed exactly(double);
Printed about(double, double uncertainty);  // +- uncertainty
Printed order_of(double);                   // "in the order of": ten times less to ten times more
Printed below(double);
Printed at_most(double);
Printed above(double);
Printed at_least(double);

enum class Verdict { agrees, differs, not_comparable };
std::string_view name(Verdict);

struct Claim {
  std::string where;     // in the paper: "Table 1 (a)"
  std::string quantity;  // with its unit
  Printed paper;
  double ours = std::numeric_limits<double>::quiet_NaN();
  std::string how;         // how ours was computed
  std::string if_differs;  // why it may differ
  std::string left_out;    // what the paper does not tell, without which there is no verdict
  std::string missing{};   // what this machine lacks, without which there is no value of ours

  Verdict verdict() const;
  std::string reason() const;  // in words
};

struct Figure {
  std::string name;  // of its file
  std::string title;
  std::vector<draw::Plot> plots;
};

struct Table {
  std::string name;  // of its file
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  bool shown = true;  // on the page; long ones are only files
};

struct Outcome {
  std::string text;  // what was run, for the page
  std::vector<Figure> figures;
  std::vector<Table> tables;
  std::vector<Claim> claims;
};

struct Settings {
  bool quick = false;  // smaller sizes and fewer iterations
  // Solvers that run in place of others, to see verdicts turn.
  std::map<std::string, std::string> replaced;
  // The program that records this engine. Throws, with the reason, if there is none.
  std::function<std::string(const std::string& engine)> recorder;
  Executor* executor = nullptr;     // runs loops over problems; null: the calling thread
  std::function<bool()> cancelled;  // true: stop soon
};

struct Experiment {
  std::string name;
  std::string paper;   // author and year
  std::string figure;  // "Fig. 3"
  std::string title;
  Outcome (*run)(const Settings&);
};
// The list, in the order of the page.
std::span<const Experiment> experiments();
const Experiment* experiment_named(std::string_view);

struct Finished {
  const Experiment* what = nullptr;
  Outcome outcome;
};
// Throws Stopped if settings.cancelled returned true.
struct Stopped {};
Finished run(const Experiment&, const Settings&);

struct Counts {
  Index agrees = 0, differs = 0, not_comparable = 0;
  Index all() const { return agrees + differs + not_comparable; }
};
Counts count(std::span<const Finished>);

// The plots of a figure in rows.
std::string svg(const Figure&);
std::string csv(const Table&);
// The whole page. The HTML has its plots inside; the Markdown names the files NAME.svg and NAME.csv
// beside it.
std::string html(std::span<const Finished>, const Settings&);
std::string markdown(std::span<const Finished>, const Settings&);

}  // namespace perpend::reproduce
