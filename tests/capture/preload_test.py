"""Programs of somebody else are recorded as they are: `perpend capture ENGINE --run COMMAND`, and
LD_PRELOAD by hand. Their results stay what they were, bit for bit."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(os.environ["PERPEND_SOURCE_DIR"])
PERPEND = os.environ["PERPEND"]
ENGINE = os.environ["ENGINE"]
PLAIN = os.environ["PLAIN"]
LIBRARY = os.environ["LIBRARY"]


def own_lines(text):
    """Without what Gazebo's profiler says when another program of it runs beside this one."""
    return "".join(line for line in text.splitlines(True) if "RemoteryProfiler" not in line)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = os.path.join(self.folder, "run.h5")

    def plain(self, *arguments):
        done = subprocess.run([PLAIN, *arguments], capture_output=True, text=True, check=True)
        self.assertGreater(len(done.stdout), 20)
        return done.stdout

    def capture(self, command, code=0, json_too=True):
        done = subprocess.run(
            [PERPEND, "capture", ENGINE, "--run", command, "--out", self.out]
            + (["--json"] if json_too else []),
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def recorded(self, *arguments):
        """The document, and what the program printed."""
        done = self.capture(" ".join([PLAIN, *arguments]))
        subprocess.run([PERPEND, "validate", self.out], check=True, capture_output=True)
        return json.loads(done.stdout), own_lines(done.stderr)

    def proves(self, steps, *arguments, momentum=1e-12):
        document, said = self.recorded(*arguments)
        self.assertEqual(said, self.plain(*arguments))  # with --json it is on standard error
        self.assertEqual(document["steps"], steps)
        self.assertEqual(document["exit_code"], 0)
        self.assertLess(document["momentum_gap"], momentum)
        self.assertGreater(document["contacts_max"], 3)
        return document


class PlainGazebo(Case):
    WORLD = str(ROOT / "examples/capture/cart.sdf")

    def test_a_program_on_gazebos_physics(self):
        document = self.proves(2500, self.WORLD, "2500")
        self.assertEqual(document["answered"], {"Dantzig": 2500})
        self.assertGreaterEqual(document["joint_rows"], 13)

    def test_by_hand(self):
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, PERPEND_RECORD=self.out)
        done = subprocess.run(
            [PLAIN, self.WORLD, "50"], env=environment, capture_output=True, text=True, check=True
        )
        self.assertEqual(own_lines(done.stderr), "")
        info = subprocess.run(
            [PERPEND, "info", self.out, "--json"], check=True, capture_output=True, text=True
        )
        self.assertEqual(json.loads(info.stdout)["frames"], 50)
        del environment["PERPEND_RECORD"]  # then nothing is recorded
        again = subprocess.run(
            [PLAIN, self.WORLD, "50"], env=environment, capture_output=True, text=True, check=True
        )
        self.assertEqual(again.stdout, done.stdout)


