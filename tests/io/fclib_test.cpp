#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "io/files.hpp"
#include "io/hdf5.hpp"
#include "perpend/io.hpp"

#ifdef PERPEND_HAS_FCLIB
extern "C" {  // fclib.h lacks it
#include <fclib.h>
}
#endif

namespace perpend::io {
namespace fclib_test {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kInf = std::numeric_limits<double>::infinity();

// ---- real files ----

struct RealFile {
  const char* name;
  bool global;
  Index contacts, entries, coordinates;  // entries of W, or of M and H together
};

// What h5dump shows of mu, W/nzmax (local), H/nz + M/nz and f (global).
const RealFile kRealFiles[] = {
    {"Box_Stacks-i0122-82-5", true, 82, 1284 + 450, 450},
    {"BoxesStack1-i100000-32", false, 52, 5328, 0},
    {"Capsules-i100-1090", false, 276, 11214, 0},
    {"Capsules-i101-404", false, 225, 9099, 0},
    {"Capsules-i125-1213", false, 286, 11772, 0},
    {"Confeti-ex13-Fc3D-SBM", false, 107, 17949, 0},
    {"KaplasTower-i1061-4", false, 570, 116784, 0},
    {"LMGC_100_PR_PerioBox-i00361-60-03000", false, 60, 9576, 0},
    {"NESpheres_30_1", false, 44, 1384, 0},
    {"OneObject-i100000-316", false, 25, 1863, 0},
    {"Rover4396", false, 2, 36, 0},
    {"Rover4613", false, 5, 225, 0},
    {"Spheres-i099-356-679", true, 356, 9110 + 12000, 12000},
};

std::string real_path(const RealFile& file) {
  return (test::shared() / "data/fclib" / (std::string(file.name) + ".hdf5")).string();
}

class FclibRealFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(test::shared() / "data/fclib"))
      GTEST_SKIP() << "no data folder at " << test::shared();
  }
};

TEST_F(FclibRealFiles, AllThirteenAreRead) {
  for (const RealFile& file : kRealFiles) {
    SCOPED_TRACE(file.name);
    ASSERT_EQ(kind_of(real_path(file)), Kind::fclib);
    const FclibProblem p = read_fclib(real_path(file));
    EXPECT_EQ(p.global, file.global);
    EXPECT_EQ(p.system.contacts(), file.contacts);
    EXPECT_EQ(p.system.joint_rows(), 0);
    EXPECT_EQ(p.system.rows(), 3 * file.contacts);
    EXPECT_FALSE(p.title.empty());
    if (file.global) {
      ASSERT_TRUE(p.system.dynamics);
      const SparseMatrix J = jacobian(p.system);
      EXPECT_EQ(J.cols(), file.coordinates);
      EXPECT_EQ(J.nonZeros() + p.system.dynamics->mass.nonZeros(), file.entries);
    } else {
      EXPECT_FALSE(p.system.dynamics);
    }
    // A contact's own block is that of a contact: positive diagonal.
    for (Index i = 0; i < file.contacts; ++i)
      EXPECT_GT(contact_block(p.system, i).diagonal().minCoeff(), 0);
  }
}

#ifdef PERPEND_HAS_FCLIB
// A x by FCLIB's own reading of the file.
VectorXd multiply(const fclib_matrix& A, const VectorXd& x, bool transposed = false) {
  VectorXd y = VectorXd::Zero(transposed ? A.n : A.m);
  const auto add = [&](Index row, Index column, double value) {
    if (transposed) std::swap(row, column);
    y[row] += value * x[column];
  };
  if (A.nz >= 0)
    for (int k = 0; k < A.nz; ++k) add(A.i[k], A.p[k], A.x[k]);
  else
    for (int a = 0; a < (A.nz == -2 ? A.m : A.n); ++a)
      for (int k = A.p[a]; k < A.p[a + 1]; ++k)
        add(A.nz == -2 ? a : A.i[k], A.nz == -2 ? A.i[k] : a, A.x[k]);
  return y;
}

VectorXd vector(const double* values, Index size) {
  return Eigen::Map<const VectorXd>(values, size);
}

struct Close {
  void operator()(fclib_local* p) const { fclib_delete_local(p), free(p); }
  void operator()(fclib_global* p) const { fclib_delete_global(p), free(p); }
};
using Local = std::unique_ptr<fclib_local, Close>;
using Global = std::unique_ptr<fclib_global, Close>;

