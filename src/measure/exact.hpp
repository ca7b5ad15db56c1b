// Sums and products of doubles without loss: the rounded result and its error, exactly.
//
// Products by Dekker's splitting, because a fused multiply-add is a slow call where the machine is
// only known to be x86-64. Exact while nothing overflows and no partial product underflows.
#pragma once

namespace perpend {

struct Exact {
  double value, error;  // value + error, |error| at most half a unit in the last place of value
};

inline Exact two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline Exact two_product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double ca = kSplit * a, ah = ca - (ca - a), al = a - ah;
  const double cb = kSplit * b, bh = cb - (cb - b), bl = b - bh;
  const double product = a * b;
  return {product, al * bl - (((product - ah * bh) - al * bh) - ah * bl)};
}

// A sum in twice the precision: off by at most eps |sum| + (k eps)^2 times the sum of magnitudes
// after k terms (Ogita, Rump, Oishi 2005).
class CompensatedSum {
 public:
  explicit CompensatedSum(double start = 0) : high_(start) {}
  void add(double a) {
    const Exact s = two_sum(high_, a);
    high_ = s.value;
    low_ += s.error;
  }
  void add(const Exact& a) {
    add(a.value);
    low_ += a.error;
  }
  void add(const Exact& a, double more) {  // of its error
    add(a);
    low_ += more;
  }
  void add_product(double a, double b) { add(two_product(a, b)); }
  double value() const { return high_ + low_; }
  double high() const { return high_; }
  double low() const { return low_; }

 private:
  double high_, low_ = 0;
};

}  // namespace perpend
