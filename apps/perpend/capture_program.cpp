#include "capture_program.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>

#include "interrupt.hpp"
#include "json.hpp"
#include "perpend/capture.hpp"
#include "perpend/host.hpp"
#include "perpend/io.hpp"
#include "recording.hpp"
#include "table.hpp"

namespace perpend::app {
namespace {

namespace fs = std::filesystem;

// libperpend_record_ENGINE.so, of this build or installed with this program. Gazebo's physics is
// DART.
std::string library(const std::string& engine) {
  const std::string name = "libperpend_record_" + (engine == "gazebo" ? "dart" : engine) + ".so";
  const std::string path = host::program_folder() + "/../" + PERPEND_LIBDIR + "/perpend/" + name;
  if (access(path.c_str(), R_OK) == 0) return fs::path(path).lexically_normal().string();
  throw UsageError("--run: programs that use " + engine + " cannot be recorded: " + path +
                   " does not exist (--run works for dart, gazebo, mujoco and ode)");
}

// Its output is ours; with `apart` on standard error. The command is a group of its own: what ends
// us reaches each of its processes once, through us, and the second signal ends them at once. Where
// we are killed the command is told to end.
host::ExitStatus run_shell(const std::string& command, host::Environment& environment, bool apart) {
  std::string words[] = {"/bin/sh", "-c", command};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  host::Child shell;
  const int failed = shell.fork(SIGTERM, [&] {
    setpgid(0, 0);
    signal(SIGXFSZ, SIG_DFL);
    if (apart) dup2(STDERR_FILENO, STDOUT_FILENO);
    execve(argv[0], argv, environment.get());
    _exit(127);
  });
  if (failed != 0)
    throw UsageError(std::string("--run: cannot start a process: ") + std::strerror(failed));
  Relay relay;
  host::ExitStatus how;
  while (!shell.ended(how)) {
    if (const int number = relay.next()) {
      shell.signal_group(number);
      shell.signal_group(SIGCONT);  // those that were stopped hear it, too
    }
    usleep(20000);
  }
  return how;
}

// What the file has, frame by frame.
Json summary_of(const io::FrameReader& reader) {
  Index bodies = 0, contacts = 0, rows = 0;
  double momentum = 0, own = 0, velocity = 0;
  std::map<std::string, long> answered;
  for (Index k = 0; k < reader.frames(); ++k) {
    const io::Record record = reader.read(k);
    bodies = std::max(bodies, record.frame.bodies.count());
    contacts = std::max(contacts, record.frame.contacts.count());
    rows = std::max(rows, record.frame.joints.row_count());
    if (!record.answer.answered.empty()) ++answered[record.answer.answered];
    momentum = std::max(momentum, capture::momentum_gap(record));
    const auto worst = [&](Measure measure, double& so_far) {
      if (record.answer.errors.has(measure))
        so_far = std::max(so_far, record.answer.errors[measure]);
    };
    worst(Measure::own_error, own);
    worst(Measure::velocity_error, velocity);
  }
  return {{"engine", reader.header().engine},
          {"engine_version", reader.header().engine_version},
          {"steps", reader.frames()},
          {"bodies", bodies},
          {"contacts_max", contacts},
          {"joint_rows", rows},
          {"answered", answered},
          {"momentum_gap", momentum},
          {"errors", {{"own_error", own}, {"velocity_error", velocity}}},
          {"bytes", fs::file_size(reader.path())}};
}

void print_program(const std::string& command, const Json& s) {
  Table table;
  table.column(command, Table::Align::left);
  table.column(s.at("engine").get<std::string>() + " " + s.at("engine_version").get<std::string>(),
               Table::Align::left);
  const auto count = [&](const char* key) { return std::to_string(s.at(key).get<long>()); };
  table.row({"steps", count("steps")});
  table.row({"bodies, contacts, joint rows", count("bodies") + ", " + count("contacts_max") + ", " +
                                                 count("joint_rows") + " at most"});
  std::string answered;
  for (const auto& [who, steps] : s.at("answered").items())
    answered += (answered.empty() ? "" : ", ") + who + " " + std::to_string(steps.get<long>());
  table.row({"steps solved by", answered});
  table.row({"momentum error", brief(s.at("momentum_gap").get<double>())});
  for (const char* error : {"own_error", "velocity_error"})
    table.row(
        {std::string(error) + ", worst", brief(s.at("errors").at(error).get<double>()) + " m/s"});
  table.row({"bytes per step",
             std::to_string(s.at("bytes").get<long>() / std::max(1L, s.at("steps").get<long>()))});
  table.print(std::cout);
}

}  // namespace

int record_program(const ProgramToRecord& request, const Globals& globals) {
  const std::string preload = library(request.engine);
  check_target(request.out);
  Recording file(request.out, Recording::Writer::child);
  const char* others = std::getenv("LD_PRELOAD");
  host::Environment environment({{"LD_PRELOAD", others ? preload + ":" + others : preload},
                                 {"PERPEND_RECORD", fs::absolute(file.path()).string()},
                                 {"PERPEND_RECORD_FIRST", "1"}});
  const Patient patient(Patience::always);
  const int code = run_shell(request.command, environment, request.json).code();
  const std::string kept = file.end();
  const std::string how = "the program exited with code " + std::to_string(code);
  if (file.ended().frames == 0 && code != 0) throw Failure("--run: " + how + "; " + kept);
  if (file.ended().frames == 0)
    throw UsageError("--run: " + how + ", and no step of " + request.engine +
                     " was recorded (does the program use Debian's shared library of the engine?)");
  const Json summary = summary_of(io::FrameReader(request.out));
  Json document{
      {"format_version", kJsonVersion}, {"command", request.command}, {"exit_code", code}};
  document.update(summary);
  request.json ? print(document) : print_program(request.command, summary);
  if (interrupted()) {
    note(globals, "stopped by " + stopped_by() + "; " + kept);
    return kInterrupted;
  }
  if (code != 0) note(globals, how + "; " + kept);
  if (code == 0 && !file.ended().closed)
    note(globals, "the recording stopped before the program ended; " + kept);
  return code == 0 && file.ended().closed ? kSuccess : kFailed;
}

}  // namespace perpend::app
