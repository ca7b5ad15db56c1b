// Texts that many rows share, each kept once.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace perpend::bench {

class Texts {
 public:
  std::int64_t index(const std::string& text) {
    const auto [at, added] = numbers_.try_emplace(text, static_cast<std::int64_t>(list_.size()));
    if (added) list_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::map<std::string, std::int64_t> numbers_;
  std::vector<std::string> list_;
};

}  // namespace perpend::bench