// Impulses without symmetry, of size 1.
VectorXd some_impulses(Index size) {
  VectorXd x(size);
  for (Index i = 0; i < size; ++i) x[i] = std::fmod(0.37 * static_cast<double>(i) + 0.1, 1.0) - 0.4;
  return x;
}

TEST_F(FclibRealFiles, FclibsOwnLibraryReadsTheSameNumbers) {
  for (const RealFile& file : kRealFiles) {
    SCOPED_TRACE(file.name);
    const System s = read_fclib(real_path(file)).system;
    const VectorXd r = some_impulses(s.rows());
    const VectorXd ours = relative_velocity(s, r);
    if (file.global) {
      const Global p(fclib_read_global(real_path(file).c_str()));
      ASSERT_TRUE(p);
      // M v = H r + f and u = H' v + w, with v from us. Entries of M v are sums of at most
      // a few hundred products: rounding below 1e-12 of the largest.
      const VectorXd v = velocity_plus(s, r);
      const VectorXd momentum = multiply(*p->H, r) + vector(p->f, p->M->m);
      EXPECT_LE((multiply(*p->M, v) - momentum).lpNorm<Eigen::Infinity>(),
                1e-12 * momentum.lpNorm<Eigen::Infinity>());
      const VectorXd u = multiply(*p->H, v, true) + vector(p->w, p->H->n);
      EXPECT_LE((u - ours).lpNorm<Eigen::Infinity>(), 1e-10 * u.lpNorm<Eigen::Infinity>());
      EXPECT_EQ(s.mu, vector(p->mu, s.contacts()));
    } else {
      const Local p(fclib_read_local(real_path(file).c_str()));
      ASSERT_TRUE(p);
      const VectorXd u = multiply(*p->W, r) + vector(p->q, p->W->m);
      // The same products in another order.
      EXPECT_LE((u - ours).lpNorm<Eigen::Infinity>(), 1e-12 * u.lpNorm<Eigen::Infinity>());
      EXPECT_EQ(s.mu, vector(p->mu, s.contacts()));
    }
  }
}
#endif

// ---- what we write ----

// Every sample frame FCLIB has words for, by name.
std::vector<std::pair<std::string, Record>> sample_frames() {
  std::vector<std::pair<std::string, Record>> frames;
  for (const char* file : {"single_contact", "blocks", "joints", "groups", "models"})
    for (Record& r :
         read_json_lines(std::string(PERPEND_SOURCE_DIR "/examples/frames/") + file + ".jsonl")) {
      const System s = assemble(r.frame);
      if (s.contacts() && (s.lower.array() == -kInf).all() && (s.upper.array() == kInf).all())
        frames.emplace_back(r.name, std::move(r));
    }
  return frames;
}

double largest(const SparseMatrix& m) {
  double result = 0;
  for (Index k = 0; k < m.nonZeros(); ++k) result = std::max(result, std::abs(m.valuePtr()[k]));
  return result;
}

TEST(Fclib, WrittenProblemsReadBackWithTheSameVelocities) {
  const test::Scratch scratch;
  const auto frames = sample_frames();
  ASSERT_GE(frames.size(), 30u);
  bool joints = false;
  for (const auto& [name, record] : frames) {
    std::vector<Index> kept;
    const System s = without_groups(assemble(record.frame), kept);
    joints = joints || s.joint_rows();
    VectorXd z(s.rows());
    for (Index i = 0; i < z.size(); ++i)
      z[i] = i % 3 ? -0.01 : 0.03 + 0.01 * static_cast<double>(i);
    for (bool global : {false, true}) {
      SCOPED_TRACE(name + (global ? ", global" : ", local"));
      const std::string path = scratch.path("problem.hdf5");
      write_fclib(assemble(record.frame), path, global, name);
      const FclibProblem p = read_fclib(path);
      EXPECT_EQ(p.global, global);
      EXPECT_EQ(p.title, name);
      EXPECT_EQ(p.system.mu, s.mu);
      EXPECT_EQ(p.system.lower, s.lower);
      EXPECT_EQ(p.system.upper, s.upper);
      // Local files keep the bits; global ones go through M v = f and H' M^-1 H once more.
      const double rounding = global ? 1e-13 : 0;
      const SparseMatrix A = to_sparse(s), B = to_sparse(p.system);
      EXPECT_LE(largest(A - B), rounding * largest(A));
      EXPECT_LE((p.system.b - s.b).lpNorm<Eigen::Infinity>(),
                rounding * (1 + s.b.lpNorm<Eigen::Infinity>()));
      const double error = measure(s, z, Measure::velocity_error);
      EXPECT_NEAR(measure(p.system, z, Measure::velocity_error), error, 1e-12 * error);
      if (global) {
        EXPECT_LE((velocity_plus(p.system, z) - velocity_plus(s, z)).lpNorm<Eigen::Infinity>(),
                  1e-12 * (1 + velocity_plus(s, z).lpNorm<Eigen::Infinity>()));
      }
    }
  }
  EXPECT_TRUE(joints);
}

