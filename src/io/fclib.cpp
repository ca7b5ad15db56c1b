// FCLIB: frictional contact problems as Siconos and LMGC90 store them (docs/fclib.md).
//
//   global  M v = H r + G l + f,  H^T v + w = u,  G^T v + b = 0   (M, H, G, f, w, b, mu)
//   local   u = W r + V l + q,    V^T r + R l + s = 0             (W, V, R, q, s, mu)
//
// with (u, r) in Coulomb's law, rows n, t, o of each contact. So for our y = A lambda + b the
// global problem gives J = (H G)^T, M v_free = f, c = (w, b), the local one A = (W V; V^T R) and
// b = (q, s); l are bilateral joint rows.
//
// Files differ from the comment in FCLIB's header: triplets hold the column in p and the row in i.
// We read either way round where the ranges tell, and as real files are where they do not.
#include <algorithm>
#include <cmath>
#include <limits>

#include "io/hdf5.hpp"
#include "io/open_file.hpp"
#include "io/probe.hpp"
#include "perpend/io.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

using Triplet = Eigen::Triplet<double, Index>;
using Triplets = std::vector<Triplet>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLargestInt = std::numeric_limits<std::int32_t>::max();
// A = J M^-1 J^T of a global problem is formed explicitly: 16 bytes each.
constexpr double kMostEntries = 5e8;

// ---- reading ----

struct Size {
  Index rows, columns;
};

VectorXd read_vector(const h5::File& file, const std::string& name) {
  const std::vector<double> values = h5::read_all<double>(file, name);
  VectorXd result = Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
  for (Index i = 0; i < result.size(); ++i)
    if (!std::isfinite(result[i]))
      h5::fail(file.path(), name, "row " + std::to_string(i) + " is not finite");
  return result;
}

VectorXd read_vector(const h5::File& file, const std::string& name, Index size) {
  VectorXd values = read_vector(file, name);
  if (values.size() != size)
    h5::fail(file.path(), name,
             "has " + std::to_string(values.size()) + " rows, expected " + std::to_string(size));
  return values;
}

// The entries of one sparse matrix group.
class MatrixReader {
 public:
  MatrixReader(const h5::File& file, std::string group) : file_(file), group_(std::move(group)) {
    if (h5::find(file_, group_) != h5::Found::group) fail("is missing");
    size_ = {scalar("m"), scalar("n")};
    nz_ = h5::read_scalar<std::int64_t>(file_, group_ + "/nz");
    if (nz_ < -2) fail("nz = " + std::to_string(nz_) + " is not a count, -1 (CSC) or -2 (CSR)");
  }

  Size size() const { return size_; }
  void expect(Index rows, Index columns) const {
    if (size_.rows != rows || size_.columns != columns)
      fail("is " + shape(size_.rows, size_.columns) + ", expected " + shape(rows, columns));
  }

