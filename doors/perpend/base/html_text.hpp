#pragma once

#include <string>
#include <string_view>

namespace perpend {

// Text as it stands in HTML, SVG and Markdown: & < > and quotes as entities, without the control
// characters that XML forbids.
std::string html_text(std::string_view);
// The beginning of a page up to </head>. Its policy: nothing in it runs, and nothing is loaded.
std::string html_head(std::string_view title, std::string_view style);

}  // namespace perpend
