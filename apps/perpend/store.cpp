// perpend solve --out: a copy of the file with /solutions/<solver>/ added, complete or not there.
#include "output.hpp"
#include "perpend/io.hpp"
#include "solve.hpp"
#include "standard_file.hpp"

namespace perpend::app {
namespace {

io::StoredSolution collect(std::size_t solver, const ChosenSolver& chosen,
                           std::vector<Outcome>& outcomes) {
  io::StoredSolution solution;
  solution.name = chosen.info->name;
  const std::string_view formulation = chosen.info->formulation();
  if (formulation == "lcp" || formulation == "mlcp") solution.facets = chosen.options.facets;
  for (Outcome& outcome : outcomes)
    for (SolverAnswer& answered : outcome.answers) {
      // Without impulses (invalid frame, too large) there is nothing to keep.
      const bool impulses = answered.z.rows() == outcome.counts.contacts &&
                            answered.z_joints.size() == outcome.counts.joint_rows;
      if (answered.solver != solver || !impulses) continue;
      solution.frames.push_back(outcome.frame);
      solution.z.push_back(std::move(answered.z));
      solution.z_joints.push_back(std::move(answered.z_joints));
      solution.results.push_back(std::move(answered.result));
    }
  return solution;
}

}  // namespace

void store(const SolveRequest& request, io::Kind kind, const std::vector<ChosenSolver>& chosen,
           std::vector<Outcome> outcomes) {
  Output out(request.out, Output::Content::hdf5);
  // From the copy to the renaming nobody else changes the file: two who add to it lose nothing.
  const io::FolderLock turn(out.place().path);
  try {
    write_standard_copy(request.path, kind, out);
    for (std::size_t s = 0; s < chosen.size(); ++s) {
      if (chosen[s].info == &io::recorded_solver()) continue;  // the file has it
      const io::StoredSolution solution = collect(s, chosen[s], outcomes);
      if (!solution.frames.empty()) io::put_solution(out.path(), solution, request.out);
    }
  } catch (const io::InputError& error) {
    throw UsageError(out.about_target(error.what()));
  }
  out.commit();
}

}  // namespace perpend::app
