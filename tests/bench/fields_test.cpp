// The tables of fields, and what is driven by them.
#include "bench/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/folder.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"
#include "bench/records.hpp"

namespace perpend::bench::test {
namespace fields_test {

using testing::HasSubstr;

template <class Value>
std::string type() {
  if constexpr (std::is_same_v<Value, bool>) return "true or false";
  if constexpr (std::is_same_v<Value, double>) return "number";
  if constexpr (std::is_integral_v<Value>) return "whole number";
  if constexpr (std::is_same_v<Value, std::string> || std::is_enum_v<Value>) return "text";
  if constexpr (std::is_same_v<Value, std::vector<std::string>> ||
                std::is_same_v<Value, std::vector<HistoryMeasure>>)
    return "list of texts";
  if constexpr (std::is_same_v<Value, std::vector<double>>) return "list of numbers";
  if constexpr (std::is_same_v<Value, std::vector<Point>>) return "list of points";
  if constexpr (std::is_same_v<Value, std::array<double, 3>>) return "3 numbers";
  if constexpr (std::is_same_v<Value, std::array<long, kWorks>>) return "whole numbers by name";
  if constexpr (std::is_same_v<Value, Errors>) return "numbers by name";
  if constexpr (std::is_same_v<Value, std::map<std::string, std::string>>) return "texts by name";
  return "?";
}

// The lines of the document's list.
template <class T>
std::string rows() {
  std::string text;
  for_each_field<T>([&](const auto& field) {
    using Value = FieldValue<decltype(field), T>;
    if constexpr (std::is_same_v<Value, io::FrameCounts>)
      text += rows<Value>();
    else
      text += "- `" + std::string(field.name) + "` (" + type<Value>() +
              (field.unit.empty() ? "" : ", " + std::string(field.unit)) +
              "): " + std::string(field.meaning) + "\n";
  });
  return text;
}
template <class T>
std::string list(const std::string& title) {
  return "\n### " + title + "\n\n" + rows<T>() + "\n";
}

// docs/results.md has the lists as they are here: what this prints can be put there.
TEST(Fields, DocumentationListsEveryOne) {
  const std::string page = contents(PERPEND_SOURCE_DIR "/docs/results.md");
  EXPECT_THAT(page, HasSubstr(list<Machine>("Machine")));
  EXPECT_THAT(page, HasSubstr(list<Settings>("Settings")));
  EXPECT_THAT(page, HasSubstr(list<SolverEntry>("Solver")));
  EXPECT_THAT(page, HasSubstr(list<ProblemEntry>("Problem")));
  EXPECT_THAT(page, HasSubstr(list<Row>("Row")));
  EXPECT_THAT(page, HasSubstr(list<Point>("Point")));
}

TEST(Fields, PointsHaveAColumnForEachOfTheirMeasures) {
  Point point{3, 0.5, true, {1, 2}};
  std::string names;
  double sum = 0;
  for_each_point_column({Measure::own_error, HistoryMeasure(Measure::pgs_merit, true)},
                        [&](const std::string& name, const auto& get) {
                          names += name + " ";
                          sum += static_cast<double>(get(point));
                        });
  EXPECT_EQ(names, "iteration seconds restart own_error pgs_merit@iterate ");
  EXPECT_EQ(sum, 3 + 0.5 + 1 + 1 + 2);
}

TEST(Fields, OptionsOfASolveAreThoseOfItsCampaign) {
  Options asked;
  asked.tolerance = 1e-5;
  asked.error = Measure::velocity_error;
  asked.max_iterations = 17;
  asked.time_limit = 3;
  asked.memory_limit = 1e9;
  asked.facets = 6;
  asked.seed = 5;
  asked.set = {{"bounds", "lagged"}, {"unheard-of", "1"}};
  const Settings settings = settings_of(asked);
  EXPECT_FALSE(settings.warm_start);  // of another type: not copied
  const Options options = options_for(settings, "box/pgs");
  EXPECT_EQ(options.set, (std::map<std::string, std::string>{{"bounds", "lagged"}}));
  asked.set = options.set;
  for_each_field<Options>([&](const auto& field) {
    using Value = FieldValue<decltype(field), Options>;
    if constexpr (!std::is_same_v<Value, Impulses>) {
      EXPECT_EQ(field(asked), field(options)) << field.name;
    }
  });
}

// What journals of before hold is read, and written, to the byte.
TEST(Fields, RecordsOfTheJournalKeepTheirShape) {
  const Row row = solved(1, 0);
  Json expected = {
      {"solver", 0},
      {"problem", 1},
      {"machine", 0},
      {"status", 1},
      {"message", row.message},
      {"path", "start"},
      {"iterations", 8},
      {"seconds", {row.seconds, row.seconds_low, row.seconds_high, 0.0, row.transfer_seconds}},
      {"reproducible", true},
      {"work", {7, 14, 1, 0}},
      {"errors", Json::array()},
      {"runs", row.runs}};
  for (const MeasureInfo& m : measures()) expected["errors"].push_back(row.errors[m.measure]);
  Json record = record_of(row);
  const auto bytes = record.at("history").get_binary();
  record.erase("history");
  EXPECT_EQ(Json::to_cbor(record), Json::to_cbor(expected));
  const std::array<double, 7> last{8, row.seconds, 1, 1e-9 / 3, 1e-9 / 7, NAN, 1e-300};
  ASSERT_EQ(bytes.size(), 2 * sizeof last);
  EXPECT_EQ(std::memcmp(bytes.data() + sizeof last, last.data(), sizeof last), 0);

  ProblemEntry problem = campaign(1).problems[0];
  problem.counts = {1, 2, 3, 4};
  EXPECT_EQ(Json::to_cbor(record_of(problem)), Json::to_cbor(Json{{"file", "some, file.h5"},
                                                                  {"frame", 0},
                                                                  {"title", ""},
                                                                  {"tags", {"resting", "impact"}},
                                                                  {"counts", {1, 2, 3, 4}},
                                                                  {"hash", problem.hash},
                                                                  {"ordinal", 0}}));
}

}  // namespace fields_test
}  // namespace perpend::bench::test