#ifdef PERPEND_HAS_FCLIB
TEST(Fclib, FclibsOwnLibraryReadsWhatIsWritten) {
  const test::Scratch scratch;
  const std::string path = scratch.path("problem.hdf5");
  for (const auto& [name, record] : sample_frames()) {
    SCOPED_TRACE(name);
    std::vector<Index> kept;
    const System s = without_groups(assemble(record.frame), kept);
    const Index n = 3 * s.contacts(), r = s.joint_rows();
    const SparseMatrix A = to_sparse(s);
    const VectorXd x = some_impulses(s.rows());

    write_fclib(s, path, false, name);
    const Local local(fclib_read_local(path.c_str()));
    ASSERT_TRUE(local);
    EXPECT_EQ(local->spacedim, 3);
    EXPECT_EQ(local->W->nz, -2);
    EXPECT_EQ(local->info->title, name);
    EXPECT_EQ(vector(local->mu, s.contacts()), s.mu);
    EXPECT_EQ(vector(local->q, n), s.b.head(n));
    VectorXd contact_part = multiply(*local->W, x.head(n));
    if (r) {
      ASSERT_TRUE(local->V && local->R && local->s);
      contact_part += multiply(*local->V, x.tail(r));
      const VectorXd joint_part =
          multiply(*local->V, x.head(n), true) + multiply(*local->R, x.tail(r));
      EXPECT_LE((joint_part - (A * x).tail(r)).lpNorm<Eigen::Infinity>(), 1e-13 * largest(A));
      EXPECT_EQ(vector(local->s, r), s.b.tail(r));
    } else {
      EXPECT_FALSE(local->V);
    }
    EXPECT_LE((contact_part - (A * x).head(n)).lpNorm<Eigen::Infinity>(), 1e-13 * largest(A));

    write_fclib(s, path, true, name);
    const Global global(fclib_read_global(path.c_str()));
    ASSERT_TRUE(global);
    EXPECT_EQ(global->M->nz, global->M->nzmax);
    EXPECT_EQ(global->H->nz, global->H->nzmax);
    const SparseMatrix J = jacobian(s);
    const VectorXd v = some_impulses(J.cols());
    const SparseMatrix& mass = s.dynamics->mass;
    EXPECT_EQ(multiply(*global->M, v), mass * v);
    EXPECT_LE((multiply(*global->H, v, true) - (J * v).head(n)).lpNorm<Eigen::Infinity>(), 1e-14);
    EXPECT_EQ(vector(global->f, J.cols()), mass * s.dynamics->free_velocity);
    if (r) {
      ASSERT_TRUE(global->G && global->b);
      EXPECT_LE((multiply(*global->G, v, true) - (J * v).tail(r)).lpNorm<Eigen::Infinity>(), 1e-14);
    } else {
      EXPECT_FALSE(global->G);
    }
  }
}
#endif

Record sample(const std::string& file, const std::string& name) {
  for (Record& r : read_json_lines(PERPEND_SOURCE_DIR "/examples/frames/" + file))
    if (r.name == name) return std::move(r);
  ADD_FAILURE() << "no frame " << name;
  return {};
}

