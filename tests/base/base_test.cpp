// What every room needs: numbers as texts, quantiles, hashes, sets.
#include "perpend/base.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "perpend/base/csv_text.hpp"
#include "perpend/base/html_text.hpp"

namespace perpend {
namespace base_test {

TEST(Base, NumbersAsTexts) {
  EXPECT_EQ(short_number(0.012345), "0.0123");
  EXPECT_EQ(short_number(1e300), "1e+300");
  EXPECT_EQ(std::stod(full_number(0.1)), 0.1);
  EXPECT_EQ(full_number(0.1), "0.10000000000000001");
  EXPECT_EQ(hexadecimal(0xab), "00000000000000ab");
  EXPECT_EQ(formatted("%.2f s", 1.239), "1.24 s");
}

TEST(Base, TextInPagesIsNoMarkup) {
  EXPECT_EQ(html_text("a < b & \"c\" > µ"), "a &lt; b &amp; &quot;c&quot; &gt; µ");
  EXPECT_EQ(html_text(std::string("bell\a, nul\0, tab\t\n", 18)), "bell, nul, tab\t\n");
  EXPECT_EQ(html_text(""), "");
}

TEST(Base, TextInSpreadsheetsIsNoFormula) {
  EXPECT_EQ(csv_text("=1+1"), "'=1+1");
  EXPECT_EQ(csv_text("+cmd"), "'+cmd");
  EXPECT_EQ(csv_text("-a"), "'-a");
  EXPECT_EQ(csv_text("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_text(" \t=1"), "' \t=1");
  EXPECT_EQ(csv_text("=\"a\",b"), "\"'=\"\"a\"\",b\"");
  for (const char* as_it_is : {"-1.5e-3", "+2", "-inf", "a=b", "box 1", "", "1-2", "-"})
    EXPECT_EQ(csv_text(as_it_is), as_it_is);
  EXPECT_EQ(csv_text("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
}

TEST(Base, QuantilesAreValuesAndMediansMayLieBetween) {
  EXPECT_EQ(quantile({3, 1, 2, 4}, 0), 1);
  EXPECT_EQ(quantile({3, 1, 2, 4}, 1), 4);
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(median({3, 1, 2, 4}), 2.5);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_TRUE(std::isnan(median({})));
}

// The reference values of FNV-1a, 64 bits, as its authors publish them.
TEST(Base, FnvIsThatOfItsAuthors) {
  EXPECT_EQ(fnv("", 0), 0xcbf29ce484222325U);
  EXPECT_EQ(fnv("a", 1), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(fnv("foobar", 6), 0x85944171f73967e8U);
  EXPECT_EQ(fnv("bar", 3, fnv("foo", 3)), fnv("foobar", 6));
}

TEST(Base, StateHashSeesTheLastBitTheOrderAndTheSignOfZero) {
  const auto of = [](std::initializer_list<double> numbers) {
    StateHash hash;
    for (double number : numbers) hash.add(number);
    return hash.value();
  };
  EXPECT_EQ(of({1, 2}), of({1, 2}));
  EXPECT_NE(of({1, 2}), of({2, 1}));
  EXPECT_NE(of({1}), of({std::nextafter(1, 2)}));
  EXPECT_NE(of({0.0}), of({-0.0}));
}

TEST(Base, SetsAreNamedByTheirSmallestMember) {
  DisjointSets sets(6);
  sets.join(5, 3);
  sets.join(4, 5);
  sets.join(1, 2);
  EXPECT_EQ(sets.of(0), 0);
  EXPECT_EQ(sets.of(2), 1);
  EXPECT_EQ(sets.of(4), 3);
  sets.join(2, 4);
  for (int i = 1; i < 6; ++i) EXPECT_EQ(sets.of(i), 1);
}

// RFC 4648, section 10.
TEST(Base, BytesAsBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace base_test
}  // namespace perpend
