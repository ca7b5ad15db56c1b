"""A real Bullet program and its port: the diff is one constructor and its include, and both run."""

import difflib
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
STOCK = ROOT / "examples" / "bullet" / "stock.cpp"
PORT = ROOT / "examples" / "bullet" / "with_perpend.cpp"


def changes():
    """The changed lines, as in a diff."""
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (STOCK, PORT)]
    return [line for line in difflib.ndiff(*lines) if line[0] in "+-"]


def run(program):
    return subprocess.run([os.environ[program]], check=True, capture_output=True, text=True).stdout


def number(pattern, text):
    return float(re.search(pattern, text).group(1))


class Port(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stock, cls.port = run("BULLET_STOCK"), run("BULLET_WITH_PERPEND")

    def test_differs_in_the_constructor(self):
        arguments = "world(&dispatcher, &broadphase, &solver, &configuration);"
        self.assertEqual(
            changes(),
            [
                "+ #include <perpend/sim/world.hpp>",
                "-   btDiscreteDynamicsWorld " + arguments,
                "+   perpend::DynamicsWorld " + arguments,
            ],
        )

    def test_is_a_real_program(self):
        self.assertGreaterEqual(len(STOCK.read_text(encoding="utf-8").splitlines()), 150)

    def test_stands_where_the_stock_world_falls(self):
        stock, port = self.stock, self.port
        for text in (stock, port):
            self.assertEqual(len(re.findall(r"^ *[\d.]+ s  ball", text, re.M)), 20, text)
            self.assertIn("steps 600\n", text)
            self.assertGreater(number(r"bricks displaced (\d+)", text), 10)
            self.assertAlmostEqual(number(r"door at ([\d.]+)", text), 90, places=2)
        self.assertIn("tower fell", stock)
        self.assertIn("tower stands, its top at 4.500000 m", port)
        self.assertLess(number(r"chain apart by ([\d.]+)", port), 1e-5)
        self.assertGreater(number(r"chain apart by ([\d.]+)", stock), 1e-3)
        self.assertLess(abs(number(r"crate above the lift (-?[\d.]+)", port)), 1e-5)
        # The lift accelerates by cos(t/2)/4 m/s^2, seen one step before the end: 98.789 N.
        self.assertAlmostEqual(number(r"pressed with ([\d.]+)", port), 98.789, places=2)

    def test_is_the_same_on_every_run(self):
        self.assertEqual(run("BULLET_WITH_PERPEND"), self.port)


class Page(unittest.TestCase):
    def test_shows_the_diff(self):
        page = (ROOT / "docs" / "porting-from-bullet.md").read_text(encoding="utf-8")
        shown = re.search(r"```diff\n(.*?)```", page, re.S).group(1).splitlines()
        self.assertEqual(
            [line for line in shown if line[0] in "+-"], [line[0] + line[2:] for line in changes()]
        )


if __name__ == "__main__":
    unittest.main()
