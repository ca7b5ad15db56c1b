// perpend measure: the errors of answers that came from elsewhere, by the same functions as those
// of every solver.
#include "perpend/measure.hpp"

#include <cmath>
#include <cstring>
#include <iostream>
#include <sstream>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "source.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct MeasureRequest {
  std::string file, frames, impulses, error;
  double tolerance = -1;
  bool json = false;
};

// Numbers of a text, line by line: commas, semicolons and blanks part them. A first line of words
// is a title.
std::vector<double> numbers_of_csv(const std::string& text, const std::string& path) {
  std::vector<double> all;
  std::istringstream lines(text);
  std::string line;
  for (long number = 1; std::getline(lines, line); ++number) {
    for (char& letter : line)
      if (letter == ',' || letter == ';' || letter == '\t' || letter == '\r') letter = ' ';
    std::istringstream words(line);
    std::string word;
    for (bool first = true; words >> word; first = false) {
      char* end = nullptr;
      const double value = std::strtod(word.c_str(), &end);
      if (*end == '\0') {
        all.push_back(value);
        continue;
      }
      if (number == 1 && first) break;
      throw io::InputError(path + ": line " + std::to_string(number) + ": '" + word +
                           "' is not a number");
    }
  }
  return all;
}

// numpy's format, version 1 to 3: a header that tells type and shape, then the numbers.
std::vector<double> numbers_of_npy(const std::string& bytes, const std::string& path) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const auto wrong = [&](const std::string& why) { return io::InputError(path + ": " + why); };
  if (bytes.size() < 12) throw wrong("is cut off");
  const std::size_t wide = byte(6) >= 2 ? 4 : 2, begin = 8 + wide;
  std::size_t length = 0;
  for (std::size_t i = wide; i-- > 0;) length = 256 * length + byte(8 + i);
  if (length > bytes.size() - begin) throw wrong("is cut off");
  const std::string header = bytes.substr(begin, length);
  if (header.find("'<f8'") == std::string::npos) throw wrong("holds no numbers of type float64");
  if (header.find("'fortran_order': True") != std::string::npos)
    throw wrong("is stored by columns; save numpy.ascontiguousarray(x)");
  const std::size_t left = bytes.size() - begin - length;
  if (left % sizeof(double) != 0) throw wrong("is cut off");
  std::vector<double> all(left / sizeof(double));
  if (left > 0) std::memcpy(all.data(), bytes.data() + begin + length, left);
  return all;
}

std::vector<double> read_impulses(const std::string& path) {
  const std::string bytes = io::read_text(path);
  return bytes.starts_with("\x93NUMPY") ? numbers_of_npy(bytes, path) : numbers_of_csv(bytes, path);
}

// One frame's part of --impulses: (n, t, o) of each contact of the frame, then its joint rows.
Impulses take(const std::vector<double>& all, std::size_t& at, const System& system,
              const std::string& where) {
  const Index m = system.frame_contacts, r = system.joint_rows();
  const auto count = static_cast<std::size_t>(3 * m + r);
  if (all.size() - at < count)
    throw io::InputError(where + " needs " + std::to_string(count) + " numbers, 3 for each of " +
                         std::to_string(m) + " contacts and 1 for each of " + std::to_string(r) +
                         " joint rows; " + std::to_string(all.size() - at) + " are left");
  const Rows3 z = Eigen::Map<const Rows3>(all.data() + at, m, 3);
  const VectorXd joints = Eigen::Map<const VectorXd>(all.data() + at + 3 * m, r);
  at += count;
  if (!z.allFinite() || !joints.allFinite())
    throw io::InputError(where + ": an impulse is not finite");
  return from_rows(system, z, joints);
}

struct Measured {
  Index frame;
  std::string title;
  io::FrameCounts counts;
  Errors errors;
  double rounding, energy;
};

