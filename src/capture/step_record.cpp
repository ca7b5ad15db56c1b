// Steps that engines give as records.
#include "perpend/capture.hpp"

namespace perpend::capture {
namespace {

// Not less than what the numbers of a record take in memory, all optional columns included.
std::size_t bytes_of(const io::Record& record) {
  const auto entries = [](const io::SystemColumns::Matrix& m) {
    return m.rows.size() + m.columns.size() + static_cast<std::size_t>(m.values.size());
  };
  const io::SystemColumns& s = record.system;
  constexpr std::size_t kBody = 42, kContact = 42, kJointRow = 22, kRest = 64;
  const Frame& f = record.frame;
  const std::size_t numbers = kBody * static_cast<std::size_t>(f.bodies.count()) +
                              kContact * static_cast<std::size_t>(f.contacts.count()) +
                              kJointRow * static_cast<std::size_t>(f.joints.row_count()) +
                              entries(s.M) + entries(s.J) + entries(s.A) +
                              static_cast<std::size_t>(s.v.size() + s.f.size() + s.b.size() +
                                                       s.mu.size() + 2 * s.bounds.rows());
  return sizeof(double) * (numbers + kRest);
}

class CompleteRecord : public StepRecord {
 public:
  explicit CompleteRecord(io::Record record) : record_(std::move(record)) {
    timing = record_.timing;
  }
  void fill(io::Record& record) override { record = std::move(record_); }
  std::size_t bytes() const override { return bytes_of(record_); }
  bool reusable() const override { return false; }

 private:
  io::Record record_;
};

}  // namespace

std::unique_ptr<StepRecord> step_record(io::Record record) {
  return std::make_unique<CompleteRecord>(std::move(record));
}

io::Record record_of(StepRecord& step) {
  io::Record out;
  step.fill(out);
  out.timing = step.timing;
  return out;
}

}  // namespace perpend::capture
