// The rows of Siconos' problem, turned into the world's axes. Its normal points to its first body,
// which has the rows +d and is our second one (signs.hpp). Its directions t and o are not
// orthonormal where the normal is inclined; the frame gets orthonormal ones, and the same impulse
// along them.
#include "capture/siconos/inside/problem.hpp"

#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>

#include <algorithm>
#include <limits>
#include <map>
#include <siconos/kernel/EqualityConditionNSL.hpp>
#include <siconos/kernel/FrictionContact.hpp>
#include <siconos/kernel/GenericMechanical.hpp>
#include <siconos/kernel/Interaction.hpp>
#include <siconos/kernel/NewtonEuler3DR.hpp>
#include <siconos/kernel/NewtonImpactFrictionNSL.hpp>
#include <siconos/kernel/NewtonImpactNSL.hpp>
#include <siconos/kernel/NonSmoothDynamicalSystem.hpp>
#include <siconos/kernel/OSNSMatrix.hpp>
#include <siconos/kernel/RelayNSL.hpp>
#include <siconos/kernel/SiconosMemory.hpp>
#include <siconos/kernel/SimpleMatrix.hpp>
#include <siconos/kernel/Simulation.hpp>
#include <siconos/kernel/Topology.hpp>
#include <siconos/mechanics/ContactR.hpp>
#include <siconos/mechanics/JointFrictionR.hpp>
#include <stdexcept>

namespace perpend::capture::from_siconos {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Every entry of the matrix, blocks of a row after each other; those of a block are stored by
// columns.
template <class Visit>
void each_entry(NumericsMatrix& matrix, std::size_t size, Visit&& visit) {
  if (matrix.storageType != NM_SPARSE_BLOCK) {
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (const double value = NM_get_value(&matrix, static_cast<int>(i), static_cast<int>(j));
            value != 0)
          visit(i, j, value);
    return;
  }
  const SparseBlockStructuredMatrix& blocks = *matrix.matrix1;
  for (std::size_t row = 0; row + 1 < blocks.filled1; ++row) {
    const std::size_t top = row ? blocks.blocksize0[row - 1] : 0;
    const std::size_t height = blocks.blocksize0[row] - top;
    for (std::size_t k = blocks.index1_data[row]; k < blocks.index1_data[row + 1]; ++k) {
      const std::size_t column = blocks.index2_data[k];
      const std::size_t left = column ? blocks.blocksize1[column - 1] : 0;
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t j = 0; j < blocks.blocksize1[column] - left; ++j)
          visit(top + i, left + j, blocks.block[k][i + j * height]);
    }
  }
}

// A row by row, rows and columns in the order of the file. `place`: of Siconos' rows in the file.
void read_matrix(NumericsMatrix& matrix, const std::vector<std::int64_t>& place,
                 SiconosStep& step) {
  const std::size_t size = place.size();
  step.A_rows.assign(size, 0);
  each_entry(matrix, size, [&](std::size_t i, std::size_t, double) {
    ++step.A_rows[static_cast<std::size_t>(place[i])];
  });
  std::vector<std::size_t> next(size, 0);
  for (std::size_t i = 0; i + 1 < size; ++i)
    next[i + 1] = next[i] + static_cast<std::size_t>(step.A_rows[i]);
  const std::size_t entries = next.back() + static_cast<std::size_t>(step.A_rows.back());
  step.A_columns.resize(entries);
  step.A_values.resize(entries);
  each_entry(matrix, size, [&](std::size_t i, std::size_t j, double value) {
    const std::size_t at = next[static_cast<std::size_t>(place[i])]++;
    step.A_columns[at] = place[j];
    step.A_values[at] = value;
  });
}

class Problem {
 public:
  Problem(const LinearOSNS& problem, const std::vector<Before>& bodies,
          const RecordingMoreauJean& recording, SiconosStep& step)
      : problem_(problem), bodies_(bodies), recording_(recording), step_(step) {
    for (std::size_t i = 0; i < bodies.size(); ++i) place_[bodies[i].body] = i;
  }

  void read(InteractionsGraph& active, InteractionsGraph& known) {
    std::size_t rows = 0;
    InteractionsGraph::VIterator it, end;
    for (std::tie(it, end) = active.vertices(); it != end; ++it) {
      Interaction& interaction = *active.bundle(*it);
      rows += interaction.nonSmoothLaw()->size();
      const auto* law =
          dynamic_cast<const NewtonImpactFrictionNSL*>(interaction.nonSmoothLaw().get());
      if (law) {
        contact(interaction, *law, active.properties(*it), known.is_vertex(active.bundle(*it)));
      } else {
        joint(interaction, active.properties(*it));
      }
    }
    std::vector<std::int64_t> places(rows);
    std::int64_t next = 0;
    for (const auto& starts : {contact_rows_, joint_rows_})
      for (const unsigned row : starts) places.at(row) = next++;
    step_.b.resize(rows);
    for (std::size_t i = 0; i < rows; ++i)
      step_.b[static_cast<std::size_t>(places[i])] = q(static_cast<unsigned>(i));
    read_matrix(*problem_.M()->numericsMatrix(), places, step_);
  }

