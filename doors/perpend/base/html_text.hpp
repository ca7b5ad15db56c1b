#pragma once

#include <string>
#include <string_view>

namespace perpend {

// Text as it stands in HTML, SVG and Markdown: & < > and quotes as entities, without the control
// characters that XML forbids.
std::string html_text(std::string_view);

}  // namespace perpend
