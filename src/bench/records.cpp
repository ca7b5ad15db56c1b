#include "bench/records.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace perpend::bench {
namespace {

// Histories are the bulk of a journal: doubles as they lie in memory, of each point its iteration,
// seconds, restart (0 or 1) and measures.
constexpr std::size_t kBeforeMeasures = 3;
constexpr double kMostIterations = 9007199254740992;  // 2^53: exact as a double

void put(Json& json, const std::vector<Point>& history) {
  std::vector<double> numbers;
  for (const Point& p : history) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(p.iteration), p.seconds, static_cast<double>(p.restart)});
    numbers.insert(numbers.end(), p.errors.begin(), p.errors.end());
  }
  std::vector<std::uint8_t> bytes(numbers.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  json = Json::binary(std::move(bytes));
}
std::vector<Point> history_of(const Json& json, std::size_t measures) {
  const auto& bytes = json.get_binary();
  std::vector<double> numbers(kBeforeMeasures + measures);
  const std::size_t size = numbers.size() * sizeof(double);
  if (bytes.size() % size != 0) throw std::out_of_range("history");
  std::vector<Point> history;
  for (std::size_t begin = 0; begin < bytes.size(); begin += size) {
    std::memcpy(numbers.data(), bytes.data() + begin, size);
    if (!(std::abs(numbers[0]) < kMostIterations)) throw std::out_of_range("iteration");
    history.push_back({static_cast<long>(numbers[0]),
                       numbers[1],
                       numbers[2] != 0,
                       {numbers.begin() + kBeforeMeasures, numbers.end()}});
  }
  return history;
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
    else if constexpr (!std::is_same_v<decltype(value), std::vector<Point>&>)  // row_of() has them
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
Row row_of(const Json& json, std::size_t measures) {
  Row row = object<Row>(json);
  row.history = history_of(json.at("history"), measures);
  return row;
}

Past past_of(const std::vector<Json>& records, std::size_t problems, std::size_t solvers,
             std::size_t measures) {
  Past past;
  past.problems.resize(problems);
  past.rows.resize(problems * solvers);
  for (const Json& record : records) {
    const std::string kind = record.at("record");
    if (kind == "machine") past.machines.push_back(machine_of(record.at("machine")));
    if (kind == "problem")
      past.problems.at(record.at("index").get<std::size_t>()) = problem_of(record.at("problem"));
    if (kind == "row") {
      Row row = row_of(record.at("row"), measures);
      if (row.problem >= problems || row.solver >= solvers || row.machine >= past.machines.size() ||
          !past.problems[row.problem])
        throw std::out_of_range("row");
      past.rows[row.problem * solvers + row.solver] = std::move(row);
    }
  }
  return past;
}

}  // namespace perpend::bench
