"""The program of docs/capture.md: it is the example's, and a box weighs what its contacts carry."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


def lines(text):
    return [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]


class Example(unittest.TestCase):
    def test_sum_of_contact_forces_is_the_weight(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([os.environ["RECORDED_BULLET"], os.path.join(folder, "run.h5")],
                                  check=True, capture_output=True, text=True)
        said = re.fullmatch(r"600 steps, contact force (\S+) (\S+) (\S+) N, weight 29.4300 N\n",
                            done.stdout)
        self.assertIsNotNone(said, done.stdout)
        x, y, z = map(float, said.groups())
        # After 10 s Bullet's box still rocks by some 1e-2 N.
        self.assertAlmostEqual(z, 29.43, delta=0.1)
        self.assertAlmostEqual(x, 0, delta=0.1)
        self.assertAlmostEqual(y, 0, delta=0.1)

    def test_the_page_shows_lines_of_the_example(self):
        page = (ROOT / "docs" / "capture.md").read_text(encoding="utf-8")
        source = lines((ROOT / "examples" / "capture" / "bullet.cpp").read_text(encoding="utf-8"))
        blocks = re.findall(r"```cpp\n(.*?)```", page, re.S)
        self.assertGreaterEqual(len(blocks), 1)
        for line in lines("".join(blocks)):
            if line not in ("", "..."):
                self.assertIn(line, source)


class Libraries(unittest.TestCase):
    """One engine per process: a second build of Bullet with the same symbols corrupts silently."""

    def test_the_recorder_links_bullet_in_double_precision_and_no_other_engine(self):
        linked = subprocess.run(["ldd", os.environ["CAPTURE_BULLET"]], check=True,
                                capture_output=True, text=True).stdout
        for library in ("BulletDynamics", "BulletCollision", "LinearMath"):
            self.assertRegex(linked, f"lib{library}-float64")
            self.assertNotRegex(linked, rf"lib{library}\.so")
        for other in ("libode", "libdart", "libmujoco", "libsiconos"):
            self.assertNotIn(other, linked)


if __name__ == "__main__":
    unittest.main()
