"""One list of columns: what is made from it is as committed, and a line more in it is everywhere."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
DEBIANS_PYTHON = "/usr/bin/python3"  # the one that has python3-h5py


def make(*arguments):
    return subprocess.run(
        [sys.executable, "-B", ROOT / "scripts/columns.py", *arguments],
        capture_output=True,
        text=True,
    )


class Made(unittest.TestCase):
    def test_the_committed_files_are_as_the_script_makes_them(self):
        done = make("--check", os.environ["COLUMNS"])
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_the_script_sees_that_they_are_not(self):
        done = make("--check", os.environ["COLUMNS_ADDED"])
        self.assertEqual(done.returncode, 1, done.stderr)
        for name in (
            "docs/format.md",
            "include/perpend_record.h",
            "include/perpend/record/columns.h",
            "examples/matlab/read_frame.m",
        ):
            self.assertIn(f"{name}: is not as scripts/columns.py makes it", done.stdout)


class Added(unittest.TestCase):
    """contacts/wear, two numbers a contact: one line in src/io/columns.cpp, compiled for this test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def path(self, name):
        return self.folder / name

    def run_added(self, *arguments, status=0):
        done = subprocess.run(
            [os.environ["PERPEND_ADDED"], *map(str, arguments)], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def h5py(self, script, path):
        done = subprocess.run(
            [
                DEBIANS_PYTHON,
                "-c",
                "import h5py, sys\n" f"f = h5py.File(sys.argv[1], 'r+')\n{script}",
                path,
            ],
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def lines(self, wear):
        """A ball on the floor, in JSON lines."""
        document = (ROOT / "docs/json.md").read_text(encoding="utf-8")
        ball = json.loads(re.search(r"```json\n(.*?)```", document, re.S)[1])
        ball["contacts"]["wear"] = wear
        self.path("ball.jsonl").write_text(json.dumps(ball) + "\n", encoding="utf-8")
        return self.path("ball.jsonl")

    def standard(self, *options):
        self.run_added("convert", self.lines([[0.25, 0.5]]), self.path("ball.h5"), *options)
        return self.path("ball.h5")

    def test_is_in_the_standard_file_of_both_layouts(self):
        wear = "print(f[sys.argv[2]][:].tolist(), f[sys.argv[2]].dtype)"
        for layout, name in (
            ("columns", "contacts/wear"),
            ("frames", "frames/000000/contacts/wear"),
        ):
            file = self.standard("--layout", layout)
            self.assertEqual(
                self.h5py(wear.replace("sys.argv[2]", repr(name)), file), "[[0.25, 0.5]] float64"
            )

    def test_is_in_json_lines_and_comes_back(self):
        file = self.standard()
        self.run_added("convert", file, self.path("back.jsonl"))
        back = json.loads(self.path("back.jsonl").read_text(encoding="utf-8"))
        self.assertEqual(back["contacts"]["wear"], [[0.25, 0.5]])
        for wear, words in (
            ([[1]], "contacts/wear row 0: expected an array of 2"),
            ([[1, 2]] * 3, "contacts/wear has 3 rows, expected 1"),
            ([[1, -2]], "contacts/wear row 0 is negative"),
        ):
            out = self.run_added("validate", self.lines(wear), status=1)
            self.assertIn(f"ball.jsonl:1: {words}", out)

    def test_is_told_by_info(self):
        columns = json.loads(self.run_added("info", self.standard(), "--json"))["columns"]
        self.assertEqual(
            [c for c in columns if c["name"] == "/contacts/wear"],
            [
                {
                    "name": "/contacts/wear",
                    "shape": "(M, 2)",
                    "type": "float64",
                    "unit": "kg",
                    "optional": True,
                    "frames": 1,
                    "meaning": "a column of the tests: recorded, not modelled",
                }
            ],
        )

    def test_is_validated(self):
        file = self.standard()
        self.run_added("validate", file)
        self.h5py("f['contacts/wear'][0, 1] = -1", file)
        self.assertIn(
            "frame 0: contacts/wear row 0 is negative", self.run_added("validate", file, status=1)
        )

    def test_is_compared_by_rerun(self):
        file = self.path("run.h5")
        self.run_added("simulate", "stack:2", "--steps", 3, "--out", file)
        self.run_added("validate", "--rerun", file)
        contacts = self.h5py(
            "first, count = f['frames/offsets'][1, [3, 7]]\n"
            "f['contacts/wear'].resize(int(first + count), axis=0)\n"
            "f['contacts/wear'][first:first + count] = 2\nprint(count)",
            file,
        )
        self.assertIn(
            f"frame 1: /contacts/wear differs: recorded {contacts}, now 0",
            self.run_added("validate", "--rerun", file, status=1),
        )

    def test_is_on_the_page_and_in_the_header(self):
        done = make("--into", self.folder, os.environ["COLUMNS_ADDED"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, line in (
            (
                "docs/format.md",
                "| `/contacts/wear` | (M, 2) | kg | "
                "a column of the tests: recorded, not modelled |",
            ),
            (
                "include/perpend/record/columns.h",
                "    PERPEND_RECORD_PART(contacts, wear, 'd', 'o', CONTACT, 2, 0, SIZE),",
            ),
            (
                "include/perpend_record.h",
                "    const double* wear;         /* (m, 2) kg, "
                "a column of the tests: recorded, not modelled */",
            ),
        ):
            self.assertIn(line, self.path(name).read_text(encoding="utf-8").splitlines())

    def test_is_not_in_the_program_itself(self):
        done = subprocess.run(
            [os.environ["PERPEND"], "validate", self.lines([[0, 0]])],
            capture_output=True,
            text=True,
        )
        self.assertIn("contacts/wear is not a known field", done.stdout)


if __name__ == "__main__":
    unittest.main()
