// Deflate (RFC 1951) inside zlib's wrapper (RFC 1950), as PNG wants it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace perpend::draw {

std::string zlib_compressed(const std::vector<std::uint8_t>&);

}  // namespace perpend::draw
