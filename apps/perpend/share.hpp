// --share: a page that carries recordings and needs no server (docs/share.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "perpend/frame.hpp"

namespace perpend::app {

struct ShareRequest {
  std::string page;         // empty: not asked for
  bool trajectory = false;  // poses alone
};
void add_share_options(CLI::App&, ShareRequest&);
// Throws UsageError where the program makes no pages: before anybody waits for one.
void check_share();
bool makes_pages();

struct SharedFile {
  std::string path, name;                    // name: shown instead of the file's; empty: that
  std::optional<std::vector<Index>> frames;  // none: all
};

// The page of a command: it is there when everything was written.
class SharedPage {
 public:
  // Throws UsageError where no page can be made, InputError where it cannot be written.
  explicit SharedPage(const ShareRequest&);
  // Says how large it is.
  void write(const std::vector<SharedFile>&, const Globals&);

 private:
  bool trajectory_;
  Output file_;
};

// A recording that only the page is made from.
class ScratchRecording {
 public:
  ScratchRecording();
  ~ScratchRecording();
  ScratchRecording(const ScratchRecording&) = delete;
  ScratchRecording& operator=(const ScratchRecording&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::optional<UnfinishedFile> unfinished_;
};

}  // namespace perpend::app
