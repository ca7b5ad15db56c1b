// Parsing with limits, and the fields of one object.
#include "io/json_fields.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "io/json_walk.hpp"
#include "perpend/io/files.hpp"

namespace perpend::io {
namespace {

// Deeper than any document of ours; a bound keeps "[[[[..." from filling the memory.
constexpr int kDeepest = 16;
constexpr std::size_t kLongestQuote = 160;

// What nlohmann says, without its tag and position, in one line of readable length.
std::string one_line(std::string text) {
  if (text.starts_with('['))
    if (const std::size_t end = text.find("] "); end != std::string::npos) text.erase(0, end + 2);
  if (text.starts_with("parse error at "))
    if (const std::size_t end = text.find(": "); end != std::string::npos) text.erase(0, end + 2);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  if (text.size() > kLongestQuote) text = text.substr(0, kLongestQuote) + "...";
  return text;
}

std::string type_of(const Json& value) { return value.type_name(); }

// Walks a document again to the byte, counted from 1, at which it is wrong. Numbers too large are
// told without one.
class WrongByte final : public JsonWalk {
 public:
  std::size_t byte = 1;

  bool parse_error(std::size_t at, const std::string&, const Json::exception&) override {
    byte = at;
    return false;
  }
};

// ":LINE:COLUMN", columns in characters; ":COLUMN" where the line is known.
std::string position(const std::string& text, std::size_t byte, Text whole) {
  const std::string_view before = std::string_view(text).substr(0, byte);
  const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
  const auto column =
      std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return (whole == Text::document ? ":" + std::to_string(line) : "") + ":" +
         std::to_string(column + 1);
}

std::size_t wrong_byte(const std::string& text) {
  WrongByte wrong;
  Json::sax_parse(text, &wrong);
  return std::max<std::size_t>(wrong.byte, 1) - 1;
}

}  // namespace

template <class Document>
Document parse_json(const std::string& text, const std::string& where, Text whole, long most) {
  std::vector<std::set<std::string>> keys;
  long values = 0;
  std::uint64_t taken = 0;
  using Event = typename Document::parse_event_t;
  const auto check = [&](int depth, Event event, Document& found) {
    // What has just been read, `length` bytes of it, is wrong.
    const auto refuse = [&](std::size_t length, const std::string& what) {
      const std::size_t start = taken - std::min<std::size_t>(taken, length);
      throw InputError(where + position(text, start, whole) + ": " + what);
    };
    if (depth > kDeepest) refuse(1, "nested too deeply");
    const bool value_begins =
        event == Event::value || event == Event::array_start || event == Event::object_start;
    if (value_begins && ++values > most)
      refuse(1, "has more than " + std::to_string(most) + " values");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key) {
      const std::string key = found.template get<std::string>();
      if (!keys.back().insert(key).second)
        refuse(key.size() + 2, one_line(key) + " is given twice");
    }
    return true;
  };
  try {
    using All = JsonText<const char*>;
    const char* end = text.data() + text.size();
    return Document::parse(All(text.data(), end, text.size(), taken), All(), check);
  } catch (const Json::exception& e) {
    if (const auto found = engine_file(text)) throw InputError(where + ": " + found->words);
    throw InputError(where + position(text, wrong_byte(text), whole) + ": " + one_line(e.what()));
  }
}
template Json parse_json(const std::string&, const std::string&, Text, long);
template nlohmann::ordered_json parse_json(const std::string&, const std::string&, Text, long);

nlohmann::ordered_json json_or_null(const std::string& line) {
  try {
    return parse_json<nlohmann::ordered_json>(line, {}, Text::line);
  } catch (const InputError&) {
    return nullptr;
  }
}

double json_number(const Json& value, std::optional<double> null, std::string& what) {
  if (value.is_number()) return value.get<double>();
  if (value.is_null() && null) return *null;
  what = "expected a number, found " + type_of(value);
  return 0;
}

std::int64_t json_integer(const Json& value, std::string& what) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
  if (value.is_number_unsigned() ? value.get<std::uint64_t>() <= kLargest
                                 : value.is_number_integer())
    return value.get<std::int64_t>();
  what = value.is_number() ? "expected a whole number of at most 63 bits"
                           : "expected a whole number, found " + type_of(value);
  return 0;
}

JsonFields::JsonFields(const Json& object, std::string where, std::string prefix)
    : object_(&object), where_(std::move(where)), prefix_(std::move(prefix)) {}

void JsonFields::expect_format(const char* format, std::int64_t newest) {
  get("format");
  if (text("format") != format) fail("format", std::string("expected \"") + format + "\"");
  if (const std::int64_t version = integer("format_version", newest);
      version < 1 || version > newest)
    fail("format_version", "this program reads versions up to " + std::to_string(newest));
}

