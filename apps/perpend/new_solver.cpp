// perpend new-solver: a folder with a plugin that works, to start from.
#include "new_solver.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "perpend/io/files.hpp"
#include "perpend/solve.hpp"

namespace perpend::app {
namespace {

struct NewSolverRequest {
  std::string name, folder;
};

std::string replaced(std::string text, const std::string& mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
    text.replace(at, mark.size(), by);
  return text;
}

// "ncp/my-method", or "my-method" for that. Letters, digits and dashes, as in every name.
std::string full_name(const std::string& given) {
  const std::size_t slash = given.find('/');
  const std::string formulation = slash == std::string::npos ? "ncp" : given.substr(0, slash);
  const std::string method = slash == std::string::npos ? given : given.substr(slash + 1);
  if (formulation != "normal" && formulation != "box" && formulation != "ncp")
    throw UsageError("new-solver: '" + given +
                     "': there are templates for normal, box and ncp; docs/plugins.md shows how to "
                     "write a plugin of another formulation");
  const bool plain =
      method.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
      !method.empty() && method.front() >= 'a' && method.front() <= 'z';
  if (!plain)
    throw UsageError(
        "new-solver: '" + given +
        "': a method has lower-case letters, digits and dashes, and begins with a letter");
  std::string name = formulation + "/" + method;
  if (solver_named(name)) throw UsageError("new-solver: there is already a solver called " + name);
  return name;
}

void run_new_solver(const NewSolverRequest& request) {
  const std::string name = full_name(request.name);
  const std::string formulation = name.substr(0, name.find('/'));
  const std::string project = replaced(name.substr(name.find('/') + 1), "-", "_");
  const std::filesystem::path folder = request.folder.empty() ? project : request.folder;
  if (std::filesystem::exists(folder))
    throw UsageError("new-solver: " + folder.string() +
                     ": already exists; choose another folder with --out");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError("new-solver: " + folder.string() + ": cannot be made: " + error.message());

  std::string source(formulation == "normal" ? template_normal()
                     : formulation == "box"  ? template_box()
                                             : template_ncp());
  std::string table(template_table());
  table.pop_back();  // the line's end is in the source
  source = replaced(source, "@TABLE@", table);
  source = replaced(source, "@JOINTS@", formulation == "normal" ? "0" : "1");
  source = replaced(source, "@NAME@", name);
  io::write_text((folder / (project + ".cpp")).string(), source);
  io::write_text((folder / "CMakeLists.txt").string(),
                 replaced(std::string(template_cmake()), "@PROJECT@", project));
  io::write_text((folder / "perpend_plugin.h").string(), plugin_header());

  const std::string at = io::printable(folder.string()), library = at + "/build/" + project + ".so";
  std::cout << name << " is in " << at << "/" << project << ".cpp. To build, check and use it:\n"
            << "  cmake -G Ninja -S " << at << " -B " << at << "/build && cmake --build " << at
            << "/build\n"
            << "  perpend check-solver " << library << "\n"
            << "  perpend bench --suite small --plugin " << library << " --solvers " << name << ","
            << (formulation == "normal" ? "normal/simple" : formulation + "/pgs") << " --out out/"
            << project << "\n";
}

}  // namespace

void add_new_solver(CLI::App& program, const Globals&, int&) {
  const auto request = std::make_shared<NewSolverRequest>();
  CLI::App* command = program.add_subcommand(
      "new-solver", "Write a plugin with a simple solver, to start your own");
  command
      ->add_option("name", request->name,
                   "FORMULATION/METHOD; the formulation is normal, box or ncp")
      ->required()
      ->type_name("NAME");
  command
      ->add_option("--out,--folder", request->folder, "Where to put it [a folder named after it]")
      ->type_name("DIR");
  command->footer("Example:\n  perpend new-solver ncp/my-method");
  command->callback([request] { run_new_solver(*request); });
}

}  // namespace perpend::app
