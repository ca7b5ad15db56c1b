// What the examples of all engines end with: the last step of a recording is read back, and the
// forces of the contacts on the box are added up, which must be its weight.
#pragma once

#include <cstdio>
#include <perpend/io.hpp>

// Force on the one body that moves, N: impulses act on the second body of a pair along n, t, o, on
// the first against them.
inline perpend::Vector3d contact_force(const perpend::io::Record& record) {
  const perpend::Contacts& contacts = record.frame.contacts;
  perpend::Vector3d force = perpend::Vector3d::Zero();
  for (perpend::Index i = 0; i < contacts.count(); ++i) {
    perpend::Matrix3d axes;
    axes << contacts.normals.row(i), contacts.tangents.row(i).head<3>(),
        contacts.tangents.row(i).tail<3>();
    const perpend::Vector3d impulse = axes.transpose() * record.answer.z.row(i).transpose();
    const bool second = !record.frame.bodies.fixed(contacts.pairs(i, 1));
    force += (second ? 1 : -1) * impulse / record.frame.step;
  }
  return force;
}

inline void print_weight(const char* path, double weight) {
  const perpend::io::FrameReader reader(path);
  const perpend::Vector3d force = contact_force(reader.read(reader.frames() - 1));
  std::printf("%lld steps, contact force %.4f %.4f %.4f N, weight %.4f N\n",
              static_cast<long long>(reader.frames()), force.x(), force.y(), force.z(), weight);
}
