#include "bench/records.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace perpend::bench {
namespace {

// Histories are the bulk of a journal: the numbers of a point as they lie in memory, each a double.
constexpr std::size_t kNumbers = std::tuple_size_v<decltype(kFields<Point>)>;
using Packed = std::array<double, kNumbers>;
constexpr double kMostIterations = 9007199254740992;  // 2^53: exact as a double

void put(Json& json, const std::vector<Point>& history) {
  std::vector<std::uint8_t> bytes(history.size() * sizeof(Packed));
  for (std::size_t i = 0; i < history.size(); ++i) {
    Packed packed{};
    std::size_t next = 0;
    for_each_field(history[i], [&](const auto&, const auto& value) {
      packed[next++] = static_cast<double>(value);
    });
    std::memcpy(bytes.data() + i * sizeof packed, packed.data(), sizeof packed);
  }
  json = Json::binary(std::move(bytes));
}
void get(const Json& json, std::vector<Point>& history) {
  const auto& bytes = json.get_binary();
  history.resize(bytes.size() / sizeof(Packed));
  for (std::size_t i = 0; i < history.size(); ++i) {
    Packed packed;
    std::memcpy(packed.data(), bytes.data() + i * sizeof packed, sizeof packed);
    std::size_t next = 0;
    for_each_field(history[i], [&](const auto&, auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      const double number = packed[next++];
      if constexpr (std::is_same_v<Value, bool>) {
        value = number != 0;
      } else {
        if (std::is_integral_v<Value> && !(std::abs(number) < kMostIterations))
          throw std::out_of_range("iteration");
        value = static_cast<Value>(number);
      }
    });
  }
}

// Counts stand in the order of their struct, errors in that of the measures.
void put(Json& json, const io::FrameCounts& c) {
  json = {c.bodies, c.joints, c.joint_rows, c.contacts};
}
void get(const Json& json, io::FrameCounts& c) {
  c = {json.at(0), json.at(1), json.at(2), json.at(3)};
}
void put(Json& json, const Errors& errors) {
  json = Json::array();
  for (const MeasureInfo& one : measures()) json.push_back(errors[one.measure]);
}
void get(const Json& json, Errors& errors) {
  std::size_t next = 0;
  for (const MeasureInfo& one : measures()) errors[one.measure] = json.at(next++);
}
void put(Json& json, Status status) { json = static_cast<int>(status); }
void get(const Json& json, Status& status) {
  const int number = json;
  if (number < 0 || number > static_cast<int>(Status::crashed)) throw std::out_of_range("status");
  status = static_cast<Status>(number);
}
template <class Value>
void put(Json& json, const Value& value) {
  json = value;
}
template <class Value>
void get(const Json& json, Value& value) {
  value = json.get<Value>();
}

// The seconds of a row are one list.
template <class T, class Value>
constexpr bool kSeconds = std::is_same_v<T, Row>&& std::is_same_v<Value, double>;

template <class T>
Json record(const T& object) {
  Json out = Json::object();
  for_each_field(object, [&](const auto& field, const auto& value) {
    if constexpr (kSeconds<T, std::remove_cvref_t<decltype(value)>>)
      out["seconds"].push_back(value);
    else
      put(out[std::string(field.name)], value);
  });
  return out;
}

template <class T>
T object(const Json& from) {
  T out;
  std::size_t seconds = 0;
  for_each_field(out, [&](const auto& field, auto& value) {
    if constexpr (kSeconds<T, std::remove_cvref_t<decltype(value)>>)
      value = from.at("seconds").at(seconds++);
    else
      get(from.at(std::string(field.name)), value);
  });
  return out;
}

}  // namespace

Json record_of(const Machine& machine) { return record(machine); }
Json record_of(const ProblemEntry& problem) { return record(problem); }
Json record_of(const Row& row) { return record(row); }
Machine machine_of(const Json& json) { return object<Machine>(json); }
ProblemEntry problem_of(const Json& json) { return object<ProblemEntry>(json); }
Row row_of(const Json& json) { return object<Row>(json); }

Past past_of(const std::vector<Json>& records, std::size_t problems, std::size_t solvers) {
  Past past;
  past.problems.resize(problems);
  past.rows.resize(problems * solvers);
  for (const Json& record : records) {
    const std::string kind = record.at("record");
    if (kind == "machine") past.machines.push_back(machine_of(record.at("machine")));
    if (kind == "problem")
      past.problems.at(record.at("index").get<std::size_t>()) = problem_of(record.at("problem"));
    if (kind == "row") {
      Row row = row_of(record.at("row"));
      if (row.problem >= problems || row.solver >= solvers || row.machine >= past.machines.size() ||
          !past.problems[row.problem])
        throw std::out_of_range("row");
      past.rows[row.problem * solvers + row.solver] = std::move(row);
    }
  }
  return past;
}

}  // namespace perpend::bench
