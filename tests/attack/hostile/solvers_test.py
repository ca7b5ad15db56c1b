"""The attack on the solvers: its frames, its judge, and a planted liar."""

import glob
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import exact  # noqa: E402
from frames import explicit_problems, hostile_frames  # noqa: E402

ATTACK = os.path.join(HERE, os.pardir, "solvers.py")
SOURCE = os.environ["PERPEND_SOURCE_DIR"]

# The one that Debian's packages belong to: h5py.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
H5PY = subprocess.run([PYTHON, "-c", "import h5py"], capture_output=True).returncode == 0


def sample_frames():
    for path in sorted(glob.glob(os.path.join(SOURCE, "examples", "frames", "*.jsonl"))):
        with open(path) as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    yield json.loads(line)


class HostileFrames(unittest.TestCase):
    def test_there_are_five_hundred_with_names_of_their_own_and_they_are_the_same_every_time(self):
        frames = hostile_frames()
        self.assertGreaterEqual(len(frames), 500)
        names = [f["name"] for f in frames] + [p["name"] for p in explicit_problems()]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(json.dumps(frames), json.dumps(hostile_frames()))
        self.assertAlmostEqual(len(hostile_frames(60)), 60, delta=5)


class ExactEvaluation(unittest.TestCase):
    def test_impulses_derived_by_hand_leave_nothing(self):
        checked = 0
        for frame in sample_frames():
            expected = frame["expected"]
            error = exact.own_error(
                exact.ExactSystem(frame), "ncp", expected.get("z", []), expected.get("z_joints", [])
            )
            self.assertLessEqual(error, 1e-13, frame["name"])
            checked += 1
        self.assertGreaterEqual(checked, 60)

    def test_what_is_lost_in_doubles_is_seen(self):
        # y_n = 1e20 - (1e20 + 16384): what is left is one unit in the last place of an impulse.
        A = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
        s = exact.ExactMatrix({"A": A, "b": [-1e20 - 16384, 0.0, 0.0], "mu": [0.5]})
        self.assertEqual(exact.own_error(s, "ncp", [[1e20, 0.0, 0.0]], []), 16384)
        self.assertEqual(exact.own_error(s, "ncp", [[1e20 + 16384, 0.0, 0.0]], []), 0)


@unittest.skipUnless(H5PY, "h5py is not there")
class EverySolver(unittest.TestCase):
    def test_neither_crashes_nor_claims_what_is_not_so(self):
        done = subprocess.run(
            [
                PYTHON,
                "-B",
                ATTACK,
                os.path.dirname(os.environ["PERPEND"]),
                "--frames",
                "20",
                "--time-limit",
                "0.3",
                "--untimed",
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"solvers: (\d+) of \1 runs")


@unittest.skipUnless(H5PY, "h5py is not there")
class PlantedFault(unittest.TestCase):
    PROGRAM = """#!%s
import json, os, sys
if sys.argv[1] == "solvers":
    print(json.dumps({"solvers": [{"name": "ncp/" + n, "formulation": "ncp", "origin": "perpend"}
                                  for n in ("liar", "crash", "slow", "honest")]}))
    sys.exit()
frames = open(sys.argv[2]).read().splitlines()
name = sys.argv[sys.argv.index("--solver") + 1]
if name == "ncp/crash" and any("mass 1e+06, mu" not in f and "mass 1e+06" in f for f in frames):
    os.kill(os.getpid(), 11)
status = "converged" if name == "ncp/liar" else "stalled"
seconds = 5.0 if name == "ncp/slow" else 0.0
print(json.dumps({"results": [
    {"frame": i, "status": status, "message": "so", "path": "p", "seconds": seconds,
     "formulation_seconds": 0.0, "errors": {"own_error": 0.0}} for i in range(len(frames))]}))
import h5py
with h5py.File(sys.argv[sys.argv.index("--out") + 1], "w") as file:
    group = file.create_group("solutions/" + name)
    group.attrs["n_d"] = 0
    count = [len(json.loads(f)["contacts"]["gap"]) for f in frames]
    first = [sum(count[:i]) for i in range(len(count))]
    group["frames"] = list(range(len(frames)))
    group["offsets"] = [[a, 0, 0, 0, n, 0, 0, 0] for a, n in zip(first, count)]
    group["z"] = [[0.0, 0.0, 0.0]] * sum(count)
    group["z_joints"], group["z_own"] = [0.0] * 0, [0.0] * 0
"""

    def attack(self, solver):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "perpend")
            with open(program, "w") as file:
                file.write(self.PROGRAM % PYTHON)
            os.chmod(program, os.stat(program).st_mode | stat.S_IXUSR)
            done = subprocess.run(
                [
                    PYTHON,
                    "-B",
                    ATTACK,
                    folder,
                    "--match",
                    "mass 1e+0",
                    "--time-limit",
                    "1",
                    "--solvers",
                    solver,
                ],
                capture_output=True,
                text=True,
            )
        return done

    def test_is_found(self):
        for solver, what in (("ncp/liar", "false converged"), ("ncp/crash", "crash")):
            done = self.attack(solver)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"[1-9] %s," % what)
        self.assertRegex(self.attack("ncp/slow").stdout, "[1-9] (overrun|late on a busy machine),")

    def test_only_where_there_is_one(self):
        done = self.attack("ncp/honest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
