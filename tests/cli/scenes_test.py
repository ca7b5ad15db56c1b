"""Scenes: the list, one as JSON, files of one's own, and the page that describes them."""

import json
import os
import re
import unittest

from program import SOURCE, Case, run

NAMES = [
    "slope",
    "friction-stack",
    "stack",
    "gears-small",
    "gears",
    "stack-small",
    "arch",
    "heavy-top",
    "snake",
    "wall",
    "spheres",
    "logs",
    "hose",
    "hose-humanoid",
    "tower",
    "ragdolls",
    "stack:N",
    "heavy-column",
    "mass-ratio:R",
    "creep",
    "yaw",
    "plate",
    "painleve",
    "cracked-ramp",
    "hole",
    "notch",
    "tiles",
    "pile-spheres:N",
    "pile-boxes:N",
    "pyramid:N",
    "wall:N",
    "crates:N",
    "chain:N",
]


class SceneList(Case):
    def test_json_has_the_fields_of_the_design(self):
        document = self.succeeds("scenes", "--json").json()
        self.assertEqual(document["format_version"], 1)
        self.assertEqual([entry["name"] for entry in document["scenes"]], NAMES)
        for entry in document["scenes"]:
            self.assertGreater(entry["bodies"], 0)
            self.assertGreaterEqual(entry["joints"], 0)
            self.assertNotEqual(entry["source"], "")
            self.assertNotEqual(entry["title"], "")
            self.assertLessEqual(entry["rank"], 6 * entry["moving"])
            self.assertLessEqual(entry["rank"], entry["rows"])

    def test_rows_and_rank_are_those_of_the_first_paper_where_it_tells_the_construction(self):
        scenes = {e["name"]: e for e in self.succeeds("scenes", "--json").json()["scenes"]}
        told = {
            name: (scenes[name]["rows"], scenes[name]["rank"])
            for name in ["stack", "arch", "snake", "heavy-top"]
        }
        # 52 contacts; 30 joint rows and 4 contacts; 30 joint rows; 56 contacts of 10 bodies, whose
        # rank cannot be the 62 of the table.
        self.assertEqual(
            told, {"stack": (156, 54), "arch": (42, 36), "snake": (30, 30), "heavy-top": (168, 60)}
        )
        for name in ["stack", "arch", "snake"]:
            self.assertEqual((scenes[name]["table_rows"], scenes[name]["table_rank"]), told[name])

    def test_the_table_names_every_scene(self):
        table = self.succeeds("scenes").out
        for name in NAMES:
            self.assertRegex(table, rf"(?m)^{re.escape(name)} ")

    def test_the_page_describes_every_scene(self):
        page = self.text(os.path.join(SOURCE, "docs", "scene.md"))
        for name in NAMES:
            self.assertIn(f"`{name}`", page)


class OneScene(Case):
    def test_prints_the_scene_as_json(self):
        scene = self.succeeds("scenes", "stack:3").json()
        self.assertEqual(scene["format"], "perpend-scene")
        self.assertEqual(scene["name"], "stack:3")
        self.assertEqual([body["mass"] for body in scene["bodies"]], [0, 1, 1, 1])
        self.assertEqual(scene["bodies"][3]["position"], [0, 0, 2.5])

    def test_a_name_without_its_number_is_a_scene_of_its_own_or_the_default(self):
        moving = lambda name: sum(
            body["mass"] > 0 for body in self.succeeds("scenes", name).json()["bodies"]
        )
        self.assertEqual(moving("stack"), 9)
        self.assertEqual(moving("wall"), 169)
        self.assertEqual(moving("pyramid"), 55)

    def test_the_seed_draws_other_places(self):
        self.assertEqual(run("scenes", "spheres").out, run("scenes", "spheres", "--seed", 1).out)
        self.assertNotEqual(run("scenes", "spheres").out, run("scenes", "spheres", "--seed", 2).out)

    def test_unknown_names_are_refused_with_those_near_by(self):
        self.refuses("scenes", "stak", says=["stak", "stack"])
        self.refuses("scenes", "stack:0", says="whole number")
        self.refuses("scenes", "mass-ratio:heavy", says="not a number")
        self.refuses("scenes", "nowhere.json", says="no such scene file")
        self.refuses("scenes", "./stack", says="no such scene file")


