// perpend repair: clears the mark a killed recording left, so that plain h5py opens the file again,
// leaves out what readers refuse, and puts a recording whose program was killed where it was to be.
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.hpp"
#include "common_options.hpp"
#include "json.hpp"
#include "output.hpp"
#include "perpend/io.hpp"
#include "perpend/io/damage.hpp"
#include "perpend/io/inputs.hpp"
#include "standard_file.hpp"

namespace perpend::app {
namespace {

struct RepairRequest {
  std::string file;
  bool json = false;
};

// A recording without the frames that no command takes, and with each name once.
std::string mend(const std::string& path) {
  const io::Damage found = io::damage(path);
  const Index frames = io::FrameReader(path).frames();
  const auto left = static_cast<Index>(found.sound.size());
  if (left == frames && !found.names_repeated) return {};
  if (left == 0 && frames > 0) throw UsageError(found.why + "; no frame can be kept");
  io::release(path);
  Output out(path, Output::Content::hdf5);
  write_standard(open_frames(path, io::Kind::standard), found.sound, out.path());
  copy_solutions(path, found.sound, out.path());
  out.commit();
  if (left == frames) return "names were given again";
  return std::to_string(frames - left) + " left out: " + found.why;
}

int run_repair(const RepairRequest& request, const Globals& globals) {
  if (request.file == "-") throw UsageError("repair: give the name of a file, not -");
  std::error_code ignored;
  const bool there = std::filesystem::exists(request.file, ignored);
  bool changed = true;
  Index frames = there ? io::repair(request.file, &changed) : 0;
  std::string mended;
  if (there && io::kind_of(request.file) == io::Kind::standard) try {
      mended = mend(request.file);
      if (!mended.empty()) frames = io::FrameReader(request.file).frames();
    } catch (const std::runtime_error& error) {
      if (!changed) throw;
      mended = error.what();  // what could be done is done
    }
  changed = changed || !mended.empty();
  if (!mended.empty()) mended = " (" + mended + ")";
  const std::vector<io::LeftPart> parts = io::repair_parts(request.file);
  if (!there && parts.empty()) {
    for (const io::LeftPart& part : io::parts_of(request.file))
      if (part.writing) throw UsageError(part.path + ": is being written");
    io::repair(request.file);  // says that there is nothing
  }
  if (!there) frames = parts.front().frames;
  const auto say = [&](const std::string& file, const char* what, Index count,
                       const std::string& more) {
    std::cout << file << ": " << what << count << (count == 1 ? " frame" : " frames") << more
              << "\n";
  };
  Json others = Json::array();
  for (std::size_t i = there ? 0 : 1; i < parts.size(); ++i)
    others.push_back({{"file", parts[i].path}, {"frames", parts[i].frames}});
  if (request.json) {
    Json document{{"format_version", kJsonVersion}, {"file", request.file}, {"frames", frames}};
    if (!others.empty()) document["parts"] = others;
    print(document);
  } else if (!globals.quiet) {
    say(request.file, changed ? "repaired: " : "nothing to repair: ", frames,
        io::printable(mended));
    for (const Json& part : others)
      say(part.at("file"), "repaired: ", part.at("frames"),
          " (not renamed, because " + request.file + " exists)");
  }
  return kSuccess;
}

}  // namespace

void add_repair(CLI::App& program, const Globals& globals, int& exit) {
  CLI::App* command =
      program.add_subcommand("repair", "Repair the file of a recording that was killed");
  const auto request = std::make_shared<RepairRequest>();
  command->add_option("FILE", request->file, "The name given to --out")->required();
  add_json(*command, request->json);
  command->footer("Example:\n  perpend repair killed.h5");
  command->callback([request, &globals, &exit] { exit = run_repair(*request, globals); });
}

}  // namespace perpend::app
