#include "linear/block_pattern.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace perpend::linear {

void BlockPattern::analyze(int rows, std::vector<Edge> edges) {
  if (rows == this->rows() && edges == edges_) return;
  edges_ = std::move(edges);
  const std::size_t n = static_cast<std::size_t>(rows);

  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * edges_.size() + n);
  for (int i = 0; i < rows; ++i) entries.emplace_back(i, i, 1);
  for (const auto& [i, j] : edges_) {
    entries.emplace_back(i, j, 1);
    entries.emplace_back(j, i, 1);
  }
  Eigen::SparseMatrix<double> graph(rows, rows);
  graph.setFromTriplets(entries.begin(), entries.end());
  // Eigen's permutation maps a position to the row eliminated there.
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  position_.assign(n, 0);
  for (int k = 0; k < rows; ++k) position_[static_cast<std::size_t>(order.indices()[k])] = k;

  std::vector<std::vector<int>> below(n);  // rows under the diagonal, by column
  for (const auto& [i, j] : edges_) {
    const auto [k, l] = std::minmax({position(i), position(j)});
    below[static_cast<std::size_t>(k)].push_back(l);
  }
  start_.assign(1, 0);
  row_.clear();
  for (int k = 0; k < rows; ++k) {
    std::vector<int>& column = below[static_cast<std::size_t>(k)];
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    if (!column.empty()) {  // the parent inherits what is left
      std::vector<int>& parent = below[static_cast<std::size_t>(column.front())];
      parent.insert(parent.end(), column.begin() + 1, column.end());
    }
    row_.push_back(k);
    row_.insert(row_.end(), column.begin(), column.end());
    start_.push_back(static_cast<int>(row_.size()));
  }
  edge_block_.clear();
  for (const auto& [i, j] : edges_) {
    const auto [k, l] = std::minmax({position(i), position(j)});
    const auto first = row_.begin() + start(k), last = row_.begin() + start(k + 1);
    edge_block_.push_back(static_cast<int>(std::lower_bound(first, last, l) - row_.begin()));
  }
}

void BlockPattern::find_targets(int b, int end, int* target) const {
  int at = start(row(b));
  for (int a = b; a < end; ++a, ++at) {
    while (row(at) != row(a)) ++at;
    *target++ = at;
  }
}

}  // namespace perpend::linear
