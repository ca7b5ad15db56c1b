"""Documents nested without end, scenes with numbers that no recording holds, recordings that older
writers of perpend_record.h left."""

import json
import os
import random
import subprocess
import unittest

from program import Case, frame, run, sliding

DEEP = 100_000
HUGE = [1e300, -1e300, 1e100, 1e71, 1e31, 1e-31, 1e-141, 1e-300, 5e-324, 0, -1]


def change(file, statement):
    """Changes a recording with h5py, which Debian's Python has."""
    script = "import h5py, numpy, sys\nf = h5py.File(sys.argv[1], 'r+')\n" + statement
    subprocess.run(["/usr/bin/python3", "-c", script, file], check=True)


def scene():
    """A bit of everything that a scene can have."""
    box = {"shape": {"type": "box", "half_extents": [0.1, 0.1, 0.1]}}
    drive = {"stiffness": 10, "damping": 1, "position": 0.1, "speed": 0, "max_force": 5}
    return {
        "format": "perpend-scene",
        "name": "hostile",
        "gravity": [0, 0, -9.81],
        "step": 0.01,
        "steps": 4,
        "bodies": [
            {"shape": {"type": "plane"}, "name": "floor"},
            {**box, "name": "a", "mass": 1, "position": [0, 0, 0.1], "mu": 0.5},
            {**box, "name": "b", "mass": 2, "position": [1, 0, 0.1], "velocity": [1, 0, 0, 0, 0, 0]},
            {**box, "name": "c", "mass": 3, "position": [1.5, 0, 0.2]},
            {"shape": {"type": "capsule", "radius": 0.1, "height": 0.3}, "name": "d", "mass": 1,
             "position": [0, 3, 0.25], "centre_of_mass": [0, 0, 0.01],
             "inertia": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]},
            {**box, "name": "e", "position": [0, -3, 0],
             "motion": {"type": "vibration", "direction": [0, 0, 1], "amplitude": 0.1,
                        "frequency": 2, "phase": 0}},
        ],
        "joints": [
            {"type": "hinge", "first": 1, "second": 2, "position": [0.5, 0, 0.1], "drive": drive},
            {"type": "hinge", "first": 2, "second": 3, "position": [1.2, 0, 0.1],
             "mimic": {"joint": 0, "ratio": 2, "offset": 0.1}},
        ],
    }  # fmt: skip


