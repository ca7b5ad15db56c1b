#include "model_program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "interrupt.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/inputs.hpp"
#include "perpend/io/json.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

constexpr std::size_t kMostOutput = std::size_t{2} << 30;  // bytes
constexpr double kWaiting = 4;  // times its processor time on the clock: machines are shared

std::string program() { return host::program_folder() + "/perpend-import"; }

bool there() { return access(program().c_str(), X_OK) == 0; }

void limit(int resource, double value) {
  rlimit limits{};
  if (getrlimit(resource, &limits) != 0) return;
  limits.rlim_cur = std::min(static_cast<rlim_t>(value), limits.rlim_max);
  setrlimit(resource, &limits);
}

struct Said {
  std::string text;
  host::ExitStatus how;
  bool in_time = true;
};

// In the child; does not return. It writes nothing but its answer.
void become(const std::vector<std::string>& words, host::Environment& environment, int out,
            const ImportLimits& limits) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CPU, std::max(1.0, limits.seconds));
#ifndef PERPEND_SANITIZED  // whose shadow memory is larger
  limit(RLIMIT_AS, limits.memory);
#endif
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDIN_FILENO);
  dup2(null, STDERR_FILENO);
  dup2(out, STDOUT_FILENO);
  std::vector<std::string> own = words;
  std::vector<char*> argv;
  for (std::string& word : own) argv.push_back(word.data());
  argv.push_back(nullptr);
  execve(argv[0], argv.data(), environment.get());
  _exit(127);
}

Said run(const std::vector<std::string>& words, const ImportLimits& limits) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw UsageError(std::string("import: cannot make a pipe: ") + std::strerror(errno));
  host::Environment environment;
  host::Child child;
  const int failed = child.fork(SIGKILL, [&] { become(words, environment, ends[1], limits); });
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    throw UsageError(std::string("import: cannot start a process: ") + std::strerror(failed));
  }
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(kWaiting * limits.seconds);
  Said said;
  std::vector<char> buffer(1 << 16);
  while (true) {
    if (interrupted() || Clock::now() > end || said.text.size() > kMostOutput) {
      said.in_time = false;
      break;
    }
    if (!host::readable(ends[0], 0.1)) continue;
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    said.text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  said.how = said.in_time ? child.wait() : child.kill();
  if (said.how.signal() == SIGXCPU) said.in_time = false;
  return said;
}

// Its first line.
Json first_line(const Said& said, const std::string& path, const ImportLimits& limits) {
  const std::string line = said.text.substr(0, said.text.find('\n'));
  const Json json = io::json_or_null(line);
  if (json.contains("error")) throw UsageError(json.at("error").get<std::string>());
  const std::string where = path.empty() ? "import" : path;
  if (!said.in_time)
    throw UsageError(where + ": reading it takes more than " + brief(limits.seconds) + " s" +
                     (path.empty() ? "" : " (--time-limit of perpend import)"));
  if (said.how.code() != kSuccess || json.is_null())
    throw UsageError(where + ": its reader ended with " + said.how.words() +
                     "; the model is damaged, or needs more than " + brief(limits.memory / 1e9) +
                     " GB (--memory-limit of perpend import)");
  return json;
}

void check_built() {
  if (!there())
    throw UsageError("import: " + program() +
                     " was not built; it needs the Debian package libtinyxml2-dev");
}

}  // namespace

ImportedModel imported(const std::string& path, const std::vector<std::string>& options,
                       const ImportLimits& limits) {
  check_built();
  std::vector<std::string> words{program()};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", path});
  const Said said = run(words, limits);
  ImportedModel out;
  out.report = first_line(said, path, limits).at("report");
  io::keep(out.report.at("files").get<std::vector<std::string>>());
  out.report.erase("files");
  out.scene = io::scene_from_json(said.text.substr(said.text.find('\n') + 1), path);
  return out;
}

Json imported_tags() {
  check_built();
  return first_line(run({program(), "--tags"}, {}), "", {});
}

std::string imported_formats() {
  if (!there()) return {};
  std::string out;
  try {
    const Json tags = imported_tags();
    for (const Json& format : tags.at("formats"))
      out += (out.empty() ? "" : ", ") + format.get<std::string>();
  } catch (const UsageError&) {
    return {};
  }
  return out;
}

bool is_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& letter : ending) letter = static_cast<char>(std::tolower(letter));
  for (const char* one : {".urdf", ".sdf", ".world", ".mjcf", ".obj", ".stl", ".bullet"})
    if (ending == one) return true;
  const auto found = io::engine_file_at(path);
  return found && (!found->endings.empty() || found->words.find("Bullet") != std::string::npos);
}

void tell_import(const ImportedModel& model, const Globals& globals) {
  const auto count = [&](const char* kind) {
    const Json& lost = model.report.at("lost");
    return std::count_if(lost.begin(), lost.end(),
                         [&](const Json& one) { return one.at("kind") == kind; });
  };
  const auto physics = count("physics"), changed = count("changed");
  const std::size_t wrong = model.report.at("findings").size();
  if (physics + changed == 0 && wrong == 0) return;
  const std::string file = model.report.at("file");
  note(globals, file + ": " + std::to_string(physics) + " lost, " + std::to_string(changed) +
                    " changed, " + std::to_string(wrong) + " unsound (perpend import " + file +
                    " lists them)");
}

}  // namespace perpend::app