TEST(Fclib, HasNoWordsForBoundsOrForNothing) {
  const test::Scratch scratch;
  const std::string path = scratch.path("x.hdf5");
  const auto said = [&](const Record& r) {
    return test::complaint([&] { write_fclib(assemble(r.frame), path, false, ""); });
  };
  EXPECT_EQ(said(sample("joints.jsonl", "motor too weak for friction")),
            path + ": joint row 0 has a bound, which FCLIB cannot store");
  EXPECT_EQ(said(sample("single_contact.jsonl", "free fall: no contacts at all")),
            path + ": there are no contacts, which FCLIB needs");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Fclib, ComplianceMakesAProblemLocal) {
  const test::Scratch scratch;
  Record r = sample("single_contact.jsonl", "ball sliding along t");
  r.frame.contacts.cfm = Rows3::Constant(1, 3, 0.5);
  const System s = assemble(r.frame, Model::engine);
  write_fclib(s, scratch.path("x.hdf5"), true, "");
  EXPECT_TRUE(is_fclib(scratch.path("x.hdf5")));
  const FclibProblem p = read_fclib(scratch.path("x.hdf5"));
  EXPECT_FALSE(p.global);
  EXPECT_EQ(largest(to_sparse(s) - to_sparse(p.system)), 0);
}

// ---- the three ways to store a matrix ----

struct Storage {
  std::int64_t nz;
  std::vector<std::int64_t> p, i;
  std::vector<double> x;
};

void integers(const h5::File& file, const std::string& name,
              const std::vector<std::int64_t>& values) {
  h5::write(file, name, {values.size()}, H5T_NATIVE_INT64, H5T_STD_I32LE, values.data());
}
void reals(const h5::File& file, const std::string& name, const std::vector<double>& values) {
  h5::write<double>(file, name, {values.size()}, values.data());
}
void store(const h5::File& file, const std::string& group, std::int64_t m, std::int64_t n,
           const Storage& s) {
  h5::make_group(file, group);
  integers(file, group + "/m", {m});
  integers(file, group + "/n", {n});
  integers(file, group + "/nz", {s.nz});
  integers(file, group + "/nzmax", {static_cast<std::int64_t>(s.x.size())});
  integers(file, group + "/p", s.p);
  integers(file, group + "/i", s.i);
  reals(file, group + "/x", s.x);
}

using Damage = std::function<void(const h5::File&)>;

// W = (2 0 1; 0 3 0; 0 0 4), q = (-1, 0.5, 0), mu = 0.5.
std::string local_file(const test::Scratch& scratch, const Storage& W, const Damage& more = {}) {
  const std::string path = scratch.path("local.hdf5");
  const h5::File file = h5::File::create(path, false);
  h5::make_group(file, "/fclib_local/vectors");
  integers(file, "/fclib_local/spacedim", {3});
  reals(file, "/fclib_local/vectors/q", {-1, 0.5, 0});
  reals(file, "/fclib_local/vectors/mu", {0.5});
  store(file, "/fclib_local/W", 3, 3, W);
  if (more) more(file);
  return path;
}

const Storage kRowsStored{-2, {0, 2, 3, 4}, {0, 2, 1, 2}, {2, 1, 3, 4}};

TEST(Fclib, ReadsTripletsColumnsAndRows) {
  const test::Scratch scratch;
  Matrix3d W;
  W << 2, 0, 1, 0, 3, 0, 0, 0, 4;
  const Storage triplets{4, {0, 2, 1, 2}, {0, 0, 1, 2}, {2, 1, 3, 4}};  // p column, i row
  const Storage columns{-1, {0, 1, 2, 4}, {0, 1, 0, 2}, {2, 3, 1, 4}};
  // Longer arrays than entries, as nzmax allows.
  const Storage spare{4, {0, 2, 1, 2, 99}, {0, 0, 1, 2, 99}, {2, 1, 3, 4, 99}};
  for (const Storage& stored : {triplets, columns, kRowsStored, spare}) {
    const FclibProblem p = read_fclib(local_file(scratch, stored));
    EXPECT_FALSE(p.global);
    EXPECT_EQ(Matrix3d(contact_block(p.system, 0)), W);
    EXPECT_EQ(p.system.b, Vector3d(-1, 0.5, 0));
    EXPECT_EQ(p.system.mu[0], 0.5);
    EXPECT_EQ(p.title, "");
  }
}

