// Reads the columns layout of the standard file: one frame at a time, each column with one read
// straight into the frame's own memory.
#include <algorithm>
#include <cstring>
#include <limits>

#include "io/layouts.hpp"

namespace perpend::io {
namespace {

constexpr hsize_t kBlock = 1024;  // frames whose single numbers are read together

constexpr std::array<std::string_view, kFrameCounts> kRowNames{"bodies", "joints", "joint rows",
                                                               "contacts"};

class ColumnsLayout final : public Layout {
 public:
  ColumnsLayout(const h5::File& file, const Header& header, const Complain& complain)
      : file_(file),
        stepper_(header.stepper),
        version_(header.format_version),
        answerers_(header.answerers),
        data_(columns().size()) {
    // Offsets first: a writer still at work has flushed all rows they speak of.
    attempt(complain, [&] {
      offsets_ = h5::Dataset(file, "/frames/offsets");
      offsets_.expect(h5::Element::integer, {2 * kFrameCounts});
      offsets_.warrant(offsets_.rows());
      frames_ = static_cast<Index>(offsets_.rows());
    });
    capacity_.fill({std::numeric_limits<std::int64_t>::max(), std::string()});
    largest_ = capacity_;
    for (std::size_t i = 0; i < data_.size(); ++i) attempt(complain, [&] { open_column(i); });
    attempt(complain, [&] { open_system_offsets(); });
    check_all(complain);
  }

  std::string_view name() const override { return "columns"; }
  Index frames() const override { return frames_; }

  FrameCounts counts(Index frame) const override {
    const FrameRow& row = offsets(frame);
    return {row[4], row[5], row[6], row[7]};
  }

  Record read(Index frame) const override {
    const std::string where = file_.path() + ": frame " + std::to_string(frame);
    const FrameRow row = offsets(frame);
    check(row, frame, FrameRow{});
    std::array<std::int64_t, kRowCounts> first{}, count{};
    std::copy_n(row.begin(), kFrameCounts, first.begin());
    std::copy_n(row.begin() + kFrameCounts, kFrameCounts, count.begin());
    read_system_offsets(frame, first, count);
    Record record;
    record.frame.stepper = stepper_;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const Column& column = columns()[i];
      const std::size_t by = static_cast<std::size_t>(column.count);
      if (column.count == Count::frame)
        take_from_block(i, frame, record, where);
      else if (count[by] > 0)
        read_rows(i, first[by], count[by], record);
      else
        column.resize(record, 0);
    }
    finish_reading(record, stepper_, where);
    return record;
  }

 private:
  using FrameRow = std::array<std::int64_t, 2 * kFrameCounts>;
  struct Limit {
    std::int64_t rows;
    std::string dataset;  // which one sets it
  };

  void open_column(std::size_t i) {
    const Column& column = columns()[i];
    if (column.optional() && h5::find(file_, column.path()) == h5::Found::nothing) return;
    h5::Dataset data(file_, column.path());
    if (column.since() > version_ && data.rows() > 0)
      data.fail("needs format_version " + std::to_string(column.since()) + ", the file says " +
                std::to_string(version_));
    data.expect(column.type == Type::float64 ? h5::Element::real : h5::Element::integer,
                width(column));
    const hsize_t most = std::numeric_limits<std::int64_t>::max();
    if (data.rows() > most) data.fail("declares an impossible number of rows");
    if (!column.optional() && column.count == Count::frame) {
      if (data.rows() < static_cast<hsize_t>(frames_))
        data.fail("has " + std::to_string(data.rows()) + " rows for " + std::to_string(frames_) +
                  " frames");
      data.warrant(static_cast<hsize_t>(frames_));
    } else if (!column.optional()) {
      Limit& capacity = capacity_[static_cast<std::size_t>(column.count)];
      if (static_cast<std::int64_t>(data.rows()) < capacity.rows)
        capacity = {static_cast<std::int64_t>(data.rows()), data.name()};
      Limit& largest = largest_[static_cast<std::size_t>(column.count)];
      if (data.warranted_rows() < static_cast<hsize_t>(largest.rows))
        largest = {static_cast<std::int64_t>(data.warranted_rows()), data.name()};
    }
    data_[i] = std::move(data);
  }

  void open_system_offsets() {
    if (h5::find(file_, "/system/offsets") == h5::Found::nothing) return;
    h5::Dataset data(file_, "/system/offsets");
    data.expect(h5::Element::integer, {2 * kSystemCounts});
    system_offsets_ = std::move(data);
  }

  // Every frame's rows must lie in every mandatory column, in order, and be really stored there.
  void check(const FrameRow& row, Index frame, const FrameRow& before) const {
    for (std::size_t k = 0; k < kFrameCounts; ++k) {
      const std::int64_t first = row[k], count = row[kFrameCounts + k];
      const auto refuse = [&](const std::string& what) {
        offsets_.fail("frame " + std::to_string(frame) + ": " + std::string(kRowNames[k]) + " " +
                      what);
      };
      if (first < 0 || count < 0) refuse("have a negative offset or count");
      if (first < before[k] + before[kFrameCounts + k])
        refuse("begin at row " + std::to_string(first) + ", inside the frame before");
      if (first > capacity_[k].rows || count > capacity_[k].rows - first)
        refuse(std::to_string(first) + " to " + std::to_string(first) + " + " +
               std::to_string(count) + " lie outside " + capacity_[k].dataset + " (" +
               std::to_string(capacity_[k].rows) + " rows)");
      if (count > largest_[k].rows)
        refuse(std::to_string(count) + " rows are more than " + largest_[k].dataset + " stores");
    }
  }

