// How fast the standard file is written and read; bench/file_bench.py runs it and compares.
//
//   perpend_file_bench write FILE FRAMES BODIES CONTACTS
//   perpend_file_bench read FILE
//
// Prints one JSON object: wall-clock and processor seconds, megabytes of numbers moved, peak
// memory.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "perpend/io.hpp"

namespace {

using perpend::Index;
using perpend::io::Record;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  long value = 0;
  while (status >> word)
    if (word == "VmHWM:") status >> value;
  return value;
}

// A frame as recorders write it: all mandatory columns, the answer and its directions.
Record sample(Index bodies, Index contacts) {
  Record record;
  record.frame = perpend::make_frame(bodies, contacts);
  record.frame.step = 1.0 / 60;
  auto& c = record.frame.contacts;
  c.normals.col(2).setOnes();
  c.gap.setLinSpaced(contacts, -1e-3, 1e-3);
  c.mu.setConstant(0.5);
  c.tangents.setRandom(contacts, 6);
  c.points.setRandom();
  for (Index i = 0; i < contacts; ++i) c.pairs.row(i) << i % bodies, (i + 1) % bodies;
  record.answer.velocities_plus.setRandom(bodies, 6);
  record.answer.z.setRandom(contacts, 3);
  record.answer.slide_or_stick.assign(static_cast<std::size_t>(contacts), 1);
  record.answer.iterations = 10;
  for (const auto& info : perpend::measures()) record.answer.errors[info.measure] = 1e-9;
  return record;
}

double megabytes(const Record& r) {
  const auto& f = r.frame;
  const Index body = 1 + 1 + 9 + 3 + 4 + 6 + 6, contact = 2 + 3 + 3 + 1 + 1;
  const Index numbers = f.bodies.count() * body + f.contacts.count() * contact +
                        f.contacts.tangents.size() + r.answer.z.size() +
                        r.answer.velocities_plus.size();
  return 1e-6 *
         (8 * static_cast<double>(numbers) + static_cast<double>(r.answer.slide_or_stick.size()));
}

int write(const std::string& path, Index frames, Index bodies, Index contacts) {
  Record record = sample(bodies, contacts);
  double slowest = 0;
  const double begin = now(), work = processor();
  perpend::io::FrameWriter writer(path, {});
  for (Index i = 0; i < frames; ++i) {
    record.frame.time = static_cast<double>(i) * record.frame.step;
    const double before = now();
    writer.append(record);
    slowest = std::max(slowest, now() - before);
  }
  writer.close();
  std::printf(
      "{\"seconds\": %.4f, \"cpu_seconds\": %.4f, \"megabytes\": %.2f, \"slowest_ms\": %.3f, "
      "\"peak_mb\": %.1f}\n",
      now() - begin, processor() - work, static_cast<double>(frames) * megabytes(record),
      1e3 * slowest, 1e-3 * static_cast<double>(peak_kilobytes()));
  return 0;
}

int read(const std::string& path) {
  const double begin = now();
  const perpend::io::FrameReader reader(path);
  const double opened = now(), work = processor();
  double total = 0, sum = 0;
  for (Index i = 0; i < reader.frames(); ++i) {
    const Record record = reader.read(i);
    total += megabytes(record);
    sum += record.frame.contacts.gap.sum();  // so that reading is not optimized away
  }
  std::printf(
      "{\"seconds\": %.4f, \"cpu_seconds\": %.4f, \"open_seconds\": %.4f, \"megabytes\": %.2f, "
      "\"peak_mb\": %.1f, \"sum\": %.6g}\n",
      now() - opened, processor() - work, opened - begin, total,
      1e-3 * static_cast<double>(peak_kilobytes()), sum);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 6 && std::strcmp(argv[1], "write") == 0)
      return write(argv[2], std::stol(argv[3]), std::stol(argv[4]), std::stol(argv[5]));
    if (argc == 3 && std::strcmp(argv[1], "read") == 0) return read(argv[2]);
    std::fprintf(stderr, "usage: %s write FILE FRAMES BODIES CONTACTS | read FILE\n", argv[0]);
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
