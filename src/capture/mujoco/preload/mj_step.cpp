// Stands before mj_step, mj_step1 and mj_step2 in a program that uses MuJoCo. The first mjData that
// is stepped is recorded.
#include <mujoco/mujoco.h>

#include <mutex>

#include "capture/preload/preload.hpp"
#include "perpend/capture/mujoco.hpp"

namespace {

using perpend::capture::MujocoFile;
namespace preload = perpend::capture::preload;

using Step = void(const mjModel*, mjData*);

constexpr char kLibrary[] = "libmujoco.so";

Step* mujoco(const char* symbol) { return preload::behind<Step>(symbol, kLibrary); }

// Of the process. Other data may be stepped by other threads at the same time.
struct RecordingState {
  std::mutex mutex;
  std::unique_ptr<MujocoFile> file;
  const mjData* data = nullptr;
  const mjModel* model = nullptr;
  bool over = false;

  // The recorder of that data; null: it is not recorded.
  MujocoFile* of(const mjModel* m, const mjData* d) {
    const std::lock_guard lock(mutex);
    if (over || (data && data != d)) return nullptr;
    const std::string path = preload::asked_for();
    if (path.empty()) return nullptr;
    if (!file) make(path, m, d);
    if (file && m != model) end("the model was exchanged; what follows is not recorded");
    return file.get();
  }
  void end(const std::string& why) {
    if (!why.empty()) preload::say(why);
    preload::close(file.get());
    file.reset();
    over = true;
  }

 private:
  void make(const std::string& path, const mjModel* m, const mjData* d) {
    if (const std::string why = perpend::capture::refusal(*m); !why.empty()) return end(why);
    try {
      file = std::make_unique<MujocoFile>(path, m);
      data = d;
      model = m;
      preload::at_end([this] {
        const std::lock_guard lock(mutex);
        end({});
      });
    } catch (const perpend::io::InputError& error) {
      end(error.what());
    }
  }
};

RecordingState& recorded() {
  static auto* const out = new RecordingState;  // outlives every thread
  return *out;
}

}  // namespace

extern "C" {

PERPEND_STANDS_BEFORE void mj_step(const mjModel* model, mjData* data) {
  static Step* const engine = mujoco("mj_step");
  // MuJoCo tries a step of every model that it loads.
  const bool own = preload::within(__builtin_return_address(0), kLibrary);
  MujocoFile* recorder = own ? nullptr : recorded().of(model, data);
  if (recorder) recorder->before(model, data);
  engine(model, data);
  if (recorder) recorder->after(model, data);
}

PERPEND_STANDS_BEFORE void mj_step1(const mjModel* model, mjData* data) {
  static Step* const engine = mujoco("mj_step1");
  if (MujocoFile* recorder = recorded().of(model, data)) recorder->before(model, data);
  engine(model, data);
}

PERPEND_STANDS_BEFORE void mj_step2(const mjModel* model, mjData* data) {
  static Step* const engine = mujoco("mj_step2");
  engine(model, data);
  if (MujocoFile* recorder = recorded().of(model, data)) recorder->after(model, data);
}

}  // extern "C"
