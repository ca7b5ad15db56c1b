// perpend doctor: what is wrong with a recording, and what would help.
#include "perpend/doctor.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/host.hpp"
#include "perpend/io/files.hpp"
#include "progress_bar.hpp"
#include "share.hpp"
#include "source.hpp"
#include "standard_file.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

struct DoctorRequest {
  std::string file, other, frames, page, out;
  bool json = false, list = false;
};

Json finding_json(const doctor::Finding& f) {
  return Json{{"id", f.verdict->id},
              {"class", name(f.verdict->blame)},
              {"title", f.verdict->title},
              {"frame", f.frame},
              {"where", f.where},
              {"value", number(f.value)},
              {"unit", f.unit},
              {"says", f.says},
              {"proof", f.proof},
              {"change", f.change},
              {"predicted", f.predicted},
              {"predicted_value", number(f.predicted_value)}};
}

Json doctor_json(const DoctorRequest& request, const doctor::Diagnosis& diagnosis) {
  const std::vector<std::string> verdict = diagnosis.verdict();
  Json findings = Json::array(), missing = Json::array();
  for (const doctor::Finding& f : diagnosis.findings) findings.push_back(finding_json(f));
  for (const doctor::Missing& m : diagnosis.missing)
    missing.push_back(Json{{"dataset", m.dataset}, {"without", m.without}});
  Json numbers = Json::object();
  for (const doctor::Number& one : diagnosis.numbers) numbers[one.name] = number(one.value);
  return Json{{"format_version", kJsonVersion},
              {"file", request.file},
              {"verdict", verdict.size() == 1 ? Json(verdict.front()) : Json(verdict)},
              {"findings", findings},
              {"missing", missing},
              {"frames", diagnosis.frames},
              {"numbers", numbers}};
}

void print_findings(const DoctorRequest& request, const doctor::Diagnosis& diagnosis) {
  std::string words;
  for (const std::string& word : diagnosis.verdict())
    words += (words.empty() ? "" : ", ") + (word == "cannot_tell" ? "cannot tell" : word);
  std::cout << "verdict: " << words << " (" << diagnosis.frames << " frames of "
            << io::printable(request.file) << ")\n";
  std::string errors;  // as in the row `recorded` of perpend solve
  for (const doctor::Number& one : diagnosis.numbers)
    if (std::isfinite(one.value) && (one.name == "own_error" || one.name == "velocity_error"))
      errors += (errors.empty() ? "" : ", ") + one.name + " " + brief(one.value) + " " + one.unit;
  if (!errors.empty()) std::cout << "recorded: worst " << errors << "\n";
  for (const doctor::Finding& f : diagnosis.findings)
    std::cout << "\n"
              << f.verdict->title << " [" << f.verdict->id << ", " << name(f.verdict->blame)
              << "]\n  frame " << f.frame << ", " << io::printable(f.where) << ": "
              << brief(f.value) << (f.unit.empty() ? "" : " ") << f.unit << "\n  "
              << io::printable(f.says) << "\n  proof:  " << io::printable(f.proof)
              << "\n  change: " << f.change << "\n  then:   " << f.predicted << "\n";
  for (const doctor::Missing& m : diagnosis.missing)
    std::cout << "\nmissing " << m.dataset << ": " << m.without << "\n";
}

void print_verdicts(bool json) {
  if (json) {
    Json list = Json::array();
    for (const doctor::Verdict& one : doctor::verdicts())
      list.push_back(Json{{"id", one.id},
                          {"class", name(one.blame)},
                          {"title", one.title},
                          {"sign", one.sign},
                          {"change", one.change}});
    return print(Json{{"format_version", kJsonVersion}, {"verdicts", list}});
  }
  Table table;
  for (const char* title : {"id", "class", "title"}) table.column(title, Table::Align::left);
  for (const doctor::Verdict& one : doctor::verdicts())
    table.row({one.id, std::string(name(one.blame)), one.title});
  table.print(std::cout);
}

doctor::Recording recording_of(const std::string& path) {
  const io::Kind kind = io::kind_of(path);
  if (kind == io::Kind::raw_problem || kind == io::Kind::scene)
    throw UsageError(path + ": is a " + std::string(name(kind)) +
                     "; the doctor reads recordings (perpend simulate or capture, --out FILE.h5)");
  const auto frames = std::make_shared<Frames>(open_frames(path, kind));
  doctor::Recording out;
  out.frames = frames->count;
  out.model = frames->model;
  if (frames->names) out.names = *frames->names;
  out.read = [frames](Index frame) { return frames->read(frame); };
  return out;
}

