"""The wheel holds the package of build/release/python, which CMake has built.

PERPEND_PYTHON_FOLDER names another build's.
"""

import os
import re
import sys
from pathlib import Path

from setuptools import Distribution, setup

# A frontend may build in a copy of the tree, without build/.
HERE = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("PERPEND_PYTHON_FOLDER", HERE / "build" / "release" / "python"))
if not list((FOLDER / "perpend").glob("_perpend*.so")):
    sys.exit(f"{FOLDER}: there is no module; run `cmake --build --preset release` first")


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r"VERSION (\d+\.\d+\.\d+)", (HERE / "CMakeLists.txt").read_text()).group(1)
setup(
    version=version,
    packages=["perpend"],
    package_dir={"perpend": os.path.relpath(FOLDER / "perpend", HERE)},
    package_data={"perpend": ["*.so", "*.pyi", "py.typed"]},
    distclass=Compiled,
)
