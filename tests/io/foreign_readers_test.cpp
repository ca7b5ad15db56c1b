// A standard file is readable with nothing of ours: h5py, Octave, h5dump see the same numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "io/hdf5.hpp"
#include "io/sample_records.hpp"

namespace perpend::io {
namespace foreign_readers_test {

using testing::HasSubstr;

struct Output {
  int status;
  std::string text;
};

Output run(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), n);
  return {pclose(pipe), text};
}

bool has(const std::string& command) { return run(command).status == 0; }
bool has_h5py() { return has("/usr/bin/python3 -c 'import h5py'"); }
bool has_octave() { return has("command -v octave"); }

std::vector<Record> records() { return {full_record(3, 4, {2}, 1), bare_record(2, 3, {1}, 2)}; }

void write(const std::string& path) {
  Header header;
  header.engine = "bullet";
  FrameWriter writer(path, header, 8);
  for (const Record& record : records()) writer.append(record);
  writer.close();
}

// A script in a file of its own: no quoting of quotes.
Output run_script(const std::string& interpreter, const std::string& script,
                  const std::string& argument) {
  const test::Scratch folder;
  return run(interpreter + " " + folder.write("script", script) + " " + argument);
}

std::string exact(double x) {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "%.17g", x);
  return text.data();
}

constexpr const char* kReadFrameOne = R"(
import sys, h5py
f = h5py.File(sys.argv[1])
body, joint, row, contact, bodies, joints, rows, contacts = f['frames/offsets'][1]
assert f.attrs['format'].decode() == 'perpend', f.attrs['format']
assert f.attrs['format_version'] == 1
assert f['contacts/normals'].dtype == 'f8' and f['contacts/pairs'].dtype == 'i8'
assert f['solution/slide_or_stick'].dtype == 'i1'
print(f.attrs['engine'].decode(), len(f['frames/offsets']), bodies, joints, rows, contacts)
print('%.17g' % f['contacts/normals'][contact + 2, 1])
print('%.17g' % f['bodies/inertia'][body + 1, 0, 1])
print(f['contacts/pairs'][contact + 2].tolist())
)";

struct BothLayouts {
  BothLayouts() {
    write(columns);
    write_frames_layout(FrameReader(columns), frames);
  }
  TemporaryFile columns, frames;
};

std::string frame_one() {
  const Frame f = records()[1].frame;
  return "bullet 2 2 1 1 3\n" + exact(f.contacts.normals(2, 1)) + "\n" +
         exact(f.bodies.inertia(1, 1)) + "\n[1000, 993]\n";
}

TEST(ForeignReaders, H5pySeesTheNumbers) {
  if (!has_h5py()) GTEST_SKIP() << "python3-h5py is missing";
  const TemporaryFile file;
  write(file);
  EXPECT_EQ(run_script("/usr/bin/python3", kReadFrameOne, file).text, frame_one());
}

TEST(ForeignReaders, H5pySeesTheFramesLayout) {
  if (!has_h5py()) GTEST_SKIP() << "python3-h5py is missing";
  const BothLayouts written;
  const Output output = run_script("/usr/bin/python3", R"(
import sys, h5py
f = h5py.File(sys.argv[1])
print(list(f['frames']), '%.17g' % f['frames/000001/contacts/gap'][2], f['frames/000001/step'][()])
)",
                                   written.frames);
  EXPECT_EQ(output.text,
            "['000000', '000001'] " + exact(records()[1].frame.contacts.gap[2]) + " 0.015625\n");
}

