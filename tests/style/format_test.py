"""Sources are as clang-format 14 and black write them."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FOLDERS = ("apps", "bench", "doors", "examples", "fuzz", "include", "scripts", "src", "tests")


def sources(*endings):
    return sorted(
        str(path)
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in endings
    )


def complaints(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Format(unittest.TestCase):
    @unittest.skipUnless(shutil.which("clang-format-14"), "clang-format-14 is not installed")
    def test_of_cpp(self):
        files = sources(".cpp", ".hpp", ".h", ".c")
        self.assertGreater(len(files), 500)
        found = complaints("clang-format-14", "--dry-run", "-Werror", *files)
        self.assertEqual(found.returncode, 0, found.stderr[:2000])

    @unittest.skipUnless(shutil.which("black"), "black is not installed")
    def test_of_python(self):
        files = sources(".py")
        self.assertGreater(len(files), 20)
        found = complaints(
            "black", "--check", "--quiet", "--config", str(ROOT / "pyproject.toml"), *files
        )
        self.assertEqual(found.returncode, 0, "black would change some of them")

    @unittest.skipUnless(shutil.which("clang-format-14"), "clang-format-14 is not installed")
    def test_finds_a_line_that_is_not(self):
        found = subprocess.run(
            [
                "clang-format-14",
                "--dry-run",
                "-Werror",
                "--assume-filename",
                str(ROOT / "src/x.cpp"),
            ],
            input="int  main( ){}\n",
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertNotEqual(found.returncode, 0)


if __name__ == "__main__":
    unittest.main()
