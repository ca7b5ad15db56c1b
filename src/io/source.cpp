// Files of contact problems of every kind, read the same way.
#include "io/open_file.hpp"
#include "perpend/base.hpp"
#include "perpend/io.hpp"
#include "perpend/io/names.hpp"

namespace perpend::io {
namespace {

Case make_case(Index frame, Record record, std::shared_ptr<const Names> names) {
  Case problem;
  problem.frame = frame;
  problem.title = record.name;
  problem.tags = record.tags;
  problem.counts = counts_of(record);
  problem.answer = record.answer;
  problem.timing = record.timing;
  try {
    problem.system = system_of(record, "frame " + std::to_string(frame));
  } catch (const InputError& error) {
    problem.refusal = with_names(error.what(), FrameNames(*names, record));
  }
  problem.named = std::make_shared<NamedFrame>(std::move(names), std::move(record));
  return problem;
}

class StandardSource final : public Source {
 public:
  explicit StandardSource(OpenFile file)
      : reader_(std::move(file)),
        names_(std::make_shared<Names>(reader_.model(), reader_.header())) {}
  Index frames() const override { return reader_.frames(); }
  std::string title() const override { return reader_.header().scene; }
  FrameCounts counts(Index frame) const override {
    const FrameCounts counts = reader_.counts(frame);
    return counts.bodies > 0 ? counts : counts_of(reader_.read(frame));
  }
  Case read(Index frame) const override { return make_case(frame, reader_.read(frame), names_); }

 private:
  FrameReader reader_;
  std::shared_ptr<const Names> names_;
};

class JsonLinesSource final : public Source {
 public:
  explicit JsonLinesSource(OpenFile file) : lines_(std::move(file)) {}
  Index frames() const override { return lines_.frames(); }
  std::string title() const override { return {}; }
  FrameCounts counts(Index frame) const override { return lines_.counts(frame); }
  Case read(Index frame) const override {
    return make_case(frame, lines_.read(frame), lines_.names());
  }

 private:
  JsonLines lines_;
};

class FclibSource final : public Source {
 public:
  explicit FclibSource(OpenFile file) : problem_(read_fclib(std::move(file))) {}
  Index frames() const override { return 1; }
  std::string title() const override { return problem_.title; }
  FrameCounts counts(Index) const override {
    const System& system = problem_.system;
    return {0, system.joint_rows(), system.joint_rows(), system.contacts()};
  }
  Case read(Index frame) const override {
    Case problem;
    problem.title = problem_.title;
    problem.counts = counts(frame);
    problem.system = problem_.system;
    return problem;
  }

 private:
  FclibProblem problem_;
};

}  // namespace

std::string_view name(Kind kind) {
  static constexpr std::array<std::string_view, 5> kNames{"perpend", "fclib", "json-lines",
                                                          "raw-problem", "scene"};
  return name_in(kNames, kind);
}

std::unique_ptr<Source> open_source(OpenFile file) {
  const std::string& path = file.handle().path;
  switch (file.kind()) {
    case Kind::standard:
      return std::make_unique<StandardSource>(std::move(file));
    case Kind::json_lines:
      return std::make_unique<JsonLinesSource>(std::move(file));
    case Kind::scene:
      throw InputError(path + ": a scene has no frames yet; simulate it with --out first");
    case Kind::raw_problem:
      throw InputError(path + ": a raw LCP or MLCP has no frames");
    case Kind::fclib:
      break;
  }
  return std::make_unique<FclibSource>(std::move(file));
}
std::unique_ptr<Source> open_source(const std::string& path) { return open_source(OpenFile(path)); }

}  // namespace perpend::io
