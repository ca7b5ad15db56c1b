"""Where the module and the program of this build are."""

import os
import sys
from pathlib import Path

import pytest

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FRAMES = ROOT / "examples" / "frames"


@pytest.fixture
def blocks():
    import perpend

    return perpend.read(FRAMES / "blocks.jsonl")


@pytest.fixture
def program():
    import perpend

    try:
        return perpend.program()
    except perpend.ProgramError as why:
        pytest.skip(str(why))
