#include "share.hpp"

#include <unistd.h>

#include <cstdlib>

#include "perpend/base.hpp"
#include "perpend/io.hpp"
#ifdef PERPEND_HAS_VIEW
#include "perpend/view.hpp"
#endif

namespace perpend::app {
namespace {

constexpr double kLargePage = 50e6;  // bytes; more does not travel by mail

}  // namespace

void add_share_options(CLI::App& command, ShareRequest& request) {
  CLI::Option* share =
      command
          .add_option(
              "--share", request.page,
              "Write a page that carries the recording and the solvers: one file that opens "
              "from disk, without a server")
          ->type_name("PAGE.html");
  command
      .add_flag("--trajectory", request.trajectory,
                "The page has poses with 32 bits and no contacts: small, and nothing to solve")
      ->needs(share);
}

void check_share() {
#ifdef PERPEND_HAS_VIEW
  if (!view::can_share())
    throw UsageError("--share: this program was built without emscripten (docs/share.md)");
#else
  throw UsageError("--share: this program was built without the viewer (docs/share.md)");
#endif
}

bool makes_pages() {
#ifdef PERPEND_HAS_VIEW
  return view::can_share();
#else
  return false;
#endif
}

SharedPage::SharedPage(const ShareRequest& request)
    : trajectory_((check_share(), request.trajectory)),
      file_(request.page, io::OutputFile::Content::text) {}

void SharedPage::write(const std::vector<SharedFile>& files, const Globals& globals) {
#ifdef PERPEND_HAS_VIEW
  std::vector<view::SharedRecording> recordings;
  for (const SharedFile& file : files) {
    const io::Kind kind = io::kind_of(file.path);
    if (kind != io::Kind::standard && kind != io::Kind::json_lines)
      throw UsageError("--share: " + file.path + " is " + std::string(name(kind)) +
                       ": a page shows the bodies of recordings and JSON lines");
    recordings.push_back({file.path, file.name, file.frames, trajectory_});
  }
  const std::string page = view::shared_page(recordings);
  file_.write(page);
  file_.commit();
  const auto size = static_cast<double>(page.size());
  note(globals, file_.target() + ": " + short_number(size / 1e6) + " MB" +
                    (size > kLargePage
                         ? ", too much for most mail: --frames and --trajectory make it smaller"
                         : ""));
#else
  static_cast<void>(files), static_cast<void>(globals);
#endif
}

ScratchRecording::ScratchRecording() {
  const char* folder = std::getenv("TMPDIR");
  const io::Temporary made = io::make_temporary(
      std::string(folder && *folder ? folder : "/tmp") + "/perpend-share", "-", 0600);
  ::close(made.descriptor);
  path_ = made.path;
  unfinished_.emplace(path_);
}

ScratchRecording::~ScratchRecording() { ::unlink(path_.c_str()); }

}  // namespace perpend::app
