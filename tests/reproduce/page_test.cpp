// The page, its plots and its tables, from an experiment that is made up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/reproduce.hpp"

namespace perpend::reproduce {
namespace page_test {

using testing::HasSubstr;
using testing::Not;

Outcome nothing(const Settings&) { return {}; }

const Experiment kWhat{"made-up", "Nobody <1999>", "Fig. 1", "a | b", nothing};

std::vector<Finished> finished() {
  Outcome outcome;
  outcome.text = "1 < 2 & more";
  draw::Plot plot;
  plot.title = "inside story";
  plot.curves = {{"one", {1, 2, 3}, {1, 4, 9}}};
  outcome.figures.push_back({"picture", "Two plots", {plot, plot}});
  outcome.tables.push_back({"numbers", "Numbers", {"a", "b, c"}, {{"1", "say \"x\""}, {"2", "3"}}});
  outcome.tables.push_back({"long", "Long", {"n"}, {{"77777"}}, false});
  outcome.claims = {{"Fig. 1", "right", exactly(1), 1, "", "", ""},
                    {"Fig. 1", "wrong", below(10), 10, "Why.", "Because.", ""},
                    {"Fig. 1", "unknown", exactly(1), 1, "", "", "its mass"}};
  return {{&kWhat, outcome}};
}

TEST(Page, CountsVerdictsAndShowsEveryClaim) {
  const auto list = finished();
  const Counts counts = count(list);
  EXPECT_EQ(counts.agrees, 1);
  EXPECT_EQ(counts.differs, 1);
  EXPECT_EQ(counts.not_comparable, 1);
  for (const std::string& page : {html(list, {}), markdown(list, {})}) {
    EXPECT_THAT(page, HasSubstr("3 claims: 1 agree, 1 differ, 1 cannot be compared."));
    EXPECT_THAT(page, HasSubstr("Why. Because."));
    EXPECT_THAT(page, HasSubstr("The paper does not tell its mass."));
    EXPECT_THAT(page, HasSubstr("1 &lt; 2 &amp; more"));
    EXPECT_THAT(page, Not(HasSubstr("77777"))) << "a long table is a file only";
    EXPECT_THAT(page, HasSubstr("long.csv"));
  }
}

TEST(Page, SaysThatItIsQuickAndWhichSolverWasExchanged) {
  Settings settings;
  settings.quick = true;
  settings.replaced["box/nncg"] = "box/pgs";
  const std::string page = html(finished(), settings);
  EXPECT_THAT(page, HasSubstr("This is the quick page"));
  EXPECT_THAT(page, HasSubstr("box/pgs ran in place of box/nncg."));
  EXPECT_THAT(html(finished(), {}), Not(HasSubstr("quick page")));
}

TEST(Page, PlotsOnOnePageHaveIdsOfTheirOwn) {
  const auto list = finished();
  for (const std::string& text : {html(list, {}), svg(list[0].outcome.figures[0])}) {
    EXPECT_THAT(text, HasSubstr("id=\"p0-inside0\""));
    EXPECT_THAT(text, HasSubstr("url(#p1-inside0)"));
    EXPECT_THAT(text, HasSubstr("inside story"));
    EXPECT_THAT(text, Not(HasSubstr("id=\"inside0\"")));
  }
}

TEST(Page, CommasAndQuotesOfACellAreQuoted) {
  EXPECT_EQ(csv(finished()[0].outcome.tables[0]), "a,\"b, c\"\n1,\"say \"\"x\"\"\"\n2,3\n");
}

}  // namespace page_test
}  // namespace perpend::reproduce
