// How much memory a formulation takes, from the counts of contacts, rows and facets alone.
//
// A of lcp couples all rows that meet at a body, or at bodies that bilateral joints hold together:
// those joints are eliminated. Each contact has 1 + n_d rows there, so that 1,200 contacts of one
// body with eight facets make 117 million entries. mlcp couples a contact with itself alone.
#include "formulate/size.hpp"

#include <algorithm>
#include <cmath>

#include "perpend/base.hpp"
#include "system/blocks.hpp"

namespace perpend {
namespace {

// Of A while it is made, and what the rest of the heap does meanwhile.
constexpr double kCopies = 2.5;
constexpr double kEntry = 12;        // of a sparse matrix
constexpr double kTriplet = 16 + 8;  // and its place in the order of rows
constexpr double kVectors = 12 * 8;  // of an unknown: b, bounds, scales, iterates

bool bilateral(const System& s, Index joint_row) {
  return !std::isfinite(s.lower[joint_row]) && !std::isfinite(s.upper[joint_row]);
}

// R, L and K of the facets.
double law_bytes(const System& s, double facets) {
  return (kTriplet + kEntry) * static_cast<double>(s.contacts()) * (6 * facets + 4) +
         kVectors * static_cast<double>(s.contacts()) * (facets + 2);
}

// What A_bb^+ of eliminated rows takes: dense, set by set, with the columns of all other rows that
// meet the set. `rows`, `columns`: of each set.
double inverse_bytes(const std::vector<double>& rows, const std::vector<double>& columns) {
  double kept = 0, passing = 0, entries = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    kept += 8 * rows[k] * rows[k];
    passing = std::max(passing, 8 * (2 * rows[k] * rows[k] + 2 * rows[k] * columns[k]));
    entries += rows[k] * columns[k];
  }
  return kept + passing + (kTriplet + 2 * kEntry) * entries;
}

// What becomes of the rows of a system (contacts, then joint rows) where bilateral joints are
// eliminated.
struct Eliminated {
  std::vector<double> size;      // of each block row
  std::vector<double> left;      // the same, 0 where it is eliminated
  std::vector<double> unknowns;  // of lcp
  std::vector<Index> cluster;    // of each body: those that eliminated joints hold together
  double bytes = 0;              // of A_bb^+ and of what is multiplied with it
  double entries = 0;            // that explicit blocks gain in A of lcp, at most
};

template <class Response>
bool moves(const Response& w) {
  return !w.isZero(0);
}

void eliminate(const System& s, const BodySpace& a, Eliminated& out) {
  DisjointSets sets(a.bodies);  // those that bilateral joints hold together
  for (Index j = 0; j < s.joint_rows(); ++j) {
    if (!bilateral(s, j)) continue;
    Index last = -1;
    const auto hold = [&](Index body, const Vector6& w) {
      if (!moves(w)) return;
      if (last >= 0) sets.join(last, body);
      last = body;
    };
    const BodySpace::JointRow* q = &a.joints[static_cast<std::size_t>(j)];
    for (; q; q = a.other(*q)) {
      hold(q->first, q->w1);
      hold(q->second, q->w2);
    }
  }
  for (Index body = 0; body < a.bodies; ++body) out.cluster.push_back(sets.of(body));
  std::vector<double> rows(static_cast<std::size_t>(a.bodies), 0), columns = rows;
  std::vector<Index> at;  // sets of a row
  const auto meet = [&](const auto& side) {
    if (moves(side.w1)) at.push_back(out.cluster[static_cast<std::size_t>(side.first)]);
    if (moves(side.w2)) at.push_back(out.cluster[static_cast<std::size_t>(side.second)]);
  };
  const auto put = [&](std::size_t row) {
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    for (const Index set : at) {
      rows[static_cast<std::size_t>(set)] += out.size[row] - out.left[row];
      columns[static_cast<std::size_t>(set)] += out.left[row];
    }
    at.clear();
  };
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    meet(a.contacts[i]);
    put(i);
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    for (const BodySpace::JointRow* q = &a.joints[j]; q; q = a.other(*q)) meet(*q);
    put(a.contacts.size() + j);
  }
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k] == 0) columns[k] = 0;
  out.bytes = inverse_bytes(rows, columns);
}

// Of explicit blocks all that eliminated rows meet may become one.
void eliminate(const System& s, const Blocks& a, Eliminated& out) {
  double rows = 0, columns = 0, unknowns = 0;
  for (std::size_t i = 0; i < out.size.size(); ++i) {
    rows += out.size[i] - out.left[i];
    bool meets = false;
    for (Index e = a.row_start[i]; e < a.row_start[i + 1] && !meets; ++e) {
      const Index j = a.column[static_cast<std::size_t>(e)] - s.contacts();
      meets = j >= 0 && bilateral(s, j);
    }
    if (!meets) continue;
    columns += out.left[i];
    unknowns += out.unknowns[i];
  }
  out.bytes = inverse_bytes({rows}, {columns});
  out.entries = unknowns * unknowns;
}

double lcp_bytes(const System& s, double facets) {
  const auto contacts = static_cast<std::size_t>(s.contacts());
  Eliminated rows;
  rows.size.assign(contacts + static_cast<std::size_t>(s.joint_rows()), 1);
  rows.unknowns = rows.size;
  std::fill_n(rows.size.begin(), contacts, 3.0);
  std::fill_n(rows.unknowns.begin(), contacts, 1 + facets);
  rows.left = rows.size;
  bool any = false;
  for (Index j = 0; j < s.joint_rows(); ++j) {
    if (!bilateral(s, j)) continue;
    any = true;
    rows.left[contacts + static_cast<std::size_t>(j)] = 0;
    rows.unknowns[contacts + static_cast<std::size_t>(j)] = 0;
  }
  if (any) std::visit([&](const auto& a) { eliminate(s, a, rows); }, s.A);
  const double reduced = any ? coupled(s, rows.left, rows.left, rows.cluster) : 0;
  const double half = coupled(s, rows.unknowns, rows.size, rows.cluster);
  const double whole = coupled(s, rows.unknowns, rows.unknowns, rows.cluster) + rows.entries;
  return law_bytes(s, facets) + sparse_bytes(s) + rows.bytes +
         kEntry * (2 * reduced + half + kCopies * whole);
}

double mlcp_bytes(const System& s, double facets) {
  const double m = static_cast<double>(s.contacts()), r = static_cast<double>(s.joint_rows());
  const double n = s.dynamics ? static_cast<double>(s.dynamics->mass.rows()) : 0;
  double columns = 12;  // of J in a row
  if (s.dynamics && s.contacts() + s.joint_rows() > 0 && s.dynamics->generalized_jacobian.rows())
    columns = static_cast<double>(s.dynamics->generalized_jacobian.nonZeros()) / (3 * m + r);
  const double entries = 2 * columns * (m * (1 + facets) + r) + m * (1 + facets * facets) + 6 * n;
  return law_bytes(s, facets) + (kTriplet + 3 * kEntry) * entries + kVectors * (n + r);
}

}  // namespace

double formulation_bytes(const System& s, std::string_view name,
                         const FormulationOptions& options) {
  const double facets = static_cast<double>(options.facets);
  // Blocks, of which one value in nine becomes an entry.
  if (name == "normal") return (12 + (kTriplet + 2 * kEntry) / 9) * explicit_values(s);
  if (name == "lcp") return lcp_bytes(s, facets);
  if (name == "mlcp") return mlcp_bytes(s, facets);
  return 0;  // no larger than the system
}

}  // namespace perpend
