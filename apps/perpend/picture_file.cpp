#include "picture_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "command.hpp"

namespace perpend::app {

void check_ending(const std::string& option, const std::string& path,
                  std::initializer_list<const char*> endings) {
  if (std::any_of(endings.begin(), endings.end(),
                  [&](const char* ending) { return path.ends_with(ending); }))
    return;
  std::string known;
  for (const char* ending : endings) known += (known.empty() ? "" : " or ") + std::string(ending);
  throw UsageError(option + ": '" + path + "' does not end in " + known);
}

void write_bytes(const NewFile& file, const std::string& bytes) {
  std::ofstream out(file.path(), std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out)
    throw UsageError(file.about_target(file.path()) +
                     ": cannot be written: " + std::strerror(errno));
}

}  // namespace perpend::app
