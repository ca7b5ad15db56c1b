"""The wheel holds the package of build/release/python. What CMake has not built yet is built now.

PERPEND_PYTHON_FOLDER names another build's.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("PERPEND_PYTHON_FOLDER", HERE / "build" / "release" / "python"))


def built():
    return sorted((FOLDER / "perpend").glob("_perpend*.so"))


class Build(build_py):
    def run(self):
        if not built():
            compile_it()
        super().run()
        for module in built():
            shutil.copy(module, Path(self.build_lib) / "perpend")


def compile_it():
    python = f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}"
    for words in (
        ["cmake", "--preset", "release", python],
        ["cmake", "--build", "--preset", "release", "--target", "perpend_python"],
    ):
        try:
            subprocess.run(words, cwd=HERE, check=True)
        except (OSError, subprocess.CalledProcessError) as why:
            sys.exit(f"perpend is not compiled: {why}; scripts/packages.txt lists what it needs")
    if not built():
        sys.exit(f"{FOLDER}: there is no module; run `cmake --build --preset release` first")


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


source = FOLDER if built() else HERE / "python"
version = re.search(r"VERSION (\d+\.\d+\.\d+)", (HERE / "CMakeLists.txt").read_text()).group(1)
setup(
    version=version,
    packages=["perpend"],
    package_dir={"perpend": os.path.relpath(source / "perpend", HERE)},
    package_data={"perpend": ["*.pyi", "py.typed"]},
    cmdclass={"build_py": Build},
    distclass=Compiled,
)
