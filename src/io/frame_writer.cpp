// Writes the standard file in the columns layout (docs/format.md), so that a killed capture loses
// nothing that was flushed.
//
// HDF5's single-writer-multiple-reader mode (SWMR) is entered before the first frame: everything
// the file will ever hold has been created by then, because what is created later is lost with the
// process. Rows wait in memory until flush(), or until a megabyte of them has come together; they
// are flushed before /frames/offsets, whose row is what makes a frame exist. The first frame is
// flushed at once, the others in batches: a program that dies keeps all but its last ones. A frame
// that needs a newer version than the file has goes into a copy that takes the file's place.
#include <chrono>
#include <cstring>
#include <optional>

#include "io/columns.hpp"
#include "io/file_columns.hpp"
#include "io/guarded_driver.hpp"
#include "io/hdf5.hpp"
#include "io/hdf5_types.hpp"
#include "io/layouts.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kFlushEvery(500);
constexpr std::int64_t kFlushFrames = 64;
constexpr std::size_t kHashBytes = 16;  // of the attribute state_hash
constexpr std::size_t kPendingBytes = std::size_t{1} << 20;
constexpr Index kFrameChunkRows = 1024;  // of datasets with one row per frame
constexpr Index kModelChunkRows = 64, kEventChunkRows = 16;

// One extensible dataset and the rows that wait to be written to it.
class Output {
 public:
  Output(const h5::File& file, const std::string& name, const std::vector<hsize_t>& width,
         Type type, const void* fill, Index chunk_rows)
      : file_(file.path()), name_(name), type_(type), width_(width) {
    std::vector<hsize_t> none = shape(0), unlimited = shape(H5S_UNLIMITED),
                         chunk = shape(static_cast<hsize_t>(chunk_rows));
    const int rank = static_cast<int>(none.size());
    const h5::Handle space(H5Screate_simple(rank, none.data(), unlimited.data()), H5Sclose);
    const h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation, rank, chunk.data());
    if (fill) {
      H5Pset_fill_value(creation, memory_type(type), fill);
      H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC);
    } else {
      H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);  // every row will be written
    }
    const h5::Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
    H5Pset_create_intermediate_group(links, 1);
    const h5::Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk_cache(access, 1, 0, 1.0);  // rows go straight to the file
    data_ = h5::Handle(
        H5Dcreate2(file, name.c_str(), file_type(type), space, links, creation, access), H5Dclose);
    if (!data_.valid()) refuse("cannot be created");
    row_bytes_ = bytes(type);
    for (hsize_t w : width) row_bytes_ *= static_cast<std::size_t>(w);
    fill_.resize(row_bytes_);
    if (fill)
      for (std::size_t i = 0; i < row_bytes_; i += bytes(type))
        std::memcpy(fill_.data() + i, fill, bytes(type));
  }

  // Rows that start at `first`. Rows skipped since the last call are filled as absent.
  void put(std::int64_t first, const void* rows, std::int64_t count) {
    if (count == 0) return;
    if (pending_.empty()) start_ = first;
    while (start_ + pending_rows() < first)
      pending_.insert(pending_.end(), fill_.begin(), fill_.end());
    const char* from = static_cast<const char*>(rows);
    pending_.insert(pending_.end(), from, from + static_cast<std::size_t>(count) * row_bytes_);
  }

  // Behind all that were put.
  void append(const void* rows, std::int64_t count) {
    put(pending_.empty() ? written_ : start_ + pending_rows(), rows, count);
  }

  std::size_t pending_bytes() const { return pending_.size(); }

  void write() {
    if (pending_.empty()) return;
    const std::int64_t rows = pending_rows();
    const std::int64_t end = start_ + rows;
    const std::vector<hsize_t> extent = shape(static_cast<hsize_t>(end)),
                               count = shape(static_cast<hsize_t>(rows));
    std::vector<hsize_t> start(extent.size(), 0);
    start[0] = static_cast<hsize_t>(start_);
    if (H5Dset_extent(data_, extent.data()) < 0) refuse("cannot grow");
    const h5::Handle space(H5Dget_space(data_), H5Sclose);
    const h5::Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    if (H5Dwrite(data_, memory_type(type_), memory, space, H5P_DEFAULT, pending_.data()) < 0)
      refuse("cannot be written");
    pending_.clear();
    written_ = end;
  }

  void close() {
    if (!data_.reset()) refuse("cannot be closed");
  }

 private:
  std::vector<hsize_t> shape(hsize_t rows) const {
    std::vector<hsize_t> result{rows};
    result.insert(result.end(), width_.begin(), width_.end());
    return result;
  }
  std::int64_t pending_rows() const {
    return static_cast<std::int64_t>(pending_.size() / row_bytes_);
  }
  [[noreturn]] void refuse(const std::string& what) const {
    const std::string why = h5::reason();
    h5::fail(file_, name_, what + " (" + why + ")");
  }

  std::string file_, name_;
  Type type_;
  std::vector<hsize_t> width_;
  h5::Handle data_;
  std::size_t row_bytes_ = 0;
  std::vector<char> fill_, pending_;
  std::int64_t start_ = 0, written_ = 0;
};

}  // namespace

