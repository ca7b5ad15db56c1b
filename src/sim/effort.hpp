// The work that a step may do: how much, who gets which part of it, and by which method.
//
// Every island gets the same number of sweeps over its own contacts, so a step of N sweeps costs N
// sweeps over all. At `real-time` N is such that the step visits 50,000 contacts, but 30 sweeps at
// least and 400 at most, which solve nearly every small world. A fifth is kept back from the first
// solve for the correction of positions, if there is one. A second solve (contacts found again) is
// one of the islands that have changed. It and each round of the correction get half of what is
// left; a second solve gets a tenth of all at least, even where that is a debt. Work is paid after
// each solve in the order of the islands, so that the account does not depend on threads or clocks.
#pragma once

#include <span>

#include "perpend/sim.hpp"
#include "sim/islands.hpp"
#include "sim/memory.hpp"

namespace perpend::sim {

class Account {
 public:
  // `reserve`: a part is kept back for the correction of positions.
  explicit Account(const Effort& effort = {}, bool reserve = false)
      : effort_(effort), reserve_(reserve) {}

  bool limited() const { return effort_.limited(); }
  // A frame with these islands is solved now; `which`: those that have no answer yet. The first one
  // opens the account.
  void open(const std::vector<Island>&);
  void open(const std::vector<Island>&, std::span<const std::size_t> which);
  // Sweeps over its own rows that every island may take in the first solve.
  double first_share() const;
  // And now; at least one.
  double share() const;
  // Of work that was done: sweeps over the island's own rows.
  void pay(const Island&, double sweeps);
  // The correction of positions begins: what was kept back is there for it, whatever debt was made.
  void correct();
  bool over() const { return limited() && spent_ >= limit_; }
  // So far, in sweeps over all rows of the step.
  double sweeps() const { return size_ > 0 ? spent_ / size_ : 0; }

 private:
  double most() const;

  Effort effort_;
  bool reserve_;
  // Operations: of a sweep over the step, and over what is asked for; allowed, done.
  double size_ = 0, asked_ = 0, limit_ = 0, spent_ = 0;
};

// How an island is solved with a limited effort where the solver is left to us (ncp/auto). Small
// ones, and joints alone, as without a limit: they cost next to nothing.
inline constexpr std::string_view kAnytime = "ncp/anytime";
bool small(const Island&, const Account&);
bool large(const Island&);  // four of its contacts are visited at once
// Whether that solver sweeps, and whether what it chooses is likely to, with its share of sweeps.
bool sweeps(std::string_view solver);
bool swept(std::string_view solver, double share);

// Whether one of these ids, ascending, is of a body of the island.
bool any_of(const Island&, const Bodies&, const std::vector<std::int64_t>& ids);

// The rows of islands that fell short in the last step, and will again. A joint's error is closed
// by a fifth in a step, and by 5 % of the smaller body's radius or 0.05 rad at most: full, it would
// feed energy to joints that are far apart. Of sweeps, which answer late, an overlap too is pushed
// out by a fifth only, and only where it is deeper than 0.6 % of the smaller body's radius;
// otherwise columns begin to sway. Opens the account.
// `islands`: of the frame.
void soften(Frame&, const std::vector<Island>& islands, const StepBodies&, const Start&,
            std::string_view solver, Account&);

}  // namespace perpend::sim