int run_measure(const MeasureRequest& request, const Globals& globals) {
  const auto asked = measure_named(request.error);
  if (!asked || *asked == Measure::own_error || *asked == Measure::lcp_merit) {
    std::string known;
    for (const MeasureInfo& one : measures())
      if (one.measure != Measure::own_error && one.measure != Measure::lcp_merit)
        known.append(known.empty() ? "" : ", ").append(one.name);
    throw UsageError("--error: '" + request.error +
                     "' is no error of impulses; choose one of: " + known);
  }
  const Input input(request.file);
  const auto source = io::open_source(input.path());
  std::vector<double> given;
  if (!request.impulses.empty()) given = read_impulses(request.impulses);
  std::size_t at = 0;
  std::vector<Measured> all;
  for (const Index frame : select_frames(request.frames, request.file, *source, globals)) {
    const io::Case problem = source->read(frame);
    if (!problem.system) throw io::InputError(problem.refusal);
    const std::string where = request.file + ": frame " + std::to_string(frame);
    const Impulses impulses = request.impulses.empty()
                                  ? io::recorded(problem)
                                  : take(given, at, *problem.system,
                                         request.impulses + ": frame " + std::to_string(frame));
    if (impulses.size() != problem.system->rows())
      throw io::InputError(where + ": has no answer (/solution/z); give one with --impulses");
    all.push_back({frame, problem.title, problem.counts, measure(*problem.system, impulses),
                   bounded_velocity_error(*problem.system, impulses).rounding,
                   impulse_energy(*problem.system, impulses)});
  }
  if (at != given.size())
    throw io::InputError(request.impulses + ": has " + std::to_string(given.size()) +
                         " numbers, the frames need " + std::to_string(at));
  bool met = true;
  for (const Measured& one : all)
    met = met && (request.tolerance < 0 || one.errors[*asked] <= request.tolerance);

  if (request.json) {
    Json document{{"format_version", kJsonVersion}, {"file", request.file}};
    if (!request.impulses.empty()) document["impulses"] = request.impulses;
    document["results"] = Json::array();
    for (const Measured& one : all)
      document["results"].push_back({{"frame", one.frame},
                                     {"contacts", one.counts.contacts},
                                     {"joints", one.counts.joints},
                                     {"errors", errors(one.errors)},
                                     {"rounding", number(one.rounding)},
                                     {"impulse_energy", number(one.energy)}});
    print(document);
  } else {
    Table table;
    table.column("frame");
    table.column("contacts");
    for (const MeasureInfo& one : measures())
      if (one.measure != Measure::own_error && one.measure != Measure::lcp_merit)
        table.column(std::string(one.name));
    for (const Measured& one : all) {
      std::vector<std::string> cells{std::to_string(one.frame),
                                     std::to_string(one.counts.contacts)};
      for (const MeasureInfo& m : measures())
        if (m.measure != Measure::own_error && m.measure != Measure::lcp_merit)
          cells.push_back(brief(one.errors[m.measure]));
      table.row(std::move(cells));
    }
    table.print(std::cout);
  }
  if (met) return kSuccess;
  note(globals, "an answer misses the tolerance " + brief(request.tolerance) + " in " +
                    std::string(name(*asked)));
  return kFailed;
}

}  // namespace

void add_measure(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("measure", "Measure answers that came from elsewhere");
  const auto request = std::make_shared<MeasureRequest>();
  command
      ->add_option("FILE", request->file,
                   "Standard file, FCLIB file or JSON lines; -: standard input")
      ->required();
  command
      ->add_option("--impulses", request->impulses,
                   "The answer: CSV or .npy, for each frame n, t, o of every contact, then the "
                   "joint rows, N s [the answer recorded in FILE]")
      ->type_name("FILE");
  command
      ->add_option("--frames", request->frames,
                   "K, A-B, most-contacts:N, or worst:N (largest velocity_error of recorded "
                   "answers) [all]")
      ->type_name("SELECTION");
  command->add_option("--tolerance", request->tolerance, "Exit 1 if the error is larger [none]")
      ->check(CLI::NonNegativeNumber.description(""))
      ->type_name("T");
  request->error = "velocity_error";
  command->add_option("--error", request->error, "The error that --tolerance is about")
      ->type_name("NAME")
      ->capture_default_str();
  add_json(*command, request->json);
  command->footer(
      "Exits 1 if an answer misses the tolerance.\n\n"
      "Example:\n  perpend measure frame.jsonl --impulses mine.csv --tolerance 1e-6");
  command->callback([request, &globals, &exit] { exit = run_measure(*request, globals); });
}

}  // namespace perpend::app
