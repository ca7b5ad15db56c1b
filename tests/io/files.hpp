// Paths and scratch files of the files room's tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "perpend/io.hpp"
#include "support/scratch.hpp"

namespace perpend::io::test {

using scratch::complaint;
using scratch::contents;
using Scratch = scratch::Folder;

// The shared data folder; it may be absent.
inline std::filesystem::path shared() {
  const char* given = std::getenv("PERPEND_SHARED");
  return given ? given : PERPEND_SOURCE_DIR "/../shared";
}

}  // namespace perpend::io::test
