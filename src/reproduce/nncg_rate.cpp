// Silcowitz-Hansen et al. 2010, section 5 and Fig. 6 (h): is the convergence of NNCG super-linear,
// or even quadratic?
//
// D(k) is the number of digits by which |grad f|^2 has fallen after k iterations, the lowest so
// far: restarts are disregarded, as the paper does. Linear convergence makes D grow by equal
// amounts. Convergence of order p multiplies D by p in every iteration once it has set in. So
//   order  p = 2^(1/n), n the iterations in which D goes from half of its last value to all of it
//   local  the largest D(k+1)/D(k) of a single iteration, once there are six digits
//   bend   digits an iteration in the last third of the digits over those in the first third: 1 for
//          linear convergence, above 1 where it gets faster (super-linear)
#include <algorithm>
#include <cmath>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

constexpr double kBend = 2;       // a curve that bends less looks straight
constexpr double kFewDigits = 6;  // of |grad f|^2: fewer say nothing about a rate

struct Rate {
  std::vector<double> digits;
  double all = 0, order = 0, bend = 0, local = 0;
  std::size_t iterations = 0;  // until all digits are there
  bool known() const { return all >= kFewDigits; }
};

Rate rate_of(const Descent& descent) {
  Rate out;
  double lowest = std::numeric_limits<double>::infinity();
  const double first = descent.merit.empty() ? 1 : descent.merit.front();
  for (const double merit : descent.merit) {
    if (merit > 0) lowest = std::min(lowest, merit);
    out.digits.push_back(std::log10(first / lowest));
    if (lowest <= descent.floor) break;
  }
  out.all = out.digits.empty() ? 0 : out.digits.back();
  const auto when = [&](double part) {
    const auto at = std::find_if(out.digits.begin(), out.digits.end(),
                                 [&](double d) { return d >= part * out.all; });
    return static_cast<double>(at - out.digits.begin());
  };
  out.iterations = static_cast<std::size_t>(when(1));
  for (std::size_t k = 1; k < out.digits.size(); ++k)
    if (out.digits[k - 1] >= kFewDigits)
      out.local = std::max(out.local, out.digits[k] / out.digits[k - 1]);
  out.order = std::pow(2.0, 1 / std::max(1.0, when(1) - when(0.5)));
  out.bend = std::max(1.0, when(1.0 / 3)) / std::max(1.0, when(1) - when(2.0 / 3));
  return out;
}

// Parts of all iterations and of all digits, so that fast and slow ones can be compared.
draw::Curve shares(const std::string& label, const Rate& rate) {
  draw::Curve out = curve(label, rate.digits);
  for (double& x : out.x) x /= std::max(1.0, static_cast<double>(rate.iterations));
  for (double& y : out.y) y /= rate.all > 0 ? rate.all : 1;
  return out;
}