TEST(Fclib, EqualityRowsOfALocalProblemAreBilateralJointRows) {
  const test::Scratch scratch;
  const std::string path = local_file(scratch, kRowsStored, [](const h5::File& file) {
    store(file, "/fclib_local/V", 3, 1, {2, {0, 0}, {0, 2}, {5, 6}});
    store(file, "/fclib_local/R", 1, 1, {1, {0}, {0}, {7}});
    reals(file, "/fclib_local/vectors/s", {8});
  });
  const System s = read_fclib(path).system;
  ASSERT_EQ(s.joint_rows(), 1);
  EXPECT_EQ(s.lower[0], -kInf);
  EXPECT_EQ(s.upper[0], kInf);
  // u = W r + V l + q and V' r + R l + s at r = (1, 2, 3), l = 4.
  const Eigen::Vector4d y = relative_velocity(s, Eigen::Vector4d(1, 2, 3, 4));
  EXPECT_EQ(y, Eigen::Vector4d(2 + 3 + 20 - 1, 6 + 0.5, 12 + 24, 5 + 18 + 28 + 8));
}

// M = diag(2, 4), H (2 x 3) with H(0,0) = 1, H(1,1) = 2, H(0,2) = 3, G = (0, 1)', f = (2, 8).
std::string global_file(const test::Scratch& scratch, const Storage& H) {
  const std::string path = scratch.path("global.hdf5");
  const h5::File file = h5::File::create(path, false);
  h5::make_group(file, "/fclib_global/vectors");
  integers(file, "/fclib_global/spacedim", {3});
  reals(file, "/fclib_global/vectors/f", {2, 8});
  reals(file, "/fclib_global/vectors/w", {0.1, 0.2, 0.3});
  reals(file, "/fclib_global/vectors/b", {0.5});
  reals(file, "/fclib_global/vectors/mu", {0.5});
  store(file, "/fclib_global/M", 2, 2, {2, {0, 1}, {0, 1}, {2, 4}});
  store(file, "/fclib_global/H", 2, 3, H);
  store(file, "/fclib_global/G", 2, 1, {1, {0}, {1}, {1}});
  return path;
}

TEST(Fclib, GlobalProblemFollowsItsEquationsWhicheverWayTripletsAreStored) {
  const test::Scratch scratch;
  const Storage as_files{3, {0, 1, 2}, {0, 1, 0}, {1, 2, 3}};      // p column, i row
  const Storage as_commented{3, {0, 1, 0}, {0, 1, 2}, {1, 2, 3}};  // p row, i column
  for (const Storage& H : {as_files, as_commented}) {
    const FclibProblem p = read_fclib(global_file(scratch, H));
    EXPECT_TRUE(p.global);
    const System& s = p.system;
    // r = (1, 2, 3), l = 4: M v = H r + G l + f = (1 + 9, 4) + (0, 4) + (2, 8), v = (6, 4).
    const Eigen::Vector4d x(1, 2, 3, 4);
    EXPECT_EQ(velocity_plus(s, x), Eigen::Vector2d(6, 4));
    // u = H' v + w = (6, 8, 18) + w, G' v + b = 4 + 0.5; sums of a few numbers below 20.
    const Eigen::Vector4d y(6.1, 8.2, 18.3, 4.5);
    EXPECT_LE((relative_velocity(s, x) - y).lpNorm<Eigen::Infinity>(), 1e-14);
  }
}

// ---- damage ----

std::string complaint_about(const std::string& path) {
  const std::string said = test::complaint([&] { read_fclib(path); });
  EXPECT_THAT(said, Not(HasSubstr("\n")));
  EXPECT_THAT(said, StartsWith(path));
  return said.substr(std::min(said.size(), path.size()));
}

TEST(Fclib, DamageIsNamed) {
  const test::Scratch scratch;
  const auto with = [&](const Storage& W) { return complaint_about(local_file(scratch, W)); };
  EXPECT_THAT(with({7, {0}, {0}, {1}}), EndsWith("fewer than nz = 7 entries"));
  EXPECT_THAT(with({-3, {0}, {0}, {1}}), HasSubstr("nz = -3"));
  EXPECT_THAT(with({1, {3}, {0}, {1}}), EndsWith("leave the range of a 3 x 3 matrix"));
  EXPECT_THAT(with({1, {-1}, {0}, {1}}), EndsWith("leave the range of a 3 x 3 matrix"));
  EXPECT_THAT(with({-2, {0, 1}, {0}, {1}}), EndsWith("p has 2 entries, expected 4"));
  EXPECT_THAT(with({-2, {0, 2, 1, 3}, {0, 1, 2}, {1, 1, 1}}),
              EndsWith("p does not start at 0 or decreases"));
  EXPECT_THAT(with({-2, {0, 1, 2, 9}, {0, 1, 2}, {1, 1, 1}}), EndsWith("fewer than 9 entries"));
  EXPECT_THAT(with({-1, {0, 1, 2, 3}, {0, 1, 3}, {1, 1, 1}}),
              EndsWith("i entry 2 is out of range"));
  EXPECT_THAT(with({-2, {0, 1, 2, 3}, {0, 1, 2}, {1, std::nan(""), 1}}),
              EndsWith("/fclib_local/W/x: row 1 is not finite"));
}