struct FrameWriter::File {
  Index chunk_rows;
  h5::File file;
  Stepper stepper;
  Header header;                // its texts are not kept
  std::vector<Column> columns;  // those of the file's version
  std::vector<Output> outputs;  // as columns, then /system/offsets
  std::vector<Output> offsets;  // /frames/offsets alone
  std::vector<Output> of_file;  // as file_columns()
  ModelGrowth growth;
  Counts totals{};
  std::int64_t frames = 0, flushed_frames = 0;
  std::optional<h5::WriterLock> lock;
  SteadyClock::time_point flushed = SteadyClock::now();

  // `called`: its name in messages.
  File(const std::string& path, const Header& given, Index rows, const std::string& called)
      : chunk_rows(rows), file(h5::File::create(path, true, called)), stepper(given.stepper) {
    header.format_version = given.format_version;
    header.answerers = given.answerers;
    for (const Column& column : io::columns())
      if (column.since() <= header.format_version) columns.push_back(column);
    write_header(file, given);
    if (given.state_hash.empty())  // room for it: in SWMR mode it can be filled, but not made
      h5::write_attribute(file, "/", "state_hash", std::string(kHashBytes, '\0'));
    const Index frame_rows = std::min(chunk_rows, kFrameChunkRows);
    for (const Column& column : columns)
      outputs.emplace_back(file, column.path(), width(column), column.type,
                           column.optional() ? absent_value(column.type) : nullptr,
                           column.count == Count::frame ? frame_rows : chunk_rows);
    constexpr std::int64_t kNothing = 0;
    outputs.emplace_back(file, "/system/offsets", std::vector<hsize_t>{2 * kSystemCounts},
                         Type::int64, &kNothing, frame_rows);
    for (const Column& column : file_columns())
      of_file.emplace_back(file, column.path(), width(column), column.type, nullptr,
                           column.count == Count::event ? kEventChunkRows : kModelChunkRows);
    offsets.emplace_back(file, "/frames/offsets", std::vector<hsize_t>{2 * kFrameCounts},
                         Type::int64, nullptr, frame_rows);
    if (H5Fstart_swmr_write(file) < 0)
      h5::fail(path, "", "cannot be opened in HDF5's SWMR mode (" + h5::reason() + ")");
    lock.emplace(path);
  }

  // A disk that is full; the frames of the last flush stay.
  void check() {
    if (const std::string why = h5::failure(file); !why.empty())
      h5::fail(file.path(), "", "cannot be written (" + why + ")");
  }

