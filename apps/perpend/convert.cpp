// perpend convert: standard file <-> FCLIB <-> JSON lines.
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/io/files.hpp"
#include "progress_bar.hpp"
#include "source.hpp"
#include "standard_file.hpp"

namespace perpend::app {
namespace {

struct ConvertRequest {
  std::string in, out, to, layout, frames;
  std::string path;           // of IN to be opened: standard input is kept in one
  std::vector<Index> chosen;  // of --frames; all when it is not given
  bool global = false, local = false, json = false;
};

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

io::Kind target(const ConvertRequest& request) {
  if (request.to == "standard") return io::Kind::standard;
  if (request.to == "fclib") return io::Kind::fclib;
  if (request.to == "jsonl") return io::Kind::json_lines;
  for (const char* end : {".fclib.h5", ".fclib.hdf5"})
    if (ends_with(request.out, end)) return io::Kind::fclib;
  for (const char* end : {".h5", ".hdf5"})
    if (ends_with(request.out, end)) return io::Kind::standard;
  if (ends_with(request.out, ".jsonl")) return io::Kind::json_lines;
  if (!io::destination_of(request.out).plain) return io::Kind::json_lines;
  throw UsageError(request.out +
                   ": unknown file name ending (.h5, .hdf5, .fclib.h5, .fclib.hdf5, .jsonl); use "
                   "--to standard|fclib|jsonl");
}

Index to_fclib(const ConvertRequest& request, const std::string& path) {
  const auto source = io::open_source(request.path);
  if (request.chosen.size() != 1)
    throw UsageError(request.in + ": has " + std::to_string(source->frames()) +
                     " frames, but an FCLIB file has one problem; choose one with --frames K");
  const Index frame = request.chosen.front();
  const io::Case problem = source->read(frame);
  if (!problem.system) throw UsageError(request.in + ": " + problem.refusal);
  const bool can = problem.system->dynamics.has_value();
  if (request.global && !can)
    throw UsageError("--global: " + request.in + " is a local problem: it has only A and b");
  const auto* body_space = std::get_if<BodySpace>(&problem.system->A);
  if (request.global && body_space != nullptr && body_space->cfm.size() > 0)
    throw UsageError("--global: " + request.in + ": frame " + std::to_string(frame) +
                     " has springs or servos (/constraints/compliance), which a global problem "
                     "cannot store; a local one can");
  std::string title = problem.title;
  if (title.empty()) title = request.in + " frame " + std::to_string(frame);
  // A problem without bodies keeps its kind unless told otherwise; a frame becomes a local one.
  const bool keep = problem.counts.bodies == 0 && !request.local;
  io::write_fclib(*problem.system, path, can && (request.global || keep), title);
  return 1;
}

Index to_json_lines(const ConvertRequest& request, io::Kind from, Output& out,
                    const Globals& globals) {
  const Frames frames = open_frames(request.path, from);
  ProgressBar bar(globals, "frames", static_cast<Index>(request.chosen.size()));
  Index done = 0;
  for (const Index frame : request.chosen) {
    if (interrupted()) break;
    const io::Record record = read_frame(frames, frame, done == 0);
    const std::string where = request.in + ": frame " + std::to_string(frame);
    if (record.system.b.size() > 0 && record.frame.bodies.count() == 0)
      throw UsageError(where + " has no bodies and cannot be written as JSON lines");
    const std::string reason = invalid(record.frame);
    if (!reason.empty()) throw UsageError(where + ": " + reason);
    out.write(io::to_json_line(record) + "\n");  // frame by frame: recordings are long
    bar.show(++done);
  }
  return done;
}

Index to_standard(const ConvertRequest& request, io::Kind from, const std::string& path) {
  const Frames frames = open_frames(request.path, from);
  if (request.layout != "frames") {
    write_standard(frames, request.chosen, path, interrupted);
  } else {
    // The hierarchy is written from a reader: of the input itself, or of a column file made first.
    const bool direct = from == io::Kind::standard && request.frames.empty();
    const Output columns(path, Output::Content::hdf5);
    if (!direct) write_standard(frames, request.chosen, columns.path(), interrupted);
    io::write_frames_layout(io::FrameReader(direct ? request.path : columns.path()), path);
  }
  if (from == io::Kind::standard) copy_solutions(request.path, request.chosen, path);
  return static_cast<Index>(request.chosen.size());
}

int run_convert(ConvertRequest& request, const Globals& globals) {
  const Patient patient;
  if (request.global && request.local) throw UsageError("give only one of --global and --local");
  const io::Kind to = target(request);
  if (to != io::Kind::fclib && (request.global || request.local))
    throw UsageError("--global and --local are for FCLIB files");
  if (to != io::Kind::standard && !request.layout.empty())
    throw UsageError("--layout is for standard files");
  if (to != io::Kind::json_lines) check_target(request.out);
  const Input in(request.in);
  request.path = in.path();
  const io::Kind from = io::kind_of(request.path);
  if (from == io::Kind::raw_problem)
    throw UsageError(request.in + ": a raw problem cannot be converted");
  if (from == io::Kind::scene)
    throw UsageError(request.in + ": a scene has no frames yet; simulate it with --out first");
  request.chosen =
      select_frames(request.frames, request.in, *io::open_source(request.path), globals);

  Output out(request.out,
             to == io::Kind::json_lines ? Output::Content::text : Output::Content::hdf5);
  Index frames = 0;
  try {
    if (to == io::Kind::fclib) frames = to_fclib(request, out.path());
    if (to == io::Kind::json_lines) frames = to_json_lines(request, from, out, globals);
    if (to == io::Kind::standard) frames = to_standard(request, from, out.path());
  } catch (const io::InputError& error) {
    throw UsageError(out.about_target(error.what()));
  }
  if (interrupted()) return kInterrupted;
  out.commit();

  if (request.json)
    print(Json{{"format_version", kJsonVersion},
               {"in", request.in},
               {"from", name(from)},
               {"out", request.out},
               {"to", name(to)},
               {"frames", frames}});
  else if (!globals.quiet)
    std::cout << io::printable(request.out) << ": " << frames
              << (frames == 1 ? " frame\n" : " frames\n");
  return kSuccess;
}

}  // namespace

void add_convert(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("convert", "Convert between standard file, FCLIB and JSON lines");
  const auto request = std::make_shared<ConvertRequest>();
  command->add_option("IN", request->in, "File to read, of any kind; -: standard input")
      ->required();
  command
      ->add_option("OUT", request->out,
                   "File to write: .h5 .hdf5 standard, .fclib.h5 .fclib.hdf5 FCLIB, .jsonl "
                   "JSON lines; -: JSON lines to standard output")
      ->required();
  command->add_option("--to", request->to, "Format of OUT [by its name]")
      ->check(CLI::IsMember({"standard", "fclib", "jsonl"}));
  command
      ->add_option("--layout", request->layout,
                   "For standard files: columns [default] or frames (/frames/000000/...)")
      ->check(CLI::IsMember({"columns", "frames"}));
  command
      ->add_option("--frames,--frame", request->frames,
                   "K (counted from 0), A-B, most-contacts:N, or worst:N [all]")
      ->type_name("SELECTION");
  command->add_flag("--global", request->global, "FCLIB: M, H and f (needs bodies)");
  command->add_flag("--local", request->local, "FCLIB: A and b");
  add_json(*command, request->json);
  command->footer("Example:\n  perpend convert recording.h5 frame17.fclib.h5 --frames 17 --global");
  command->callback([request, &globals, &exit] { exit = run_convert(*request, globals); });
}

}  // namespace perpend::app
