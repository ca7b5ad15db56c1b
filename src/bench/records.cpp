#include "bench/records.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace perpend::bench {
namespace {

// Histories are the bulk of a journal: seven numbers per point, as they lie in memory.
using Packed = std::array<double, 7>;
constexpr double kMostIterations = 9007199254740992;  // 2^53: exact as a double

Json bytes_of(const std::vector<Point>& history) {
  std::vector<std::uint8_t> bytes(history.size() * sizeof(Packed));
  for (std::size_t i = 0; i < history.size(); ++i) {
    const Point& p = history[i];
    const Packed packed{static_cast<double>(p.iteration),
                        p.seconds,
                        p.restart ? 1.0 : 0.0,
                        p.own_error,
                        p.velocity_error,
                        p.normal_error,
                        p.friction_error};
    std::memcpy(bytes.data() + i * sizeof packed, packed.data(), sizeof packed);
  }
  return Json::binary(std::move(bytes));
}

std::vector<Point> points_of(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<Point> history(bytes.size() / sizeof(Packed));
  for (std::size_t i = 0; i < history.size(); ++i) {
    Packed packed;
    std::memcpy(packed.data(), bytes.data() + i * sizeof packed, sizeof packed);
    if (!(std::abs(packed[0]) < kMostIterations)) throw std::out_of_range("iteration");
    history[i] = {static_cast<long>(packed[0]),
                  packed[1],
                  packed[2] != 0,
                  packed[3],
                  packed[4],
                  packed[5],
                  packed[6]};
  }
  return history;
}

}  // namespace

Json record_of(const Machine& m) {
  return {{"cpu", m.cpu},         {"cores", m.cores},       {"memory_bytes", m.memory_bytes},
          {"os", m.os},           {"compiler", m.compiler}, {"flags", m.flags},
          {"version", m.version}, {"commit", m.commit},     {"date", m.date},
          {"load", m.load}};
}

Machine machine_of(const Json& j) {
  Machine m;
  m.cpu = j.at("cpu");
  m.cores = j.at("cores");
  m.memory_bytes = j.at("memory_bytes");
  m.os = j.at("os");
  m.compiler = j.at("compiler");
  m.flags = j.at("flags");
  m.version = j.at("version");
  m.commit = j.at("commit");
  m.date = j.at("date");
  m.load = j.at("load");
  return m;
}

Json record_of(const ProblemEntry& p) {
  return {{"file", p.file},
          {"frame", p.frame},
          {"title", p.title},
          {"tags", p.tags},
          {"counts", {p.counts.bodies, p.counts.joints, p.counts.joint_rows, p.counts.contacts}},
          {"hash", p.hash},
          {"ordinal", p.ordinal}};
}

ProblemEntry problem_of(const Json& j) {
  ProblemEntry p;
  p.file = j.at("file");
  p.frame = j.at("frame");
  p.title = j.at("title");
  p.tags = j.at("tags").get<std::vector<std::string>>();
  const Json& counts = j.at("counts");
  p.counts = {counts.at(0), counts.at(1), counts.at(2), counts.at(3)};
  p.hash = j.at("hash");
  p.ordinal = j.at("ordinal");
  return p;
}

Json record_of(const Row& r) {
  Json errors = Json::array();
  for (const MeasureInfo& one : measures()) errors.push_back(r.errors[one.measure]);
  return {{"solver", r.solver},
          {"problem", r.problem},
          {"machine", r.machine},
          {"status", static_cast<int>(r.status)},
          {"message", r.message},
          {"path", r.path},
          {"iterations", r.iterations},
          {"seconds", {r.seconds, r.seconds_low, r.seconds_high, r.formulation_seconds}},
          {"reproducible", r.reproducible},
          {"work", r.work},
          {"errors", errors},
          {"runs", r.runs},
          {"history", bytes_of(r.history)}};
}

Row row_of(const Json& j) {
  Row r;
  r.solver = j.at("solver");
  r.problem = j.at("problem");
  r.machine = j.at("machine");
  const int status = j.at("status");
  if (status < 0 || status > static_cast<int>(Status::crashed)) throw std::out_of_range("status");
  r.status = static_cast<Status>(status);
  r.message = j.at("message");
  r.path = j.at("path");
  r.iterations = j.at("iterations");
  const Json& seconds = j.at("seconds");
  r.seconds = seconds.at(0);
  r.seconds_low = seconds.at(1);
  r.seconds_high = seconds.at(2);
  r.formulation_seconds = seconds.at(3);
  r.reproducible = j.at("reproducible");
  r.work = j.at("work");
  std::size_t next = 0;
  for (const MeasureInfo& one : measures()) r.errors[one.measure] = j.at("errors").at(next++);
  r.runs = j.at("runs").get<std::vector<double>>();
  r.history = points_of(j.at("history"));
  return r;
}

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
