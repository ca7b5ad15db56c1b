// Silcowitz-Hansen et al. 2010, Table 1: bodies, constraints (rows of A) and rank of A of the nine
// configurations of Fig. 4, here those of the built-in scenes in their first step.
#include <algorithm>

#include "reproduce/kit.hpp"

namespace perpend::reproduce {
namespace {

Outcome run_configurations(const Settings& settings) {
  Outcome out;
  out.text =
      "The paper shows pictures of the nine configurations (Fig. 4) and prints how many bodies, "
      "rows and positive eigenvalues each has. The built-in scenes are the simplest arrangements "
      "found that look like the pictures and have these numbers. Rows are the rows of A in the "
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
    out.claims.push_back({where, scene + "constraints (rows of A)", exactly(number(one.rows)),
                          number(ours.rows), one.arrangement, "", ""});
    Claim rank{where,
               scene + "eigenvalues of A above zero",
               exactly(number(one.rank)),
               number(ours.rank),
               "Six for each of " + std::to_string(ours.moving) + " moving bodies are " +
                   std::to_string(6 * ours.moving) + ".",
               "",
               ""};
    if (one.rank > 6 * ours.moving)
      rank.left_out =
          "its ε, nor which bodies are fixed here (five in the other configurations): six for each "
          "moving body is the most there can be";
    out.claims.push_back(rank);
    out.tables[0].rows.push_back({std::string(1, one.letter), one.scene, std::to_string(one.bodies),
                                  std::to_string(ours.bodies), std::to_string(one.rows),
                                  std::to_string(ours.rows), std::to_string(one.rank),
                                  std::to_string(ours.rank)});
  }
  const auto more = std::count_if(found.begin(), found.end(),
                                  [&](const Sizes& other) { return other.rows > found[0].rows; });
  out.claims.push_back({"Section 5", "slope: place among the nine by its contacts", exactly(1),
                        static_cast<double>(more + 1),
                        "“This test case has the highest amount of contact points; see Table 1.”",
                        "The table itself gives (b), (d) and (e) more rows.", ""});
  return out;
}

}  // namespace

Experiment configurations() {
  return {"configurations", kNncgPaper, "Table 1", "the nine configurations", run_configurations};
}

}  // namespace perpend::reproduce
