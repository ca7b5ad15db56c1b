// results.csv (docs/results.md): one line per row, for spreadsheets and data frames.
#include <cmath>

#include "bench/json.hpp"
#include "perpend/bench.hpp"

namespace perpend::bench {
namespace {

// RFC 4180: quoted where a comma, a quote or a line end asks for it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

class Line {
 public:
  Line& add(const std::string& text) { return put(field(text)); }
  Line& add(double value) { return put(std::isfinite(value) ? exact(value) : ""); }
  Line& count(std::int64_t value) { return put(std::to_string(value)); }
  const std::string& end() { return text_ += '\n'; }

 private:
  Line& put(const std::string& plain) {
    if (!text_.empty()) text_ += ',';
    text_ += plain;
    return *this;
  }
  std::string text_;
};

}  // namespace

std::string to_csv(const Results& results) {
  Line header;
  for (const char* column : {"solver", "file", "frame", "status", "path", "iterations", "seconds",
                             "seconds_low", "seconds_high", "reproducible"})
    header.add(std::string(column));
  for (const MeasureInfo& m : measures()) header.add(std::string(m.name));
  for (std::size_t w = 0; w < kWorks; ++w) header.add(std::string(name(static_cast<Work>(w))));
  for (const char* column : {"contacts", "joint_rows", "message"}) header.add(std::string(column));
  std::string out = header.end();
  for (const Row& row : results.rows) {
    const ProblemEntry& problem = results.problems[row.problem];
    Line line;
    line.add(results.solvers[row.solver].name).add(problem.file).count(problem.frame);
    line.add(std::string(name(row.status))).add(row.path).count(row.iterations);
    line.add(row.seconds).add(row.seconds_low).add(row.seconds_high);
    line.add(std::string(row.reproducible ? "true" : "false"));
    for (const MeasureInfo& m : measures()) line.add(row.errors[m.measure]);
    for (const long times : row.work) line.count(times);
    line.count(problem.counts.contacts).count(problem.counts.joint_rows).add(row.message);
    out += line.end();
  }
  return out;
}

}  // namespace perpend::bench
