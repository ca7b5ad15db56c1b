#include "view/hand.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perpend/io.hpp"

namespace hand_test {

using namespace perpend;
using namespace perpend::view;

TEST(ViewHand, FileComesBackAsItWas) {
  Hand hand;
  hand.scene = "stack";
  Set set;
  set.name = "solver";
  set.value = "box/pgs";
  Drag drag;
  drag.body = 5;
  drag.point = {0.1, 0, 0};
  drag.target = {1.0 / 3, 0, 1};
  hand.events = {{0, set}, {12, drag}};
  const std::string text = to_json(hand);
  const Hand back = hand_from_json(text, "test");
  EXPECT_EQ(back.scene, "stack");
  ASSERT_EQ(back.events.size(), 2u);
  EXPECT_EQ(back.events[1].step, 12);
  EXPECT_EQ(std::get<Drag>(back.events[1].message).target[0], 1.0 / 3);
  EXPECT_EQ(to_json(back), text);
  EXPECT_THAT(text,
              testing::HasSubstr(R"({"step":0,"kind":"set","name":"solver","value":"box/pgs"})"));
}

TEST(ViewHand, NamesThePlaceOfAMistake) {
  const auto complaint = [](const std::string& text) -> std::string {
    try {
      hand_from_json(text, "pull.json");
    } catch (const io::InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto events = [&](const std::string& list) {
    return complaint(R"({"format": "perpend-hand", "events": [)" + list + "]}");
  };
  EXPECT_THAT(complaint("{"), testing::StartsWith("pull.json:1:2: "));
  EXPECT_EQ(complaint(R"({"format": )" + std::string(100000, '[')),
            "pull.json:1:28: nested too deeply");
  EXPECT_THAT(events(std::string(100000, '[') + std::string(100000, ']')),
              testing::EndsWith("nested too deeply"));
  EXPECT_THAT(complaint(R"({"format": "perpend-hand", "format": "perpend-hand", "events": []})"),
              testing::EndsWith("format is given twice"));
  EXPECT_EQ(complaint("[]"), "pull.json: format: is not \"perpend-hand\"");
  EXPECT_EQ(complaint(R"({"format": "perpend-hand"})"), "pull.json: events is not a list");
  EXPECT_EQ(complaint(R"({"format": "perpend-hand", "event": []})"), "pull.json: event is unknown");
  EXPECT_EQ(complaint(R"({"format": "perpend-hand", "format_version": 2, "events": []})"),
            "pull.json: format_version: this program reads 1");
  EXPECT_EQ(events("3"), "pull.json: events 0: is not an object");
  EXPECT_EQ(events(R"({"step": -1, "kind": "release", "body": 1})"),
            "pull.json: events 0: step is not a whole number");
  EXPECT_EQ(events(R"({"step": 2, "kind": "release", "body": 1},
                      {"step": 1, "kind": "release", "body": 1})"),
            "pull.json: events 1: step is smaller than that of the event before");
  EXPECT_EQ(events(R"({"step": 2, "kind": "jump"})"),
            "pull.json: events 0: kind: 'jump' is unknown");
}

}  // namespace hand_test