 private:
  double q(unsigned row) const { return problem_.q()->getValue(row); }
  double reaction(unsigned row) const { return problem_.z()->getValue(row); }

  const Before& moving(const SP::DynamicalSystem& body) const {
    const auto found = place_.find(dynamic_cast<NewtonEulerDS*>(body.get()));
    if (found == place_.end())
      throw std::runtime_error(
          "a relation of a body that is not a NewtonEulerDS of this integrator");
    return bodies_[found->second];
  }

  std::size_t standing(std::int64_t id) {
    const auto found = standing_.find(id);
    if (found != standing_.end()) return found->second;
    SiconosStep::Body body;
    body.id = id;
    body.inertia = {{1, 0, 0, 0, 1, 0, 0, 0, 1}};  // not read
    step_.bodies.push_back(body);
    return standing_[id] = step_.bodies.size() - 1;
  }

  // The bodies of a relation in the order of its columns; the second is null where one stands
  // still.
  struct Sides {
    const Before& one;
    const Before* other;
  };
  Sides sides(const InteractionProperties& where) const {
    const bool turned = where.source_pos != 0;
    const Before& one = moving(turned ? where.target : where.source);
    if (where.source == where.target) return {one, nullptr};
    return {one, &moving(turned ? where.source : where.target)};
  }

  void contact(Interaction& interaction, const NewtonImpactFrictionNSL& law,
               const InteractionProperties& where, bool known) {
    auto* relation = dynamic_cast<NewtonEuler3DR*>(interaction.relation().get());
    if (!relation || law.size() != 3)
      throw std::runtime_error("a contact that is not a NewtonEuler3DR of three rows");
    const unsigned at = where.absolute_position;
    for (unsigned i = 0; i < 3; ++i) contact_rows_.push_back(at + i);
    SiconosStep::Contact out;
    const SiconosMatrix& H = *relation->jachqT();
    Matrix3d d;  // rows n, t, o
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned j = 0; j < 3; ++j) {
        d(i, j) = H.getValue(i, j);
        out.own_axes[3 * i + j] = d(i, j);
      }
    Matrix3d axes;  // Bullet's normals are of unit length in single precision only
    const Vector3d n = kSiconos.direction(Vector3d(d.row(0).normalized()));
    const Vector3d t = (d.row(1).transpose() - d.row(1).dot(n) * n).normalized();
    axes << n.transpose(), t.transpose(), n.cross(t).transpose();
    put(out.normal, axes.row(0).transpose());
    put(out.t, axes.row(1).transpose());
    put(out.o, axes.row(2).transpose());

