// perpend info: what is in a file.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/base.hpp"
#include "perpend/bench.hpp"
#include "perpend/io/columns.hpp"
#include "perpend/io/files.hpp"
#include "progress_bar.hpp"
#include "recording.hpp"
#include "source.hpp"
#include "standard_file.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

// Smallest, middle and largest of one number per frame.
class Spread {
 public:
  void add(double value) { values_.push_back(value); }
  Json describe() {
    if (values_.empty()) return {{"min", nullptr}, {"median", nullptr}, {"max", nullptr}};
    return {{"min", plain(quantile(values_, 0))},
            {"median", plain(median(values_))},
            {"max", plain(quantile(values_, 1))}};
  }

 private:
  // Counts are whole numbers, and read better as such.
  static Json plain(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? Json(static_cast<std::int64_t>(value)) : number(value);
  }

  std::vector<double> values_;
};

// What the frames of a standard file or of JSON lines add up to.
struct Sums {
  std::int64_t bodies = 0, contacts = 0, joints = 0, joint_rows = 0;
  std::int64_t grouped = 0, rolling = 0, torsional = 0, biased = 0;
  std::int64_t answered = 0, without_bodies = 0, invalid_frames = 0;
  std::map<std::string, std::int64_t> answered_by;
  std::string first_reason;
  Spread bodies_per_frame, contacts_per_frame, joints_per_frame, rows_per_frame, step;
  Errors worst;
  std::vector<std::int64_t> having = std::vector<std::int64_t>(io::columns().size());  // frames
  Stepper stepper;  // of frames that do not tell theirs

  explicit Sums(Stepper of_file) : stepper(of_file) {}

  void add(Index index, const io::Record& record, const io::Names& names) {
    const Frame& frame = record.frame;
    const io::FrameCounts counted = counts_of(record);
    bodies += counted.bodies;
    contacts += counted.contacts;
    joints += counted.joints;
    joint_rows += counted.joint_rows;
    bodies_per_frame.add(static_cast<double>(counted.bodies));
    contacts_per_frame.add(static_cast<double>(counted.contacts));
    joints_per_frame.add(static_cast<double>(counted.joints));
    rows_per_frame.add(static_cast<double>(counted.joint_rows));
    const bool only_system = counted.bodies == 0 && record.system.b.size() > 0;
    if (only_system) ++without_bodies;
    if (!only_system || frame.step > 0) step.add(frame.step);
    grouped += std::count_if(frame.contacts.group.begin(), frame.contacts.group.end(),
                             [](std::int64_t group) { return group >= 0; });
    rolling += (frame.contacts.rolling_mu.array() > 0).count();
    torsional += (frame.contacts.torsional_mu.array() > 0).count();
    biased += frame.contacts.bias.rows();
    for (std::size_t i = 0; i < having.size(); ++i)
      having[i] += lacks(io::columns()[i], record, stepper) ? 0 : 1;
    if (record.answer.z.rows() > 0 || record.answer.z_joints.size() > 0) ++answered;
    if (!record.answer.answered.empty()) ++answered_by[record.answer.answered];
    for (const MeasureInfo& info : measures()) {
      const double value = record.answer.errors[info.measure];
      double& so_far = worst[info.measure];
      if (std::isnan(so_far) || value > so_far) so_far = value;
    }
    if (only_system) return;
    const std::string reason = invalid(frame);
    if (reason.empty()) return;
    if (++invalid_frames == 1)
      first_reason = "frame " + std::to_string(index) + ": " +
                     io::with_names(reason, io::FrameNames(names, record));
  }

  void describe(Json& document) {
    document["bodies"] = bodies;
    document["contacts"] = contacts;
    document["joints"] = joints;
    document["joint_rows"] = joint_rows;
    document["per_frame"] = {{"bodies", bodies_per_frame.describe()},
                             {"contacts", contacts_per_frame.describe()},
                             {"joints", joints_per_frame.describe()},
                             {"joint_rows", rows_per_frame.describe()}};
    document["step"] = step.describe();
    document["answered_frames"] = answered;
    document["answered_by"] = Json::object();
    for (const auto& [who, count] : answered_by) document["answered_by"][who] = count;
    document["worst_recorded_errors"] = errors(worst);
    document["grouped_contacts"] = grouped;
    document["contacts_with_engine_bias"] = biased;
    document["invalid_frames"] = invalid_frames;
    document["columns"] = Json::array();
    for (std::size_t i = 0; i < having.size(); ++i)
      if (const io::Column& column = io::columns()[i]; having[i] > 0)
        document["columns"].push_back({{"name", column.path()},
                                       {"shape", column.shape()},
                                       {"type", name(column.type)},
                                       {"unit", column.unit},
                                       {"optional", column.optional()},
                                       {"meaning", column.meaning},
                                       {"frames", having[i]}});
    Json notes = Json::array();
    if (invalid_frames > 0) notes.push_back(first_reason);
    if (without_bodies > 0)
      notes.push_back(std::to_string(without_bodies) +
                      " frames have a system without bodies (/system/)");
    if (rolling > 0)
      notes.push_back(std::to_string(rolling) +
                      " contacts have rolling friction, which Perpend does not model");
    if (torsional > 0)
      notes.push_back(std::to_string(torsional) +
                      " contacts have torsional friction, which Perpend does not model");
    document["notes"] = notes;
  }
};

