// A recording as bytes that gzip makes small.
//
// A column is stored for all frames together. Each number is combined by exclusive or with the one
// that is expected in its place, which leaves zeros where both agree: the same row of the frame
// before (bodies and contacts are followed by their ids), or what other columns say: tangents
// follow from normals, r2 from r1, velocities after a step are those before the next one. Then come
// the first bytes of all numbers, the second ones, and so on. What is expected is computed by plain
// sums of two numbers at a time: it has the same bits on every machine.
#include "perpend/io/packed.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <istream>
#include <unordered_map>

#include "io/columns.hpp"
#include "io/model_growth.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

static_assert(std::endian::native == std::endian::little);  // of numbers in the bytes
constexpr std::string_view kMark = "perpend packed 1";
constexpr std::uint64_t kMostFrames = 10'000'000;
constexpr const char* kIds[] = {"bodies/ids", "contacts/ids"};  // rows are followed by these

class Packer {
 public:
  template <class Number>
  void number(Number value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(std::uint64_t{value.size()});
    bytes_ += value;
  }
  void raw(const void* data, std::size_t size) {
    if (size > 0) bytes_.append(static_cast<const char*>(data), size);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  Unpacker(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  template <class Number>
  Number number() {
    Number value;
    std::memcpy(&value, raw(sizeof value), sizeof value);
    return value;
  }
  std::string text() {
    const std::size_t size = length(number<std::uint64_t>(), 1);
    const char* from = raw(size);
    return std::string(from, size);
  }
  const char* raw(std::size_t size) {
    if (size > bytes_.size()) fail("ends too early");
    const char* from = bytes_.data();
    bytes_.remove_prefix(size);
    return from;
  }
  // A number of things of so many bytes each that must still come.
  std::size_t length(std::uint64_t count, std::size_t each) const {
    if (count > bytes_.size() / each) fail("ends too early");
    return static_cast<std::size_t>(count);
  }
  bool done() const { return bytes_.empty(); }
  [[noreturn]] void fail(const std::string& why) const { throw InputError(where_ + ": " + why); }

 private:
  std::string_view bytes_;
  const std::string& where_;
};

template <class Element>
Element bits_at(const void* row, std::size_t k) {
  Element out;
  std::memcpy(&out, static_cast<const char*>(row) + k * sizeof out, sizeof out);
  return out;
}

// t and o of a normal, as tangents() of perpend/frame.hpp computes them but for rounding.
void expected_tangents(const double* n, double* out) {
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i]) < std::abs(n[k])) k = i;
  double t[3];
  for (int i = 0; i < 3; ++i) t[i] = (i == k ? 1.0 : 0.0) - n[k] * n[i];
  const double length = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  for (int i = 0; i < 3; ++i) out[i] = length > 0 ? t[i] / length : t[i];
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    out[3 + i] = n[a] * out[b] - n[b] * out[a];
  }
}

// r2 = x1 + r1 + psi n - x2.
void expected_points2(const Frame& frame, Index i, double* out) {
  const Contacts& contacts = frame.contacts;
  const Index first = contacts.pairs(i, 0), second = contacts.pairs(i, 1);
  for (Index c = 0; c < 3; ++c)
    out[c] = frame.bodies.positions(first, c) + contacts.points(i, c) +
             contacts.gap[i] * contacts.normals(i, c) - frame.bodies.positions(second, c);
}

// The row of `before` with the same id, for each of `now`; -1: none.
std::vector<Index> followed(const Integers& before, const Integers& now) {
  std::vector<Index> out(now.size(), -1);
  std::unordered_map<std::int64_t, Index> rows;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (i < before.size() && before[i] == now[i]) {
      out[i] = static_cast<Index>(i);
      continue;
    }
    if (rows.empty())
      for (std::size_t k = 0; k < before.size(); ++k)
        rows.emplace(before[k], static_cast<Index>(k));
    if (const auto found = rows.find(now[i]); found != rows.end()) out[i] = found->second;
  }
  return out;
}

// The row of `other` with the id of row i; -1: none. Ids mostly stay where they are.
Index followed_row(const Integers& ids, Index i, const Integers& other) {
  const auto at = static_cast<std::size_t>(i);
  if (at >= ids.size()) return -1;
  if (at < other.size() && other[at] == ids[at]) return i;
  const auto found = std::find(other.begin(), other.end(), ids[at]);
  return found == other.end() ? -1 : static_cast<Index>(found - other.begin());
}