    // Rows of one body: r x d = its turned angular part for all three d, solved for r.
    Matrix3d normal_equations = Matrix3d::Zero();
    for (int i = 0; i < 3; ++i)
      normal_equations +=
          d.row(i).squaredNorm() * Matrix3d::Identity() - d.row(i).transpose() * d.row(i);
    Vector3d free = Vector3d::Zero();
    const auto side = [&](const Before& body, unsigned column, double sign) -> Vector3d {
      Eigen::Matrix<double, 3, 6> rows;
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 6; ++j) rows(i, j) = H.getValue(i, column + j);
      free += rows * body.free;
      Vector3d r = Vector3d::Zero();
      for (int i = 0; i < 3; ++i) {
        const Vector3d direction = d.row(i);
        r += sign * direction.cross(body.turn * rows.row(i).tail<3>().transpose());
      }
      return normal_equations.inverse() * r;
    };
    static_assert(kSiconos.pair == Signs::Order::swapped);
    const auto [second, first] = sides(where);
    out.second = second.place;
    put(out.point2, side(second, 0, 1));
    if (first) {
      out.first = first->place;
      put(out.point1, side(*first, 6, -1));
    } else {
      const auto* contact = dynamic_cast<ContactR*>(relation);
      const SiconosShape* shape = contact ? contact->shape[1].get() : nullptr;
      out.first = standing(shape && recording_.fixed_id ? recording_.fixed_id(*shape) : -1);
      put(out.point1, three(*relation->pc2()));  // it stands at the origin
    }
    out.gap = kSiconos.gap(gap(*relation, second, first));
    out.mu = law.mu();
    out.restitution = law.en();
    Vector3d own;
    for (unsigned i = 0; i < 3; ++i) {
      out.bias[i] = q(at + i) - free[i];
      own[i] = reaction(at + i);
    }
    put(out.own_z, own);
    // Siconos hands on the reactions of the interactions it knows (index set 0); those that its
    // collision detection removed at the start of the step are in the problem (index set 1) until
    // the step is over.
    out.applied = known || own.isZero(0);
    if (known) put(out.z, Vector3d(axes * (d.transpose() * own)));
    step_.contacts.push_back(out);
  }

  // The distance when the step began: Siconos keeps the points and the normal in the axes of their
  // bodies, of the second one of its pair (of the world where that stands still).
  static double gap(const NewtonEuler3DR& relation, const Before& one, const Before* other) {
    const SiconosVector& q1 = one.body->qMemory().getSiconosVector(0);
    const Vector3d p1 = three(q1) + rotation(q1) * three(*relation.relPc1());
    Vector3d p2 = three(*relation.relPc2()), n = three(*relation.relNc());
    if (other) {
      const SiconosVector& q2 = other->body->qMemory().getSiconosVector(0);
      p2 = three(q2) + rotation(q2) * p2;
      n = rotation(q2) * n;
    }
    return n.dot(p1 - p2);
  }

  void joint(Interaction& interaction, const InteractionProperties& where) {
    const auto* relation = dynamic_cast<NewtonEulerR*>(interaction.relation().get());
    if (!relation) throw std::runtime_error("a relation that is not a NewtonEulerR");
    const NonSmoothLaw& law = *interaction.nonSmoothLaw();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double lower = -infinity, upper = infinity;
    if (dynamic_cast<const NewtonImpactNSL*>(&law)) {
      lower = 0;
    } else if (const auto* relay = dynamic_cast<const RelayNSL*>(&law)) {
      lower = relay->lb();
      upper = relay->ub();
    } else if (!dynamic_cast<const EqualityConditionNSL*>(&law)) {
      throw std::runtime_error("a joint's law that is none of equality, impact and relay");
    }
    const bool speed = dynamic_cast<const JointFrictionR*>(relation);  // has no distance
    const auto [first, second] = sides(where);
    SiconosStep::Joint out;
    out.first = first.place;
    out.second = second ? second->place
                        : standing(recording_.joined_id ? recording_.joined_id(interaction) : -1);
    if (recording_.joint_id) out.id = recording_.joint_id(interaction);
    const SiconosMatrix& H = *relation->jachqT();
    for (unsigned i = 0; i < law.size(); ++i) {
      SiconosStep::JointRow row;
      double free = 0;
      for (const Before* body : {&first, second}) {
        if (!body) continue;
        const unsigned column = body == &first ? 0 : 6;
        Vector6 numbers;
        for (unsigned j = 0; j < 6; ++j) numbers[j] = H.getValue(i, column + j);
        free += numbers.dot(body->free);
        numbers.tail<3>() = (body->turn * numbers.tail<3>()).eval();
        for (unsigned j = 0; j < 6; ++j) row.jacobian[column + j] = numbers[j];
      }
      const unsigned at = where.absolute_position + i;
      joint_rows_.push_back(at);
      row.lower = lower;
      row.upper = upper;
      row.bias = q(at) - free;
      if (speed)
        row.rate = row.bias;
      else
        row.violation = interaction.y_k(0)->getValue(i);
      row.z = reaction(at);
      out.rows.push_back(row);
    }
    if (recording_.joint_turned && recording_.joint_turned(interaction)) {
      std::swap(out.first, out.second);
      for (SiconosStep::JointRow& row : out.rows)
        std::swap_ranges(row.jacobian.begin(), row.jacobian.begin() + 6, row.jacobian.begin() + 6);
    }
    step_.joints.push_back(std::move(out));
  }

  const LinearOSNS& problem_;
  const std::vector<Before>& bodies_;
  const RecordingMoreauJean& recording_;
  SiconosStep& step_;
  std::map<const NewtonEulerDS*, std::size_t> place_;
  std::map<std::int64_t, std::size_t> standing_;
  std::vector<unsigned> contact_rows_, joint_rows_;  // of Siconos, in the order of the file
};

}  // namespace

void read_problem(Simulation& simulation, const std::vector<Before>& bodies,
                  const RecordingMoreauJean& recording, SiconosStep& step) {
  auto* problem = dynamic_cast<LinearOSNS*>(simulation.oneStepNSProblem(0).get());
  const auto* contacts = dynamic_cast<FrictionContact*>(problem);
  if (!dynamic_cast<GenericMechanical*>(problem) &&
      !(contacts && contacts->getFrictionContactDim() == 3))
    throw std::runtime_error(
        "the one-step problem is neither a FrictionContact of dimension 3 nor a "
        "GenericMechanical");
  const SolverOptions& options = *problem->numericsSolverOptions();
  step.solver = solver_options_id_to_name(options.solverId);
  step.iterations = 0;
  Topology& topology = *simulation.nonSmoothDynamicalSystem()->topology();
  InteractionsGraph& active = *topology.indexSet(problem->indexSetLevel());
  if (active.size() == 0) return;
  step.iterations = options.iparam[SICONOS_IPARAM_ITER_DONE];
  Problem(*problem, bodies, recording, step).read(active, *topology.indexSet(0));
  for (const SiconosStep::Contact& contact : step.contacts)
    if (!contact.applied) {
      step.solver += kNotApplied;
      break;
    }
}

}  // namespace perpend::capture::from_siconos
