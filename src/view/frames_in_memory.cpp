#include "view/frames.hpp"

namespace perpend::view {
namespace {

class LoadedFrames final : public Frames {
 public:
  explicit LoadedFrames(io::LoadedRecording recording) : recording_(std::move(recording)) {
    if (recording_.records.empty()) throw io::InputError(recording_.name + ": has no frames");
  }
  const std::string& path() const override { return recording_.name; }
  const io::Header& header() const override { return recording_.header; }
  io::ModelColumns model() const override { return recording_.model; }
  Index count() const override { return static_cast<Index>(recording_.records.size()); }
  std::int64_t number(Index frame) const override {
    return recording_.numbers[static_cast<std::size_t>(frame)];
  }
  io::Record read(Index frame) const override {
    return recording_.records.at(static_cast<std::size_t>(frame));
  }
  bool solvable() const override { return !recording_.trajectory; }
  std::vector<double> times() const override {
    return each([](const io::Record& record) { return record.frame.time; });
  }
  std::vector<double> errors() const override {
    return each(
        [](const io::Record& record) { return record.answer.errors[Measure::velocity_error]; });
  }

 private:
  template <class Value>
  std::vector<double> each(Value value) const {
    std::vector<double> out;
    for (const io::Record& record : recording_.records) out.push_back(value(record));
    return out;
  }

  io::LoadedRecording recording_;
};

}  // namespace

std::unique_ptr<Frames> frames_in_memory(io::LoadedRecording recording) {
  return std::make_unique<LoadedFrames>(std::move(recording));
}

}  // namespace perpend::view
