"""The program of docs/capture.md for an engine: a box weighs what its contacts carry; and what the
recorder of that engine links."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ENGINE = os.environ["ENGINE"]
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def lines(text):
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


class Example(unittest.TestCase):
    def test_sum_of_contact_forces_is_the_weight(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [os.environ["RECORDED"], os.path.join(folder, "run.h5")],
                check=True,
                capture_output=True,
                text=True,
            )
        said = re.fullmatch(
            r"600 steps, contact force (\S+) (\S+) (\S+) N, weight 29.4300 N\n", done.stdout
        )
        self.assertIsNotNone(said, done.stdout)
        x, y, z = map(float, said.groups())
        # After 10 s the box of Bullet, the least quiet, still rocks by some 1e-2 N.
        self.assertAlmostEqual(z, 29.43, delta=0.1)
        self.assertAlmostEqual(x, 0, delta=0.1)
        self.assertAlmostEqual(y, 0, delta=0.1)

    def test_the_page_shows_lines_of_the_example(self):
        # Gazebo's physics is recorded by the recorder of DART, and has a page of its own.
        page_name, header = ("gazebo.md", "dart") if ENGINE == "gazebo" else ("capture.md", ENGINE)
        page = (ROOT / "docs" / page_name).read_text(encoding="utf-8")
        source = lines(
            (ROOT / "examples" / "capture" / (ENGINE + ".cpp")).read_text(encoding="utf-8")
        )
        blocks = [
            block
            for block in re.findall(r"```cpp\n(.*?)```", page, re.S)
            if f"perpend/capture/{header}.hpp" in block
        ]
        self.assertGreaterEqual(len(blocks), 1)
        for line in lines("".join(blocks)):
            if line not in ("", "..."):
                self.assertIn(line, source)


# The libraries that make an engine.
LIBRARIES = {
    "bullet": "lib(BulletDynamics|BulletCollision|LinearMath)-float64",
    "ode": r"libode\.so",
    "dart": r"libdart\.so",
    "gazebo": r"libignition-physics\d",
    "mujoco": r"libmujoco\.so",
    "siconos": r"libsiconos_(kernel|mechanics|numerics)\.so",
}


class Libraries(unittest.TestCase):
    """One engine per process: a second build of Bullet with the same symbols corrupts silently."""

    def linked(self):
        return subprocess.run(
            ["ldd", os.environ["CAPTURE"]], check=True, capture_output=True, text=True
        ).stdout

    def test_the_recorder_links_its_engine_and_no_other(self):
        linked = self.linked()
        wanted = {ENGINE, "dart"} if ENGINE == "gazebo" else {ENGINE}
        for engine, library in LIBRARIES.items():
            self.assertEqual(bool(re.search(library, linked)), engine in wanted, engine)

    def test_no_program_has_both_builds_of_bullet(self):
        linked = self.linked()
        self.assertFalse(
            re.search(r"LinearMath-float64", linked) and re.search(r"LinearMath\.so", linked)
        )


if __name__ == "__main__":
    unittest.main()
