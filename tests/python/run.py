"""pytest on files of this folder, or the word `skipped` and why."""

import os
import sys

try:
    import hypothesis  # noqa: F401
    import pytest
except ImportError as missing:
    sys.exit(print(f"skipped: {missing} (python3-pytest, python3-hypothesis)"))

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(HERE)
options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", HERE]
sys.exit(pytest.main(options + ["--override-ini=python_files=*_test.py", *sys.argv[1:]]))