  void append(const Record& record) {
    check();
    const std::string where = file.path() + ": frame " + std::to_string(frames);
    const Counts counts = count(record, where);
    // Whatever can be refused is refused before the first column takes its rows.
    const Rows6 made_tangents = needed_tangents(record);
    const std::int64_t answerer = place_of_answerer(record.answer, header.answerers, where);
    std::vector<Integers> ids(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i].type == Type::body_id) ids[i] = ids_of_pairs(record, where, columns[i]);
    if (const std::string why = invalid(record.model); !why.empty())
      throw InputError(where + ": /" + why);
    std::size_t pending = put_of_file(record);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Column& column = columns[i];
      Column::View view = column.view(record);
      if (column.type == Type::body_id) view.data = ids[i].data();
      if (column.type == Type::answerer) view.data = &answerer;
      const bool made = made_tangents.rows() && column.name == "contacts/tangents";
      if (made) view = {made_tangents.data(), made_tangents.rows()};
      const std::int64_t first =
          column.count == Count::frame ? frames : totals[static_cast<std::size_t>(column.count)];
      if (made || !lacks(column, record, stepper)) outputs[i].put(first, view.data, view.rows);
      pending += outputs[i].pending_bytes();
    }
    commit(counts);
    if (frames == 1 || frames - flushed_frames >= kFlushFrames ||
        SteadyClock::now() - flushed >= kFlushEvery)
      flush();
    else if (pending > kPendingBytes)
      write_columns();
  }

  // Names, shapes and events; returns the bytes that wait.
  std::size_t put_of_file(const Record& record) {
    Record fresh;
    if (!record.model.empty()) fresh.model = growth.added(record.model);
    fresh.events = record.events;
    std::size_t pending = 0;
    for (std::size_t i = 0; i < of_file.size(); ++i) {
      const Column::View view = file_columns()[i].view(fresh);
      of_file[i].append(view.data, view.rows);
      pending += of_file[i].pending_bytes();
    }
    return pending;
  }

  void commit(const Counts& counts) {
    std::array<std::int64_t, 2 * kFrameCounts> row;
    std::array<std::int64_t, 2 * kSystemCounts> system_row;
    bool has_system = false;
    for (std::size_t k = 0; k < kRowCounts; ++k) {
      if (k < kFrameCounts) {
        row[k] = totals[k];
        row[kFrameCounts + k] = counts[k];
      } else {
        system_row[k - kFrameCounts] = totals[k];
        system_row[kSystemCounts + k - kFrameCounts] = counts[k];
        has_system = has_system || counts[k] > 0;
      }
      totals[k] += counts[k];
    }
    if (has_system) outputs.back().put(frames, system_row.data(), 1);
    offsets.front().put(frames, row.data(), 1);
    ++frames;
  }

  void write_columns() {
    for (Output& output : of_file) output.write();
    for (Output& output : outputs) output.write();
    check();
  }

  void flush_file() {
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0)
      h5::fail(file.path(), "", "cannot be flushed (" + h5::reason() + ")");
    check();
  }

  void flush() {
    write_columns();
    flush_file();
    offsets.front().write();
    flush_file();
    flushed = SteadyClock::now();
    flushed_frames = frames;
  }

  // Of the same length, and so in its place: a kill leaves the old text or the new one.
  void write_hash(const std::string& hash) {
    std::string text = hash;
    text.resize(kHashBytes, '\0');
    const h5::Handle attribute(H5Aopen(file, "state_hash", H5P_DEFAULT), H5Aclose);
    const h5::Handle type(H5Aget_type(attribute), H5Tclose);
    if (H5Tget_size(type) != kHashBytes || H5Awrite(attribute, type, text.data()) < 0)
      h5::fail(file.path(), "/", "attribute state_hash cannot be written (" + h5::reason() + ")");
  }

  void close(const std::string& hash) {
    flush();
    if (!hash.empty()) write_hash(hash);
    for (Output& output : of_file) output.close();
    for (Output& output : outputs) output.close();
    offsets.front().close();
    flush_file();
    if (!file.close()) h5::fail(file.path(), "", "cannot be closed (" + h5::reason() + ")");
  }
};

FrameWriter::FrameWriter(const std::string& path, const Header& header, Index chunk_rows) {
  const h5::Silence quiet;
  file_ = std::make_unique<File>(path, header, std::max<Index>(chunk_rows, 1), path);
}

FrameWriter::FrameWriter(FrameWriter&&) noexcept = default;

FrameWriter::~FrameWriter() {
  try {
    close();
  } catch (const InputError&) {
    // The destructor cannot report; whoever needs to know calls close().
  }
}

void FrameWriter::append(const Record& record) {
  const h5::Silence quiet;
  if (!file_) throw std::logic_error("FrameWriter::append after close");
  if (const std::int64_t needed = needed_version(record); needed > file_->header.format_version)
    raise_version(needed);
  file_->append(record);
}

void FrameWriter::raise_version(std::int64_t version) {
  const std::string path = file_->file.path();
  const Index chunk_rows = file_->chunk_rows;
  close();
  OutputFile copy(path, OutputFile::Content::hdf5);
  const h5::File source = h5::File::open(path);
  std::int64_t before = 0;
  Header header = read_header(source, before, throw_it);
  const std::unique_ptr<Layout> frames = open_layout(source, header, throw_it);
  header.format_version = version;
  auto file = std::make_unique<File>(copy.path(), header, chunk_rows, path);
  for (Index frame = 0; frame < frames->frames(); ++frame) {
    Record record = frames->read(frame);
    if (frame == 0) {
      record.model = read_model(source);
      for (const std::string& event : read_events(source)) record.events.emplace_back(event);
    }
    file->append(record);
  }
  file->flush();
  copy.commit();
  file_ = std::move(file);
}

void FrameWriter::flush() {
  const h5::Silence quiet;
  if (file_) file_->flush();
}

void FrameWriter::close(const std::string& state_hash) {
  const h5::Silence quiet;
  const std::unique_ptr<File> file = std::move(file_);
  if (file) file->close(state_hash);
}

void FrameWriter::close() { close(std::string()); }

}  // namespace perpend::io
