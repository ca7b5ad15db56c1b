// The page, as built: one HTML file with script and style inside (web/view); and what a page that
// carries recordings has besides (cmake/wasm.cmake).
#pragma once

#include <string_view>

namespace perpend::view {

std::string_view page();

// The worker's script and its WebAssembly: base64 of gzip. Empty where they were not built.
std::string_view share_worker();
std::string_view share_module();

}  // namespace perpend::view
