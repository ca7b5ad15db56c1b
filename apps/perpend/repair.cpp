// perpend repair: clears the mark a killed recording left, so that plain h5py opens the file again.
#include <iostream>
#include <memory>

#include "command.hpp"
#include "json.hpp"
#include "perpend/io.hpp"

namespace perpend::app {

void add_repair(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("repair", "Clear the mark of a recording that was killed");
  struct Request {
    std::string file;
    bool json = false;
  };
  const auto request = std::make_shared<Request>();
  command->add_option("FILE", request->file, "Standard file")->required();
  command->add_flag("--json", request->json, "Print one JSON document");
  command->footer("Example:\n  perpend repair killed.h5");
  command->callback([request, &globals, &exit] {
    const Index frames = io::repair(request->file);
    if (request->json)
      print(Json{{"format_version", kJsonVersion}, {"file", request->file}, {"frames", frames}});
    else if (!globals.quiet)
      std::cout << request->file << ": " << frames << (frames == 1 ? " frame" : " frames")
                << " safe\n";
    exit = kSuccess;
  });
}

}  // namespace perpend::app
