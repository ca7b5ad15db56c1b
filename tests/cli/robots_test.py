"""Robots of the examples: URDF and servos in, forces and verdicts out, in Perpend, MuJoCo and DART."""

import csv
import json
import os
import unittest

from program import GRAVITY, SOURCE, Case, run

FOLDER = os.path.join(SOURCE, "examples", "robots")


class Robots(Case):
    """Seven seconds; the forces are means over the last tenth of one."""

    SECONDS = 7

    def recorded(self, name, engine="perpend", step=1 / 60, options=()):
        scene = self.path(name + ".json")
        model = os.path.join(FOLDER, name + ".urdf")
        control = os.path.join(FOLDER, name + ".control.json")
        self.succeeds("import", model, "--self-collide", "--control", control, "--out", scene)
        out = self.path(name + "-" + engine + ".h5")
        command = ["simulate"] if engine == "perpend" else ["capture", engine]
        steps = round(self.SECONDS / step)
        self.succeeds(*command, scene, "--steps", steps, "--dt", step, "--out", out, *options)
        return out

    def forces(self, recording, *arguments):
        """Upward forces in N: of joints by name, of pairs by body and body."""
        table = self.path("forces.csv")
        self.succeeds("forces", recording, *arguments, "--out", table)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        sums, frames = {}, set()
        for row in rows:
            if float(row["time"]) < self.SECONDS - 0.1:
                continue
            frames.add(row["frame"])
            name = {"joint": row["name"], "pair": (row["second"], row["first"])}.get(row["kind"])
            sums[name] = sums.get(name, 0) + float(row["force_z"] or 0)
        return {name: total / len(frames) for name, total in sums.items()}

    # What swings still after 7 s, and in other engines what soft contacts, joints and their solvers
    # leave.
    TOLERANCES = {"perpend": 1e-3, "mujoco": 0.05, "dart": 0.05}

    def assert_weight(self, force, mass, engine):
        self.assertAlmostEqual(force, mass * GRAVITY, delta=self.TOLERANCES[engine], msg=engine)

    def test_joints_of_the_arm_carry_what_hangs_on_them(self):
        for engine in self.TOLERANCES:
            found = self.forces(self.recorded("arm", engine))
            for joint, mass in [("hook", 3), ("elbow", 4), ("shoulder", 5)]:
                self.assert_weight(found[joint], mass, engine)

    def test_the_fingers_carry_the_cube(self):
        for engine in ["perpend", "dart"]:
            recording = self.recorded("gripper", engine)
            for finger in ["left_finger", "right_finger"]:
                found = self.forces(recording, "--pair", "cube", finger)
                self.assert_weight(found["cube", finger], 0.25, engine)
            if engine == "perpend":  # a servo's force is an external one in other engines
                self.assert_weight(self.forces(recording)["lift"], 1.9, engine)

    # MuJoCo's friction is soft: the cube slips out.
    def test_the_doctor_says_why_the_cube_slips_in_mujoco_and_what_holds_it(self):
        recording = self.recorded("gripper", "mujoco")
        self.assertNotIn(("cube", "left_finger"), self.forces(recording, "--body", "cube"))
        answer = run("doctor", recording, "--json")
        self.assertEqual(answer.code, 1)
        found = {finding["id"]: finding for finding in answer.json()["findings"]}
        self.assertIn("friction_creeps", found)
        self.assertIn("finger and cube", found["friction_creeps"]["where"])
        self.assertIn("noslip", found["friction_creeps"]["change"])
        rigid = self.recorded("gripper", "mujoco", options=["--solver", "newton-elliptic-noslip"])
        fingers = [("cube", "left_finger"), ("cube", "right_finger")]
        pairs = [argument for pair in fingers for argument in ("--pair", *pair)]
        found = self.forces(rigid, *pairs)
        self.assert_weight(sum(found[pair] for pair in fingers), 0.5, "mujoco")

    # MuJoCo and DART solve contacts without the servos, and need a shorter step.
    def test_the_feet_carry_the_robot(self):
        for engine in self.TOLERANCES:
            step = 1 / 60 if engine == "perpend" else 0.002
            recording = self.recorded("quadruped", engine, step)
            feet = [
                end + side + "shin" for end in ("front_", "rear_") for side in ("left_", "right_")
            ]
            pairs = [argument for foot in feet for argument in ("--pair", foot, "floor")]
            found = self.forces(recording, *pairs)
            self.assert_weight(sum(found[foot, "floor"] for foot in feet), 12, engine)

    def test_they_stand_still_in_the_end_and_their_recordings_run_again(self):
        for name in ["arm", "gripper", "quadruped"]:
            recording = self.recorded(name)
            self.assertIn("bit for bit", self.succeeds("validate", "--rerun", recording).out)
            document = self.succeeds("doctor", recording, "--json").json()
            self.assertEqual(document["verdict"], "sound", name)


class ControlFiles(Case):
    MODEL = os.path.join(FOLDER, "arm.urdf")

    def control(self, **more):
        return self.write("control.json", json.dumps({"format": "perpend-control", **more}))

    def test_a_control_is_part_of_the_imported_scene(self):
        path = self.control(
            steps=7,
            step=0.01,
            drives=[{"joint": "elbow", "stiffness": 3}],
            control=[{"joint": "elbow", "keys": [{"time": 1, "position": 0.5}]}],
        )
        out = self.path("scene.json")
        self.succeeds("import", self.MODEL, "--control", path, "--out", out)
        scene = json.loads(self.text(out))
        self.assertEqual((scene["steps"], scene["step"]), (7, 0.01))
        elbow = next(joint for joint in scene["joints"] if joint["name"] == "elbow")
        self.assertEqual(elbow["drive"]["stiffness"], 3)
        self.assertEqual(elbow["drive"]["friction"], 0.5)  # the model's stays
        self.assertEqual(len(scene["control"]), 1)

    def test_a_mistake_is_one_line_with_file_and_field(self):
        for fields, says in [
            ({"drives": [{"joint": "elbw"}]}, 'drives 0/joint: no joint is called "elbw"'),
            ({"drives": [{"joint": 17}]}, "drives 0/joint: no joint 17"),
            ({"drives": [{"joint": "elbow", "axis": 2}]}, "drives 0/axis"),
            ({"drives": [{"joint": "elbow", "stifness": 2}]}, "drives 0/stifness"),
            ({"drives": [{"joint": "elbow", "damping": -1}]}, "damping: negative"),
            ({"steps": -1}, "steps"),
            ({"contrl": []}, "contrl"),
        ]:
            for command in [["simulate"], ["capture", "mujoco"]]:
                out = self.path("run.h5")
                self.refuses(
                    *command,
                    self.MODEL,
                    "--control",
                    self.control(**fields),
                    "--out",
                    out,
                    says=["control.json", says],
                )
                self.assertFalse(os.path.exists(out))

    def test_other_files_are_no_control(self):
        self.refuses("simulate", self.MODEL, "--control", self.MODEL, says="arm.urdf")
        self.refuses("simulate", self.MODEL, "--control", "/nowhere.json", says="/nowhere.json")


if __name__ == "__main__":
    unittest.main()
