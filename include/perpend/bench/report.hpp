// The report of a comparison: a page to look at and the same summary to read (docs/report.md).
#pragma once

#include <string>

#include "perpend/bench.hpp"

namespace perpend::bench {

// One HTML file with everything inside.
std::string report_html(const Results&);
// The summary as Markdown.
std::string report_markdown(const Results&);

// report.md and report.html in this folder, each whole or not at all. Throws
// io::InputError when the folder cannot be written.
void write_report(const Results&, const std::string& folder);

}  // namespace perpend::bench
