// SCENE on the command line: a built-in name, the path of a scene file or of a model, or - for
// standard input.
#pragma once

#include <string>

#include "command.hpp"
#include "common_options.hpp"
#include "perpend/scene.hpp"

namespace perpend::app {

// A built-in name wins over a file of the same name; a path with a slash is never a name. Throws
// UsageError or io::InputError, one line, for what is neither. The seed is that of built-in scenes;
// a file has its own. A model is imported, and a note tells what it lost.
Scene scene_argument(const std::string& text, const Globals&, const SceneOptions& = {});

}  // namespace perpend::app
