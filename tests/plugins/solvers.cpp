// Solvers as people might write them: one that works, and one for every way to be wrong.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "perpend/peers/plugin.h"

namespace {

using Vector = std::vector<double>;

// One sweep of projected Gauss-Seidel, the rows of A times `scale`.
void sweep(const perpend_problem& p, Vector& z, double scale = 1) {
  const auto relax = [&](std::int64_t i, double lower, double upper) {
    double y = p.b[i], diagonal = 0;
    for (std::int64_t k = p.A.row_start[i]; k < p.A.row_start[i + 1]; ++k) {
      y += p.A.value[k] * z[static_cast<std::size_t>(p.A.column[k])];
      if (p.A.column[k] == i) diagonal = p.A.value[k];
    }
    double& x = z[static_cast<std::size_t>(i)];
    if (diagonal > 0) x = std::clamp(x - scale * y / diagonal, lower, upper);
  };
  for (std::int64_t j = 0; j < p.joint_rows; ++j) relax(3 * p.contacts + j, p.lower[j], p.upper[j]);
  for (std::int64_t c = 0; c < p.contacts; ++c) {
    relax(3 * c, 0, 1e300);
    const double bound = p.mu[c] * z[static_cast<std::size_t>(3 * c)];
    relax(3 * c + 1, -bound, bound);
    relax(3 * c + 2, -bound, bound);
  }
}

Vector start(const perpend_problem* p, const perpend_host* h) {
  return Vector(h->start, h->start + p->size);
}

void good(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  do sweep(*p, z, h->number(h->host, "relaxation"));
  while (h->next(h->host, z.data()));
}
void crashes(const perpend_problem*, const perpend_host*) { std::abort(); }
void hangs(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  for (;;) h->next(h->host, z.data());
}
void not_finite(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  z[0] = std::nan("");
  while (h->next(h->host, z.data())) {
  }
}
void leaves_early(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  sweep(*p, z);
  h->next(h->host, z.data());
}
void says_stalled(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  sweep(*p, z);
  h->count(h->host, PERPEND_SWEEPS, 1);
  h->path(h->host, h->choice(h->host, "word"));
  if (h->next(h->host, z.data())) h->finish(h->host, PERPEND_STALLED, "one sweep is all I can do");
}
// Other bits in every process.
void never_the_same(const perpend_problem* p, const perpend_host* h) {
  Vector z = start(p, h);
  const double scale = 1 + 1e-6 * (getpid() % 1000);
  do sweep(*p, z, scale);
  while (h->next(h->host, z.data()));
}

const perpend_option relaxation = {"relaxation", "share of a full step", "1", nullptr, 0.1, 1.9};
const perpend_option word = {"word", "what the path says", "short", "short,long", 0, 0};
constexpr const char* kTitle = "a solver of the tests";
constexpr const char* kReference = "tests/plugins/solvers.cpp";
const perpend_solver solvers[] = {
    {"box/test-good", kTitle, kReference, 1, &relaxation, 1, good},
    {"box/test-crashes", kTitle, kReference, 1, nullptr, 0, crashes},
    {"box/test-hangs", kTitle, kReference, 1, nullptr, 0, hangs},
    {"box/test-not-finite", kTitle, kReference, 1, nullptr, 0, not_finite},
    {"box/test-leaves-early", kTitle, kReference, 1, nullptr, 0, leaves_early},
    {"box/test-says-stalled", kTitle, kReference, 1, &word, 1, says_stalled},
    {"box/test-never-the-same", kTitle, kReference, 1, nullptr, 0, never_the_same},
};
const perpend_plugin_table table = {PERPEND_PLUGIN_ABI, solvers, std::size(solvers)};

}  // namespace

extern "C" const perpend_plugin_table* perpend_plugin() { return &table; }
