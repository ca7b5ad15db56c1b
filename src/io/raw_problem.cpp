// Raw problems as JSON, as classical test problems come (docs/json.md): w = A z + b,
// lower <= z <= upper, w complementary to z; of type "lcp" the bounds are 0 and infinity.
#include <cmath>
#include <limits>

#include "io/json_fields.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

VectorXd column(JsonFields& fields, const std::string& field, Index n, std::optional<double> null,
                bool required) {
  if (!fields.find(field)) {
    if (required) fields.get(field);
    return {};
  }
  VectorXd values = fields.numbers(field, null);
  if (values.size() != n)
    fields.fail(field,
                std::to_string(values.size()) + " entries, expected n = " + std::to_string(n));
  return values;
}

SparseMatrix matrix(JsonFields& fields, Index n) {
  const Json& entries = fields.get("A");
  if (!entries.is_array()) fields.fail("A", "expected an array of [row, column, value]");
  std::vector<Eigen::Triplet<double, Index>> triplets;
  std::set<std::pair<Index, Index>> places;
  std::string what;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Json& entry = entries[i];
    if (!entry.is_array() || entry.size() != 3)
      fields.fail("A", i, "expected [row, column, value]");
    const std::int64_t row = json_integer(entry[0], what);
    const std::int64_t col = json_integer(entry[1], what);
    const double value = json_number(entry[2], {}, what);
    if (!what.empty()) fields.fail("A", i, what);
    if (row < 0 || col < 0 || row >= n || col >= n)
      fields.fail("A", i, "row or column is outside 0.." + std::to_string(n - 1));
    if (!places.emplace(row, col).second) fields.fail("A", i, "row and column occur twice");
    triplets.emplace_back(row, col, value);
  }
  SparseMatrix A(n, n);
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

}  // namespace

std::unique_ptr<LinearProblem> read_raw_problem(const std::string& path) {
  const Json document = parse_json(read_text(path), path);
  if (!document.is_object()) throw InputError(path + ": expected one object");

  JsonFields fields(document, path);
  fields.get("type");
  const std::string type = fields.text("type");
  if (type != "lcp" && type != "mlcp") fields.fail("type", "expected \"lcp\" or \"mlcp\"");
  const Index n = fields.integer("n");
  if (n <= 0) fields.fail("n", "expected a positive number");
  // b is in the file: from here on nothing is allocated that the file does not warrant.
  const VectorXd b = column(fields, "b", n, {}, true);
  const SparseMatrix A = matrix(fields, n);
  const bool mixed = type == "mlcp";
  VectorXd lower = column(fields, "lower", n, -kInf, mixed);
  VectorXd upper = column(fields, "upper", n, kInf, mixed);
  if (!lower.size()) lower = VectorXd::Zero(n);
  if (!upper.size()) upper = VectorXd::Constant(n, kInf);
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!mixed && lower[i] != 0) fields.fail("lower", row, "an lcp has the lower bound 0");
    if (!mixed && upper[i] != kInf) fields.fail("upper", row, "an lcp has no upper bound");
    if (lower[i] > upper[i]) fields.fail("lower", row, "above the upper bound");
  }
  fields.done();
  return raw_problem(type, A, b, lower, upper);
}

}  // namespace perpend::io
