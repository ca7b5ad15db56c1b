// /system/: a system that comes without bodies (generalized coordinates, FCLIB), as columns and
// back.
//
// With M and J: v_free = v + h M^-1 f and y = A lambda + b, A = J M^-1 J^T. Where the step is not
// known (h = 0) v is v_free itself. Without them A and b are all there is.
#include <algorithm>
#include <cmath>

#include "perpend/io.hpp"

namespace perpend::io {
namespace {

SystemColumns::Matrix to_columns(SparseMatrix matrix) {
  matrix.makeCompressed();
  SystemColumns::Matrix columns;
  for (Index row = 0; row < matrix.rows(); ++row)
    columns.rows.push_back(matrix.outerIndexPtr()[row + 1] - matrix.outerIndexPtr()[row]);
  columns.columns.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  columns.values = Eigen::Map<const VectorXd>(matrix.valuePtr(), matrix.nonZeros());
  return columns;
}

// Reads the columns of one record; every complaint names the record and the dataset.
class Columns {
 public:
  Columns(const SystemColumns& columns, std::string where)
      : columns_(columns), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& column, const std::string& what) const {
    throw InputError(where_ + ": /system/" + column + ": " + what);
  }

  void expect(const std::string& column, Index rows, Index expected) const {
    if (rows != expected)
      fail(column, std::to_string(rows) + " rows, expected " + std::to_string(expected));
  }

  SparseMatrix sparse(const std::string& letter, const SystemColumns::Matrix& matrix, Index rows,
                      Index columns) const {
    expect(letter + "_rows", static_cast<Index>(matrix.rows.size()), rows);
    expect(letter + "_values", matrix.values.size(), static_cast<Index>(matrix.columns.size()));
    std::vector<Eigen::Triplet<double, Index>> entries;
    std::size_t next = 0;
    for (Index row = 0; row < rows; ++row) {
      const std::int64_t count = matrix.rows[static_cast<std::size_t>(row)];
      if (count < 0 || static_cast<std::size_t>(count) > matrix.columns.size() - next)
        fail(letter + "_rows", "row " + std::to_string(row) + " has more entries than there are");
      for (std::int64_t k = 0; k < count; ++k, ++next) {
        const std::int64_t column = matrix.columns[next];
        if (column < 0 || column >= columns)
          fail(letter + "_columns", "entry " + std::to_string(next) + " is out of range");
        const double value = matrix.values[static_cast<Index>(next)];
        if (!std::isfinite(value))
          fail(letter + "_values", "entry " + std::to_string(next) + " is not finite");
        entries.emplace_back(row, column, value);
      }
    }
    if (next != matrix.columns.size())
      fail(letter + "_rows", "add up to fewer entries than there are");
    SparseMatrix result(rows, columns);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  System system(double step) const {
    const Index rows = columns_.b.size();
    const VectorXd lower = columns_.bounds.col(0), upper = columns_.bounds.col(1);
    expect("b", rows, 3 * columns_.mu.size() + columns_.bounds.rows());
    if (!columns_.b.allFinite()) fail("b", "is not finite");
    if (columns_.M.rows.empty())
      return assemble(sparse("A", columns_.A, rows, rows), columns_.b, columns_.mu, lower, upper);
    Generalized g;
    const Index coordinates = columns_.v.size();
    g.mass = sparse("M", columns_.M, coordinates, coordinates);
    g.jacobian = sparse("J", columns_.J, rows, coordinates);
    g.velocity = columns_.v;
    if (!columns_.v.allFinite()) fail("v", "is not finite");
    if (columns_.f.size() != 0) {
      expect("f", columns_.f.size(), coordinates);
      if (!columns_.f.allFinite()) fail("f", "is not finite");
    }
    if (step > 0 && columns_.f.size() != 0)
      g.momentum = g.mass * columns_.v + step * columns_.f;
    else
      g.free_velocity = columns_.v;
    g.c = VectorXd::Zero(rows);
    g.mu = columns_.mu;
    g.lower = lower;
    g.upper = upper;
    g.step = std::max(step, 0.0);
    std::string why;
    std::optional<System> result = assemble(g, why);
    if (!result) fail("M", why);
    // b is recorded, c is what it holds beyond J v_free.
    result->c = columns_.b - result->b;
    result->b = columns_.b;
    return std::move(*result);
  }

 private:
  const SystemColumns& columns_;
  std::string where_;
};

}  // namespace

SystemColumns to_columns(const System& system) {
  SystemColumns columns;
  columns.b = system.b;
  columns.mu = system.mu;
  columns.bounds.resize(system.joint_rows(), 2);
  columns.bounds.col(0) = system.lower;
  columns.bounds.col(1) = system.upper;
  if (!system.dynamics) {
    columns.A = to_columns(to_sparse(system));
    return columns;
  }
  const Dynamics& dynamics = *system.dynamics;
  columns.M = to_columns(dynamics.mass);
  columns.J = to_columns(jacobian(system));
  if (system.step > 0) {
    columns.v = dynamics.velocity;
    columns.f = dynamics.mass * (dynamics.free_velocity - dynamics.velocity) / system.step;
  } else {
    columns.v = dynamics.free_velocity;
    columns.f = VectorXd::Zero(columns.v.size());
  }
  return columns;
}

System system_of(const Record& record, const std::string& where) {
  if (record.system.b.size() > 0) return Columns(record.system, where).system(record.frame.step);
  if (const std::string reason = invalid(record.frame); !reason.empty())
    throw InputError(where + ": " + reason);
  return assemble(record.frame);
}

}  // namespace perpend::io
