// Systems, options and results as bytes, for a process of the same program: no versions, no byte
// order, every field in the order of its struct.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "perpend/solve.hpp"

namespace perpend::peers {

using Bytes = std::vector<std::byte>;

struct Request {
  std::string solver;
  Options options;  // without observer, cancelled and clock
};

Bytes to_bytes(const System&);
Bytes to_bytes(const Request&);
Bytes to_bytes(const Result&);
// False when the bytes end too early or too late: what wrote them was not in its right mind.
bool from_bytes(std::span<const std::byte>, System&);
bool from_bytes(std::span<const std::byte>, Request&);
bool from_bytes(std::span<const std::byte>, Result&);

}  // namespace perpend::peers
