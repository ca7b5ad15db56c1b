#include "progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace perpend::app {

ProgressBar::ProgressBar(const Globals& globals, std::string what, long total, long before)
    : visible_(!globals.quiet && isatty(STDERR_FILENO) != 0),
      what_(std::move(what)),
      total_(std::max(total, 1L)),
      before_(before),
      start_(std::chrono::steady_clock::now()) {
  show(before);
}

void ProgressBar::show(long done) {
  using std::chrono::duration;
  if (!visible_) return;
  const Time now = std::chrono::steady_clock::now();
  // A terminal needs no more than ten pictures a second; the first frame done is always news.
  if (done > 1 && done < total_ && now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  constexpr long kWidth = 30;
  const long full = std::clamp(kWidth * done / total_, 0L, kWidth);
  const double passed = duration<double>(now - start_).count();
  std::fprintf(stderr, "\r[%s%s] %ld/%ld %s, %.1f s", std::string(std::size_t(full), '#').c_str(),
               std::string(std::size_t(kWidth - full), '.').c_str(), done, total_, what_.c_str(),
               passed);
  if (done > before_ && done < total_)
    std::fprintf(stderr, ", %.0f s to go",
                 passed * static_cast<double>(total_ - done) / static_cast<double>(done - before_));
  std::fputs("\033[K", stderr);
  std::fflush(stderr);
}

ProgressBar::~ProgressBar() {
  if (visible_) std::fputs("\r\033[K", stderr);
}

}  // namespace perpend::app
