// Files that tests write and read: a folder that disappears, a file's bytes, what a reader says.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "perpend/io.hpp"

namespace perpend::scratch {

// A fresh folder that disappears with the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "perpend.XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name = {}) const { return (folder_ / name).string(); }
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

// What the InputError says; empty when there is none.
template <class Function>
std::string complaint(Function function) {
  try {
    function();
  } catch (const io::InputError& e) {
    return e.what();
  }
  return {};
}

}  // namespace perpend::scratch
