// Scenes in MuJoCo: the MJCF text of a scene, and a model and data made from it.
//
// Joints are MuJoCo's own, so that bodies hang in trees; a joint that closes a loop is an equality
// constraint. A body that is moved by a script is a free one of 1,000 kg/m^3 welded to a mocap
// body: MuJoCo's bodies that move without being free have no velocity in its contacts.
#pragma once

#include <map>
#include <memory>

#include "perpend/capture/mujoco.hpp"
#include "perpend/scene.hpp"

namespace perpend::capture::from_mujoco {

// Throws io::InputError where MuJoCo cannot express something, one line that names the scene's body
// or joint.
std::string to_mjcf(const Scene&, double h);

// A model from MJCF text or file. Throws io::InputError with MuJoCo's own words.
struct MujocoDeleter {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using MujocoModel = std::unique_ptr<mjModel, MujocoDeleter>;
using MujocoData = std::unique_ptr<mjData, MujocoDeleter>;
MujocoModel model_from_text(const std::string& mjcf, const std::string& where);
MujocoModel model_from_file(const std::string& path);

// A model that is stepped, of a scene or of somebody's MJCF file. MuJoCo sizes its lists of
// contacts and rows beforehand and leaves out what does not fit; a step of a scene that did not fit
// is made again from the same state with longer lists.
class MujocoWorld {
 public:
  explicit MujocoWorld(MujocoModel);
  MujocoWorld(const Scene&, double h);  // throws io::InputError as to_mjcf

  mjModel& model() { return *model_; }
  const mjModel& model() const { return *model_; }
  mjData& data() { return *data_; }
  void step(MujocoRecorder* = nullptr);
  // Of mjModel's body: its place in the scene, of a scripted one that of its free copy; -1 the
  // world, -2 - k the target that body k is welded to. Without a scene: its number.
  std::int64_t place(int body) const;
  // Of mjModel's joint or equality constraint: the scene's joint. -1: none.
  std::int64_t joint(mjtObj kind, int number) const;
  State state();               // of every body of the scene, about its centre of mass
  std::uint64_t hash() const;  // of all joint positions and velocities, bit for bit

 private:
  // An actuator, or two, of a drive.
  struct Driven {
    int servo = -1, push = -1;
    Joint::Drive drive;
    std::vector<Control> controls;
    Joint::Drive now;
    double limited = 0;  // the force of a servo at its largest one; else 0
  };
  void grow();
  void find_drives(const Scene&);
  void drive(double time);
  void give(const Driven&);
  bool limit();

  MujocoModel model_;
  MujocoData data_;
  std::vector<Body> bodies_;  // of the scene
  std::vector<int> body_;     // of the scene's bodies, mjModel's
  std::vector<int> mocap_;    // the target of a scripted one, as place among the mocap bodies; -1
  std::vector<std::int64_t> places_;
  std::map<std::pair<mjtObj, int>, Index> joints_;
  std::vector<Driven> drives_;
  long steps_ = 0;
};

}  // namespace perpend::capture::from_mujoco