void describe_frames(Json& document, const std::string& path, io::Kind kind,
                     const Globals& globals) {
  const Frames frames = open_frames(path, kind);
  document["format_version"] = frames.header.format_version;
  if (kind == io::Kind::standard) {
    const io::FrameReader reader(path);
    document["format_version"] = reader.format_version();
    document["layout"] = reader.layout();
  }
  document["frames"] = frames.count;
  Sums sums(frames.header.stepper);
  Json titles = Json::array();
  {
    ProgressBar bar(globals, "frames", frames.count);
    for (Index frame = 0; frame < frames.count; ++frame) {
      const io::Record record = frames.read(frame);
      sums.add(frame, record, *frames.names);
      if (kind == io::Kind::json_lines) titles.push_back(record.name);
      bar.show(frame + 1);
    }
  }
  Json counted;
  sums.describe(counted);
  document.update(counted);
  document["stepper"] = name(frames.header.stepper);
  if (kind == io::Kind::json_lines) {
    document["names"] = titles;
    document["engine"] = nullptr;
    document["scene"] = nullptr;
    return;
  }
  const io::Header& header = frames.header;
  document["engine"] = header.engine;
  document["engine_version"] = header.engine_version;
  document["scene"] = header.scene;
  document["created"] = header.created;
  document["units"] = header.units;
  document["scalar_bytes"] = header.scalar_bytes;
  document["friction_model"] = header.friction_model;
  document["omitted"] = header.omitted;
  const io::FrameReader reader(path);
  document["solutions"] = reader.solutions();
  const io::ModelColumns model = reader.model();
  const auto names = [](const std::vector<io::NameText>& texts) {
    Json out = Json::array();
    for (const io::NameText& text : texts) out.push_back(text.str());
    return out;
  };
  document["body_names"] = names(model.body_names);
  document["joint_names"] = names(model.joint_names);
  document["shapes"] = model.shape_kinds.size();
  document["events"] = reader.events().size();
}

void describe_fclib(Json& document, const std::string& path) {
  const io::FclibProblem problem = io::read_fclib(path);
  const System& system = problem.system;
  document["format_version"] = kJsonVersion;
  document["problem"] = problem.global ? "global" : "local";
  document["title"] = problem.title;
  document["description"] = problem.description;
  document["frames"] = 1;
  // A local problem does not tell its bodies, a global one only its degrees of freedom.
  document["bodies"] = nullptr;
  document["contacts"] = system.contacts();
  document["joints"] = system.joint_rows();
  document["joint_rows"] = system.joint_rows();
  if (system.dynamics) document["degrees_of_freedom"] = system.dynamics->mass.rows();
  document["nonzeros"] = to_sparse(system).nonZeros();
  Spread mu;
  for (const double value : system.mu) mu.add(value);
  document["mu"] = mu.describe();
  document["engine"] = nullptr;
  document["scene"] = nullptr;
}

void describe_raw(Json& document, const std::string& path) {
  const auto problem = io::read_raw_problem(path);
  document["format_version"] = kJsonVersion;
  document["problem"] = problem->formulation();
  document["frames"] = 1;
  document["n"] = problem->size();
  document["nonzeros"] = problem->A.nonZeros();
  Index free = 0, boxed = 0;
  for (Index i = 0; i < problem->size(); ++i) {
    const bool low = std::isfinite(problem->lower[i]), high = std::isfinite(problem->upper[i]);
    free += !low && !high ? 1 : 0;
    boxed += low && high ? 1 : 0;
  }
  document["free"] = free;
  document["boxed"] = boxed;
}

void describe_scene(Json& document, const std::string& path) {
  const Scene scene = io::read_scene(path);
  document["format_version"] = io::kSceneVersion;
  document["scene"] = scene.name;
  document["title"] = scene.title;
  document["source"] = scene.source;
  document["frames"] = 0;
  document["bodies"] = scene.bodies.size();
  document["moving"] = std::count_if(scene.bodies.begin(), scene.bodies.end(),
                                     [](const Body& body) { return body.mass > 0; });
  document["joints"] = scene.joints.size();
  document["step"] = scene.step;
  document["steps"] = scene.steps;
  document["engine"] = nullptr;
}

