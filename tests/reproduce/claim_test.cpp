// The one function that decides between agrees, differs and cannot be compared.
#include <gtest/gtest.h>

#include <cmath>

#include "perpend/reproduce.hpp"

namespace perpend::reproduce {
namespace claim_test {

Verdict verdict(const Printed& paper, double ours, const std::string& left_out = "") {
  return Claim{"Fig. 1", "x", paper, ours, "", "", left_out}.verdict();
}

TEST(Claim, AgreesWhereOursIsAmongTheValuesReadOff) {
  EXPECT_EQ(verdict(exactly(171), 171), Verdict::agrees);
  EXPECT_EQ(verdict(exactly(171), 180), Verdict::differs);
  EXPECT_EQ(verdict(about(92, 5), 97), Verdict::agrees);
  EXPECT_EQ(verdict(about(92, 5), 97.1), Verdict::differs);
  EXPECT_EQ(verdict(about(92, 5), 86.9), Verdict::differs);
  EXPECT_EQ(verdict(order_of(1e-5), 9e-5), Verdict::agrees);
  EXPECT_EQ(verdict(order_of(1e-5), 2e-4), Verdict::differs);
  EXPECT_EQ(verdict(order_of(1e-5), 9e-7), Verdict::differs);
}

TEST(Claim, FewerThanTenIsNotTen) {
  EXPECT_EQ(verdict(below(10), 9), Verdict::agrees);
  EXPECT_EQ(verdict(below(10), 10), Verdict::differs);
  EXPECT_EQ(verdict(at_most(10), 10), Verdict::agrees);
  EXPECT_EQ(verdict(above(1), 1), Verdict::differs);
  EXPECT_EQ(verdict(above(1), 1.001), Verdict::agrees);
  EXPECT_EQ(verdict(at_least(1), 1), Verdict::agrees);
}

TEST(Claim, WhatIsNotANumberAgreesWithNothing) {
  const double nan = std::nan("");
  for (const Printed& paper : {exactly(1), about(1, 1), below(1), above(1), order_of(1)})
    EXPECT_EQ(verdict(paper, nan), Verdict::differs) << paper.words;
  EXPECT_EQ(verdict(at_most(1), std::numeric_limits<double>::infinity()), Verdict::differs);
}

TEST(Claim, CannotBeComparedNamesWhatThePaperLeavesOut) {
  const Claim claim{"Fig. 11",
                    "pivots",
                    about(92, 5),
                    92,
                    "Ours has 12 contacts.",
                    "never said",
                    "its number of contacts"};
  EXPECT_EQ(claim.verdict(), Verdict::not_comparable);
  EXPECT_EQ(name(claim.verdict()), "cannot be compared");
  EXPECT_EQ(claim.reason(),
            "Ours has 12 contacts. The paper does not tell its number of contacts.");
}

TEST(Claim, WhatThisMachineLacksLeavesNoVerdict) {
  Claim claim{"Fig. 3", "x", exactly(1), 1, "", "", ""};
  claim.missing = "h5ls is not installed.";
  EXPECT_EQ(claim.verdict(), Verdict::not_comparable);
  EXPECT_EQ(claim.reason(), "h5ls is not installed.");
}

TEST(Claim, TheReasonOfADifferenceIsSaidOnlyWhereThereIsOne) {
  Claim claim{"Fig. 1", "x", exactly(1), 1, "Counted.", "Ours is another scene.", ""};
  EXPECT_EQ(claim.reason(), "Counted.");
  claim.ours = 2;
  EXPECT_EQ(claim.reason(), "Counted. Ours is another scene.");
}

}  // namespace claim_test
}  // namespace perpend::reproduce
