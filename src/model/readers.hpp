// The readers, each of one format; those of formats whose library is not there are not built.
#pragma once

#include "model/assembly.hpp"

namespace perpend::model {

// `text`: the file's. Complaints name `path`.
Assembly read_urdf(const std::string& text, const std::string& path, const Options&, Report&);
Assembly read_mesh_model(const std::string& path, const Options&, Report&);
Assembly read_sdf(const std::string& text, const std::string& path, const Options&, Report&);
Assembly read_mjcf(const std::string& text, const std::string& path, const Options&, Report&);
Assembly read_bullet(const std::string& bytes, const std::string& path, const Options&, Report&);

}  // namespace perpend::model