// Of a comparison, if the file holds one.
std::optional<bench::Results> results_in(const std::string& file) {
  try {
    return bench::read_results(file);
  } catch (const io::InputError&) {
    return std::nullopt;
  }
}

void describe_results(Json& document, const bench::Results& results) {
  document["format"] = "results of perpend bench";
  document["format_version"] = kJsonVersion;
  document["title"] = results.title;
  document["campaign"] = results.campaign;
  document["solvers"] = Json::array();
  for (const bench::SolverEntry& solver : results.solvers)
    document["solvers"].push_back(solver.name);
  document["problems"] = results.problems.size();
  document["rows"] = results.rows.size();
  document["rows_planned"] = results.rows_planned;
}

// The first names of a list, and how many there are.
std::string some_names(const Json& names) {
  constexpr std::size_t kMost = 6;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    out += (i > 0 ? ", " : "") + io::printable(names[i].get<std::string>());
  return names.size() > kMost ? out + ", ... (" + std::to_string(names.size()) + ")" : out;
}

// The document as lines "key: value"; a spread reads "min .. median .. max".
void print_lines(const Json& document) {
  auto cell = [](const Json& value) -> std::string {
    if (value.is_string()) return io::printable(value.get<std::string>());
    if (value.is_number_float()) return brief(value.get<double>());
    return io::printable(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  };
  auto spread = [&](const Json& value) {
    return cell(value["min"]) + " | " + cell(value["median"]) + " | " + cell(value["max"]);
  };
  auto line = [&](const std::string& key, const Json& value) {
    if (value.empty() || (value.is_string() && value.get_ref<const std::string&>().empty())) return;
    const bool rare = key == "grouped_contacts" || key == "contacts_with_engine_bias" ||
                      key == "invalid_frames" || key == "answered_frames" || key == "shapes" ||
                      key == "events";
    if (rare && value == 0) return;
    if (value.is_object() && value.contains("median")) {
      if (!value["median"].is_null())
        std::cout << "  " << key << " (min | median | max): " << spread(value) << "\n";
    } else if (value.is_array()) {
      std::cout << "  " << key << ":\n";
      for (const Json& entry : value) std::cout << "    " << cell(entry) << "\n";
    } else {
      std::cout << "  " << key << ": " << cell(value) << "\n";
    }
  };
  std::cout << io::printable(document["file"].get<std::string>()) << "\n";
  for (const auto& [key, value] : document.items()) {
    if (key == "file" || key == "columns") continue;
    if (key == "per_frame" || key == "worst_recorded_errors") {
      const std::string suffix = key == "per_frame" ? " per frame" : ", worst recorded";
      for (const auto& [part, inner] : value.items()) line(part + suffix, inner);
    } else if (key == "body_names" || key == "joint_names") {
      line(key, some_names(value));
    } else if (key == "answered_by") {
      for (const auto& [who, frames] : value.items())
        line("frames answered by " + io::printable(who), frames);
    } else {
      line(key, value);
    }
  }
}

int run_info(const std::string& asked, bool json, const Globals& globals) {
  const Input input(asked);
  const std::vector<io::LeftPart> parts =
      input.path() == asked ? io::parts_of(asked) : std::vector<io::LeftPart>();
  const std::string file = found_recording(input.path(), parts, globals);
  Json document = {{"file", file == input.path() ? asked : file}, {"format", nullptr}};
  std::error_code ignored;
  document["bytes"] = std::filesystem::file_size(file, ignored);
  io::Kind kind{};
  try {
    kind = io::kind_of(file);
  } catch (const io::InputError&) {
    const std::optional<bench::Results> results = results_in(file);
    if (!results) throw;
    describe_results(document, *results);
    json ? print(document) : print_lines(document);
    return kSuccess;
  }
  document["format"] = name(kind);
  if (kind == io::Kind::fclib)
    describe_fclib(document, file);
  else if (kind == io::Kind::raw_problem)
    describe_raw(document, file);
  else if (kind == io::Kind::scene)
    describe_scene(document, file);
  else
    describe_frames(document, file, kind, globals);
  for (const io::LeftPart& part : parts)
    document["parts"].push_back(
        {{"file", part.path}, {"frames", part.frames}, {"being_written", part.writing}});
  json ? print(document) : print_lines(document);
  return kSuccess;
}

}  // namespace

void add_info(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("info", "Show what is in a file");
  struct Request {
    std::string file;
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option("FILE", request->file, "File of any kind; -: standard input")->required();
  add_json(*command, request->json);
  command->footer("Example:\n  perpend info recording.h5 --json");
  command->callback(
      [request, &globals, &exit] { exit = run_info(request->file, request->json, globals); });
}

}  // namespace perpend::app