TEST(Fclib, WrongSizesAreNamedBeforeAnythingIsAllocated) {
  const test::Scratch scratch;
  const auto changed = [&](const std::string& dataset, const Damage& rewrite) {
    return complaint_about(local_file(scratch, kRowsStored, [&](const h5::File& file) {
      H5Ldelete(file, ("/fclib_local/" + dataset).c_str(), H5P_DEFAULT);
      if (rewrite) rewrite(file);
    }));
  };
  EXPECT_EQ(
      changed("W/m", [](const h5::File& f) { integers(f, "/fclib_local/W/m", {2000000000}); }),
      ": /fclib_local/W: is 2000000000 x 3, expected 3 x 3");
  EXPECT_EQ(
      changed("spacedim", [](const h5::File& f) { integers(f, "/fclib_local/spacedim", {2}); }),
      ": /fclib_local/spacedim: is 2; only 3 can be read");
  EXPECT_EQ(
      changed("vectors/q", [](const h5::File& f) { reals(f, "/fclib_local/vectors/q", {1}); }),
      ": /fclib_local/vectors/q: has 1 rows, expected 3");
  EXPECT_EQ(
      changed("vectors/mu", [](const h5::File& f) { reals(f, "/fclib_local/vectors/mu", {-1}); }),
      ": /fclib_local/vectors/mu: row 0 is negative");
  EXPECT_EQ(
      changed("vectors/mu", [](const h5::File& f) { reals(f, "/fclib_local/vectors/mu", {}); }),
      ": /fclib_local/vectors/mu: is empty: no contacts");
  EXPECT_THAT(changed("vectors/mu", {}), StartsWith(": /fclib_local/vectors/mu: "));
  EXPECT_THAT(changed("W", {}), StartsWith(": /fclib_local/W: is missing"));
  EXPECT_THAT(changed("W/x", [](const h5::File& f) { integers(f, "/fclib_local/W/x", {1}); }),
              StartsWith(": /fclib_local/W/x: "));
}

TEST(Fclib, MassMustBeSymmetricPositiveDefinite) {
  const test::Scratch scratch;
  const Storage H{3, {0, 1, 2}, {0, 1, 0}, {1, 2, 3}};
  const auto with_mass = [&](const Storage& M) {
    const std::string path = global_file(scratch, H);
    {
      const h5::File file = h5::File::open_for_writing(path);
      H5Ldelete(file, "/fclib_global/M", H5P_DEFAULT);
      store(file, "/fclib_global/M", 2, 2, M);
    }
    return complaint_about(path);
  };
  EXPECT_EQ(with_mass({2, {0, 1}, {0, 1}, {2, -4}}),
            ": /fclib_global: M is not symmetric positive definite");
  EXPECT_EQ(with_mass({3, {0, 1, 1}, {0, 1, 0}, {2, 4, 1}}), ": /fclib_global/M: is not symmetric");
}

TEST(Fclib, FilesThatAreSomethingElseAreRefused) {
  const test::Scratch scratch;
  const std::string text = scratch.write("text", "hello");
  EXPECT_FALSE(is_fclib(text));
  EXPECT_NE(complaint_about(text), "");
  EXPECT_NE(test::complaint([] { read_fclib("/nowhere/x"); }), "");
  const std::string path = local_file(scratch, kRowsStored);
  const std::string whole = test::contents(path);
  for (std::size_t cut = 0; cut < whole.size(); cut += 97)
    EXPECT_NE(complaint_about(scratch.write("cut.hdf5", whole.substr(0, cut))), "") << cut;
}

}  // namespace fclib_test
}  // namespace perpend::io
