#include "bench/identity.hpp"

#include <filesystem>
#include <fstream>

#include "perpend/base.hpp"

namespace perpend::bench {
namespace {

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

std::string content_hash(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io::InputError(path + ": cannot be opened");
  std::uint64_t hash = kFnvStart;
  std::vector<char> buffer(1U << 20U);
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    hash = fnv(buffer.data(), static_cast<std::size_t>(file.gcount()), hash);
  }
  return hexadecimal(hash);
}

// "0-9,12": ascending runs.
std::string ranges(const std::vector<Index>& frames) {
  std::string text;
  for (std::size_t i = 0; i < frames.size();) {
    std::size_t last = i;
    while (last + 1 < frames.size() && frames[last + 1] == frames[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(frames[i]);
    if (last > i) text.append("-").append(std::to_string(frames[last]));
    i = last + 1;
  }
  return text;
}

}  // namespace

Identity identity(const Campaign& campaign) {
  Identity all = identity(campaign.settings);
  all.emplace_back("--solvers", joined(campaign.solvers, ","));
  all.emplace_back("--shard",
                   std::to_string(campaign.shard) + "/" + std::to_string(campaign.shards));
  all.emplace_back("version", this_machine().version);
  all.emplace_back("commit", campaign.commit);
  // A plugin that was built anew is another solver under the same name.
  for (const std::string& solver : campaign.solvers)
    if (const SolverInfo* info = solver_named(solver);
        info && std::filesystem::path(info->origin).is_absolute())
      all.emplace_back("content of " + info->origin, content_hash(info->origin));
  all.emplace_back("number of files", std::to_string(campaign.inputs.size()));
  for (std::size_t i = 0; i < campaign.inputs.size(); ++i) {
    const Input& input = campaign.inputs[i];
    const std::string which = "file " + std::to_string(i + 1);
    all.emplace_back(which, input.file);
    all.emplace_back("content of " + input.file, content_hash(input.file));
    all.emplace_back("frames of " + input.file, ranges(input.frames));
    all.emplace_back("tags of " + input.file, joined(input.tags, " "));
  }
  return all;
}

std::string campaign_hash(const Campaign& campaign) {
  Identity all = identity(campaign.settings);
  all.emplace_back("solvers", joined(campaign.solvers, ","));
  all.emplace_back("version", this_machine().version);
  all.emplace_back("commit", campaign.commit);
  for (const Input& input : campaign.inputs) {
    all.emplace_back("file", std::filesystem::path(input.file).filename().string());
    all.emplace_back("frames", ranges(input.frames));
    all.emplace_back("tags", joined(input.tags, " "));
  }
  std::uint64_t hash = kFnvStart;
  for (const auto& [what, value] : all) {
    hash = fnv(what.c_str(), what.size() + 1, hash);
    hash = fnv(value.c_str(), value.size() + 1, hash);
  }
  return hexadecimal(hash);
}

}  // namespace perpend::bench
