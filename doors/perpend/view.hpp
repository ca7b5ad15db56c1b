// The viewer: a page on which a person watches a run and has a hand in it (docs/view.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perpend/sim.hpp"

namespace perpend::view {

// One of several runs beside each other under one hand.
struct PaneOptions {
  StepOptions step;
  bool stock = false;  // Bullet's own world; of the options the iterations alone
};
inline constexpr std::size_t kMostPanes = 4;
// "box/pgs@50", "bullet", "bullet@50": the options `step` with this solver and iterations; with a
// number of them positions are not corrected afterwards. Returns why it cannot be.
std::string parse_pane(const std::string& text, const StepOptions& step, PaneOptions&);

struct ViewOptions {
  std::string listen = "127.0.0.1";  // address
  std::uint16_t port = 0;            // 0: any that is free
  std::string token;                 // of the address; empty: a random one
  std::vector<PaneOptions> panes = std::vector<PaneOptions>(1);  // one to four
  int threads = 1;
  std::string hand, hand_name;  // a hand file's text and where it comes from; empty: none
  std::string out;              // the run becomes this standard file at its end; empty: none
};

// A token for a server on this port, the same at the next start, so that open pages come back. It
// is kept in a folder that is the user's own.
std::string kept_token(const std::string& folder, std::uint16_t port);

struct HandRun {
  Index steps = 0;
  double time = 0;  // s
  struct Pane {
    std::string title;
    std::uint64_t state_hash = 0;
  };
  std::vector<Pane> panes;
  Index parted = -1;         // the step in which a pane parted from the first; -1: none did
  std::string parted_words;  // about it
  std::string message;       // why it ended early
};

// Serves the page until `stop` says so; what it returns is what `out` holds. `ready` gets the
// address with its token once it can be opened. Throws io::InputError for a hand that does not fit,
// std::runtime_error where the port cannot be had.
HandRun serve(const Scene&, const ViewOptions&,
              const std::function<void(const std::string&)>& ready,
              const std::function<bool()>& stop);

// The same run without a page: so many steps (fewer where one fails or `stop` says so).
HandRun follow_hand(const Scene&, const ViewOptions&, Index steps,
                    const std::function<bool()>& stop);

// Serves recordings, one or two standard files beside each other. Throws as serve().
void serve_recordings(const std::vector<std::string>& files, const ViewOptions&,
                      const std::function<void(const std::string&)>& ready,
                      const std::function<bool()>& stop);

// A recording as moments, for pictures and plots. Shapes and names as on the page.
class RecordedMoments {
 public:
  explicit RecordedMoments(const std::string& path);  // throws io::InputError
  ~RecordedMoments();
  RecordedMoments(RecordedMoments&&) noexcept;

  const Scene& scene() const;
  std::string engine() const;  // and its version
  Index frames() const;
  std::vector<double> times() const;  // of all frames, ascending
  // The state before a step, with the contacts of that step; rows of absent bodies are NaN. The
  // penetration is that of the contacts.
  Moment moment(Index frame) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// A page that carries recordings and the core as WebAssembly: one file, without a server
// (docs/share.md).
struct SharedRecording {
  std::string path;                          // a standard file or JSON lines
  std::string name;                          // shown instead of the file's; empty: that
  std::optional<std::vector<Index>> frames;  // none: all
  bool trajectory = false;                   // poses alone: smaller, and nothing to solve
};
bool can_share();  // false: the program was built without emscripten
// Its text. Throws io::InputError. Precondition: can_share().
std::string shared_page(const std::vector<SharedRecording>&);

// The page of the playground (docs/playground.md), which carries the core as WebAssembly: its text,
// empty where `stop` said so meanwhile. Precondition: can_share().
std::string playground_page(const std::function<bool()>& stop);

// Repeats a recording, also of a run that a hand was in, as rerun() of perpend/sim.hpp does.
Rerun rerun(const std::string& path, int threads = 1,
            const std::function<bool(Index done, Index of)>& progress = {});

}  // namespace perpend::view
