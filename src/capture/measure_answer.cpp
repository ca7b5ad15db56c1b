#include "perpend/capture.hpp"
#include "perpend/formulate.hpp"

namespace perpend::capture {

void measure_answer(io::Record& record) {
  const Frame& frame = record.frame;
  io::Answer& answer = record.answer;
  if (!invalid(frame).empty() || !answer.z.allFinite() || !answer.z_joints.allFinite()) return;
  const System rigid = assemble(frame);
  const Impulses impulses = from_rows(rigid, answer.z, answer.z_joints);
  answer.errors = measure(rigid, impulses);
  const System engine = assemble(frame, Model::engine);
  const BoxProblem own(engine);
  answer.errors[Measure::own_error] =
      own.own_error(own.unknowns(from_rows(engine, answer.z, answer.z_joints)));
  answer.slide_or_stick = slide_or_stick(rigid, impulses);
}

}  // namespace perpend::capture
