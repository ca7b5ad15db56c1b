// Snapshots as text, for programs that send them instead of writing files (docs/snapshot.md).
#pragma once

#include <string>

#include "perpend/scene.hpp"

namespace perpend::io {

std::string to_json(const Snapshot&);
// Throws InputError, with `where` in front; also if invalid(snapshot) is not empty.
Snapshot snapshot_from_json(const std::string& text, const std::string& where);

}  // namespace perpend::io