  // Precondition: expect() has passed, so that the sizes are those of vectors in the file.
  Triplets triplets() const {
    const std::vector<std::int64_t> p = h5::read_all<std::int64_t>(file_, group_ + "/p");
    const std::vector<std::int64_t> i = h5::read_all<std::int64_t>(file_, group_ + "/i");
    const VectorXd x = read_vector(file_, group_ + "/x");
    return nz_ >= 0 ? from_triplets(p, i, x) : from_compressed(p, i, x);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { h5::fail(file_.path(), group_, what); }
  static std::string shape(Index rows, Index columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
  }
  Index scalar(const std::string& name) const {
    const std::int64_t value = h5::read_scalar<std::int64_t>(file_, group_ + "/" + name);
    if (value < 0 || value > kLargestInt)
      fail(name + " = " + std::to_string(value) + " is not a valid size");
    return value;
  }

  // Header's comment: p row, i column. Real files: p column, i row.
  Triplets from_triplets(const std::vector<std::int64_t>& p, const std::vector<std::int64_t>& i,
                         const VectorXd& x) const {
    const auto count = static_cast<std::size_t>(nz_);
    if (p.size() < count || i.size() < count || static_cast<std::size_t>(x.size()) < count)
      fail("p, i or x has fewer than nz = " + std::to_string(nz_) + " entries");
    const auto within = [&](const std::vector<std::int64_t>& values, Index bound) {
      return std::all_of(values.begin(), values.begin() + nz_,
                         [&](std::int64_t v) { return v >= 0 && v < bound; });
    };
    const bool as_files = within(i, size_.rows) && within(p, size_.columns);
    if (!as_files && !(within(p, size_.rows) && within(i, size_.columns)))
      fail("p and i leave the range of a " + shape(size_.rows, size_.columns) + " matrix");
    Triplets result;
    result.reserve(count);
    for (std::size_t k = 0; k < count; ++k)
      result.emplace_back(as_files ? i[k] : p[k], as_files ? p[k] : i[k], x[static_cast<Index>(k)]);
    return result;
  }

  Triplets from_compressed(const std::vector<std::int64_t>& p, const std::vector<std::int64_t>& i,
                           const VectorXd& x) const {
    const bool by_rows = nz_ == -2;
    const Index outer = by_rows ? size_.rows : size_.columns;
    const Index inner = by_rows ? size_.columns : size_.rows;
    if (static_cast<Index>(p.size()) != outer + 1)
      fail("p has " + std::to_string(p.size()) + " entries, expected " + std::to_string(outer + 1));
    if (p.front() != 0 || !std::is_sorted(p.begin(), p.end()))
      fail("p does not start at 0 or decreases");
    const std::int64_t count = p.back();
    if (count > static_cast<std::int64_t>(i.size()) || count > x.size())
      fail("i or x has fewer than " + std::to_string(count) + " entries");
    Triplets result;
    result.reserve(static_cast<std::size_t>(count));
    for (Index a = 0; a < outer; ++a)
      for (std::int64_t k = p[static_cast<std::size_t>(a)]; k < p[static_cast<std::size_t>(a) + 1];
           ++k) {
        const std::int64_t b = i[static_cast<std::size_t>(k)];
        if (b < 0 || b >= inner) fail("i entry " + std::to_string(k) + " is out of range");
        result.emplace_back(by_rows ? a : b, by_rows ? b : a, x[k]);
      }
    return result;
  }

  const h5::File& file_;
  std::string group_;
  Size size_{};
  std::int64_t nz_ = 0;
};

// Adds entries at an offset, transposed when asked.
void place(Triplets& into, const Triplets& entries, Index row, Index column, bool transposed) {
  for (const Triplet& e : entries)
    into.emplace_back(row + (transposed ? e.col() : e.row()),
                      column + (transposed ? e.row() : e.col()), e.value());
}

SparseMatrix matrix(Size size, const Triplets& entries) {
  SparseMatrix result(size.rows, size.columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

VectorXd joined(const VectorXd& first, const VectorXd& second) {
  VectorXd result(first.size() + second.size());
  result << first, second;
  return result;
}

VectorXd read_mu(const h5::File& file, const std::string& root) {
  const std::int64_t dimension = h5::read_scalar<std::int64_t>(file, root + "/spacedim");
  if (dimension != 3)
    h5::fail(file.path(), root + "/spacedim",
             "is " + std::to_string(dimension) + "; only 3 can be read");
  const std::string name = root + "/vectors/mu";
  VectorXd mu = read_vector(file, name);
  if (!mu.size()) h5::fail(file.path(), name, "is empty: no contacts");
  for (Index i = 0; i < mu.size(); ++i)
    if (mu[i] < 0) h5::fail(file.path(), name, "row " + std::to_string(i) + " is negative");
  return mu;
}

System read_local(const h5::File& file, const std::string& root) {
  const VectorXd mu = read_mu(file, root);
  const Index n = 3 * mu.size();
  const VectorXd q = read_vector(file, root + "/vectors/q", n);
  const MatrixReader W(file, root + "/W");
  W.expect(n, n);
  Triplets entries = W.triplets();
  VectorXd s;
  if (h5::find(file, root + "/V") != h5::Found::nothing) {
    s = read_vector(file, root + "/vectors/s");
    const MatrixReader V(file, root + "/V"), R(file, root + "/R");
    V.expect(n, s.size());
    R.expect(s.size(), s.size());
    const Triplets coupling = V.triplets();
    place(entries, coupling, 0, n, false);
    place(entries, coupling, n, 0, true);
    place(entries, R.triplets(), n, n, false);
  }
  const Index rows = n + s.size();
  return assemble(matrix({rows, rows}, entries), joined(q, s), mu,
                  VectorXd::Constant(s.size(), -kInf), VectorXd::Constant(s.size(), kInf));
}

System read_global(const h5::File& file, const std::string& root) {
  Generalized g;
  g.mu = read_mu(file, root);
  const Index n = 3 * g.mu.size();
  g.c = read_vector(file, root + "/vectors/w", n);
  g.momentum = read_vector(file, root + "/vectors/f");
  const Index nv = g.momentum.size();
  const MatrixReader M(file, root + "/M"), H(file, root + "/H");
  M.expect(nv, nv);
  H.expect(nv, n);
  g.mass = matrix({nv, nv}, M.triplets());
  Triplets rows;
  place(rows, H.triplets(), 0, 0, true);
  Index joint_rows = 0;
  if (h5::find(file, root + "/G") != h5::Found::nothing) {
    const VectorXd b = read_vector(file, root + "/vectors/b");
    const MatrixReader G(file, root + "/G");
    G.expect(nv, b.size());
    place(rows, G.triplets(), n, 0, true);
    g.c = joined(g.c, b);
    joint_rows = b.size();
  }
  g.lower = VectorXd::Constant(joint_rows, -kInf);
  g.upper = VectorXd::Constant(joint_rows, kInf);

  // Rows that share a coordinate are coupled in A.
  VectorXd sharing = VectorXd::Zero(nv);
  for (const Triplet& e : rows) sharing[e.col()] += 1;
  if (const double entries = sharing.squaredNorm(); entries > kMostEntries)
    h5::fail(file.path(), root + "/H",
             "couples its columns too densely: H^T M^-1 H would have up to " +
                 std::to_string(static_cast<std::int64_t>(std::min(entries, 9e18))) + " entries");
  g.jacobian = matrix({n + joint_rows, nv}, rows);
  const SparseMatrix transposed = g.mass.transpose();
  if ((g.mass - transposed).norm() > 1e-6 * g.mass.norm())
    h5::fail(file.path(), root + "/M", "is not symmetric");
  std::string why;
  std::optional<System> system = assemble(g, why);
  if (!system) h5::fail(file.path(), root, why);
  return std::move(*system);
}

std::string read_text(const h5::File& file, const std::string& name) {
  if (h5::find(file, name) != h5::Found::dataset) return {};
  const std::vector<std::string> texts = h5::read_strings(file, name);
  return texts.empty() ? std::string() : texts.front();
}

// ---- writing ----

class MatrixWriter {
 public:
  MatrixWriter(const h5::File& file, std::string group, const SparseMatrix& matrix)
      : file_(file), group_(std::move(group)), matrix_(matrix) {
    if (matrix_.nonZeros() == 0 && matrix_.rows() && matrix_.cols()) matrix_.insert(0, 0) = 0;
    matrix_.makeCompressed();
    if (std::max({matrix_.nonZeros(), matrix_.rows(), matrix_.cols()}) >= kLargestInt)
      h5::fail(file_.path(), group_, "is larger than FCLIB's 32-bit sizes allow");
  }

  // Compressed rows, as real local files come.
  void compressed_rows() const {
    sizes(-2);
    integers("p", {matrix_.outerIndexPtr(), matrix_.outerIndexPtr() + matrix_.rows() + 1});
    integers("i", {matrix_.innerIndexPtr(), matrix_.innerIndexPtr() + matrix_.nonZeros()});
    values();
  }

  // Triplets as real global files come: p column, i row.
  void triplets() const {
    sizes(matrix_.nonZeros());
    std::vector<std::int64_t> row, column;
    for (Index a = 0; a < matrix_.outerSize(); ++a)
      for (SparseMatrix::InnerIterator e(matrix_, a); e; ++e) {
        row.push_back(e.row());
        column.push_back(e.col());
      }
    integers("p", column);
    integers("i", row);
    values();
  }

 private:
  void sizes(std::int64_t nz) const {
    h5::make_group(file_, group_);
    integers("nzmax", {matrix_.nonZeros()});
    integers("m", {matrix_.rows()});
    integers("n", {matrix_.cols()});
    integers("nz", {nz});
  }
  void integers(const std::string& name, const std::vector<std::int64_t>& numbers) const {
    h5::write(file_, group_ + "/" + name, {numbers.size()}, H5T_NATIVE_INT64, H5T_STD_I32LE,
              numbers.data());
  }
  void values() const {
    h5::write<double>(file_, group_ + "/x", {static_cast<hsize_t>(matrix_.nonZeros())},
                      matrix_.valuePtr());
  }

  const h5::File& file_;
  std::string group_;
  SparseMatrix matrix_;
};

void write_vector(const h5::File& file, const std::string& name, const VectorXd& values) {
  h5::write<double>(file, name, {static_cast<hsize_t>(values.size())}, values.data());
}

// FCLIB reads texts of fixed length.
void write_text(const h5::File& file, const std::string& name, const std::string& text) {
  const h5::Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, text.size() + 1);
  h5::write(file, name, {}, type, type, text.c_str());
}

void write_header(const h5::File& file, const std::string& root, const VectorXd& mu,
                  const std::string& title) {
  h5::make_group(file, root);
  h5::make_group(file, root + "/vectors");
  h5::make_group(file, root + "/info");
  const std::int64_t dimension = 3;
  h5::write(file, root + "/spacedim", {1}, H5T_NATIVE_INT64, H5T_STD_I32LE, &dimension);
  write_vector(file, root + "/vectors/mu", mu);
  write_text(file, root + "/info/title", title);
  write_text(file, root + "/info/description", "written by perpend");
  write_text(file, root + "/info/math_info", "");
}

void write_local(const h5::File& file, const System& s, const std::string& title) {
  const std::string root = "/fclib_local";
  write_header(file, root, s.mu, title);
  const Index n = 3 * s.contacts(), r = s.joint_rows();
  const SparseMatrix A = to_sparse(s);
  MatrixWriter(file, root + "/W", A.block(0, 0, n, n)).compressed_rows();
  write_vector(file, root + "/vectors/q", s.b.head(n));
  if (!r) return;
  MatrixWriter(file, root + "/V", A.block(0, n, n, r)).compressed_rows();
  MatrixWriter(file, root + "/R", A.block(n, n, r, r)).compressed_rows();
  write_vector(file, root + "/vectors/s", s.b.tail(r));
}

void write_global(const h5::File& file, const System& s, const std::string& title) {
  const std::string root = "/fclib_global";
  write_header(file, root, s.mu, title);
  const Index n = 3 * s.contacts(), r = s.joint_rows();
  const SparseMatrix J = jacobian(s);
  const Dynamics& d = *s.dynamics;
  MatrixWriter(file, root + "/M", d.mass).triplets();
  MatrixWriter(file, root + "/H", J.topRows(n).transpose()).triplets();
  write_vector(file, root + "/vectors/f", d.mass * d.free_velocity);
  const VectorXd c = constant_velocity(s);  // fixed bodies (a conveyor) have no column in J
  write_vector(file, root + "/vectors/w", c.head(n));
  if (!r) return;
  MatrixWriter(file, root + "/G", J.bottomRows(r).transpose()).triplets();
  write_vector(file, root + "/vectors/b", c.tail(r));
}

// The reason why FCLIB has no words for this system; empty when it has.
std::string not_expressible(const System& s) {
  if (!s.contacts()) return "there are no contacts, which FCLIB needs";
  for (Index i = 0; i < s.joint_rows(); ++i)
    if (s.lower[i] != -kInf || s.upper[i] != kInf)
      return "joint row " + std::to_string(i) + " has a bound, which FCLIB cannot store";
  if (s.friction_bounds.size()) return "it has fixed friction bounds, which FCLIB cannot store";
  return {};
}

bool has_compliance(const System& s) {
  const auto* body_space = std::get_if<BodySpace>(&s.A);
  return body_space && body_space->cfm.size();
}

}  // namespace

bool is_fclib(const std::string& path) {
  try {
    return kind_of(path) == Kind::fclib;
  } catch (const InputError&) {
    return false;
  }
}

namespace {

FclibProblem read_from(const h5::File& file) {
  FclibProblem problem;
  problem.global = h5::find(file, "/fclib_global") == h5::Found::group;
  const std::string root = problem.global ? "/fclib_global" : "/fclib_local";
  if (h5::find(file, root) != h5::Found::group)
    throw InputError(file.path() + ": has neither /fclib_local nor /fclib_global");
  problem.system = problem.global ? read_global(file, root) : read_local(file, root);
  problem.title = read_text(file, root + "/info/title");
  problem.description = read_text(file, root + "/info/description");
  return problem;
}

}  // namespace

FclibProblem read_fclib(const std::string& path) {
  probe(path);
  const h5::Silence silence;
  return read_from(h5::File::open(path));
}
FclibProblem read_fclib(OpenFile open) {
  const h5::Silence silence;
  return read_from(open.handle().hdf5);
}

void write_fclib(const System& system, const std::string& path, bool global,
                 const std::string& title) {
  std::vector<Index> kept;
  const System s = system.groups.empty() ? system : without_groups(system, kept);
  if (const std::string reason = not_expressible(s); !reason.empty())
    throw InputError(path + ": " + reason);
  const h5::Silence silence;
  OutputFile target(path, OutputFile::Content::hdf5);
  {
    h5::File file = h5::File::create(target.path(), false, path);
    if (global && s.dynamics && !has_compliance(s))
      write_global(file, s, title);
    else
      write_local(file, s, title);
    file.finish();
  }
  target.commit();
}

}  // namespace perpend::io
