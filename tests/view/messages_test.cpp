#include "view/messages.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace messages_test {

using namespace perpend::view;

StateMessage some_state() {
  StateMessage state;
  state.run = 7;
  state.playing = true;
  state.step = 41;
  state.status = "converged";  // nine letters: what follows must find its place
  state.hash = "00ff";
  state.poses = {1, 2, 3, 0, 0, 0, 1};
  state.pairs = {0, 1};
  state.modes = {2};
  return state;
}

Drag some_drag() {
  Drag drag;
  drag.body = 3;
  drag.point = {0.1, 0.2, 0.3};
  drag.target = {1, 1e-300, -2.5};
  return drag;
}

Message decoded_from(const Bytes& bytes, std::string& why) {
  return decoded(bytes.data(), bytes.size(), why);
}

TEST(ViewMessages, ComeBackFromBytesAsTheyWere) {
  std::string why;
  const Message state = decoded_from(encoded(some_state()), why);
  ASSERT_EQ(why, "");
  const StateMessage& back = std::get<StateMessage>(state);
  EXPECT_EQ(back.run, 7u);
  EXPECT_TRUE(back.playing);
  EXPECT_EQ(back.step, 41);
  EXPECT_EQ(back.status, "converged");
  EXPECT_EQ(back.hash, "00ff");
  EXPECT_EQ(back.poses, some_state().poses);
  EXPECT_EQ(back.pairs, some_state().pairs);
  EXPECT_EQ(back.modes, some_state().modes);
  const Message drag = decoded_from(encoded(some_drag()), why);
  EXPECT_EQ(std::get<Drag>(drag).target, some_drag().target);
  EXPECT_EQ(from(drag), From::hand);
}

// A page reads lists where they lie: they begin at multiples of their elements' size.
TEST(ViewMessages, ListsAreAligned) {
  SceneMessage scene;
  scene.run = 0x01020304;
  scene.json = "ab";
  EXPECT_EQ(encoded(scene), (Bytes{1, 0, 0, 0, 4, 3, 2, 1, 2, 0, 0, 0, 'a', 'b'}));
  EXPECT_EQ(encoded(Play{}), Bytes{16});
}

TEST(ViewMessages, EveryShortenedMessageIsRefused) {
  for (const Message& message : {Message(some_state()), Message(some_drag())}) {
    const Bytes whole = encoded(message);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      std::string why;
      EXPECT_EQ(number(decoded(whole.data(), size, why)), 0) << size;
      EXPECT_NE(why, "") << size;
    }
  }
}

TEST(ViewMessages, SayWhatIsWrongWithThem) {
  std::string why;
  decoded_from({}, why);
  EXPECT_EQ(why, "an empty message");
  decoded_from({63}, why);
  EXPECT_EQ(why, "an unknown kind of message");
  decoded_from({16, 0}, why);
  EXPECT_EQ(why, "play: has bytes after its last field");
  Drag drag = some_drag();
  drag.target[1] = std::numeric_limits<double>::quiet_NaN();
  decoded_from(encoded(drag), why);
  EXPECT_EQ(why, "drag: target is not finite");
  Bytes text{37, 0, 0, 0, 255, 255, 255, 255};  // a name of four thousand million letters
  decoded_from(text, why);
  EXPECT_EQ(why, "set: name is longer than the message");
}

TEST(ViewMessages, RandomBytesAreReadOrRefused) {
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 200000; ++i) {
    Bytes bytes(random() % 64);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    if (!bytes.empty() && i % 2 == 0) bytes[0] = static_cast<std::uint8_t>(random() % 40);
    std::string why;
    const Message message = decoded_from(bytes, why);
    EXPECT_EQ(number(message) == 0, !why.empty());
    if (number(message) == 0) continue;
    ++read;
    EXPECT_EQ(encoded(message).size(), bytes.size());
  }
  EXPECT_GT(read, 100);
}

TEST(ViewMessages, JsonOfAHandComesBackToTheSameBits) {
  std::string why;
  const Message back = from_json(to_json(some_drag()), "step", why);
  ASSERT_EQ(why, "");
  EXPECT_EQ(encoded(back), encoded(some_drag()));
}

TEST(ViewMessages, JsonIsCheckedFieldByField) {
  const auto complaint = [](const char* text) {
    std::string why;
    from_json(nlohmann::ordered_json::parse(text), "step", why);
    return why;
  };
  EXPECT_EQ(complaint(R"({"step": 1})"), "kind is missing");
  EXPECT_EQ(complaint(R"({"kind": "play"})"), "kind: 'play' is unknown");  // no hand does that
  EXPECT_EQ(complaint(R"({"kind": "release"})"), "body is missing");
  EXPECT_EQ(complaint(R"({"kind": "release", "body": -1})"),
            "body is not a whole number that fits");
  EXPECT_EQ(complaint(R"({"kind": "release", "body": 1, "force": 2})"), "force is unknown");
  EXPECT_EQ(complaint(R"({"kind": "twist", "body": 1, "torque": [1, 2]})"),
            "torque is not a list of three numbers");
  EXPECT_EQ(complaint(R"({"step": 3, "kind": "release", "body": 1})"), "");
}

}  // namespace messages_test
