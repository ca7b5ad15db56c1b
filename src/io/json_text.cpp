// The lines of JSON lines, one frame each (docs/json.md).
#include <istream>

#include "io/record_json.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {

std::string line_place(const std::string& name, long number) {
  return name + ":" + std::to_string(number);
}

bool next_line(std::istream& text, std::string& line, const std::string& where) {
  line.clear();
  std::streambuf& buffer = *text.rdbuf();
  using Traits = std::istream::traits_type;
  for (Traits::int_type c = buffer.sbumpc(); c != '\n'; c = buffer.sbumpc()) {
    if (Traits::eq_int_type(c, Traits::eof())) {
      text.setstate(std::ios::eofbit);
      return !line.empty();
    }
    if (line.size() == kLongestDocument)
      throw InputError(where + ": has more than " + std::to_string(kLongestDocument >> 20) +
                       " MiB, the limit for a line");
    line += Traits::to_char_type(c);
  }
  return true;
}

bool holds_a_frame(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string::npos && line[first] != '#';
}

std::vector<Record> read_json_lines(std::istream& text, const std::string& name) {
  std::vector<Record> records;
  long number = 1;
  for (std::string line; next_line(text, line, line_place(name, number)); ++number)
    if (holds_a_frame(line)) records.push_back(record_from_json(line, line_place(name, number)));
  if (text.bad()) throw InputError(name + ": cannot be read");
  if (records.empty()) throw InputError(name + ": has no frames");
  return records;
}

}  // namespace perpend::io