// What is expected in the rows of a column, from what is known before it.
class Expected {
 public:
  Expected(const Column& column, const std::vector<Record>& records)
      : column_(column),
        records_(records),
        from_(column.name == "contacts/tangents"        ? From::normals
              : column.name == "contacts/points2"       ? From::points
              : column.name == "bodies/velocities_plus" ? From::next
                                                        : From::before) {}

  // For the row of the frame; null: nothing. `rows`: that the frame has.
  const void* row(std::size_t frame, Index i, Index rows) {
    if (frame != frame_) begin(frame, rows);
    const Index same = before_[static_cast<std::size_t>(i)];
    const void* was = frame > 0 ? at(column_.view(records_[frame - 1]), same) : nullptr;
    if (from_ == From::before) return was ? was : at(column_.view(records_[frame]), i - 1);
    double now[6], then[6];
    if (!computed(frame, i, now)) return was;
    // Where the frame before was not as expected, this one is not in the same way.
    if (was && computed(frame - 1, same, then))
      for (std::size_t k = 0; k < column_.numbers(); ++k)
        expected_[k] = bits_at<std::uint64_t>(now, k) ^ bits_at<std::uint64_t>(then, k) ^
                       bits_at<std::uint64_t>(was, k);
    else
      std::memcpy(expected_, now, column_.row_bytes());
    return expected_;
  }

 private:
  enum class From { before, normals, points, next };

  const void* at(const Column::View& view, Index row) const {
    if (row < 0 || row >= view.rows) return nullptr;
    return static_cast<const char*>(view.data) +
           static_cast<std::size_t>(row) * column_.row_bytes();
  }

  bool computed(std::size_t frame, Index i, double* out) const {
    const Frame& now = records_[frame].frame;
    if (from_ == From::normals) {
      expected_tangents(now.contacts.normals.data() + 3 * i, out);
      return true;
    }
    if (from_ == From::points) {
      expected_points2(now, i, out);
      return true;
    }
    if (frame + 1 >= records_.size()) return false;
    const Bodies& next = records_[frame + 1].frame.bodies;
    const Index row = followed_row(now.bodies.ids, i, next.ids);
    if (row < 0 || row >= next.velocities.rows()) return false;
    std::copy_n(next.velocities.data() + 6 * row, 6, out);
    return true;
  }

  void begin(std::size_t frame, Index rows) {
    frame_ = frame;
    before_.assign(static_cast<std::size_t>(rows), -1);
    if (frame == 0) return;
    const Frame &now = records_[frame].frame, &was = records_[frame - 1].frame;
    const bool ids = column_.name == kIds[0] || column_.name == kIds[1];
    if (!ids && column_.count == Count::body)
      before_ = followed(was.bodies.ids, now.bodies.ids);
    else if (!ids && column_.count == Count::contact && !was.contacts.ids.empty() &&
             static_cast<Index>(now.contacts.ids.size()) == rows)
      before_ = followed(was.contacts.ids, now.contacts.ids);
    else
      for (Index i = 0; i < rows; ++i) before_[static_cast<std::size_t>(i)] = i;
    before_.resize(static_cast<std::size_t>(rows), -1);
  }

  const Column& column_;
  const std::vector<Record>& records_;
  From from_;
  std::size_t frame_ = static_cast<std::size_t>(-1);
  std::vector<Index> before_;  // the same row in the frame before
  std::uint64_t expected_[6];
};

// Calls with an unsigned number of the size of the column's elements.
template <class Visit>
void with_element(const Column& column, Visit visit) {
  if (bytes(column.type) == 1)
    visit(std::uint8_t{});
  else
    visit(std::uint64_t{});
}

// With 32 bits where that is all there is to say.
bool is_short(const Column& column, bool trajectory) {
  return trajectory && (column.name == "bodies/positions" || column.name == "bodies/quaternions" ||
                        column.name == "bodies/inertia");
}
template <class To, class From>
To with_bits(From from) {  // std::bit_cast, which emscripten's library lacks
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
std::uint32_t shortened(std::uint64_t bits) {
  const auto value = with_bits<double>(bits);
  return std::isnan(value) ? 0x7fc00000U : with_bits<std::uint32_t>(static_cast<float>(value));
}
std::uint64_t lengthened(std::uint32_t bits) {
  return with_bits<std::uint64_t>(static_cast<double>(with_bits<float>(bits)));
}

// Byte 0 of all numbers first, then byte 1, ...
template <class Number>
void put_planes(const std::vector<Number>& numbers, Packer& out) {
  out.number(std::uint64_t{numbers.size()});
  std::string plane(numbers.size(), '\0');
  for (std::size_t b = 0; b < sizeof(Number); ++b) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
      plane[i] = static_cast<char>(numbers[i] >> (8 * b));
    out.raw(plane.data(), plane.size());
  }
}
template <class Number>
std::vector<Number> take_planes(Unpacker& in) {
  const std::size_t size = in.length(in.number<std::uint64_t>(), sizeof(Number));
  std::vector<Number> out(size);
  for (std::size_t b = 0; b < sizeof(Number); ++b) {
    const char* plane = in.raw(size);
    for (std::size_t i = 0; i < size; ++i)
      out[i] =
          static_cast<Number>(out[i] | Number{static_cast<unsigned char>(plane[i])} << (8 * b));
  }
  return out;
}

