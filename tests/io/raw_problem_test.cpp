#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io/files.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace raw_problem_test {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kInf = std::numeric_limits<double>::infinity();

std::unique_ptr<LinearProblem> read(const std::string& text) {
  const test::Scratch scratch;
  return read_raw_problem(scratch.write("problem.json", text));
}

std::string complaint_about(const std::string& text) {
  const test::Scratch scratch;
  const std::string path = scratch.write("problem.json", text);
  const std::string said = test::complaint([&] { read_raw_problem(path); });
  EXPECT_THAT(said, Not(HasSubstr("\n")));
  EXPECT_THAT(said, StartsWith(path)) << text;
  return said.substr(std::min(said.size(), path.size()));
}

TEST(RawProblem, AnLcpHasZeroAndInfinityAsBounds) {
  const auto p = read(R"({
    "type": "lcp", "n": 2,
    "A": [[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 3]],
    "b": [-1, 0.5]
  })");
  ASSERT_EQ(p->size(), 2);
  EXPECT_EQ(p->formulation(), "lcp");
  EXPECT_EQ(p->A.coeff(1, 1), 3);
  EXPECT_EQ(p->A.nonZeros(), 4);
  EXPECT_EQ(p->b[0], -1);
  EXPECT_TRUE(p->lower.isZero(0));
  EXPECT_EQ(p->upper[1], kInf);
  // By hand: z = (1/2, 0), w = (0, 1).
  EXPECT_EQ(p->own_error(Eigen::Vector2d(0.5, 0)), 0);
}

TEST(RawProblem, NullIsAnInfiniteBound) {
  const auto p = read(R"({"type": "mlcp", "n": 3, "A": [[0, 0, 1], [2, 1, 4]], "b": [1, 2, 3],
                          "lower": [null, 0, -1], "upper": [null, null, 1]})");
  EXPECT_EQ(p->formulation(), "mlcp");
  EXPECT_EQ(p->lower[0], -kInf);
  EXPECT_EQ(p->upper[0], kInf);
  EXPECT_EQ(p->lower[2], -1);
  EXPECT_EQ(p->upper[2], 1);
  EXPECT_EQ(p->A.coeff(2, 1), 4);
}

TEST(RawProblem, EveryFieldIsChecked) {
  EXPECT_EQ(complaint_about(R"({"n": 1, "A": [], "b": [1]})"), ": type is missing");
  struct Case {
    const char *type, *rest, *said;
  };
  const char* const kOutside = "A row 0: row or column is outside 0..0";
  for (const auto& [type, rest, said] : {
           Case{"qp", R"("n": 1, "A": [], "b": [1])", "type: expected \"lcp\" or \"mlcp\""},
           Case{"lcp", R"("A": [], "b": [1])", "n is missing"},
           Case{"lcp", R"("n": 0, "A": [], "b": [])", "n: expected a positive number"},
           Case{"lcp", R"("n": 1.5, "A": [], "b": [1])",
                "n: expected a whole number of at most 63 bits"},
           Case{"lcp", R"("n": 2, "A": [], "b": [1])", "b: 1 entries, expected n = 2"},
           Case{"lcp", R"("n": 1, "b": [1])", "A is missing"},
           Case{"lcp", R"("n": 1, "A": {}, "b": [1])",
                "A: expected an array of [row, column, value]"},
           Case{"lcp", R"("n": 1, "A": [[0, 0]], "b": [1])",
                "A row 0: expected [row, column, value]"},
           Case{"lcp", R"("n": 1, "A": [[0, 1, 1]], "b": [1])", kOutside},
           Case{"lcp", R"("n": 1, "A": [[0, -1, 1]], "b": [1])", kOutside},
           Case{"lcp", R"("n": 1, "A": [[0,0,1],[0,0,1]], "b": [1])",
                "A row 1: row and column occur twice"},
           Case{"lcp", R"("n": 1, "A": [[0,0,null]], "b": [1])",
                "A row 0: expected a number, found null"},
           Case{"lcp", R"("n": 1, "A": [], "b": [null])", "b row 0: expected a number, found null"},
           Case{"lcp", R"("n": 1, "A": [], "b": [1], "lower": [null])",
                "lower row 0: an lcp has the lower bound 0"},
           Case{"lcp", R"("n": 1, "A": [], "b": [1], "upper": [3])",
                "upper row 0: an lcp has no upper bound"},
           Case{"mlcp", R"("n": 1, "A": [], "b": [1], "upper": [3])", "lower is missing"},
           Case{"mlcp", R"("n": 1, "A": [], "b": [1], "lower": [4], "upper": [3])",
                "lower row 0: above the upper bound"},
       })
    EXPECT_EQ(complaint_about(std::string(R"({"type": ")") + type + "\", " + rest + "}"),
              std::string(": ") + said);
  EXPECT_THAT(complaint_about(R"({"type": "lcp", "n": 1, "A": [], "b": [1], "q": [1]})"),
              StartsWith(": q is not a known field"));
  EXPECT_EQ(complaint_about("[]"), ": expected one object");
  EXPECT_THAT(complaint_about("{\"type\": \"lcp\""), StartsWith(":1:15: syntax error"));
  EXPECT_EQ(test::complaint([] { read_raw_problem("/nowhere/p.json"); }),
            "/nowhere/p.json: no such file");
}

TEST(RawProblem, AHugeDeclaredSizeAllocatesNothing) {
  EXPECT_EQ(complaint_about(R"({"type": "lcp", "n": 9000000000000000000, "A": [], "b": [1]})"),
            ": b: 1 entries, expected n = 9000000000000000000");
}

}  // namespace raw_problem_test
}  // namespace perpend::io