class PlainOde(Case):
    def test_quickstep_with_contacts_a_hinge_and_a_body_that_is_destroyed(self):
        document = self.proves(200, "200")
        self.assertEqual(document["answered"], {"QuickStep": 200})
        self.assertEqual(document["bodies"], 7)  # five boxes, the extra body, the plane
        self.assertEqual(document["joint_rows"], 5)

    def test_dworldstep(self):
        document = self.proves(100, "100", "worldstep")
        self.assertEqual(sum(document["answered"].values()), 100)
        self.assertIn("dWorldStep", document["answered"])

    def test_a_program_that_dies_leaves_its_frames(self):
        done = self.capture(PLAIN + " 20000 die", code=1)
        document = json.loads(done.stdout)
        self.assertEqual(document["exit_code"], 128 + 6)
        self.assertLessEqual(document["steps"], 10000)
        self.assertIn(
            f"exited with code 134; {self.out} has {document['steps']} frames", done.stderr
        )
        subprocess.run([PERPEND, "validate", self.out], check=True, capture_output=True)

    def test_a_program_whose_file_may_not_grow_goes_on_and_keeps_its_frames(self):
        done = self.capture(f"ulimit -f 4000; {PLAIN} 20000", code=1)
        document = json.loads(done.stdout)
        self.assertEqual(document["exit_code"], 0)
        self.assertIn("File too large", done.stderr)
        self.assertIn(
            f"the recording stopped before the program ended; {self.out} has "
            f"{document['steps']} frames",
            done.stderr,
        )
        self.assertIn(self.plain("20000"), done.stderr)
        subprocess.run([PERPEND, "validate", self.out], check=True, capture_output=True)

    def test_of_several_programs_the_first_is_recorded(self):
        document, _ = self.recorded("30; " + PLAIN + " 20")
        self.assertEqual(document["steps"], 30)

    def test_a_killed_perpend_ends_the_program_and_leaves_its_frames(self):
        command = subprocess.Popen(
            [PERPEND, "capture", ENGINE, "--run", f"exec {PLAIN} 1000000000", "--out", self.out],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.wait_for_frames()
        command.kill()
        command.communicate(timeout=60)  # the program holds the pipe, too
        self.assertFalse(os.path.exists(self.out))
        subprocess.run([PERPEND, "repair", self.out], check=True, capture_output=True)
        subprocess.run([PERPEND, "validate", self.out], check=True, capture_output=True)
        self.assertEqual(os.listdir(self.folder), ["run.h5"])

    def wait_for_frames(self):
        """Of a recording in work, which `info` finds beside its name."""
        deadline = time.monotonic() + 60
        while (
            subprocess.run([PERPEND, "info", self.out], capture_output=True, check=False).returncode
            != 0
        ):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_what_ends_us_ends_the_program_and_keeps_its_frames(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            command = subprocess.Popen(
                [
                    PERPEND,
                    "capture",
                    ENGINE,
                    "--run",
                    f"{PLAIN} 1000000000; true",
                    "--out",
                    self.out,
                    "--json",
                ],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            self.wait_for_frames()
            command.send_signal(sent)
            out, err = command.communicate(timeout=60)  # the program holds the pipe, too
            self.assertEqual(command.returncode, 128 + sent, err)
            self.assertGreater(json.loads(out)["steps"], 0)
            self.assertEqual(os.listdir(self.folder), ["run.h5"])
            os.remove(self.out)

    def test_a_program_that_makes_no_step_is_one_line(self):
        done = self.capture("true", code=2)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("no step of", done.stderr)
        self.assertFalse(os.path.exists(self.out))

    def test_exit_codes_of_the_program_are_told(self):
        done = self.capture(PLAIN + " 20; exit 7", code=1, json_too=False)
        self.assertIn("exited with code 7", done.stderr)
        self.assertIn("QuickStep 20", done.stdout)
        self.assertTrue(os.path.exists(self.out))

    def test_a_file_that_cannot_be_made_does_not_stop_the_program(self):
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, PERPEND_RECORD="/nowhere/run.h5")
        done = subprocess.run(
            [PLAIN, "20"], env=environment, capture_output=True, text=True, check=True
        )
        self.assertEqual(done.stdout, self.plain("20"))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("/nowhere/run.h5", done.stderr)

    def test_wrong_usage(self):
        for arguments, says in (
            (["stack:2", "--run", "true"], "give either SCENE or --run"),
            ([], "give either SCENE or --run"),
            (["--run", "true", "--steps", "5"], "--steps"),
        ):
            done = subprocess.run(
                [PERPEND, "capture", ENGINE, *arguments, "--out", self.out],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(says, done.stderr)
        done = subprocess.run(
            [PERPEND, "capture", "siconos", "--run", "true", "--out", self.out],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot be recorded", done.stderr)


class PlainMujoco(Case):
    MODEL = str(ROOT / "examples/capture/gripper.xml")

    def test_the_first_data_is_recorded(self):
        document = self.proves(150, self.MODEL, "150")
        self.assertEqual(sum(document["answered"].values()), 150)

    def test_steps_in_two_halves(self):
        self.proves(150, self.MODEL, "150", "split")

    def test_an_integrator_that_cannot_be_recorded_is_told(self):
        text = Path(self.MODEL).read_text(encoding="utf-8")
        path = os.path.join(self.folder, "rk4.xml")
        self.assertIn("<option ", text)
        Path(path).write_text(
            text.replace("<option ", '<option integrator="RK4" ', 1), encoding="utf-8"
        )
        done = self.capture(f"{PLAIN} {path} 5", code=2)
        self.assertIn("RK4", done.stderr)
        self.assertIn("no step of", done.stderr)


if __name__ == "__main__":
    unittest.main()