  void check_all(const Complain& complain) const {
    FrameRow before{};
    for (Index frame = 0; frame < frames_; ++frame)
      attempt(complain, [&] {
        const FrameRow& row = offsets(frame);
        check(row, frame, before);
        before = row;
      });
  }

  const FrameRow& offsets(Index frame) const {
    if (frame < 0 || frame >= frames_)
      h5::fail(
          file_.path(), "",
          "has no frame " + std::to_string(frame) + " (it has " + std::to_string(frames_) + ")");
    const hsize_t wanted = static_cast<hsize_t>(frame) / kBlock * kBlock;
    if (offsets_block_.empty() || offsets_first_ != wanted) {
      offsets_block_.resize(static_cast<std::size_t>(std::min(kBlock, offsets_.rows() - wanted)));
      offsets_.read(wanted, offsets_block_.size(), H5T_NATIVE_INT64, offsets_block_.data());
      offsets_first_ = wanted;
    }
    return offsets_block_[static_cast<std::size_t>(frame) - static_cast<std::size_t>(wanted)];
  }

  void read_system_offsets(Index frame, std::array<std::int64_t, kRowCounts>& first,
                           std::array<std::int64_t, kRowCounts>& count) const {
    if (!system_offsets_.valid() || static_cast<hsize_t>(frame) >= system_offsets_.rows() ||
        system_offsets_.stored_bytes() == 0)
      return;
    std::array<std::int64_t, 2 * kSystemCounts> row;
    system_offsets_.read(static_cast<hsize_t>(frame), 1, H5T_NATIVE_INT64, row.data());
    for (std::size_t k = 0; k < kSystemCounts; ++k) {
      first[kFrameCounts + k] = row[k];
      count[kFrameCounts + k] = row[kSystemCounts + k];
      if (row[k] < 0 || row[kSystemCounts + k] < 0 ||
          row[k] > std::numeric_limits<std::int64_t>::max() - row[kSystemCounts + k])
        system_offsets_.fail("frame " + std::to_string(frame) +
                             ": has an impossible offset or count");
    }
  }

  void read_rows(std::size_t i, std::int64_t first, std::int64_t count, Record& record) const {
    const Column& column = columns()[i];
    const h5::Dataset& data = data_[i];
    // A frame lacks an optional column whose dataset ends before the frame's last row, or holds
    // nothing but absent values there. Rows that are not stored at all need not be read to see it.
    if (column.optional() &&
        (!data.valid() || static_cast<hsize_t>(first) + static_cast<hsize_t>(count) > data.rows() ||
         static_cast<hsize_t>(count) > data.warranted_rows())) {
      column.resize(record, 0);
      return;
    }
    if (!data.valid()) h5::fail(file_.path(), column.path(), "cannot be used");
    void* out = column.resize(record, count);
    data.read(static_cast<hsize_t>(first), static_cast<hsize_t>(count), memory_type(column.type),
              out);
    if (column.optional() && is_absent(column, out, count)) column.resize(record, 0);
  }

  // Single numbers of many frames come in blocks: one read each would cost more than the rows do.
  void take_from_block(std::size_t i, Index frame, Record& record, const std::string& where) const {
    const Column& column = columns()[i];
    const h5::Dataset& data = data_[i];
    if (!data.valid() || static_cast<hsize_t>(frame) >= data.rows() || data.stored_bytes() == 0)
      return;
    if (blocks_.empty()) blocks_.resize(data_.size());
    Block& block = blocks_[i];
    const hsize_t wanted = static_cast<hsize_t>(frame) / kBlock * kBlock;
    if (block.bytes.empty() || block.first != wanted) {
      const hsize_t rows = std::min(kBlock, data.rows() - wanted);
      block.bytes.resize(static_cast<std::size_t>(rows) * column.row_bytes());
      data.read(wanted, rows, memory_type(column.type), block.bytes.data());
      block.first = wanted;
    }
    const std::size_t row = static_cast<std::size_t>(frame) - static_cast<std::size_t>(wanted);
    const char* from = block.bytes.data() + row * column.row_bytes();
    if (column.type == Type::answerer) {
      std::int64_t place;
      std::memcpy(&place, from, sizeof place);
      name_answerer(record.answer, place, answerers_, where);
    } else {
      std::memcpy(column.resize(record, 1), from, column.row_bytes());
    }
  }

  struct Block {
    hsize_t first = 0;
    std::vector<char> bytes;
  };

  const h5::File& file_;
  Stepper stepper_;
  std::int64_t version_;
  std::vector<std::string> answerers_;
  h5::Dataset offsets_, system_offsets_;
  std::vector<h5::Dataset> data_;
  Index frames_ = 0;
  std::array<Limit, kFrameCounts> capacity_, largest_;
  mutable hsize_t offsets_first_ = 0;
  mutable std::vector<FrameRow> offsets_block_;
  mutable std::vector<Block> blocks_;
};

}  // namespace

std::unique_ptr<Layout> open_columns_layout(const h5::File& file, const Header& header,
                                            const Complain& complain) {
  return std::make_unique<ColumnsLayout>(file, header, complain);
}

}  // namespace perpend::io
