// The viewer: a page on which a person watches a run and has a hand in it (docs/view.md).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "perpend/sim.hpp"

namespace perpend::view {

struct ViewOptions {
  std::string listen = "127.0.0.1";  // address
  std::uint16_t port = 0;            // 0: any that is free
  StepOptions step;
  int threads = 1;
  std::string hand, hand_name;  // a hand file's text and where it comes from; empty: none
  std::string out;              // the run becomes this standard file at its end; empty: none
};

struct HandRun {
  Index steps = 0;
  double time = 0;  // s
  std::uint64_t state_hash = 0;
  std::string message;  // why it ended early
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

// Repeats a recording, also of a run that a hand was in, as rerun() of perpend/sim.hpp does.
Rerun rerun(const std::string& path, int threads = 1,
            const std::function<bool(Index done, Index of)>& progress = {});

}  // namespace perpend::view
