#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "io/files.hpp"
#include "perpend/io.hpp"

namespace perpend::io {
namespace json_test {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kInf = std::numeric_limits<double>::infinity();

// A floor, a ball on it, and nothing that could be left out.
const char* const kBall =
    R"({"step": 0.01, "bodies": {"masses": [0, 2], "inertia": [[0,0,0,0,0,0,0,0,0], )"
    R"([0.2,0,0,0,0.2,0,0,0,0.2]], "positions": [[0,0,0], [0,0,0.5]]}, "contacts": )"
    R"({"pairs": [[0,1]], "normals": [[0,0,1]], "points": [[0,0,0]], "gap": [0], "mu": [0.5]}})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

Record read_one(const std::string& line) {
  const test::Scratch scratch;
  return read_json_lines(scratch.write("frame.jsonl", line)).at(0);
}

std::string complaint_about(const std::string& text) {
  const test::Scratch scratch;
  const std::string path = scratch.write("bad.jsonl", text);
  std::string said = test::complaint([&] { read_json_lines(path); });
  EXPECT_THAT(said, Not(HasSubstr("\n")));
  EXPECT_THAT(said, StartsWith(path)) << text.substr(0, 200);
  return said.substr(std::min(said.size(), path.size()));
}

template <class A, class B>
void expect_same_bits(const A& a, const B& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(double(a(i, k))),
                std::bit_cast<std::uint64_t>(double(b(i, k))));
}

TEST(JsonLines, LeaveOutWhatIsZeroOrUnit) {
  const Record r = read_one(kBall);
  EXPECT_EQ(r.frame.bodies.ids, (Integers{0, 1}));
  EXPECT_EQ(r.frame.bodies.quaternions(1, 0), 1);
  EXPECT_TRUE(r.frame.bodies.velocities.isZero(0));
  EXPECT_TRUE(r.frame.bodies.forces.isZero(0));
  EXPECT_EQ(r.frame.contacts.count(), 1);
  EXPECT_EQ(r.frame.joints.count(), 0);
  EXPECT_EQ(r.frame.stepper, Stepper::st);
  EXPECT_EQ(r.frame.time, 0);
  EXPECT_EQ(r.answer.velocities_plus.rows(), 0);
}

TEST(JsonLines, SkipBlankLinesAndComments) {
  const test::Scratch scratch;
  const std::string text =
      std::string("# two balls\n\n  \t\r\n") + kBall + "\r\n  # the other\n" + kBall;
  EXPECT_EQ(read_json_lines(scratch.write("two.jsonl", text)).size(), 2u);
}

// Every column, optional ones included, with values that are hard to print.
Record everything() {
  Record r;
  Frame& f = r.frame;
  f = make_frame(3, 2, {2, 1});
  f.step = 0.1;
  f.time = 1.0 / 3;
  f.stepper = Stepper::ap;
  f.bodies.ids = {7, std::numeric_limits<std::int64_t>::max(), -5};
  f.bodies.masses << 0, 1.7976931348623157e-139, 1e139;
  f.bodies.inertia.row(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  f.bodies.forces.row(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  f.bodies.positions.row(1) << -0.0, 0.1, 1e22;
  f.bodies.velocities.row(2) << 1e-310, 123456789.123456789, 1.0 / 3, 2.0 / 3, 1e16,
      9007199254740993.0;
  Contacts& c = f.contacts;
  c.pairs << 0, 1, 1, 2;
  c.normals << 0, 0, 1, 0.6, 0.8, 0;
  c.points << 1, 2, 3, 4, 5, 6;
  c.gap << -1e-9, 0.1;
  c.mu << 0, 0.7;
  c.points2 = Rows3::Constant(2, 3, 0.3);
  c.tangents.resize(2, 6);
  c.tangents << 1, 0, 0, 0, 1, 0, -0.8, 0.6, 0, 0, 0, 1;
  c.restitution = VectorXd::Constant(2, 0.1);
  c.group = {-1, 4};
  c.ids = {-9, 9};
  c.rolling_mu = VectorXd::Constant(2, 0.2);
  c.torsional_mu = VectorXd::Constant(2, 0.4);
  c.bias = Rows3::Constant(2, 3, 1e-3);
  c.cfm = Rows3::Constant(2, 3, 1e-4);
  c.friction_bounds.resize(2, 2);
  c.friction_bounds << 1.5, kInf, kInf, 2.5;
  Joints& j = f.joints;
  j.pairs << 0, 1, 2, 1;
  j.jacobian.setConstant(0.1);
  j.bounds << -kInf, kInf, 0, kInf, -0.25, 0.5;
  j.violation << 1e-5, 2e-5, 3e-5;
  j.rate = VectorXd::Constant(3, -2.5);
  j.cfm = VectorXd::Constant(3, 1e-6);
  j.bias = VectorXd::Constant(3, 1e-7);
  r.name = "a \"quoted\" name, \xc2\xb5 = 1";
  r.derivation = "line one\nline two";
  r.tags = {"frictionless", "cone-only"};
  r.answer.velocities_plus = Rows6::Constant(3, 6, 0.7);
  r.answer.z = Rows3::Constant(2, 3, 1e-17);
  r.answer.z_joints = VectorXd::Constant(3, -0.0);
  r.answer.iterations = 12;
  r.answer.answered = "Dantzig \"direct\"";
  r.answer.slide_or_stick = {0, 2};
  r.answer.errors[Measure::velocity_error] = 1e-9;
  r.timing.solver = 0.25;
  return r;
}

TEST(JsonLines, KeepEveryColumnBitForBit) {
  const Record wrote = everything();
  ASSERT_EQ(invalid(wrote.frame), "");
  const test::Scratch scratch;
  const std::string path = scratch.path("all.jsonl");
  write_json_lines({wrote, wrote}, path);
  const std::vector<Record> read = read_json_lines(path);
  ASSERT_EQ(read.size(), 2u);
  const Record& r = read[1];
  EXPECT_EQ(r.name, wrote.name);
  EXPECT_EQ(r.derivation, wrote.derivation);
  EXPECT_EQ(r.tags, wrote.tags);
  const Frame &a = r.frame, &b = wrote.frame;
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.stepper, b.stepper);
  EXPECT_EQ(a.bodies.ids, b.bodies.ids);
  expect_same_bits(a.bodies.masses, b.bodies.masses);
  expect_same_bits(a.bodies.inertia.bottomRows(2), b.bodies.inertia.bottomRows(2));
  EXPECT_TRUE(std::isnan(a.bodies.inertia(0, 0)));  // a fixed body's inertia: nobody reads it
  expect_same_bits(a.bodies.positions, b.bodies.positions);
  expect_same_bits(a.bodies.quaternions, b.bodies.quaternions);
  expect_same_bits(a.bodies.velocities, b.bodies.velocities);
  expect_same_bits(a.bodies.forces.bottomRows(2), b.bodies.forces.bottomRows(2));
  EXPECT_EQ(a.contacts.pairs, b.contacts.pairs);
  expect_same_bits(a.contacts.normals, b.contacts.normals);
  expect_same_bits(a.contacts.points, b.contacts.points);
  expect_same_bits(a.contacts.gap, b.contacts.gap);
  expect_same_bits(a.contacts.mu, b.contacts.mu);
  expect_same_bits(a.contacts.points2, b.contacts.points2);
  expect_same_bits(a.contacts.tangents, b.contacts.tangents);
  expect_same_bits(a.contacts.restitution, b.contacts.restitution);
  EXPECT_EQ(a.contacts.group, b.contacts.group);
  EXPECT_EQ(a.contacts.ids, b.contacts.ids);
  expect_same_bits(a.contacts.rolling_mu, b.contacts.rolling_mu);
  expect_same_bits(a.contacts.torsional_mu, b.contacts.torsional_mu);
  expect_same_bits(a.contacts.bias, b.contacts.bias);
  expect_same_bits(a.contacts.cfm, b.contacts.cfm);
  expect_same_bits(a.contacts.friction_bounds, b.contacts.friction_bounds);
  EXPECT_EQ(a.joints.pairs, b.joints.pairs);
  EXPECT_EQ(a.joints.rows, b.joints.rows);
  expect_same_bits(a.joints.jacobian, b.joints.jacobian);
  expect_same_bits(a.joints.bounds, b.joints.bounds);
  expect_same_bits(a.joints.violation, b.joints.violation);
  expect_same_bits(a.joints.rate, b.joints.rate);
  expect_same_bits(a.joints.cfm, b.joints.cfm);
  expect_same_bits(a.joints.bias, b.joints.bias);
  expect_same_bits(r.answer.velocities_plus, wrote.answer.velocities_plus);
  expect_same_bits(r.answer.z, wrote.answer.z);
  expect_same_bits(r.answer.z_joints, wrote.answer.z_joints);
  EXPECT_EQ(r.answer.iterations, 12);
  EXPECT_EQ(r.answer.answered, wrote.answer.answered);
  EXPECT_EQ(r.answer.slide_or_stick, wrote.answer.slide_or_stick);
  EXPECT_EQ(r.answer.errors[Measure::velocity_error], 1e-9);
  EXPECT_TRUE(std::isnan(r.answer.errors[Measure::total_error]));
  EXPECT_EQ(r.timing.solver, 0.25);
  EXPECT_TRUE(std::isnan(r.timing.total));
  EXPECT_EQ(to_json_line(r), to_json_line(wrote));
}

TEST(JsonLines, PairsInTheFileAreBodyIds) {
  const Record r = everything();
  EXPECT_THAT(to_json_line(r), HasSubstr(R"("pairs":[[7,9223372036854775807],)"));
}

TEST(JsonLines, ComplainWithFileLineAndField) {
  EXPECT_EQ(complaint_about("# first line\n" +
                            replaced(kBall, R"("normals": [[0,0,1]])", R"("normals": [[0,0,2]])")),
            ":2: contacts/normals row 0 is not a unit vector");
  struct Case {
    const char *from, *to, *said;
  };
  const char* const kNotWhole = "contacts/pairs row 0: expected a whole number of at most 63 bits";
  for (const auto& [from, to, said] : {
           Case{"[[0,0,0]], \"gap\"", "[[0,0]], \"gap\"",
                "contacts/points row 0: expected an array of 3, found one of 2"},
           Case{"[0], \"mu\"", "[\"0\"], \"mu\"",
                "contacts/gap row 0: expected a number, found string"},
           Case{"[0], \"mu\"", "[null], \"mu\"",
                "contacts/gap row 0: expected a number, found null"},
           Case{"[0], \"mu\"", "0, \"mu\"", "contacts/gap: expected an array, found number"},
           Case{"[[0,1]]", "[[0,8]]", "contacts/pairs row 0: no body has the id 8"},
           Case{"[[0,1]]", "[[0,1.5]]", kNotWhole},
           Case{"[[0,1]]", "[[0,18446744073709551615]]", kNotWhole},
           Case{"[0.5]", "[0.5, 0.5]", "contacts/mu has 2 rows, expected 1"},
           Case{", \"mu\": [0.5]", "", "contacts/mu is missing"},
           Case{"\"step\": 0.01, ", "", "step is missing"},
           Case{"0.01", "0", "step is not a positive number"},
           Case{"\"step\"", "\"stepper\": \"rk4\", \"step\"", "stepper: expected \"st\" or \"ap\""},
           Case{"\"contacts\": {", "\"contacts\": 3, \"x\": {",
                "contacts: expected an object, found number"},
       })
    EXPECT_EQ(complaint_about(replaced(kBall, from, to)), std::string(":1: ") + said) << to;
}

TEST(JsonLines, DoNotPassAMisspeltName) {
  EXPECT_THAT(complaint_about(replaced(kBall, "\"gap\": [0]", "\"gap\": [0], \"restituton\": [1]")),
              StartsWith(":1: contacts/restituton is not a known field (known: "));
  EXPECT_THAT(complaint_about(replaced(kBall, "\"step\"", "\"bodys\": {}, \"step\"")),
              StartsWith(":1: bodys is not a known field"));
  const std::string twice = replaced(kBall, "\"mu\"", "\"gap\": [1], \"mu\"");
  EXPECT_EQ(complaint_about(twice),
            ":1:" + std::to_string(twice.rfind("\"gap\"") + 1) + ": gap is given twice");
}

TEST(JsonLines, ExpectedAnswerMustFitTheFrame) {
  const std::string open = replaced(kBall, "\"step\"",
                                    "\"expected\": {\"velocities_plus\": "
                                    "[[0,0,0,0,0,0]]}, \"step\"");
  EXPECT_EQ(complaint_about(open), ":1: expected/velocities_plus: 1 rows, expected 2");
  EXPECT_EQ(complaint_about(replaced(kBall, "\"step\"",
                                     "\"expected\": {\"slide_or_stick\": [3]}, "
                                     "\"step\"")),
            ":1: expected/slide_or_stick row 0: expected 0, 1 or 2");
}

TEST(JsonLines, OnlyFixedBodiesMayHideTheirInertia) {
  EXPECT_EQ(complaint_about(replaced(kBall, "[0.2,0", "[null,0")),
            ":1: bodies/inertia row 1 is not symmetric positive definite");
}

TEST(JsonLines, HostileTextIsOneLine) {
  EXPECT_EQ(complaint_about(std::string(100000, '[')), ":1:18: nested too deeply");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  EXPECT_EQ(complaint_about(deep), ":1:84: nested too deeply");
  EXPECT_THAT(complaint_about(replaced(kBall, "\"gap\": [0]", "\"gap\": [1e999]")),
              AllOf(StartsWith(":1:"), HasSubstr(": number overflow parsing '1e999'")));
  EXPECT_THAT(complaint_about(replaced(kBall, "0.01", "NaN")), StartsWith(":1:10: syntax error"));
  EXPECT_THAT(complaint_about(std::string(kBall, 60)), StartsWith(":1:61: syntax error"));
  EXPECT_EQ(complaint_about("[1, 2]"), ":1: expected one object per line");
  EXPECT_THAT(complaint_about(std::string("{\"\0\x01\x7f\xff", 6)),
              StartsWith(":1:3: syntax error"));
  EXPECT_LT(complaint_about("{\"" + std::string(1000000, 'x') + "\": 1}").size(), 400u);
  EXPECT_LT(complaint_about(std::string(1000000, 'x')).size(), 400u);
}

TEST(JsonLines, EmptyOrMissingFileIsAnError) {
  EXPECT_EQ(complaint_about(""), ": has no frames");
  EXPECT_EQ(complaint_about("# only words\n\n"), ": has no frames");
  EXPECT_EQ(test::complaint([] { read_json_lines("/nowhere/x.jsonl"); }),
            "/nowhere/x.jsonl: no such file");
  EXPECT_EQ(test::complaint([] { write_json_lines({}, "/nowhere/x.jsonl"); }),
            "/nowhere/x.jsonl: there is no folder /nowhere");
}

TEST(JsonLines, ExamplesOfTheDocumentAreTrue) {
  std::ifstream document(PERPEND_SOURCE_DIR "/docs/json.md");
  std::vector<std::string> examples;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (line == "```json") examples.emplace_back();
    if (inside && line != "```") examples.back() += line + " ";
    inside = line == "```json" || (inside && line != "```");
  }
  ASSERT_EQ(examples.size(), 2u);
  const Record r = read_one(examples[0]);
  const System s = assemble(r.frame);
  const Impulses z = from_rows(s, r.answer.z, r.answer.z_joints);
  // Sums of a few numbers below 20.
  EXPECT_LE(measure(s, z, Measure::velocity_error), 1e-14);
  EXPECT_LE((velocity_plus(r.frame, s, z) - r.answer.velocities_plus).cwiseAbs().maxCoeff(), 1e-14);
  const test::Scratch scratch;
  const auto raw = read_raw_problem(scratch.write("raw.json", examples[1]));
  // By hand: z1 at its upper bound 0.25, 2 z0 + 0.25 = 1, 4 z2 = -2; w1 = 0.375 + 0.5 - 1 < 0.
  EXPECT_LE(raw->own_error(Eigen::Vector3d(0.375, 0.25, -0.5)), 1e-15);
}

TEST(JsonLines, DoNotWriteAnInvalidFrame) {
  const test::Scratch scratch;
  Record r;
  r.frame = make_frame(1, 0);
  EXPECT_THAT(test::complaint([&] { write_json_lines({r}, scratch.path("x.jsonl")); }),
              EndsWith("frame 0: step is not a positive number"));
}

}  // namespace json_test
}  // namespace perpend::io
