#include "capture/header.hpp"

#include "perpend/base.hpp"

namespace perpend::capture {

io::Header header_of(EngineFacts facts, const std::string& scene) {
  io::Header out;
  out.engine = std::move(facts.engine);
  out.engine_version = std::move(facts.version);
  out.scalar_bytes = static_cast<std::int64_t>(facts.scalar_bytes);
  out.scene = scene;
  out.created = timestamp();
  out.answerers = std::move(facts.answerers);
  out.friction_model = std::move(facts.friction_model);
  out.omitted = std::move(facts.omitted);
  return out;
}

std::vector<std::string> answerers_of(const std::vector<SolverName>& solvers, const char* other) {
  std::vector<std::string> out;
  for (const SolverName& one : solvers) out.push_back(one.title);
  out.emplace_back(other);
  return out;
}

}  // namespace perpend::capture
