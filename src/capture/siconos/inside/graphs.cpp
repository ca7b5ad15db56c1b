// Siconos' graphs of bodies and of interactions without their assertions.
//
// They are templates of Siconos' headers. Debian's library was compiled with assertions, of which
// those of a graph walk through all of it whenever a contact comes or goes: with 700 contacts they
// are 98 % of a step. Compiled here once more, with NDEBUG, they are those that the whole program
// uses, the library included: the same code, the same results.
#include "capture/siconos/inside/graphs.hpp"

#ifdef NDEBUG

// First of all: it names the classes that the visitors of Siconos' kernel are to know.
#include <siconos/mechanics/MechanicsFwd.hpp>
//
#include <siconos/kernel/SimulationGraphs.hpp>

using Interactions = SiconosGraph<SP::Interaction, SP::DynamicalSystem, InteractionProperties,
                                  DynamicalSystemProperties, GraphProperties>;
using Systems = SiconosGraph<SP::DynamicalSystem, SP::Interaction, DynamicalSystemProperties,
                             InteractionProperties, GraphProperties>;

template class SiconosGraph<SP::Interaction, SP::DynamicalSystem, InteractionProperties,
                            DynamicalSystemProperties, GraphProperties>;
template class SiconosGraph<SP::DynamicalSystem, SP::Interaction, DynamicalSystemProperties,
                            InteractionProperties, GraphProperties>;
template void Interactions::copy_vertex(const SP::Interaction&, InteractionsGraph&);
template std::pair<Systems::EDescriptor, InteractionsGraph::VDescriptor> Systems::add_edge(
    const Systems::VDescriptor&, const Systems::VDescriptor&, const SP::Interaction&,
    InteractionsGraph&);

#endif

namespace perpend::capture::from_siconos {

void use_graphs_without_assertions() {}

}  // namespace perpend::capture::from_siconos