def numbers(value, at=()):
    """The places of all numbers in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in items:
        if isinstance(one, (dict, list)):
            yield from numbers(one, (*at, key))
        elif isinstance(one, (int, float)) and not isinstance(one, bool):
            yield (*at, key)


def changed(document, place, number):
    out = json.loads(json.dumps(document))
    inner = out
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = number
    return out


class Nested(Case):
    """[[[[... where a document of ours is read: one line, whatever the reader."""

    def test_every_reader_has_one_limit(self):
        deep = "[" * DEEP + "]" * DEEP
        good = self.write("good.json", json.dumps(scene()))
        solve = ["solve", "--solver", "lcp/lemke"]
        documents = {
            "scene": ('{"format": "perpend-scene", "bodies": DEEP}', ["simulate"]),
            "hand": (
                '{"format": "perpend-hand", "events": DEEP}',
                ["view", good, "--steps", 1, "--hand"],
            ),
            "state": (
                '{"format": "perpend-snapshot", "bodies": DEEP}',
                ["simulate", good, "--restore"],
            ),
            "control": ('{"control": DEEP}', ["simulate", good, "--control"]),
            "frames": ('{"step": 0.01, "bodies": DEEP}', solve),
            "problem": ('{"type": "lcp", "n": 1, "A": DEEP, "b": [1]}', solve),
        }
        for name, (text, command) in documents.items():
            for inner in (deep, "[" * DEEP, '{"a":' * DEEP):
                path = self.write("deep.json", text.replace("DEEP", inner))
                with self.subTest(document=name):
                    self.refuses(*command, path, says=["deep.json:1:", "nested too deeply"])


class HostileNumbers(Case):
    def test_what_is_simulated_can_be_recorded(self):
        """Each number of the scene is replaced in turn; what is not refused validates."""
        document, out = scene(), self.path("run.h5")
        random.seed(36)
        refused = validated = 0
        for place in numbers(document):
            for number in random.sample(HUGE, 3):
                spoilt = self.write("spoilt.json", json.dumps(changed(document, place, number)))
                answer = run("simulate", spoilt, "--out", out, "--effort", "10", "--quiet")
                with self.subTest(place=place, number=number):
                    self.assertIn(answer.code, (0, 1, 2), answer.err)
                    if answer.code == 2:
                        refused += 1
                        self.assertEqual(answer.err.count("\n"), 1, answer.err)
                        self.assertIn("spoilt.json", answer.err)
                    elif os.path.exists(out):
                        validated += 1
                        self.succeeds("validate", out)
                        os.unlink(out)
        self.assertGreater(refused, 50)
        self.assertGreater(validated, 20)

    def test_the_line_names_the_field(self):
        document = scene()
        for place, number, says in [
            (("bodies", 1, "mass"), 1e300, "body 1 (a): mass: is outside 1e-140 to 1e140 kg"),
            (("bodies", 1, "mass"), 1e-300, "body 1 (a): mass: is outside 1e-140 to 1e140 kg"),
            (("bodies", 1, "shape", "half_extents", 2), 1e100, "body 1 (a): shape/half_extents: "),
            (("bodies", 1, "shape", "half_extents", 0), 1e-100, "body 1 (a): shape/half_extents: "),
            (("joints", 1, "mimic", "ratio"), 1e300, "joint 1: mimic: ratio: beyond 1e30"),
            (("joints", 0, "drive", "stiffness"), 1e-310, "joint 0: drive: stiffness: "),
            (("bodies", 2, "velocity", 0), -1e300, "body 2 (b): velocity: beyond 1e30"),
            (("gravity", 2), 1e200, "gravity: beyond 1e30"),
            (("step",), 1e200, "step: not in 1e-30 ... 1e30"),
        ]:
            spoilt = self.write("spoilt.json", json.dumps(changed(document, place, number)))
            self.refuses("simulate", spoilt, says=["spoilt.json: ", says])
        self.refuses("simulate", "stack:2", "--dt", "1e300", says="'1e300' is out of range")


class Mended(Case):
    def test_frames_that_no_command_takes_are_left_out(self):
        """A frame with a point at 1e71 m, as older writers of perpend_record.h took it."""
        file = self.standard(frame(), sliding(), frame(mu=0.25), sliding(speed=2))
        self.succeeds("solve", file, "--solver", "ncp/pgs", "--out", file)
        change(file, "f['contacts/points'][1, 0] = 1e71")
        self.assertEqual(run("validate", file).code, 1)
        answer = self.succeeds("repair", file)
        self.assertIn("3 frames (1 left out: frame 1: contacts/points row 0", answer.out)
        self.succeeds("validate", file)
        info = self.succeeds("info", file, "--json").json()
        self.assertEqual((info["frames"], list(info["solutions"])), (3, ["ncp/pgs"]))
        self.succeeds("solve", file, "--solver", "ncp/pgs")
        self.assertIn("nothing to repair: 3 frames", self.succeeds("repair", file).out)

    def test_a_recording_without_a_sound_frame_is_kept(self):
        file = self.standard(frame())
        change(file, "f['contacts/points'][0, 0] = 1e71")
        before = self.bytes(file)
        self.refuses("repair", file, says="no frame can be kept")
        self.assertEqual(self.bytes(file), before)

    def test_names_given_in_every_frame_are_kept_once(self):
        file = self.path("run.h5")
        path = self.write("scene.json", json.dumps(scene()))
        self.succeeds("simulate", path, "--steps", 3, "--out", file)
        names = self.succeeds("forces", file, "--body", "a", "--json").json()
        change(
            file,
            "for name in set(f['model']) - {'vertices', 'triangles'}:\n"
            "  rows = f['model'][name][...]\n"
            "  del f['model'][name]\n"
            "  f['model'].create_dataset(name, data=numpy.concatenate([rows] * 100))",
        )
        now = self.succeeds("forces", file, "--body", "a", "--json").json()
        self.assertEqual(now, names)
        self.assertIn("names are given again", run("validate", file).out)
        self.assertIn("(names were given again)", self.succeeds("repair", file).out)
        self.succeeds("validate", file)


if __name__ == "__main__":
    unittest.main()