std::string page_path(const DoctorRequest& request) {
  if (request.out.empty()) return request.page;
  std::error_code failed;
  std::filesystem::create_directories(request.out, failed);
  if (failed) throw UsageError("--out: " + request.out + ": " + failed.message());
  return request.out + "/index.html";
}

// The frames of the findings as a page that plays them, beside the page that links to it. Empty:
// this program makes none, or nobody asked for a folder.
std::string viewer_beside(const DoctorRequest& request, const std::string& path,
                          const doctor::Diagnosis& diagnosis, const Globals& globals) {
  const bool bodies =
      std::none_of(diagnosis.missing.begin(), diagnosis.missing.end(),
                   [](const doctor::Missing& missing) { return missing.dataset == "/bodies"; });
  if (request.out.empty() || diagnosis.findings.empty() || !bodies || !makes_pages()) return {};
  std::set<Index> frames;
  for (const doctor::Finding& f : diagnosis.findings) frames.insert(f.frame);
  SharedPage page({request.out + "/frames.html", false});
  page.write({{path, request.file, std::vector<Index>(frames.begin(), frames.end())}}, globals);
  return "frames.html";
}

doctor::Diagnosis examined(const DoctorRequest& request, const std::string& path,
                           const Globals& globals) {
  const doctor::Recording recording = recording_of(path);
  ThreadPool pool(globals.threads);
  doctor::Settings settings;
  if (!request.frames.empty())
    settings.frames = select_frames(request.frames, request.file, *io::open_source(path), globals);
  settings.executor = &pool;
  settings.cancelled = interrupted;
  std::optional<doctor::Recording> second;
  if (!request.other.empty()) second = recording_of(request.other);
  const Index total =
      settings.frames.empty() ? recording.frames : static_cast<Index>(settings.frames.size());
  ProgressBar bar(globals, "frames", static_cast<long>(total));
  settings.progress = [&](Index done) { bar.show(static_cast<long>(done)); };
  doctor::Diagnosis out = doctor::diagnose(recording, settings);
  if (second && !out.stopped)
    if (auto parted = doctor::compare(recording, *second, settings))
      out.findings.push_back(std::move(*parted));
  return out;
}

int run_doctor(const DoctorRequest& request, const Globals& globals) {
  if (request.list) {
    print_verdicts(request.json);
    return kSuccess;
  }
  if (request.file.empty()) throw UsageError("FILE is required (see perpend doctor --help)");
  const Patient patient;
  const Input input(request.file);
  std::optional<Output> page;  // opened now, so that a bad name is refused at once
  if (const std::string path = page_path(request); !path.empty())
    page.emplace(path, io::OutputFile::Content::text);

  doctor::Diagnosis diagnosis;
  try {
    diagnosis = examined(request, input.path(), globals);
  } catch (const io::InputError& error) {
    if (error.missing().empty()) throw;
    diagnosis.answers = false;
    diagnosis.missing.push_back({error.missing(), "no frame can be examined"});
  }
  if (diagnosis.stopped || interrupted()) {
    note(globals, "stopped by " + stopped_by() + "; there is no verdict");
    return kInterrupted;
  }
  if (page) {
    const std::string viewer = viewer_beside(request, input.path(), diagnosis, globals);
    page->write(doctor::html(diagnosis, io::printable(request.file), viewer));
    page->commit();
  }
  request.json ? print(doctor_json(request, diagnosis)) : print_findings(request, diagnosis);
  if (page && !request.json) std::cout << "\n" << io::printable(page->target()) << "\n";
  return diagnosis.verdict().front() == "sound" ? kSuccess : kFailed;
}

}  // namespace

void add_doctor(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "doctor", "Say what is wrong with a recording: model, solver or geometry");
  const auto request = std::make_shared<DoctorRequest>();
  command->add_option("FILE", request->file,
                      "Standard file, JSON lines or FCLIB file; -: standard input");
  command->add_option("FILE2", request->other,
                      "A second recording: where does it leave the first one?");
  command
      ->add_option("--frames", request->frames,
                   "K, A-B, most-contacts:N, or worst:N (largest velocity_error) [all]")
      ->type_name("SELECTION");
  CLI::Option* page = command->add_option("--page", request->page, "Write a page with plots")
                          ->type_name("FILE.html");
  command
      ->add_option("--out", request->out,
                   "Folder for the page, index.html, and the frames that it names, to look at")
      ->type_name("DIR")
      ->excludes(page);
  command->add_flag("--list", request->list, "List the verdicts and end");
  add_json(*command, request->json);
  command->footer(
      "Exits 0 if the recording is sound, else 1.\n\n"
      "Example:\n  perpend doctor run.h5 --page doctor.html\n"
      "  perpend doctor first.h5 second.h5");
  command->callback([request, &globals, &exit] { exit = run_doctor(*request, globals); });
}

}  // namespace perpend::app
