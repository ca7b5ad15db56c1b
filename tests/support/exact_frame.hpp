// The errors of impulses in 113 bits, from the columns of a frame alone: its own assembly of
// y = J M^-1 J^T lambda + J (v + h M^-1 f) + c, nothing of System.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "perpend/frame.hpp"
#include "support/quad.hpp"

namespace perpend::quad {

using Six = std::array<Quad, 6>;
using Square = std::array<Triple, 3>;

struct ExactErrors {
  Quad velocity_error = 0, rms_violation = 0, joint_error = 0, joint_turn_error = 0;
};

class ExactFrame {
 public:
  explicit ExactFrame(const Frame& frame) : f_(frame) {
    const Bodies& b = f_.bodies;
    for (Index i = 0; i < b.count(); ++i) {
      inverse_mass_.push_back(b.fixed(i) ? Quad(0) : 1 / Quad(b.masses[i]));
      inverse_inertia_.push_back(b.fixed(i) ? Square{} : inverse(inertia(i)));
      Six v{}, push{};
      for (Index k = 0; k < 6; ++k) {
        v[at(k)] = b.velocities(i, k);
        if (!b.fixed(i)) push[at(k)] = Quad(f_.step) * b.forces(i, k);
      }
      velocity_.push_back(v);
      const Six change = respond(i, push);
      for (std::size_t k = 0; k < 6; ++k) v[k] += change[k];
      free_.push_back(v);
    }
    rows_of_contacts();
    rows_of_joints();
  }

