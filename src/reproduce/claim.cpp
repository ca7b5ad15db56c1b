// The verdict of a claim: is our value among those that agree with the printed one?
#include <array>
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<std::string_view, 3> kVerdicts{"agrees", "differs", "cannot be compared"};

}  // namespace

Printed exactly(double x) { return {x, x, readable(x)}; }
Printed about(double x, double uncertainty) {
  return {x - uncertainty, x + uncertainty, readable(x) + " ± " + readable(uncertainty)};
}
Printed order_of(double x) { return {x / 10, x * 10, "order of " + readable(x)}; }
Printed below(double x) { return {-kInfinity, std::nextafter(x, -kInfinity), "< " + readable(x)}; }
Printed at_most(double x) { return {-kInfinity, x, "≤ " + readable(x)}; }
Printed above(double x) { return {std::nextafter(x, kInfinity), kInfinity, "> " + readable(x)}; }
Printed at_least(double x) { return {x, kInfinity, "≥ " + readable(x)}; }

std::string_view name(Verdict verdict) { return name_in(kVerdicts, verdict); }

Verdict Claim::verdict() const {
  if (!left_out.empty() || !missing.empty()) return Verdict::not_comparable;
  return ours >= paper.lowest && ours <= paper.highest ? Verdict::agrees : Verdict::differs;
}

std::string Claim::reason() const {
  std::string words = how;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) words += (words.empty() ? "" : " ") + more;
  };
  add(missing);
  if (!left_out.empty()) add("The paper does not tell " + left_out + ".");
  if (verdict() == Verdict::differs) add(if_differs);
  return words;
}

Counts count(std::span<const Finished> list) {
  Counts out;
  for (const Finished& one : list)
    for (const Claim& claim : one.outcome.claims) {
      const Verdict verdict = claim.verdict();
      out.agrees += verdict == Verdict::agrees;
      out.differs += verdict == Verdict::differs;
      out.not_comparable += verdict == Verdict::not_comparable;
    }
  return out;
}

}  // namespace perpend::reproduce
