// Files of JSON lines: one frame per line (docs/json.md).
#include <algorithm>

#include "io/open_file.hpp"
#include "io/record_json.hpp"
#include "perpend/io.hpp"
#include "perpend/io/columns.hpp"
#include "perpend/io/files.hpp"
#include "perpend/io/names.hpp"

namespace perpend::io {

void write_json_lines(const std::vector<Record>& records, const std::string& path) {
  OutputFile file(path, OutputFile::Content::text);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (const std::string reason = invalid(records[i]); !reason.empty())
      throw InputError(path + ": frame " + std::to_string(i) + ": " + reason);
    file.write(to_json_line(records[i]) + "\n");
  }
  file.commit();
}

JsonLines::JsonLines(const std::string& path) : path_(path) {
  if (const std::uint64_t size = plain_size(path); size > kLongestLines)
    throw InputError(path + ": has " + std::to_string(size >> 20) +
                     " MiB; the limit for JSON lines is " + std::to_string(kLongestLines >> 20) +
                     " MiB");
  file_.open(path, std::ios::binary);
  if (!file_) throw InputError(path + ": cannot be opened");
  read_all();
}

JsonLines::JsonLines(OpenFile open)
    : path_(open.handle().path), file_(std::move(open.handle().text)) {
  read_all();
}

void JsonLines::read_all() {
  names_ = std::make_shared<Names>();
  std::int32_t number = 1;
  std::int64_t next = 0;
  for (std::string line; next_line(file_, line, line_place(path_, number)); ++number) {
    const std::int64_t at = next;
    next += static_cast<std::int64_t>(line.size()) + 1;
    if (!holds_a_frame(line)) continue;
    const Record record = record_from_json(line, line_place(path_, number));
    if (lines_.empty()) stepper_ = record.frame.stepper;
    names_->add(record.model);
    version_ = std::max(version_, needed_version(record));
    const std::string& who = record.answer.answered;
    if (!who.empty() && std::find(answerers_.begin(), answerers_.end(), who) == answerers_.end())
      answerers_.push_back(who);
    const FrameCounts counts = counts_of(record);
    lines_.push_back({at, number, static_cast<std::int32_t>(counts.bodies),
                      static_cast<std::int32_t>(counts.joints),
                      static_cast<std::int32_t>(counts.joint_rows),
                      static_cast<std::int32_t>(counts.contacts)});
  }
  if (file_.bad()) throw InputError(path_ + ": cannot be read");
  if (lines_.empty()) throw InputError(path_ + ": has no frames");
}

FrameCounts JsonLines::counts(Index frame) const {
  const Line& line = lines_.at(static_cast<std::size_t>(frame));
  return {line.bodies, line.joints, line.joint_rows, line.contacts};
}

Record JsonLines::read(Index frame) const {
  const Line& known = lines_.at(static_cast<std::size_t>(frame));
  file_.clear();
  file_.seekg(known.at);
  std::string line;
  if (!next_line(file_, line, line_place(path_, known.number)))
    throw InputError(line_place(path_, known.number) + ": has disappeared");
  return record_from_json(line, line_place(path_, known.number));
}

std::vector<Record> read_json_lines(const std::string& path) {
  const JsonLines lines(path);
  std::vector<Record> records;
  for (Index frame = 0; frame < lines.frames(); ++frame) records.push_back(lines.read(frame));
  return records;
}

}  // namespace perpend::io
