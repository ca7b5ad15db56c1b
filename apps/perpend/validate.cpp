// perpend validate: every complaint about a file; exit code 1 when there is one.
#include <cmath>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "json.hpp"
#include "source.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

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
      findings.complaints = io::validate(path);
    } else if (kind == io::Kind::raw_problem) {
      io::read_raw_problem(path);
    } else if (kind == io::Kind::scene) {
      io::read_scene(path);
    } else {
      const auto source = io::open_source(path, kind);
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

int run(const std::string& file, bool json, const Globals& globals) {
  const io::Kind kind = io::kind_of(file);
  const Findings findings = look(file, kind);
  const bool valid = findings.complaints.empty();
  if (json) {
    print(Json{{"format_version", kJsonVersion},
               {"file", file},
               {"format", name(kind)},
               {"valid", valid},
               {"complaints", findings.complaints},
               {"notes", findings.notes}});
  } else {
    for (const std::string& complaint : findings.complaints) std::cout << complaint << "\n";
    if (!globals.quiet) {
      for (const std::string& text : findings.notes) std::cout << "note: " << text << "\n";
      if (valid) std::cout << file << ": valid (" << name(kind) << ")\n";
    }
  }
  return valid ? kSuccess : kFailed;
}

}  // namespace

void add_validate(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand("validate", "Every complaint about a file");
  struct Request {
    std::string file;
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option("FILE", request->file, "File of any kind")->required();
  command->add_flag("--json", request->json, "Print one JSON document");
  command->footer(
      "Exits 1 when there is a complaint, 2 when the file cannot be read at all.\n\n"
      "Example:\n  perpend validate recording.h5");
  command->callback(
      [request, &globals, &exit] { exit = run(request->file, request->json, globals); });
}

}  // namespace perpend::app
