// The command line: parses, runs one command, and turns every way to fail into one line on stderr
// and an exit code (0 success, 1 failed check or unsolved problem, 2 wrong usage or unreadable
// input, 130 Ctrl-C, 143 SIGTERM).
#include <fcntl.h>
#include <unistd.h>

#include <iostream>
#include <limits>
#include <memory>
#include <new>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "perpend/cli.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/inputs.hpp"
#include "perpend/peers.hpp"

namespace perpend::app {

CLI::Validator positive() { return cli::positive(); }

void note(const Globals& globals, const std::string& text) {
  if (!globals.quiet) std::cerr << "perpend: " << io::printable(as_named(text)) << "\n";
}

namespace {

// --set takes several NAME=VALUE; each gets its own --set, so that the file name after them is not
// taken for another one.
std::vector<std::string> arguments(int argc, char** argv) {
  std::vector<std::string> list;
  bool setting = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool value = argument.find('=') != std::string::npos && argument.front() != '-';
    if (setting && value && list.back() != "--set") list.push_back("--set");
    setting = argument == "--set" || (setting && value);
    list.push_back(argument);
  }
  return {list.rbegin(), list.rend()};  // CLI11 takes them from the back
}

// The command line as a shell would take it again; the program by its name.
std::string typed(int argc, char** argv) {
  std::string line = "perpend";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw"
                                            "xyz0123456789_-+=./,:@%") == std::string::npos;
    line += " ";
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char letter : word)
      if (letter == '\'')
        line += "'\\''";
      else
        line += letter;
    line += '\'';
  }
  return line;
}

// The innermost command given, for the hint at its --help.
std::string command_name(const CLI::App& program) {
  const auto given = program.get_subcommands();
  return given.empty() ? "perpend" : "perpend " + given.front()->get_name();
}

// What CLI11 makes of an unknown command is that there is none.
std::string unknown_command(const CLI::App& program) {
  if (!program.get_subcommands().empty() || program.remaining_size() == 0) return {};
  const std::string word = program.remaining().front();
  if (word.empty() || word.front() == '-') return {};
  std::string known;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
    known += (known.empty() ? "" : ", ") + command->get_name();
  return "unknown command '" + word + "'; choose one of: " + known;
}

// What CLI11 says in several lines.
std::string one_line(std::string text) {
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

int fail(const std::string& text, int code = kUsage) {
  std::cerr << "perpend: " << io::printable(as_named(text)) << "\n";
  return code;
}

int run(int argc, char** argv) {
  Globals globals;
  globals.command = typed(argc, argv);
  int exit = kSuccess;
  CLI::App program(
      "perpend: simulate rigid bodies in contact, record other engines, compare contact solvers",
      "perpend");
  program.formatter(std::make_shared<cli::Formatter>());
  program.require_subcommand(1);
  program.fallthrough();
  program.set_version_flag("--version", version, "Version, commit and libraries");
  program.add_flag("--verbose", globals.verbose, "Print more to stderr");
  program.add_flag("--quiet", globals.quiet, "No progress bar and no notes on stderr");
  program
      .add_option("--threads", globals.threads,
                  "Threads of solve, doctor, simulate and reproduce; the results are the same with "
                  "any number")
      ->transform(cli::whole(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  program.add_option("--seed", globals.seed, "Seed of random numbers in scenes and solvers")
      ->transform(cli::whole(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N")
      ->capture_default_str();
  program
      .add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files)
              if (const peers::Plugin plugin = peers::load_plugin(file); !plugin.refused.empty())
                throw UsageError("--plugin: " + plugin.refused);
          },
          "Shared library or Python file with your solvers; you may use this option several times")
      ->allow_extra_args(false)
      ->type_name("FILE");
  program.footer(
      "Example:\n  perpend solve examples/frames/blocks.jsonl --solver all\n\n"
      "perpend COMMAND --help explains a command.");

  peers::add_peers();
  add_solvers(program, globals, exit);
  add_scenes(program, globals, exit);
  add_doctor(program, globals, exit);
  add_solve(program, globals, exit);
  add_measure(program, globals, exit);
  add_simulate(program, globals, exit);
#ifdef PERPEND_HAS_VIEW
  add_view(program, globals, exit);
  add_playground(program, globals, exit);
#endif
  add_capture(program, globals, exit);
  add_import(program, globals, exit);
  add_bench(program, globals, exit);
  add_merge(program, globals, exit);
  add_compare(program, globals, exit);
  add_report(program, globals, exit);
  add_verify(program, globals, exit);
  add_reproduce(program, globals, exit);
  add_forces(program, globals, exit);
  add_info(program, globals, exit);
  add_validate(program, globals, exit);
  add_repair(program, globals, exit);
  add_convert(program, globals, exit);
  add_new_solver(program, globals, exit);
  add_check_solver(program, globals, exit);
  for (CLI::App* command : program.get_subcommands({})) command->fallthrough();
  program.parse_complete_callback([&program] {
    std::vector<std::string> inputs = cli::inputs(program);
    for (std::size_t i = inputs.size(); i-- > 0;)  // folders of campaigns
      inputs.push_back(inputs[i] + "/results.h5");
    io::keep(inputs);
  });

  try {
    program.parse(arguments(argc, argv));
  } catch (const CLI::Success& help) {
    program.exit(help);  // prints help or version on stdout
    return kSuccess;
  } catch (const CLI::Error& error) {
    const std::string unknown = unknown_command(program);
    if (!unknown.empty()) return fail(unknown);
    const std::string option = cli::unknown_option(program);
    const std::string wrong = option.empty() ? one_line(error.what()) : option;
    return fail(wrong + " (see " + command_name(program) + " --help)");
  }
  return exit;
}

// A standard descriptor that is closed stays so: else the next file that is opened would get its
// number, and what is said its content.
void close_for_good() {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(standard, F_GETFD) < 0)
      open("/dev/null", standard == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
}

}  // namespace
}  // namespace perpend::app

int main(int argc, char** argv) {
  using namespace perpend::app;
  close_for_good();
  catch_interrupts();
  int exit = kUsage;
  try {
    exit = run(argc, argv);
  } catch (const Failure& error) {
    exit = fail(error.what(), interrupted() ? kInterrupted : kFailed);
  } catch (const UsageError& error) {
    exit = interrupted() ? kInterrupted : fail(error.what());
  } catch (const perpend::io::InputError& error) {
    exit = interrupted() ? kInterrupted : fail(error.what());
  } catch (const std::bad_alloc&) {
    exit = fail("out of memory");
  } catch (const std::exception& error) {
    exit = fail(std::string("internal error: ") + error.what());
  }
  if (exit == kInterrupted) exit = 128 + stop_signal();
  std::cout.flush();
  if (!std::cout && (exit == kSuccess || exit == kFailed))
    exit = fail("cannot write to standard output");
  return exit;
}
