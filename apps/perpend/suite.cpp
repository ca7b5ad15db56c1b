#include "suite.hpp"

#include <filesystem>
#include <numeric>
#include <sstream>

#include "interrupt.hpp"
#include "perpend/io/files.hpp"
#include "perpend/sim.hpp"
#include "progress_bar.hpp"

namespace perpend::app {
namespace {

// What the folder holds: the suite, then a line per file, frames and tags. Written last.
constexpr const char* kContents = "/contents.txt";

std::vector<bench::Input> listed(const std::string& folder, const std::string& suite) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder + kContents, ignored)) return {};
  std::istringstream file(io::read_text(folder + kContents));
  std::string name;
  if (!std::getline(file, name)) return {};
  if (name != suite)
    throw UsageError("--suite " + suite + ": " + folder + " has the problems of '" + name +
                     "'; choose another --out");
  std::vector<bench::Input> inputs;
  std::string path;
  Index frames = 0;
  std::size_t tags = 0;
  while (file >> frames >> tags) {
    bench::Input input;
    input.frames.resize(static_cast<std::size_t>(frames));
    std::iota(input.frames.begin(), input.frames.end(), Index{0});
    input.tags.resize(tags);
    for (std::string& tag : input.tags) file >> tag;
    std::getline(file >> std::ws, path);
    input.file = folder + "/" + path;
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace

std::vector<bench::Input> suite_inputs(const std::string& name, const std::string& out,
                                       const Globals& globals) {
  const Suite* suite = suite_named(name);
  if (!suite) {
    std::string known;
    for (const Suite& one : suites()) known += (known.empty() ? "" : ", ") + one.name;
    throw UsageError("--suite: unknown suite '" + name + "'; choose one of: " + known);
  }
  const std::string folder = out + "/problems";
  if (std::vector<bench::Input> inputs = listed(folder, name); !inputs.empty()) return inputs;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw UsageError("--out: " + folder + ": " + failed.message());
  std::vector<SuiteFile> files;
  {
    ProgressBar bar(globals, "scenes simulated", static_cast<long>(suite->scenes.size()));
    files = write_suite(*suite, folder, [&](Index done, Index) {
      bar.show(static_cast<long>(done));
      return !interrupted();
    });
  }
  if (interrupted()) return {};
  std::ostringstream contents;
  contents << name << '\n';
  for (const SuiteFile& file : files) {
    contents << file.frames << ' ' << file.tags.size();
    for (const std::string& tag : file.tags) contents << ' ' << tag;
    contents << ' ' << std::filesystem::path(file.path).filename().string() << '\n';
  }
  io::write_text(folder + kContents, contents.str());
  return listed(folder, name);
}

}  // namespace perpend::app
