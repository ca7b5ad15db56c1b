#include "capture/preload/preload.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

namespace perpend::capture::preload {
namespace {

struct Builds {
  const char* library;
  std::set<std::string> files;
};

int add_build(dl_phdr_info* loaded, std::size_t, void* to) {
  Builds& builds = *static_cast<Builds*>(to);
  const std::filesystem::path path = loaded->dlpi_name;
  std::error_code error;
  if (path.filename().string().starts_with(builds.library))
    builds.files.insert(std::filesystem::canonical(path, error).string());
  return 0;
}

[[noreturn]] void give_up(const std::string& line) {
  say(line);
  std::_Exit(2);
}

std::function<void()>& ending() {
  static std::function<void()> out;
  return out;
}

}  // namespace

std::string asked_for() {
  // Once for the process: afterwards the file may be its own.
  static const std::string out = [] {
    const char* path = std::getenv("PERPEND_RECORD");
    struct stat found {};
    const bool taken = path && std::getenv("PERPEND_RECORD_FIRST") && ::stat(path, &found) == 0 &&
                       found.st_size > 0;
    return std::string(path && !taken ? path : "");
  }();
  return out;
}

void say(const std::string& line) { std::fprintf(stderr, "perpend: %s\n", line.c_str()); }

void* behind(const char* symbol, const char* library) {
  Builds builds{library, {}};
  dl_iterate_phdr(add_build, &builds);
  if (builds.files.size() > 1) {
    std::string list;
    for (const std::string& file : builds.files) list += (list.empty() ? "" : ", ") + file;
    give_up("this program has two builds of the engine and cannot be recorded: " + list);
  }
  // Not RTLD_NEXT: the caller may be in a library that nobody but its loader can see.
  void* handle = builds.files.empty() ? nullptr : dlopen(builds.files.begin()->c_str(), RTLD_LAZY);
  void* found = handle ? dlsym(handle, symbol) : nullptr;
  if (!found) give_up(std::string(library) + " has no " + symbol);
  return found;
}

bool within(const void* address, const char* library) {
  Dl_info found;
  return dladdr(address, &found) != 0 && found.dli_fname &&
         std::filesystem::path(found.dli_fname).filename().string().starts_with(library);
}

void at_end(std::function<void()> close) {
  static const pid_t recorded = ::getpid();  // a process that it forks off has no file to close
  ending() = std::move(close);
  std::atexit([] {
    if (::getpid() == recorded) ending()();
  });
}

}  // namespace perpend::capture::preload
