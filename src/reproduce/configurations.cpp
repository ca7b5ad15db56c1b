// Silcowitz-Hansen et al. 2010, Table 1: bodies, constraints (rows of A) and rank of A of the nine
// configurations of Fig. 4, here those of the built-in scenes in their first step.
#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

Outcome run_configurations(const Settings& settings) {
  Outcome out;
  out.text =
      "The built-in scenes are built after the pictures of Fig. 4. Rows are the rows of A in the "
      "first step: three a contact and one for each row of a joint. The rank is the number of "
      "eigenvalues above 1e-8 of the largest.";
  out.tables.push_back({"configurations",
                        "Table 1: printed and ours",
                        {"configuration", "scene", "bodies, paper", "bodies", "rows, paper", "rows",
                         "rank, paper", "rank"},
                        {}});
  const auto list = configurations_of_table_1();
  struct Sizes {
    Index bodies = 0, moving = 0, rows = 0, rank = 0;
  };
  std::vector<Sizes> found(list.size());
  for_each(settings, list.size(), [&](std::size_t i) {
    const Scene scene = built_in(list[i].scene);
    const System system = assemble(first_frame(scene));
    found[i] = {static_cast<Index>(scene.bodies.size()), 0, system.rows(), rank(system)};
    for (const Body& body : scene.bodies) found[i].moving += body.mass > 0;
  });
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Configuration& one = list[i];
    const Sizes& ours = found[i];
    const std::string where = std::string("Table 1 (") + one.letter + ")";
    const std::string scene = std::string(one.scene) + ": ";
    const auto number = [](Index n) { return static_cast<double>(n); };
    out.claims.push_back({where, scene + "bodies, with floor and walls",
                          exactly(number(one.bodies)), number(ours.bodies),
                          std::to_string(ours.moving) + " of them move.", "", ""});
    out.claims.push_back(
        {where, scene + "constraints (rows of A)", exactly(number(one.rows)), number(ours.rows),
         std::to_string(ours.rows) + " rows in our first step.",
         "The paper shows a picture only: neither the exact places of the bodies nor how many "
         "points its contact detection keeps between two faces.",
         ""});
    std::string full = "Full rank would be " + std::to_string(6 * ours.moving) + ".";
    if (one.rank > 6 * ours.moving)
      full =
          "More than " + std::to_string(6 * ours.moving) + ", six for each of " +
          std::to_string(ours.moving) +
          " moving bodies, is impossible if five are fixed. The paper does not tell how many are.";
    out.claims.push_back({where, scene + "eigenvalues of A above zero", exactly(number(one.rank)),
                          number(ours.rank), full, "", ""});
    out.tables[0].rows.push_back({std::string(1, one.letter), one.scene, std::to_string(one.bodies),
                                  std::to_string(ours.bodies), std::to_string(one.rows),
                                  std::to_string(ours.rows), std::to_string(one.rank),
                                  std::to_string(ours.rank)});
  }
  return out;
}

}  // namespace

Experiment configurations() {
  return {"configurations", kNncgPaper, "Table 1", "the nine configurations", run_configurations};
}

}  // namespace perpend::reproduce
