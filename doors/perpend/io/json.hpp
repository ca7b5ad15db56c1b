// JSON texts of others: the one way to read them.
//
// nlohmann-json parses without recursion, but it keeps the last of two equal keys, nests without
// limit (which ends the program where the document is copied) and takes 30 times the room of the
// text where that is short: parse_json refuses all three.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace perpend::io {

// `where` opens every complaint: "FILE" of a whole document, "FILE:LINE" of a line; a complaint of
// the parser adds line and column, or the column.
// `most`: values that it may have; a hundred thousand bodies have a few million.
// Throws InputError. Document: nlohmann::json or nlohmann::ordered_json.
enum class Text { document, line };
template <class Document = nlohmann::json>
Document parse_json(const std::string& text, const std::string& where, Text whole = Text::document,
                    long most = 20'000'000);

// The same of a line of another process; null: it is none.
nlohmann::ordered_json json_or_null(const std::string& line);

}  // namespace perpend::io