Outcome run_nncg_rate(const Settings& settings) {
  const long most = settings.quick ? 1000 : 20000;
  const auto list = configurations_of_table_1();
  std::vector<Rate> pgs(list.size()), nncg(list.size());
  for_each(settings, list.size(), [&](std::size_t i) {
    const System system = first_system(list[i]);
    pgs[i] = rate_of(descent(system, solver(settings, "box/pgs"), most, settings));
    nncg[i] = rate_of(descent(system, solver(settings, "box/nncg"), most, settings));
  });

  Outcome out;
  out.text =
      "Digits by which ‖∇f‖² has fallen, the lowest so far, so that restarts do not count, "
      "until rounding ends it or after " +
      std::to_string(most) +
      " iterations. Linear convergence is a straight line; super-linear convergence bends up. "
      "Convergence of order p multiplies "
      "the digits by p in every iteration: the order is fitted to the second half of the "
      "digits. The bend is the speed in the last third of the digits over that in the first "
      "third; it is 1 for linear convergence.";
  draw::Plot plots[2];
  Table table{"nncg-rate",
              "Fitted rates",
              {"configuration", "digits, PGS", "order, PGS", "bend, PGS", "digits, NNCG",
               "iterations, NNCG", "order, NNCG", "bend, NNCG"},
              {}};
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  double best_order = 0, best_bend = 0, best_local = 0;
  std::size_t fastest = 0, most_bent = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string label = std::string("(") + list[i].letter + ") " + list[i].scene;
    plots[0].curves.push_back(shares(label, pgs[i]));
    plots[1].curves.push_back(shares(label, nncg[i]));
    columns.emplace_back("NNCG " + label, nncg[i].digits);
    const auto shown = [](const Rate& rate, double value) {
      return rate.known() ? formatted("%.3f", value) : std::string("–");
    };
    table.rows.push_back({label, short_number(pgs[i].all), shown(pgs[i], pgs[i].order),
                          shown(pgs[i], pgs[i].bend), short_number(nncg[i].all),
                          std::to_string(nncg[i].iterations), shown(nncg[i], nncg[i].order),
                          shown(nncg[i], nncg[i].bend)});
    if (!nncg[i].known()) continue;
    if (nncg[i].order > best_order) fastest = i;
    if (nncg[i].bend > best_bend) most_bent = i;
    best_order = std::max(best_order, nncg[i].order);
    best_bend = std::max(best_bend, nncg[i].bend);
    best_local = std::max(best_local, nncg[i].local);
  }
  const char* names[2] = {"PGS", "NNCG"};
  for (int k = 0; k < 2; ++k) {
    plots[k].title = names[k];
    plots[k].x.label = "part of the iterations";
    plots[k].y.label = "part of the digits gained";
    draw::Curve straight_line;
    straight_line.label = "linear";
    straight_line.guide = true;
    straight_line.x = straight_line.y = {0, 1};
    plots[k].curves.push_back(straight_line);
  }
  out.figures.push_back({"nncg-rate", "Digits gained", {plots[0], plots[1]}});

  const Rate& h = nncg[7];
  const std::string of_h = h.known() ? "Order " + formatted("%.3f", h.order) +
                                           " over the second half of " + short_number(h.all) +
                                           " digits, which takes " + whole(1 / std::log2(h.order)) +
                                           " iterations."
                                     : "It gains " + short_number(h.all) + " digits only.";
  const std::string linear =
      "Quadratic convergence would give the second half of the digits in a single iteration. A "
      "curve that bends down on a logarithmic axis over hundreds of iterations is not of an order "
      "above one.";
  out.claims.push_back({"Fig. 6 (h)", "heavy-top: order of convergence of NNCG without restarts",
                        about(2, 0.3), h.order, of_h, linear, ""});
  out.claims.push_back({"Section 5", "best order of convergence of NNCG over the configurations",
                        about(2, 0.3), best_order,
                        std::string("“Quadratic convergence rates” of the talk. Largest in (") +
                            list[fastest].letter + ").",
                        linear, ""});
  out.claims.push_back({"Section 6", "digits after an iteration of NNCG over those before, largest",
                        about(2, 0.3), best_local,
                        "“Slight local tendency toward quadratic convergence”: over all iterations "
                        "with six digits or more.",
                        "No single iteration comes near to doubling the digits.", ""});
  out.claims.push_back({"Section 5", "best bend of NNCG: super-linear", at_least(kBend), best_bend,
                        std::string("Largest in (") + list[most_bent].letter + ").",
                        "No configuration gets faster as it converges.", ""});
  double straight = 0;
  for (const Rate& rate : pgs)
    if (rate.known()) straight = std::max(straight, rate.bend);
  out.claims.push_back(
      {"Section 1", "largest bend of PGS: its convergence is linear", below(kBend), straight,
       "Over configurations in which PGS gains " + short_number(kFewDigits) + " digits or more.",
       "", ""});
  out.tables.push_back(std::move(table));
  out.tables.push_back(series("nncg-digits", "Digits gained by NNCG", "iteration", columns));
  return out;
}

}  // namespace

Experiment nncg_rate() {
  return {"nncg-rate", kNncgPaper, "Fig. 6 (h)", "the rate of convergence", run_nncg_rate};
}

}  // namespace perpend::reproduce
