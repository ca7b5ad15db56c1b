// Where the nonzero 6x6 blocks of a sparse symmetric matrix and of its triangular factor are.
//
// The graph has one vertex per block row (a moving body) and one edge per coupled pair. Rows are
// eliminated in Eigen's approximate minimum degree order of that graph; the factor's column k holds
// its own rows and those of its children in the elimination tree. All of it depends on the graph
// alone, so it is computed again only when the graph changes.
#pragma once

#include <utility>
#include <vector>

namespace perpend::linear {

class BlockPattern {
 public:
  using Edge = std::pair<int, int>;  // first < second

  // `edges` ascending and unique.
  void analyze(int rows, std::vector<Edge> edges);

  int rows() const { return static_cast<int>(position_.size()); }
  const std::vector<Edge>& edges() const { return edges_; }
  // When row i is eliminated.
  int position(int row) const { return position_[static_cast<std::size_t>(row)]; }
  // Blocks of the factor: column k has its diagonal at start(k), then rows below, ascending.
  int blocks() const { return static_cast<int>(row_.size()); }
  int start(int k) const { return start_[static_cast<std::size_t>(k)]; }
  int row(int block) const { return row_[static_cast<std::size_t>(block)]; }
  // Where blocks b to end - 1 of one column stand in the column that is eliminated as row(b).
  void find_targets(int b, int end, int* target) const;
  // Block below the diagonal that an edge fills.
  int edge_block(std::size_t edge) const { return edge_block_[edge]; }

 private:
  std::vector<Edge> edges_;
  std::vector<int> position_, start_, row_, edge_block_;
};

}  // namespace perpend::linear