void JsonFields::fail(const std::string& field, const std::string& what) const {
  throw InputError(where_ + ": " + prefix_ + field + ": " + what);
}

void JsonFields::fail(const std::string& field, std::size_t row, const std::string& what) const {
  fail(field + " row " + std::to_string(row), what);
}

const Json* JsonFields::find(const std::string& field) {
  asked_.insert(field);
  const auto found = object_->find(field);
  return found == object_->end() ? nullptr : &*found;
}

const Json& JsonFields::get(const std::string& field) {
  const Json* value = find(field);
  if (!value)
    throw InputError(where_ + ": " + prefix_ + field + " is missing", "/" + prefix_ + field);
  return *value;
}

std::string JsonFields::text(const std::string& field) {
  const Json* value = find(field);
  if (!value) return {};
  if (!value->is_string()) fail(field, "expected a string, found " + type_of(*value));
  return value->get<std::string>();
}

std::vector<std::string> JsonFields::texts(const std::string& field) {
  const Json& column = array(field);
  std::vector<std::string> values;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (!column[i].is_string()) fail(field, i, "expected a string, found " + type_of(column[i]));
    values.push_back(column[i].get<std::string>());
  }
  return values;
}

double JsonFields::number(const std::string& field, std::optional<double> fallback) {
  const Json* value = find(field);
  if (!value && fallback) return *fallback;
  std::string what;
  const double result = json_number(get(field), {}, what);
  if (!what.empty()) fail(field, what);
  return result;
}

std::int64_t JsonFields::integer(const std::string& field, std::optional<std::int64_t> fallback) {
  const Json* value = find(field);
  if (!value && fallback) return *fallback;
  std::string what;
  const std::int64_t result = json_integer(get(field), what);
  if (!what.empty()) fail(field, what);
  return result;
}

const Json& JsonFields::array(const std::string& field) {
  static const Json kEmpty = Json::array();
  const Json* value = find(field);
  if (!value) return kEmpty;
  if (!value->is_array()) fail(field, "expected an array, found " + type_of(*value));
  return *value;
}

const Json& JsonFields::row(const std::string& field, const Json& column, std::size_t i,
                            std::size_t size) {
  const Json& entries = column[i];
  if (!entries.is_array() || entries.size() != size)
    fail(field, i,
         "expected an array of " + std::to_string(size) + ", found " +
             (entries.is_array() ? "one of " + std::to_string(entries.size()) : type_of(entries)));
  return entries;
}

template <class Visit>
void JsonFields::each(const std::string& field, std::size_t per_row, Visit visit) {
  const Json& column = array(field);
  for (std::size_t i = 0; i < column.size(); ++i) {
    const Json& entries = per_row == 1 ? column[i] : row(field, column, i, per_row);
    for (std::size_t k = 0; k < per_row; ++k)
      if (const std::string what = visit(per_row == 1 ? entries : entries[k], k); !what.empty())
        fail(field, i, what);
  }
}

std::size_t JsonFields::rows(const std::string& field) { return array(field).size(); }

void JsonFields::reals(const std::string& field, std::size_t per_row, std::span<const double> null,
                       double* out) {
  each(field, per_row, [&](const Json& entry, std::size_t k) {
    std::string what;
    *out++ = json_number(entry, null.empty() ? std::nullopt : std::optional(null[k]), what);
    return what;
  });
}

void JsonFields::wholes(const std::string& field, std::size_t per_row, std::int64_t* out) {
  each(field, per_row, [&](const Json& entry, std::size_t) {
    std::string what;
    *out++ = json_integer(entry, what);
    return what;
  });
}

VectorXd JsonFields::numbers(const std::string& field, std::optional<double> null) {
  VectorXd values(static_cast<Index>(rows(field)));
  reals(field, 1, null ? std::span<const double>(&*null, 1) : std::span<const double>(),
        values.data());
  return values;
}

JsonFields JsonFields::object(const std::string& field) {
  static const Json kEmpty = Json::object();
  const Json* value = find(field);
  if (value && !value->is_object()) fail(field, "expected an object, found " + type_of(*value));
  return JsonFields(value ? *value : kEmpty, where_, prefix_ + field + "/");
}

void JsonFields::done() const {
  for (const auto& entry : object_->items())
    if (!asked_.contains(entry.key())) {
      std::string known;
      for (const std::string& name : asked_) known += (known.empty() ? "" : ", ") + name;
      throw InputError(where_ + ": " + prefix_ + one_line(entry.key()) +
                       " is not a known field (known: " + known + ")");
    }
}

}  // namespace perpend::io
