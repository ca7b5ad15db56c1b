// perpend-import, the program beside this one that reads models of others.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "json.hpp"
#include "perpend/scene.hpp"

namespace perpend::app {

struct ImportLimits {
  double memory = 4e9;  // bytes
  double seconds = 60;  // of processor time
};

struct ImportedModel {
  Scene scene;
  Json report;  // docs/import.md
};

// Throws UsageError: one line that names file and line.
ImportedModel imported(const std::string& path, const std::vector<std::string>& options,
                       const ImportLimits&);
// What comes over, as JSON.
Json imported_tags();
// The formats it reads; empty: it was not built.
std::string imported_formats();

// A model and no scene, by its beginning or ending.
bool is_model(const std::string& path);
// One line on what a scene made of a model lacks; for commands that take the model directly.
void tell_import(const ImportedModel&, const Globals&);

}  // namespace perpend::app
