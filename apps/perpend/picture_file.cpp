#include "picture_file.hpp"

#include <algorithm>

#include "command.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::app {
namespace {

// What cannot be written at all is taken for a plain file: its ending is told first.
bool plain(const std::string& path) {
  try {
    return io::destination_of(path).plain;
  } catch (const io::InputError&) {
    return true;
  }
}

}  // namespace

void check_ending(const std::string& option, const std::string& path,
                  std::initializer_list<const char*> endings) {
  if (std::any_of(endings.begin(), endings.end(),
                  [&](const char* ending) { return path.ends_with(ending); }))
    return;
  if (!plain(path)) return;
  std::string known;
  for (const char* ending : endings) known += (known.empty() ? "" : " or ") + std::string(ending);
  throw UsageError(option + ": '" + path + "' does not end in " + known);
}

}  // namespace perpend::app
