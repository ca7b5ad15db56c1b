// perpend playground: one page on which a class tries solvers on small problems, without a server.
#include <iostream>
#include <memory>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "perpend/io/files.hpp"
#include "perpend/view.hpp"
#include "picture_file.hpp"

namespace perpend::app {
namespace {

int run_playground(const std::string& target, const Globals& globals) {
  const Patient patient;
  if (!view::can_share())
    throw UsageError("playground: this program was built without emscripten, which makes the page");
  check_ending("FILE.html", target, {".html", ".htm"});
  Output out(target, Output::Content::text);
  const std::string page = view::playground_page(interrupted);
  if (interrupted()) return kInterrupted;
  out.write(page);
  out.commit();
  if (!globals.quiet && out.place().plain) std::cout << io::printable(target) << "\n";
  return kSuccess;
}

}  // namespace

void add_playground(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command = program.add_subcommand(
      "playground", "Write a page on which a class tries solvers on small problems");
  const auto target = std::make_shared<std::string>();
  command
      ->add_option("FILE.html", *target,
                   "The page: it opens from the disk or from any web server, and needs neither "
                   "Perpend nor a network; -: standard output")
      ->required();
  command->footer("Example:\n  perpend playground class.html");
  command->callback([target, &globals, &exit] { exit = run_playground(*target, globals); });
}

}  // namespace perpend::app
