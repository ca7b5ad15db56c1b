// The loop of ncp/nncg (ncp_nncg.cpp has its equations) over explicit blocks, each part of the
// system by itself: parts that are done are not visited again, and those that sweeps will not solve
// soon are left to others.
//
// The first sweeps go over all contacts, because many problems need no more, and parts are looked
// for after them. A part gets its sweeps in rounds, so that none waits for the others. Progress
// hears of every sweep's worth of visits.
#pragma once

#include <optional>
#include <vector>

#include "perpend/solve.hpp"
#include "solve/kit/block_sweep.hpp"
#include "solve/kit/nncg_loop.hpp"
#include "solve/kit/parts.hpp"

namespace perpend {

class BlockNncg {
 public:
  // Precondition: A is explicit and has no joint rows. `worth`: of a part with so many contacts,
  // the sweeps that it is worth.
  BlockNncg(const System&, std::function<double(Index)> worth, Progress&);

  // Until Progress ends it, or every part is solved or slow.
  void run(const VectorXd& start);
  const VectorXd& lambda() const { return sweep_.lambda(); }
  // Once run() has returned without the end of Progress.
  const Parts& parts() const { return parts_; }
  const std::vector<std::size_t>& slow() const { return slow_; }  // parts, ascending

 private:
  struct Part {
    Part(std::span<const Index> rows, double tolerance, double worth);
    std::span<const Index> contacts;
    Pace pace;
    double previous = -1, now = 0;  // |g|^2 of the sweep before and of the last; negative: none
    double estimate, check;         // of the error; below which it is computed
    bool swept = false;
  };
  enum class Verdict { go_on, solved, slow, ended };

  // One sweep; `alone`: Progress measures it, it is all there is.
  Verdict step(Part&, bool alone);

  const System& s_;
  std::function<double(Index)> worth_;
  Progress& progress_;
  BlockSweep sweep_;
  std::vector<Index> all_;
  Parts parts_;
  std::vector<std::size_t> slow_;
  Index visits_ = 0;  // since Progress heard of a sweep
};

}  // namespace perpend
