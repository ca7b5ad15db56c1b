"""Recordings of others: the C example's file is sound and solvable, and Octave reads it."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def run(*arguments, status=0):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


class Recorded(unittest.TestCase):
    """What examples/record/box.c records."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "run.h5"
        self.said = run(os.environ["RECORDED_BOX"], self.file)


class Engine(Recorded):
    def test_the_cube_slides_as_coulomb_says_and_weighs_what_its_contacts_carry(self):
        # It starts at 1 and 0.5 m/s. Friction as a box takes 0.3 g h from each as long as it moves
        # along it: x = sum h v_i until 1 m/s is used up, 33 whole steps and what is left.
        speed, slid = 1.0, 0.0
        while speed > 0:
            speed = max(0.0, speed - 0.3 * 9.81 * 0.01)
            slid += 0.01 * speed
        self.assertEqual(
            self.said,
            "100 steps, contact force 19.6200 N, weight 19.6200 N, " f"slid {slid:.4f} m\n",
        )

    def test_the_page_shows_lines_of_the_example(self):
        def lines(text):
            return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]

        page = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
        source = lines((ROOT / "examples" / "record" / "box.c").read_text(encoding="utf-8"))
        blocks = re.findall(r"```c\n(.*?)```", page, re.S)
        self.assertGreaterEqual(len(blocks), 1)
        for line in lines("".join(blocks)):
            if line not in ("", "..."):
                self.assertIn(line, source)

    def test_a_path_that_cannot_be_written_is_one_line(self):
        done = subprocess.run(
            [os.environ["RECORDED_BOX"], "/nowhere/run.h5"], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 2)
        self.assertEqual(
            done.stderr, "/nowhere/run.h5: cannot be written: No such file or directory\n"
        )


@unittest.skipUnless("PERPEND" in os.environ, "PERPEND does not name the program")
class Program(Recorded):
    def test_the_file_passes_validate_info_and_solve(self):
        perpend = os.environ["PERPEND"]
        run(perpend, "validate", self.file)
        info = json.loads(run(perpend, "info", self.file, "--json"))
        self.assertEqual(
            (info["engine"], info["frames"], info["contacts"]), ("twenty lines of C", 100, 400)
        )
        for solver in ("ncp/auto", "box/pgs"):
            answer = json.loads(run(perpend, "solve", self.file, "--solver", solver, "--json"))
            self.assertEqual({r["status"] for r in answer["results"]}, {"converged"})
            self.assertEqual(len(answer["results"]), 100)


@unittest.skipUnless(shutil.which("octave"), "octave is missing")
class Octave(Recorded):
    """examples/matlab, in both layouts."""

    def octave(self, code):
        return run(
            "octave",
            "--no-gui",
            "--quiet",
            "--norc",
            "--path",
            ROOT / "examples" / "matlab",
            "--eval",
            code,
        )

    def test_contact_forces_carry_the_weight(self):
        said = self.octave(f"contact_forces('{self.file}', 1);")
        numbers = re.fullmatch(
            r"100 frames, body 1, last frame: contact force (\S+) (\S+) (\S+) N, "
            r"external force (\S+) (\S+) (\S+) N\n",
            said,
        )
        self.assertIsNotNone(numbers, said)
        for carried, pulled in zip(
            map(float, numbers.groups()[:3]), map(float, numbers.groups()[3:])
        ):
            self.assertAlmostEqual(carried, -pulled, delta=1e-4)

    def test_the_floor_gets_the_opposite(self):
        said = self.octave(
            f"[t, f] = contact_forces('{self.file}', 0); printf('%.6f ', t(3), f(:, 3));"
        )
        # The second step while it slides both ways: 0.3 of the weight along x and y, 19.62 N down.
        self.assertIn("0.020000 5.886000 5.886000 -19.620000", said)

    @unittest.skipUnless("PERPEND" in os.environ, "PERPEND does not name the program")
    def test_both_layouts_give_the_same_frames(self):
        frames = self.folder / "frames.h5"
        run(os.environ["PERPEND"], "convert", self.file, frames, "--layout", "frames")
        said = self.octave(
            f"a = open_recording('{self.file}'); b = open_recording('{frames}');"
            "same = a.frames == 100 && b.frames == 100;"
            "for k = [0 7 99], same = same && isequal(read_frame(a, k), read_frame(b, k)); end;"
            "printf('%d %d\\n', same, columns(read_frame(b, 7).contacts.normals));"
        )
        self.assertEqual(said, "1 4\n")

    def test_a_frame_that_is_not_there_is_named(self):
        done = subprocess.run(
            [
                "octave",
                "--no-gui",
                "--quiet",
                "--norc",
                "--path",
                str(ROOT / "examples" / "matlab"),
                "--eval",
                f"read_frame(open_recording('{self.file}'), 100)",
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no frame 100, the last is 99", done.stderr)


if __name__ == "__main__":
    unittest.main()
