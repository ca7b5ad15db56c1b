#include "peers/wire.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "perpend/peers.hpp"
#include "perpend/solve/fields.hpp"

namespace perpend::peers {
namespace {

// One description of every type serves both directions: `archive(x, y, ...)` writes or reads.
class Writer {
 public:
  explicit Writer(Bytes& out) : out_(out) {}
  static constexpr bool kReads = false;

  void raw(const void* data, std::size_t size) {
    const std::size_t at = out_.size();
    out_.resize(at + size);
    if (size > 0) std::memcpy(out_.data() + at, data, size);
  }
  bool good() const { return true; }

 private:
  Bytes& out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in), size_(in.size()) {}
  static constexpr bool kReads = true;

  void raw(void* data, std::size_t size) {
    if (!room_for(size, 1)) return;
    if (size > 0) std::memcpy(data, in_.data(), size);
    in_ = in_.subspan(size);
  }
  // Before anything is allocated.
  bool room_for(std::size_t count, std::size_t size) {
    if (good_ && size > 0 && count > in_.size() / size) good_ = false;
    return good_;
  }
  // What no writer writes.
  void refuse() { good_ = false; }
  std::size_t size() const { return size_; }  // of the whole message
  bool good() const { return good_; }
  bool finished() const { return good_ && in_.empty(); }

 private:
  std::span<const std::byte> in_;
  std::size_t size_;
  bool good_ = true;
};

constexpr std::size_t kLargest = std::numeric_limits<int>::max();  // Eigen's sparse index

constexpr int last_of(Status) { return static_cast<int>(Status::crashed); }
constexpr int last_of(Measure) { return static_cast<int>(kMeasures) - 1; }

template <class Archive, class T>
requires std::is_arithmetic_v<T>
void pass(Archive& archive, T& value) { archive.raw(&value, sizeof value); }

template <class Archive>
void pass(Archive& archive, bool& value) {
  std::uint8_t byte = value ? 1 : 0;
  pass(archive, byte);
  if constexpr (Archive::kReads) {
    if (byte > 1) return archive.refuse();
    value = byte == 1;
  }
}

template <class Archive, class T>
requires std::is_enum_v<T>
void pass(Archive& archive, T& value) {
  auto number = static_cast<std::underlying_type_t<T>>(value);
  pass(archive, number);
  if constexpr (Archive::kReads) {
    if (number < 0 || number > last_of(T())) return archive.refuse();
    value = static_cast<T>(number);
  }
}

template <class Archive>
void pass(Archive& archive, std::string& text) {
  std::uint64_t size = text.size();
  pass(archive, size);
  if constexpr (Archive::kReads) {
    if (!archive.room_for(size, 1)) return;
    text.resize(size);
  }
  archive.raw(text.data(), size);
}

// Eigen's vectors and matrices.
template <class Archive, class Derived>
void pass(Archive& archive, Eigen::PlainObjectBase<Derived>& matrix) {
  static_assert(Derived::ColsAtCompileTime > 0);  // the product of both sizes cannot overflow
  Index rows = matrix.rows(), columns = matrix.cols();
  pass(archive, rows);
  pass(archive, columns);
  if constexpr (Archive::kReads) {
    if (rows < 0 || columns != Derived::ColsAtCompileTime ||
        (Derived::RowsAtCompileTime >= 0 && rows != Derived::RowsAtCompileTime))
      return archive.refuse();
    if (!archive.room_for(static_cast<std::size_t>(rows),
                          sizeof(double) * static_cast<std::size_t>(columns)))
      return;
    matrix.resize(rows, columns);
  }
  archive.raw(matrix.data(), sizeof(double) * static_cast<std::size_t>(rows * columns));
}

template <class Archive, class T>
void pass(Archive& archive, std::vector<T>& list) {
  std::uint64_t size = list.size();
  pass(archive, size);
  if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (Archive::kReads) {
      if (!archive.room_for(size, sizeof(T))) return;
      list.resize(size);
    }
    archive.raw(list.data(), sizeof(T) * size);
  } else if constexpr (Archive::kReads) {
    list.clear();  // one by one: a claimed number of large items is not allocated
    for (; size > 0 && archive.good(); --size) pass(archive, list.emplace_back());
  } else {
    for (T& item : list) pass(archive, item);
  }
}

