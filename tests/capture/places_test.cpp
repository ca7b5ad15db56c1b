// The table that recorders look addresses up in.
#include "capture/places.hpp"

#include <gtest/gtest.h>

namespace perpend::capture {
namespace places_test {

TEST(Places, GiveEveryAddressTheNumberItCameWith) {
  std::vector<double> addresses(1000);
  Places places;
  EXPECT_EQ(places.find(addresses.data()), Places::kNone);
  for (std::size_t i = 0; i < addresses.size(); ++i)
    EXPECT_EQ(places.emplace(&addresses[i], static_cast<std::int64_t>(i)),
              std::make_pair(static_cast<std::int64_t>(i), true));
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    EXPECT_EQ(places.find(&addresses[i]), static_cast<std::int64_t>(i));
    EXPECT_EQ(places.emplace(&addresses[i], 7),
              std::make_pair(static_cast<std::int64_t>(i), false));
  }
  EXPECT_EQ(places.find(nullptr), Places::kNone);
  EXPECT_EQ(places.emplace(nullptr, 5).first, 5);
  EXPECT_EQ(places.find(nullptr), 5);
}

TEST(Places, ForgetAllWhenCleared) {
  double one = 0, other = 0;
  Places places;
  for (int round = 0; round < 3; ++round) {
    places.emplace(&one, round);
    EXPECT_EQ(places.find(&one), round);
    EXPECT_EQ(places.find(&other), Places::kNone);
    places.clear();
    EXPECT_EQ(places.find(&one), Places::kNone);
  }
}

}  // namespace places_test
}  // namespace perpend::capture
