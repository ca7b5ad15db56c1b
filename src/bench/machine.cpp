// The machine card: what the numbers were measured on.
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/fields.hpp"
#include "perpend/base.hpp"

namespace perpend::bench {
namespace {

// The value after `key` in a file of lines "key<separator>value".
std::string entry(const char* path, std::string_view key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    std::string value = line.substr(at + 1);
    value.erase(0, value.find_first_not_of(" \t\""));
    value.erase(value.find_last_not_of(" \t\"") + 1);
    return value;
  }
  return {};
}

std::string cpu() {
  // The name of the model; some machines tell only the hardware.
  for (const char* key : {"model name", "Model", "Hardware"})
    if (std::string found = entry("/proc/cpuinfo", key, ':'); !found.empty()) return found;
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

std::string os() {
  std::string text = entry("/etc/os-release", "PRETTY_NAME", '=');
  utsname names{};
  if (uname(&names) == 0)
    text += (text.empty() ? "" : ", ") + std::string(names.sysname) + " " + names.release + " " +
            names.machine;
  return text;
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

}  // namespace

bool Machine::same_as(const Machine& other) const { return same_fields(*this, other); }

Machine this_machine() {
  Machine machine;
  machine.cpu = cpu();
  machine.cores = sysconf(_SC_NPROCESSORS_ONLN);
  machine.memory_bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  machine.os = os();
  machine.compiler = compiler();
  machine.flags = PERPEND_FLAGS;
  machine.version = PERPEND_VERSION;
  machine.date = timestamp();
  if (getloadavg(machine.load.data(), 3) != 3) machine.load = {};
  return machine;
}

}  // namespace perpend::bench
