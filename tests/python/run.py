"""pytest on files of this folder, or the word `skipped` and why."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def main(files):
    try:
        import hypothesis  # noqa: F401
        import pytest
    except ImportError as missing:
        print(f"skipped: {missing} (python3-pytest, python3-hypothesis)")
        return 1
    os.chdir(HERE)
    options = ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", HERE]
    return pytest.main(options + ["--override-ini=python_files=*_test.py", *files])


if __name__ == "__main__":  # processes that are spawned import this file
    sys.exit(main(sys.argv[1:]))
