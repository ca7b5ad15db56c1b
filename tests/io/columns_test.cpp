// What the list of columns says of numbers: which may stand in a column, and which differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/sample_records.hpp"

namespace perpend::io {
namespace columns_test {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Record record() {
  Record out = full_record(4, 5, {3}, 2, 3);
  out.frame.joints.bounds.setConstant(2);  // which can be changed by a little
  return out;
}

// Numbers that the column must refuse, each alone.
std::vector<double> refused(Values values) {
  switch (values) {
    case Values::finite:
      return {kNaN, kInf, -kInf};
    case Values::size:
      return {kNaN, kInf, -1};
    case Values::share:
      return {kNaN, kInf, -0.5, 1.5};
    case Values::bound:
      return {kNaN, -1};
    case Values::range:
      return {kNaN};
    case Values::state:
      return {-1, 3};
    case Values::group:
      return {-2};
    default:
      return {};
  }
}

// Whole numbers change by one.
void nudge(const Column& column, Record& changed, std::size_t place) {
  void* out = column.resize(changed, column.view(changed).rows);
  if (column.type == Type::float64)
    static_cast<double*>(out)[place] += 0.75;
  else if (bytes(column.type) == 1)
    ++static_cast<std::int8_t*>(out)[place];
  else
    ++static_cast<std::int64_t*>(out)[place];
}

void put(const Column& column, Record& to, std::size_t place, double value) {
  void* out = column.resize(to, column.view(to).rows);
  if (column.type == Type::float64)
    static_cast<double*>(out)[place] = value;
  else if (bytes(column.type) == 1)
    static_cast<std::int8_t*>(out)[place] = static_cast<std::int8_t>(value);
  else
    static_cast<std::int64_t*>(out)[place] = static_cast<std::int64_t>(value);
}

TEST(Columns, HaveNamesOfTheirOwnAndWords) {
  std::set<std::string_view> names;
  for (const Column& column : columns()) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_FALSE(column.meaning.empty()) << column.name;
    EXPECT_EQ(column.path(), "/" + std::string(column.name));
  }
}

TEST(Columns, SoundNumbersAreInRange) {
  for (const Column& column : columns()) EXPECT_EQ(out_of_range(column, record()), "");
}

TEST(Columns, NumbersOutOfRangeAreNamedWithTheirRow) {
  for (const Column& column : columns())
    for (const double bad : refused(column.values)) {
      Record changed = record();
      const Index row = column.view(changed).rows - 1;
      put(column, changed, static_cast<std::size_t>(row) * column.numbers(), bad);
      EXPECT_THAT(out_of_range(column, changed),
                  testing::StartsWith(std::string(column.name) + " row " + std::to_string(row)))
          << bad;
    }
}

// invalid(Frame) says it for those who have no files, in the same words.
TEST(Columns, AFrameIsInvalidWhereItsColumnsAreOutOfRange) {
  for (const Column& column : columns()) {
    if (column.about != About::asked || column.count == Count::frame) continue;
    if (column.name == "contacts/rolling_mu" || column.name == "contacts/torsional_mu")
      continue;  // not modelled
    for (const double bad : refused(column.values)) {
      Record changed = record();
      put(column, changed, 1, bad);
      EXPECT_EQ(invalid(changed.frame), out_of_range(column, changed)) << column.name << " " << bad;
    }
  }
}

TEST(Columns, EveryOneButTheTimesIsCompared) {
  EXPECT_FALSE(difference(record(), record()));
  for (const Column& column : columns()) {
    if (column.type == Type::answerer) continue;
    Record changed = record();
    const std::size_t last = static_cast<std::size_t>(column.view(changed).rows - 1);
    nudge(column, changed, last * column.numbers());
    const auto found = difference(record(), changed);
    EXPECT_EQ(found.has_value(), column.about != About::clock) << column.name;
    if (!found) continue;
    EXPECT_EQ(found->column, column.path());
    EXPECT_EQ(found->row, static_cast<Index>(last));
    EXPECT_NEAR(found->now - found->recorded, column.type == Type::float64 ? 0.75 : 1, 1e-9);
  }
}

TEST(Columns, WhatWasAskedIsComparedBeforeWhatWasAnswered) {
  Record changed = record();
  changed.answer.velocities_plus(0, 0) += 1;
  changed.frame.contacts.gap[2] += 1;
  EXPECT_EQ(difference(record(), changed)->column, "/contacts/gap");
}

TEST(Columns, AColumnThatIsGoneIsADifferenceOfRows) {
  Record changed = record();
  changed.frame.contacts.restitution.resize(0);
  const auto found = difference(record(), changed);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->column, "/contacts/restitution");
  EXPECT_EQ(found->row, -1);
  EXPECT_EQ(found->recorded, 5);
  EXPECT_EQ(found->now, 0);
}

// A writer adds tangents to impulses, and a file has one NaN.
TEST(Columns, WhatComesBackFromAFileIsTheSame) {
  const TemporaryFile file;
  Record wrote = bare_record(3, 2, {1}, 1);
  wrote.answer.z = Rows3::Ones(2, 3);
  wrote.answer.errors[Measure::total_error] = -kNaN;
  {
    FrameWriter writer(file, {});
    writer.append(wrote);
  }
  EXPECT_FALSE(difference(FrameReader(file).read(0), wrote));
}

}  // namespace columns_test
}  // namespace perpend::io
