// Paths and scratch files of the files room's tests.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "perpend/io.hpp"

namespace perpend::io::test {

// A fresh folder that disappears with the test.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "perpend.XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::filesystem::path folder_;
};

inline std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// The shared data folder; it may be absent.
inline std::filesystem::path shared() {
  const char* given = std::getenv("PERPEND_SHARED");
  return given ? given : PERPEND_SOURCE_DIR "/../shared";
}

// What the InputError says; empty when there is none.
template <class Function>
std::string complaint(Function function) {
  try {
    function();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

}  // namespace perpend::io::test
