// The one list.
#include <gtest/gtest.h>

#include <set>

#include "perpend/doctor.hpp"

namespace perpend::doctor {
namespace list_test {

TEST(Verdicts, AreThirteenWithIdsOfTheirOwn) {
  std::set<std::string> ids;
  for (const Verdict& one : verdicts()) {
    EXPECT_TRUE(ids.insert(one.id).second) << one.id;
    EXPECT_EQ(verdict_named(one.id), &one);
    EXPECT_FALSE(one.title.empty() || one.sign.empty() || one.change.empty()) << one.id;
  }
  EXPECT_EQ(ids.size(), 13u);
}

}  // namespace list_test
}  // namespace perpend::doctor