void pack_column(const Column& column, const LoadedRecording& recording, Packer& out) {
  const std::vector<Record>& records = recording.records;
  out.text(column.name);
  Expected expected(column, records);
  const std::size_t numbers = column.numbers();
  std::string there(records.size(), '\0');
  const auto each = [&](const auto& put) {
    for (std::size_t f = 0; f < records.size(); ++f) {
      const Column::View view = column.view(records[f]);
      there[f] = view.rows > 0 ? 1 : 0;
      for (Index i = 0; i < view.rows; ++i) {
        const char* row =
            static_cast<const char*>(view.data) + static_cast<std::size_t>(i) * column.row_bytes();
        const void* base = expected.row(f, i, view.rows);
        for (std::size_t k = 0; k < numbers; ++k) put(row, base, k);
      }
    }
  };
  with_element(column, [&](auto element) {
    using Element = decltype(element);
    const auto at = [](const void* row, std::size_t k) {
      return row ? bits_at<Element>(row, k) : Element{0};
    };
    if constexpr (sizeof(Element) == 8) {
      if (is_short(column, recording.trajectory)) {
        std::vector<std::uint32_t> left;
        each([&](const void* row, const void* base, std::size_t k) {
          left.push_back(shortened(at(row, k)) ^ shortened(at(base, k)));
        });
        out.raw(there.data(), there.size());
        return put_planes(left, out);
      }
    }
    std::vector<Element> left;
    each([&](const void* row, const void* base, std::size_t k) {
      left.push_back(static_cast<Element>(at(row, k) ^ at(base, k)));
    });
    out.raw(there.data(), there.size());
    put_planes(left, out);
  });
}

void unpack_column(const Column& column, LoadedRecording& recording,
                   const std::vector<Counts>& counts, Unpacker& in) {
  std::vector<Record>& records = recording.records;
  Expected expected(column, records);
  const std::size_t numbers = column.numbers();
  const char* there = in.raw(records.size());
  with_element(column, [&](auto element) {
    using Element = decltype(element);
    const auto fill = [&](const auto& left, const auto& join) {
      std::size_t next = 0;
      for (std::size_t f = 0; f < records.size(); ++f) {
        const Index rows = !there[f] ? 0
                           : column.count == Count::frame
                               ? 1
                               : counts[f][static_cast<std::size_t>(column.count)];
        if (rows == 0 && column.count == Count::frame) continue;
        if (static_cast<std::size_t>(rows) > (left.size() - next) / numbers)
          in.fail(std::string(column.name) + " has too few rows");
        char* out = static_cast<char*>(column.resize(records[f], rows));
        for (Index i = 0; i < rows; ++i) {
          const void* base = expected.row(f, i, rows);
          for (std::size_t k = 0; k < numbers; ++k, out += sizeof(Element)) {
            const Element bits = join(left[next++], base ? bits_at<Element>(base, k) : Element{0});
            std::memcpy(out, &bits, sizeof bits);
          }
        }
      }
      if (next != left.size()) in.fail(std::string(column.name) + " has too many rows");
    };
    if constexpr (sizeof(Element) == 8) {
      if (is_short(column, recording.trajectory))
        return fill(take_planes<std::uint32_t>(in), [](std::uint32_t left, std::uint64_t base) {
          return lengthened(left ^ shortened(base));
        });
    }
    fill(take_planes<Element>(in),
         [](Element left, Element base) { return static_cast<Element>(left ^ base); });
  });
}

// The columns of frames in the order in which each may use those before it: ids come first.
std::vector<const Column*> packed_columns() {
  std::vector<const Column*> out;
  const auto is_id = [](const Column& column) {
    return column.name == kIds[0] || column.name == kIds[1];
  };
  for (const bool ids : {true, false})
    for (const Column& column : columns())
      if (is_id(column) == ids && column.type != Type::answerer) out.push_back(&column);
  return out;
}