template <class Archive>
void pass(Archive& archive, std::map<std::string, std::string>& map) {
  std::uint64_t size = map.size();
  pass(archive, size);
  if (!Archive::kReads) {
    for (const auto& [key, value] : map) {
      std::string first = key, second = value;
      pass(archive, first);
      pass(archive, second);
    }
    return;
  }
  for (; size > 0 && archive.good(); --size) {
    std::string first, second;
    pass(archive, first);
    pass(archive, second);
    map[first] = second;
  }
}

template <class Archive, class T, std::size_t N>
void pass(Archive& archive, std::array<T, N>& list) {
  for (T& item : list) pass(archive, item);
}

template <class Archive, class T>
void pass(Archive& archive, std::optional<T>& maybe) {
  bool there = maybe.has_value();
  pass(archive, there);
  if (!archive.good()) return;
  if (Archive::kReads && there) maybe.emplace();
  if (there) pass(archive, *maybe);
}

template <class Archive>
void pass(Archive& archive, SparseMatrix& matrix) {
  Index rows = matrix.rows(), columns = matrix.cols();
  std::vector<Index> at_row, at_column;
  std::vector<double> values;
  for (Index r = 0; r < matrix.outerSize(); ++r)
    for (SparseMatrix::InnerIterator it(matrix, r); it; ++it) {
      at_row.push_back(it.row());
      at_column.push_back(it.col());
      values.push_back(it.value());
    }
  pass(archive, rows);
  pass(archive, columns);
  pass(archive, at_row);
  pass(archive, at_column);
  pass(archive, values);
  if constexpr (Archive::kReads) {
    // Rows and columns belong to vectors of the same message: there are no more of them than bytes.
    const auto most = static_cast<Index>(std::min<std::size_t>(archive.size(), kLargest));
    if (rows < 0 || columns < 0 || rows > most || columns > most ||
        at_row.size() != values.size() || at_column.size() != values.size())
      return archive.refuse();
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < values.size() && archive.good(); ++i) {
      const Index row = at_row[i], column = at_column[i];
      if (row < 0 || column < 0 || row >= rows || column >= columns) return archive.refuse();
      entries.emplace_back(static_cast<int>(row), static_cast<int>(column), values[i]);
    }
    if (!archive.good()) return;
    matrix.resize(rows, columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
  }
}

template <class Archive, class... Fields>
void pass_all(Archive& archive, Fields&... fields) {
  (pass(archive, fields), ...);
}

template <class Archive>
void pass(Archive& archive, BodySpace::Contact& c) {
  pass_all(archive, c.first, c.second, c.j1, c.j2, c.w1, c.w2);
}
template <class Archive>
void pass(Archive& archive, BodySpace::JointRow& r) {
  pass_all(archive, r.first, r.second, r.j1, r.j2, r.w1, r.w2, r.other);
}
template <class Archive>
void pass(Archive& archive, BodySpace& A) {
  pass_all(archive, A.bodies, A.contacts, A.joints, A.others, A.cfm);
}
template <class Archive>
void pass(Archive& archive, Blocks& A) {
  pass_all(archive, A.contacts, A.joint_rows, A.row_start, A.column, A.offset, A.values,
           A.diagonal);
}
template <class Archive>
void pass(Archive& archive, Group& g) {
  pass_all(archive, g.faces, g.u);
}
template <class Archive>
void pass(Archive& archive, Dynamics& d) {
  pass_all(archive, d.mass, d.velocity, d.free_velocity, d.body_column, d.generalized_jacobian,
           d.generalized_response);
}
template <class Archive>
void pass(Archive& archive, System& s) {
  bool blocks = std::holds_alternative<Blocks>(s.A);
  pass(archive, blocks);
  if (!archive.good()) return;
  if (Archive::kReads && blocks) s.A = Blocks();
  if (Archive::kReads && !blocks) s.A = BodySpace();
  if (blocks)
    pass(archive, std::get<Blocks>(s.A));
  else
    pass(archive, std::get<BodySpace>(s.A));
  pass_all(archive, s.b, s.mu, s.lower, s.upper, s.step, s.gap, s.c, s.carried,
           s.resting_acceleration, s.normal_velocity, s.friction_bounds, s.groups, s.frame_contact,
           s.frame_contacts, s.dynamics);
}

template <class Archive>
void pass(Archive& archive, Errors& errors) {
  for (const MeasureInfo& one : measures()) pass(archive, errors[one.measure]);
}