  // z and z_joints as a file has them; contacts that the stepper leaves out have no say.
  ExactErrors errors(const Rows3& z, const VectorXd& z_joints) const {
    std::vector<Quad> lambda;
    for (const Index i : contacts_)
      for (Index r = 0; r < 3; ++r) lambda.push_back(z(i, r));
    for (const double l : z_joints) lambda.push_back(l);
    std::vector<Six> w(velocity_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (const Half& h : rows_[r].halves) {
        const Six change = respond(h.body, h.j);
        for (std::size_t k = 0; k < 6; ++k) w[at(h.body)][k] += change[k] * lambda[r];
      }
    std::vector<Quad> y;
    for (const Row& row : rows_) {
      y.push_back(row.b);
      for (const Half& h : row.halves) y.back() += dot(h.j, w[at(h.body)]);
    }
    return judge(lambda, y);
  }

 private:
  struct Half {
    Index body;
    Six j;
  };
  struct Row {
    std::vector<Half> halves;
    Quad b = 0, diagonal = 0;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  static Quad dot(const Six& a, const Six& b) {
    Quad sum = 0;
    for (std::size_t k = 0; k < 6; ++k) sum += a[k] * b[k];
    return sum;
  }
  static Triple cross(const Triple& a, const Triple& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Triple triple(const Eigen::Ref<const Eigen::RowVector3d>& x) { return {x[0], x[1], x[2]}; }

  double asked(Index i) const {
    return f_.contacts.push.size() ? f_.contacts.push[i] : f_.contacts.gap[i];
  }

  Square inertia(Index i) const {
    Square out;
    for (Index r = 0; r < 3; ++r)
      for (Index c = 0; c < 3; ++c)
        out[at(r)][at(c)] =
            (Quad(f_.bodies.inertia(i, 3 * r + c)) + Quad(f_.bodies.inertia(i, 3 * c + r))) / 2;
    return out;
  }
  static Square inverse(const Square& a) {
    const Triple x = cross(a[1], a[2]), y = cross(a[2], a[0]), z = cross(a[0], a[1]);
    const Quad det = a[0][0] * x[0] + a[0][1] * x[1] + a[0][2] * x[2];
    Square out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = {x[k] / det, y[k] / det, z[k] / det};
    return out;
  }
  // M^-1 of one body.
  Six respond(Index body, const Six& j) const {
    Six out{};
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = inverse_mass_[at(body)] * j[k];
      for (std::size_t c = 0; c < 3; ++c) out[3 + k] += inverse_inertia_[at(body)][k][c] * j[3 + c];
    }
    return out;
  }

  void finish(Row row, Quad c) {
    row.b = c;
    for (const Half& h : row.halves) {
      row.b += dot(h.j, free_[at(h.body)]);
      for (const Half& other : row.halves)
        if (other.body == h.body) row.diagonal += dot(h.j, respond(h.body, other.j));
    }
    rows_.push_back(row);
  }

  void rows_of_contacts() {
    const Contacts& k = f_.contacts;
    for (Index i = 0; i < k.count(); ++i) {
      const double gap = asked(i);
      if (f_.stepper == Stepper::ap && gap > 1e-6) continue;
      contacts_.push_back(i);
      const Index first = k.pairs(i, 0), second = k.pairs(i, 1);
      const Triple n = triple(k.normals.row(i)), r1 = triple(k.points.row(i));
      Triple t, o, r2;
      if (k.tangents.rows()) {
        t = triple(k.tangents.row(i).head<3>());
        o = triple(k.tangents.row(i).tail<3>());
      } else {
        std::size_t least = 0;
        for (std::size_t a = 1; a < 3; ++a)
          if (absolute(n[a]) < absolute(n[least])) least = a;
        t = {-n[least] * n[0], -n[least] * n[1], -n[least] * n[2]};
        t[least] += 1;
        const Quad size = length(t);
        for (Quad& x : t) x /= size;
        o = cross(n, t);
      }
      for (Index a = 0; a < 3; ++a)
        r2[at(a)] = k.points2.rows()
                        ? Quad(k.points2(i, a))
                        : Quad(f_.bodies.positions(first, a)) + r1[at(a)] + Quad(gap) * n[at(a)] -
                              Quad(f_.bodies.positions(second, a));
      for (int r = 0; r < 3; ++r) {
        const Triple d = r == 0 ? n : r == 1 ? t : o, m1 = cross(r1, d), m2 = cross(r2, d);
        Row row{{Half{first, {-d[0], -d[1], -d[2], -m1[0], -m1[1], -m1[2]}},
                 Half{second, {d[0], d[1], d[2], m2[0], m2[1], m2[2]}}}};
        Quad c = 0, surface = 0;
        if (k.surface_velocity.rows())
          for (Index a = 0; a < 3; ++a) surface += d[at(a)] * k.surface_velocity(i, a);
        if (r == 0) {
          const Quad before = dot(row.halves[0].j, velocity_[at(first)]) +
                              dot(row.halves[1].j, velocity_[at(second)]) + surface;
          const Quad free = dot(row.halves[0].j, free_[at(first)]) +
                            dot(row.halves[1].j, free_[at(second)]) + surface;
          if (f_.stepper == Stepper::st) c = Quad(gap) / f_.step;
          const Quad e = k.restitution.size() ? k.restitution[i] : 0;
          const Quad predicted = gap + f_.step * free;
          if (e > 0 && before < -0.01 && predicted < 0) c = std::min(c, e * before);
          predicted_.push_back(predicted);
        }
        finish(row, c + surface);
      }
    }
  }

  void rows_of_joints() {
    const Joints& q = f_.joints;
    Index r = 0;
    for (Index joint = 0; joint < q.count(); ++joint)
      for (std::int64_t k = 0; k < q.rows[at(joint)]; ++k, ++r) {
        Row row{{Half{q.pairs(joint, 0), {}}, Half{q.pairs(joint, 1), {}}}};
        if (q.pairs2.rows())
          for (const Index side : {0, 1}) row.halves.push_back({q.pairs2(joint, side), {}});
        for (Index c = 0; c < 12; ++c) {
          row.halves[at(c / 6)].j[at(c % 6)] = q.jacobian(r, c);
          if (q.pairs2.rows()) row.halves[at(2 + c / 6)].j[at(c % 6)] = q.jacobian2(r, c);
        }
        finish(row, Quad(q.violation[r]) / f_.step + (q.rate.size() ? Quad(q.rate[r]) : Quad(0)));
      }
  }

  // Contacts that count together: each alone, or the faces of a group.
  std::vector<std::vector<std::size_t>> units() const {
    std::vector<std::vector<std::size_t>> out;
    std::map<std::int64_t, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const std::int64_t group =
          f_.contacts.group.empty() ? -1 : f_.contacts.group[at(contacts_[i])];
      if (group < 0)
        out.push_back({i});
      else
        groups[group].push_back(i);
    }
    for (const auto& [id, faces] : groups) out.push_back(faces);
    return out;
  }

  // The face that pushes: of those not penetrated the one with the largest predicted gap.
  std::size_t face_u(const std::vector<std::size_t>& faces) const {
    const auto gap = [&](std::size_t i) { return asked(contacts_[i]); };
    std::size_t best = faces.size();
    for (std::size_t k = 0; k < faces.size(); ++k)
      if (gap(faces[k]) >= -1e-6 &&
          (best == faces.size() || predicted_[faces[k]] > predicted_[faces[best]]))
        best = k;
    if (best < faces.size()) return faces[best];
    return *std::max_element(faces.begin(), faces.end(),
                             [&](std::size_t a, std::size_t b) { return gap(a) < gap(b); });
  }

  ExactErrors judge(const std::vector<Quad>& lambda, const std::vector<Quad>& y) const {
    ExactErrors out;
    Quad squares = 0;
    int count = 0;
    const auto take = [&](Quad e) {
      out.velocity_error = std::max(out.velocity_error, e);
      squares += e * e;
      ++count;
    };
    for (const std::vector<std::size_t>& faces : units()) {
      Quad w = y[3 * faces.front()], worst = 0;
      for (const std::size_t i : faces) w = std::max(w, y[3 * i]);
      bool pushes = false;
      const auto face = [&](std::size_t i) {
        const Quad rho =
            3 / (rows_[3 * i].diagonal + rows_[3 * i + 1].diagonal + rows_[3 * i + 2].diagonal);
        worst = std::max(worst, coulomb_error({lambda[3 * i], lambda[3 * i + 1], lambda[3 * i + 2]},
                                              {w, y[3 * i + 1], y[3 * i + 2]},
                                              f_.contacts.mu[contacts_[i]], rho));
      };
      for (const std::size_t i : faces)
        if (lambda[3 * i] != 0 || lambda[3 * i + 1] != 0 || lambda[3 * i + 2] != 0) {
          pushes = true;
          face(i);
        }
      if (!pushes) face(face_u(faces));
      take(worst);
    }
    for (std::size_t r = 3 * contacts_.size(); r < rows_.size(); ++r) {
      const Index j = static_cast<Index>(r - 3 * contacts_.size());
      const Quad rho = rows_[r].diagonal > 0 ? 1 / rows_[r].diagonal : Quad(1);
      const Quad error =
          bounded_error(lambda[r], y[r], rho, f_.joints.bounds(j, 0), f_.joints.bounds(j, 1));
      take(error);
      const auto row = f_.joints.jacobian.row(j);
      bool rotation = true;
      for (const Index k : {0, 1, 2, 6, 7, 8}) rotation = rotation && row[k] == 0;
      Quad& worst = rotation ? out.joint_turn_error : out.joint_error;
      worst = std::max(worst, error);
    }
    if (count > 0) out.rms_violation = root(squares / count);
    return out;
  }

  const Frame& f_;
  std::vector<Quad> inverse_mass_;
  std::vector<Square> inverse_inertia_;
  std::vector<Six> velocity_, free_;
  std::vector<Index> contacts_;
  std::vector<Quad> predicted_;
  std::vector<Row> rows_;  // three of each contact, then the joints'
};

}  // namespace perpend::quad