class SceneFiles(Case):
    def test_a_printed_scene_is_read_back_the_same(self):
        for name in ["hose", "plate", "gears-small", "ragdolls"]:
            printed = self.succeeds("scenes", name).out
            again = self.succeeds("scenes", self.write("scene.json", printed)).out
            self.assertEqual(again, printed)

    def test_the_examples_of_the_page_are_scenes(self):
        page = self.text(os.path.join(SOURCE, "docs", "scene.md"))
        examples = re.findall(r"^```json\n(.*?)^```$", page, re.S | re.M)
        self.assertEqual(len(examples), 3)
        control = self.write("control.json", examples.pop())
        arm = os.path.join(SOURCE, "examples", "robots", "arm.urdf")
        self.succeeds("import", arm, "--control", control)
        for text in examples:
            path = self.write("example.json", text)
            self.succeeds("validate", path)
            scene = self.succeeds("scenes", path).json()
            self.assertEqual(scene["name"], json.loads(text)["name"])

    def test_info_and_validate_know_scenes(self):
        path = self.write("scene.json", self.succeeds("scenes", "arch").out)
        document = self.succeeds("info", path, "--json").json()
        self.assertEqual((document["format"], document["scene"]), ("scene", "arch"))
        self.assertEqual((document["bodies"], document["moving"], document["joints"]), (11, 6, 5))
        self.assertIn("valid (scene)", self.succeeds("validate", path).out)

    def test_a_mistake_is_named(self):
        scene = self.succeeds("scenes", "creep").json()
        scene["bodies"][1]["mas"] = 1
        path = self.write("scene.json", json.dumps(scene))
        self.refuses("scenes", path, says=["scene.json", "bodies 1/mas"])
        answer = run("validate", path)
        self.assertEqual(answer.code, 1)
        self.assertIn("bodies 1/mas", answer.out)

    ARM = {
        "format": "perpend-scene",
        "name": "arm",
        "step": 0.01,
        "steps": 200,
        "bodies": [
            {"shape": {"type": "sphere", "radius": 0.1}, "mass": 2, "position": [0.5, 0, 0]}
        ],
        "joints": [
            {
                "name": "shoulder",
                "type": "hinge",
                "first": -1,
                "second": 0,
                "orientation": [0.7071067811865476, -0.7071067811865476, 0, 0],
                "drive": {"stiffness": 2000, "damping": 50, "armature": 0.02, "friction": 0.1},
            }
        ],
        "control": [
            {
                "joint": "shoulder",
                "keys": [{"time": 0, "position": 0}, {"time": 1, "position": 1.2}],
            }
        ],
    }

    def test_an_arm_follows_its_schedule_and_its_recording_runs_again(self):
        path, out = self.write("arm.json", json.dumps(self.ARM)), self.path("arm.h5")
        document = self.succeeds("simulate", path, "--out", out, "--json").json()
        self.assertEqual(document["unconverged"], 0)
        self.assertLess(document["kinetic_energy"], 1e-9)  # it has arrived
        self.assertEqual(self.succeeds("info", out, "--json").json()["format_version"], 2)
        self.assertIn("bit for bit", self.succeeds("validate", "--rerun", out).out)
        frames = self.path("frames.jsonl")
        self.succeeds("convert", out, frames)
        self.assertIn('"compliance"', self.text(frames))

    def test_a_mistake_in_a_drive_or_its_schedule_is_named(self):
        for place, value, says in [
            (("joints", 0, "drive", "damping"), -1, "joint 0 (shoulder): drive: damping: negative"),
            (("joints", 0, "drive", "stifness"), 1, "joints 0/drive/stifness"),
            (("control", 0, "joint"), "sholder", 'no joint is called "sholder"'),
            (("control", 0, "keys", 1, "time"), 0, "keys 1: not later than the one before"),
        ]:
            scene = json.loads(json.dumps(self.ARM))
            inside = scene
            for key in place[:-1]:
                inside = inside[key]
            inside[place[-1]] = value
            self.refuses("simulate", self.write("arm.json", json.dumps(scene)), says=says)

    def test_bullets_own_world_refuses_drives(self):
        path = self.write("arm.json", json.dumps(self.ARM))
        self.refuses("simulate", path, "--engine", "bullet", says="joint 0 (shoulder): drive")

    def test_a_scene_has_no_frames_to_solve(self):
        path = self.write("scene.json", self.succeeds("scenes", "creep").out)
        self.refuses("solve", path, "--solver", "ncp/pgs", says="no frames")
        self.refuses("convert", path, self.path("out.h5"), says="no frames")

    def test_frames_are_no_scene(self):
        frames = os.path.join(SOURCE, "examples", "frames", "blocks.jsonl")
        self.refuses("scenes", frames, says="is not a scene file")


if __name__ == "__main__":
    unittest.main()