template <class Archive>
void pass(Archive& archive, HistoryMeasure& m) {
  pass_all(archive, m.measure, m.at_iterate);
}
// What is described field by field (perpend/solve/fields.hpp).
template <class Archive>
void pass(Archive& archive, HistoryPoint& p) {
  for_each_field(p, [&](const auto&, auto& value) { pass(archive, value); });
}
template <class Archive>
void pass(Archive& archive, Result& r) {
  for_each_field(r, [&](const auto&, auto& value) { pass(archive, value); });
}
template <class Archive>
void pass(Archive& archive, Request& r) {
  pass(archive, r.solver);
  for_each_field(r.options, [&](const auto&, auto& value) { pass(archive, value); });
}

template <class Archive>
void pass(Archive& archive, Task& t) {
  pass_all(archive, t.peer, t.A, t.mu, t.bound_by, t.memory);
}
template <class Archive>
void pass(Archive& archive, Call& c) {
  pass_all(archive, c.b, c.lower, c.upper, c.start, c.coupled, c.tolerance, c.iterations);
}
template <class Archive>
void pass(Archive& archive, Answer& a) {
  pass_all(archive, a.x, a.solved, a.remark, a.iterations, a.error, a.seconds);
}

template <class Archive>
void pass(Archive& archive, OptionInfo& o) {
  pass_all(archive, o.name, o.meaning, o.fallback, o.choices, o.lowest, o.highest);
}
template <class Archive>
void pass(Archive& archive, PythonSolver& s) {
  pass_all(archive, s.name, s.title, s.reference, s.joints, s.options);
}
template <class Archive>
void pass(Archive& archive, PythonTable& t) {
  pass_all(archive, t.refused, t.solvers);
}
template <class Archive>
void pass(Archive& archive, PlainMatrix& m) {
  pass_all(archive, m.rows, m.columns, m.row_start, m.column, m.values);
}
template <class Archive>
void pass(Archive& archive, PythonTask& t) {
  pass_all(archive, t.solver, t.formulation, t.size, t.contacts, t.joint_rows, t.step, t.tolerance,
           t.seed, t.A, t.mass, t.jacobian, t.b, t.mu, t.lower, t.upper, t.friction_bounds,
           t.free_velocity, t.start, t.options);
}
template <class Archive>
void pass(Archive& archive, PythonStep& s) {
  pass_all(archive, s.kind, s.z, s.status, s.words, s.path, s.seconds, s.compiled, s.work,
           s.restarted);
}
template <class Archive>
void pass(Archive& archive, PythonReply& r) {
  pass_all(archive, r.go_on, r.error);
}

template <class T>
Bytes written(const T& value) {
  Bytes out;
  Writer writer(out);
  pass(writer, const_cast<T&>(value));  // the writer only reads it
  return out;
}

template <class T>
bool read(std::span<const std::byte> in, T& value) {
  Reader reader(in);
  pass(reader, value);
  return reader.finished();
}

}  // namespace

Bytes to_bytes(const System& system) { return written(system); }
Bytes to_bytes(const Request& request) { return written(request); }
Bytes to_bytes(const Result& result) { return written(result); }
Bytes to_bytes(const Task& task) { return written(task); }
Bytes to_bytes(const Call& call) { return written(call); }
Bytes to_bytes(const Answer& answer) { return written(answer); }
Bytes to_bytes(const PythonTable& table) { return written(table); }
Bytes to_bytes(const PythonTask& task) { return written(task); }
Bytes to_bytes(const PythonStep& step) { return written(step); }
Bytes to_bytes(const PythonReply& reply) { return written(reply); }
bool from_bytes(std::span<const std::byte> in, System& system) { return read(in, system); }
bool from_bytes(std::span<const std::byte> in, Request& request) { return read(in, request); }
bool from_bytes(std::span<const std::byte> in, Result& result) { return read(in, result); }
bool from_bytes(std::span<const std::byte> in, Task& task) { return read(in, task); }
bool from_bytes(std::span<const std::byte> in, Call& call) { return read(in, call); }
bool from_bytes(std::span<const std::byte> in, Answer& answer) { return read(in, answer); }
bool from_bytes(std::span<const std::byte> in, PythonTable& table) { return read(in, table); }
bool from_bytes(std::span<const std::byte> in, PythonTask& task) { return read(in, task); }
bool from_bytes(std::span<const std::byte> in, PythonStep& step) { return read(in, step); }
bool from_bytes(std::span<const std::byte> in, PythonReply& reply) { return read(in, reply); }

std::uint64_t fingerprint(const System& system) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::byte b : to_bytes(system))
    hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001b3U;
  return hash;
}

}  // namespace perpend::peers
