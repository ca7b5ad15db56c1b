// perpend validate: every complaint about a file; exit code 1 when there is one.
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/base.hpp"
#include "perpend/io/files.hpp"
#include "perpend/sim.hpp"
#include "perpend/view.hpp"
#include "progress_bar.hpp"
#include "source.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

#ifdef PERPEND_HAS_VIEW
const auto repeat = view::rerun;  // runs that a hand was in as well
#else
const auto repeat = perpend::rerun;
#endif

struct Findings {
  std::vector<std::string> complaints;
  std::vector<std::string> notes;  // worth knowing, no reason to refuse the file
};

// Real recordings are not exactly symmetric; solvers here cope with it.
void look_at_symmetry(const System& system, Findings& findings) {
  const SparseMatrix A = to_sparse(system);
  const SparseMatrix difference = A - SparseMatrix(A.transpose());
  const double scale = A.nonZeros() == 0 ? 0 : A.coeffs().abs().maxCoeff();
  const double largest = difference.nonZeros() == 0 ? 0 : difference.coeffs().abs().maxCoeff();
  if (largest > 1e-12 * scale)
    findings.notes.push_back("A is not symmetric: max |A - A'| is " + brief(largest / scale) +
                             " of max |A|");
}

Findings look(const std::string& path, io::Kind kind) {
  Findings findings;
  try {
    if (kind == io::Kind::standard) {
      findings.complaints = io::validate(path, &findings.notes);
    } else if (kind == io::Kind::raw_problem) {
      io::read_raw_problem(path);
    } else if (kind == io::Kind::scene) {
      io::read_scene(path);
    } else {
      const auto source = io::open_source(path);
      for (Index frame = 0; frame < source->frames(); ++frame) {
        const io::Case problem = source->read(frame);
        if (!problem.system)
          findings.complaints.push_back(path + ": " + problem.refusal);
        else if (kind == io::Kind::fclib)
          look_at_symmetry(*problem.system, findings);
      }
    }
  } catch (const io::InputError& error) {
    findings.complaints.emplace_back(error.what());
  }
  return findings;
}

Json rerun_document(const Rerun& result, const std::string& file) {
  Json object{{"format_version", kJsonVersion}, {"file", file},
              {"scene", result.scene},          {"same", result.same()},
              {"version", result.version},      {"frames", result.frames},
              {"steps", result.steps},          {"state_hash", hexadecimal(result.state_hash)}};
  object["recorded_version"] =
      result.recorded_version.empty() ? Json(nullptr) : Json(result.recorded_version);
  if (!result.recorded_hash.empty()) object["recorded_hash"] = result.recorded_hash;
  if (result.first)
    object["difference"] = Json{{"frame", result.first->frame},
                                {"field", result.first->field},
                                {"row", result.first->row},
                                {"recorded", number(result.first->recorded)},
                                {"now", number(result.first->now)}};
  return object;
}

// Another version need not give the same bits.
std::string made_by(const Rerun& result) {
  return (result.recorded_version.empty() ? "made by an unknown version of perpend"
                                          : "made by perpend " + result.recorded_version) +
         ", this is " + result.version;
}

int run_again(const std::string& file, bool json, const Globals& globals) {
  const Patient patient;
  const Input input(file);
  if (io::kind_of(input.path()) != io::Kind::standard)
    throw io::InputError(file + ": is not a recording of perpend simulate");
  Rerun result;
  {
    std::unique_ptr<ProgressBar> bar;
    result = repeat(input.path(), globals.threads, [&](Index done, Index of) {
      if (!bar) bar = std::make_unique<ProgressBar>(globals, "steps", of);
      bar->show(done);
      return !interrupted();
    });
  }
  if (result.stopped) {
    note(globals,
         "stopped by " + stopped_by() + " after " + std::to_string(result.steps) + " steps");
    return kInterrupted;
  }
  const std::string shown = io::printable(file);
  if (!json && !result.same() && result.recorded_version != result.version)
    std::cout << shown << ": " << io::printable(made_by(result)) << "\n";
  if (json) {
    print(rerun_document(result, file));
  } else if (result.first) {
    const Rerun::Difference& d = *result.first;
    std::cout << shown << ": frame " << d.frame << ": " << d.field << " differs";
    if (d.row >= 0) std::cout << " in row " << d.row;
    std::cout << ": recorded " << full_number(d.recorded) << ", now " << full_number(d.now)
              << ", by " << brief(std::abs(d.now - d.recorded)) << "\n";
  } else if (!result.same()) {
    std::cout << shown << ": attribute state_hash differs: recorded "
              << io::printable(result.recorded_hash) << ", now " << hexadecimal(result.state_hash)
              << "; all " << result.frames << " frames are the same\n";
  } else if (!globals.quiet) {
    std::cout << shown << ": the same, bit for bit: " << result.frames << " frames, "
              << result.steps << " steps of " << io::printable(result.scene) << ", state hash "
              << hexadecimal(result.state_hash) << "\n";
  }
  return result.same() ? kSuccess : kFailed;
}

int run_validate(const std::string& file, bool json, const Globals& globals) {
  const Input input(file);
  const io::Kind kind = io::kind_of(input.path());
  Findings findings = look(input.path(), kind);
  for (std::string& complaint : findings.complaints) complaint = as_named(complaint);
  const bool valid = findings.complaints.empty();
  if (json) {
    print(Json{{"format_version", kJsonVersion},
               {"file", file},
               {"format", name(kind)},
               {"valid", valid},
               {"complaints", findings.complaints},
               {"notes", findings.notes}});
  } else {
    for (const std::string& complaint : findings.complaints)
      std::cout << io::printable(complaint) << "\n";
    if (!globals.quiet) {
      for (const std::string& text : findings.notes)
        std::cout << "note: " << io::printable(text) << "\n";
      if (valid) std::cout << io::printable(file) << ": valid (" << name(kind) << ")\n";
    }
  }
  return valid ? kSuccess : kFailed;
}

}  // namespace

void add_validate(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("validate", "Check a file and list every problem");
  struct Request {
    std::string file;
    bool json = false, rerun = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option("FILE", request->file, "File of any kind; -: standard input")->required();
  command->add_flag("--rerun", request->rerun,
                    "Repeat a recording of perpend simulate and compare it bit for bit");
  add_json(*command, request->json);
  command->footer(
      "Exits 1 if there is a problem (--rerun: a difference), 2 if the file cannot be read\n"
      "(--rerun: or does not say how it was made).\n\n"
      "Example:\n  perpend validate recording.h5\n  perpend validate --rerun recording.h5");
  command->callback([request, &globals, &exit] {
    exit = (request->rerun ? run_again : run_validate)(request->file, request->json, globals);
  });
}

}  // namespace perpend::app