void pack_header(const Header& header, Packer& out) {
  for (const auto& list : {attributes(), recipe_attributes()})
    for (const Attribute& attribute : list) out.text(header.*attribute.text);
  out.number(header.scalar_bytes);
  out.number(std::uint64_t{header.answerers.size()});
  for (const std::string& one : header.answerers) out.text(one);
  out.number(static_cast<std::int8_t>(header.stepper));
}

Header unpack_header(Unpacker& in) {
  Header header;
  for (const auto& list : {attributes(), recipe_attributes()})
    for (const Attribute& attribute : list) header.*attribute.text = in.text();
  header.scalar_bytes = in.number<std::int64_t>();
  header.answerers.resize(in.length(in.number<std::uint64_t>(), sizeof(std::uint64_t)));
  for (std::string& one : header.answerers) one = in.text();
  header.stepper = in.number<std::int8_t>() == 0 ? Stepper::st : Stepper::ap;
  return header;
}

void pack_model(const ModelColumns& model, Packer& out) {
  Record record;
  record.model = model;
  for (const Column& column : file_columns()) {
    if (column.count == Count::event) continue;
    const Column::View view = column.view(record);
    out.number(std::uint64_t(view.rows));
    out.raw(view.data, static_cast<std::size_t>(view.rows) * column.row_bytes());
  }
}

ModelColumns unpack_model(Unpacker& in) {
  Record record;
  for (const Column& column : file_columns()) {
    if (column.count == Count::event) continue;
    const std::size_t rows = in.length(in.number<std::uint64_t>(), column.row_bytes());
    void* out = column.resize(record, static_cast<Index>(rows));
    if (const char* from = in.raw(rows * column.row_bytes()); rows > 0)
      std::memcpy(out, from, rows * column.row_bytes());
  }
  if (const std::string why = invalid(record.model); !why.empty()) in.fail(why);
  return record.model;
}

// Rows that a trajectory leaves out, so that a frame is whole.
void fill_up(Record& record) {
  Bodies& bodies = record.frame.bodies;
  const Index n = bodies.count();
  bodies.velocities.setZero(n, 6);
  bodies.forces.setZero(n, 6);
  if (bodies.inertia.rows() != n) bodies.inertia.setZero(n, 9);
}

// Numbers of rows fit each other, and pairs name bodies that are there.
void check_record(const Record& record, const Unpacker& in) {
  const Frame& frame = record.frame;
  try {
    count(record, "a frame");
  } catch (const InputError& error) {
    in.fail(error.what());
  }
  for (const Pairs* pairs : {&frame.contacts.pairs, &frame.joints.pairs, &frame.joints.pairs2})
    for (Index i = 0; i < pairs->size(); ++i)
      if (pairs->data()[i] < 0 || pairs->data()[i] >= frame.bodies.count())
        in.fail("a pair names a body that is not there");
}

}  // namespace

LoadedRecording load_json_lines(std::istream& text, const std::string& name) {
  LoadedRecording out;
  out.name = name;
  out.header.engine.clear();
  out.records = read_json_lines(text, name);
  out.header.stepper = out.records.front().frame.stepper;
  ModelGrowth growth;
  for (std::size_t f = 0; f < out.records.size(); ++f) {
    Record& record = out.records[f];
    out.numbers.push_back(static_cast<std::int64_t>(f));
    const std::string& who = record.answer.answered;
    if (std::vector<std::string>& known = out.header.answerers;
        !who.empty() && std::find(known.begin(), known.end(), who) == known.end())
      known.push_back(who);
    const ModelColumns more = growth.added(record.model);
    if (more.empty()) continue;
    Record whole, part;
    whole.model = std::move(out.model);
    part.model = more;
    for (const Column& column : file_columns()) {
      if (column.count == Count::event) continue;
      const Column::View had = column.view(whole), has = column.view(part);
      const std::size_t before = static_cast<std::size_t>(had.rows) * column.row_bytes(),
                        after = static_cast<std::size_t>(has.rows) * column.row_bytes();
      std::string both(before + after, '\0');
      if (before > 0) std::memcpy(both.data(), had.data, before);
      if (after > 0) std::memcpy(both.data() + before, has.data, after);
      void* to = column.resize(whole, had.rows + has.rows);
      if (!both.empty()) std::memcpy(to, both.data(), both.size());
    }
    out.model = std::move(whole.model);
  }
  return out;
}