TEST(ForeignReaders, PlainH5pyOpensARepairedFile) {
  if (!has_h5py()) GTEST_SKIP() << "python3-h5py is missing";
  const TemporaryFile file;
  const pid_t child = fork();
  if (child == 0) {
    Header header;
    header.engine = "bullet";
    FrameWriter writer(file, header, 8);
    for (const Record& record : records()) writer.append(record);
    writer.flush();
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_NE(run_script("/usr/bin/python3", kReadFrameOne, file).status, 0);
  EXPECT_EQ(repair(file), 2);
  EXPECT_EQ(run_script("/usr/bin/python3", kReadFrameOne, file).text, frame_one());
}

// What docs/format.md promises a writer who has only h5py: our reader takes the result.
TEST(ForeignReaders, WeReadWhatH5pyWrites) {
  if (!has_h5py()) GTEST_SKIP() << "python3-h5py is missing";
  const TemporaryFile file;
  const Output output = run_script("/usr/bin/python3", R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'w')
f.attrs.update(format='perpend', format_version=1, engine='by hand', engine_version='', scene='',
               created='', units='SI', friction_model='coulomb', omitted='', scalar_bytes=8,
               stepper='ap')
b = f.create_group('bodies')
b['ids'] = np.array([7, 3]); b['masses'] = np.array([0., 2.])
b['inertia'] = np.array([np.eye(3)] * 2); b['positions'] = np.zeros((2, 3))
b['quaternions'] = np.array([[1., 0, 0, 0]] * 2, 'f4')  # single precision is read too
b['velocities'] = np.zeros((2, 6)); b['forces'] = np.array([[0, 0, -9.81, 0, 0, 0]] * 2)
c = f.create_group('contacts')
c['gap'] = np.array([0.5]); c['mu'] = np.array([0.25]); c['normals'] = np.array([[0., 0, 1]])
c['points'] = np.zeros((1, 3)); c['pairs'] = np.array([[7, 3]])
k = f.create_group('constraints')
k['jacobian'] = np.zeros((0, 12)); k['bounds'] = np.zeros((0, 2)); k['violation'] = np.zeros(0)
k['pairs'] = np.zeros((0, 2), int); k['rows'] = np.zeros(0, int)
f['step'] = np.array([0.01]); f['time'] = np.array([0.])
f['frames/offsets'] = np.array([[0, 0, 0, 0, 2, 0, 0, 1]])
)",
                                   file);
  ASSERT_EQ(output.text, "");
  EXPECT_THAT(validate(file), testing::IsEmpty());
  const FrameReader reader(file);
  EXPECT_EQ(reader.header().engine, "by hand");
  const Record record = reader.read(0);
  EXPECT_EQ(record.frame.stepper, Stepper::ap);
  EXPECT_EQ(record.frame.contacts.pairs, (Pairs(1, 2) << 0, 1).finished());
  EXPECT_EQ(record.frame.contacts.gap[0], 0.5);
  EXPECT_EQ(record.frame.bodies.quaternions(1, 0), 1);
  EXPECT_EQ(record.frame.contacts.restitution.size(), 0);
}

TEST(ForeignReaders, OctaveSeesTheNumbers) {
  if (!has_octave()) GTEST_SKIP() << "octave is missing";
  const BothLayouts written;
  // Octave counts columns first: the shape (M, 3) arrives as 3 x M.
  const Output output = run_script("octave --no-gui --quiet --norc", R"(
args = argv(); f = load('-hdf5', args{end-1}); g = load('-hdf5', args{end});
o = f.frames.offsets(:, 2);
printf('%d %d\n', size(f.frames.offsets)); printf('%d ', o); printf('\n');
printf('%.17g\n', f.contacts.normals(2, o(4) + 3));
printf('%d ', f.contacts.pairs(:, o(4) + 3)); printf('\n');
names = fieldnames(g.frames);
printf('%.17g\n', g.frames.(names{2}).contacts.gap(3));
)",
                                   written.columns.path() + " " + written.frames.path());
  const Frame f = records()[1].frame;
  EXPECT_THAT(output.text, HasSubstr("8 2\n3 1 2 4 2 1 1 3 \n" + exact(f.contacts.normals(2, 1)) +
                                     "\n1000 993 \n" + exact(f.contacts.gap[2]) + "\n"));
}

TEST(ForeignReaders, H5dumpSeesTheNumbers) {
  if (!has("command -v h5dump")) GTEST_SKIP() << "hdf5-tools are missing";
  const TemporaryFile file;
  write(file);
  EXPECT_THAT(run("h5dump -d /frames/offsets " + file.path()).text,
              HasSubstr("(1,0): 3, 1, 2, 4, 2, 1, 1, 3"));
}

}  // namespace foreign_readers_test
}  // namespace perpend::io
