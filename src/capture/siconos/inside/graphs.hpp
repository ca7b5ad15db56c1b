// Siconos' graphs without the assertions of Debian's build.
#pragma once

namespace perpend::capture::from_siconos {

// Does nothing when called: a program that names it is linked with graphs.cpp.
void use_graphs_without_assertions();

}  // namespace perpend::capture::from_siconos