void keep_trajectory(LoadedRecording& recording) {
  recording.trajectory = true;
  recording.header.simulate.clear();
  for (Record& record : recording.records) {
    Record kept;
    Bodies& bodies = kept.frame.bodies;
    bodies.ids = record.frame.bodies.ids;
    bodies.masses = record.frame.bodies.masses;
    bodies.positions = record.frame.bodies.positions.cast<float>().cast<double>();
    bodies.quaternions = record.frame.bodies.quaternions.cast<float>().cast<double>();
    if (recording.model.empty())
      bodies.inertia = record.frame.bodies.inertia.cast<float>().cast<double>();
    kept.frame.step = record.frame.step;
    kept.frame.time = record.frame.time;
    kept.frame.stepper = record.frame.stepper;
    kept.name = record.name;
    fill_up(kept);
    record = std::move(kept);
  }
}

std::string pack(const LoadedRecording& recording) {
  const std::vector<Record>& records = recording.records;
  Packer out;
  out.raw(kMark.data(), kMark.size());
  out.number(std::int8_t{recording.trajectory});
  out.text(recording.name);
  pack_header(recording.header, out);
  pack_model(recording.model, out);
  out.number(std::uint64_t{records.size()});
  out.raw(recording.numbers.data(), 8 * records.size());
  std::vector<std::uint64_t> counts;
  for (const Record& record : records)
    for (const std::int64_t rows : count(record, recording.name))
      counts.push_back(static_cast<std::uint64_t>(rows));
  put_planes(counts, out);
  for (const Record& record : records) {
    out.number(place_of_answerer(record.answer, recording.header.answerers, recording.name));
    out.text(record.name);
  }
  const auto left_out = [&](const Column& column) {
    return recording.trajectory &&
           (column.name == "bodies/velocities" || column.name == "bodies/forces" ||
            (column.name == "bodies/inertia" && !recording.model.empty()));
  };
  std::vector<const Column*> list = packed_columns();
  std::erase_if(list, [&](const Column* column) { return left_out(*column); });
  out.number(std::uint64_t{list.size()});
  for (const Column* column : list) pack_column(*column, recording, out);
  return out.take();
}

LoadedRecording unpack(std::string_view bytes, const std::string& where) {
  Unpacker in(bytes, where);
  if (std::string_view(in.raw(std::min(kMark.size(), bytes.size())),
                       std::min(kMark.size(), bytes.size())) != kMark)
    in.fail("is not a packed recording");
  LoadedRecording out;
  out.trajectory = in.number<std::int8_t>() != 0;
  out.name = in.text();
  out.header = unpack_header(in);
  out.model = unpack_model(in);
  const std::uint64_t frames = in.number<std::uint64_t>();
  if (frames > kMostFrames) in.fail("has too many frames");
  const std::size_t count = in.length(frames, 8);
  out.numbers.resize(count);
  if (const char* from = in.raw(8 * count); count > 0)
    std::memcpy(out.numbers.data(), from, 8 * count);
  const std::vector<std::uint64_t> rows = take_planes<std::uint64_t>(in);
  if (rows.size() != count * kRowCounts) in.fail("has not the rows of its frames");
  std::vector<Counts> counts(count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] > bytes.size()) in.fail("has too many rows");
    counts[i / kRowCounts][i % kRowCounts] = static_cast<std::int64_t>(rows[i]);
  }
  out.records.resize(count);
  for (Record& record : out.records) {
    record.frame.stepper = out.header.stepper;
    name_answerer(record.answer, in.number<std::int64_t>(), out.header.answerers, where);
    record.name = in.text();
  }
  const auto check_all = [&] {
    for (Record& record : out.records) {
      if (out.trajectory) fill_up(record);
      check_record(record, in);
    }
  };
  const std::vector<const Column*> list = packed_columns();
  auto next = list.begin();
  for (auto left = in.number<std::uint64_t>(); left > 0; --left, ++next) {
    const std::string name = in.text();
    next = std::find_if(next, list.end(), [&](const Column* one) { return one->name == name; });
    if (next == list.end()) in.fail("has the unknown column " + printable(name));
    // What is expected of these is computed from what must fit by now.
    if ((*next)->name == "contacts/points2" || (*next)->name == "contacts/tangents") check_all();
    unpack_column(**next, out, counts, in);
  }
  if (!in.done()) in.fail("goes on after its end");
  check_all();
  return out;
}

}  // namespace perpend::io
