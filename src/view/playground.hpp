// What the page of the playground (web/view/src/playground) offers beside its own small problems:
// the sample frames, and single steps of scenes.
#pragma once

#include <functional>
#include <string>

namespace perpend::view {

// {examples: [{group, name, title, words, text}]}, where the text is JSON lines. Scenes are
// simulated for it, which takes seconds; empty where `stop` said so meanwhile.
std::string playground_examples(const std::function<bool()>& stop);

}  // namespace perpend::view
