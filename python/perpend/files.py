"""Files of frames.

>>> import os, tempfile, perpend
>>> path = os.path.join(tempfile.mkdtemp(), "run.h5")
>>> frame = perpend.Scene("stack:1").first_frame()
>>> with perpend.Recorder(path, engine="mine") as record:
...     record(frame)
>>> perpend.open(path).header["engine"], len(perpend.read(path))
('mine', 1)
"""

from __future__ import annotations

import os
from typing import Any, Iterable

from . import _perpend


class Recorder:
    """Records frames of any engine into a standard file.

    Call it with a Frame for each step. The file is there under its name when the block ends; after
    an exception it has the frames so far. `compliance`: frames after the first may have springs;
    `pairs2`: joints over two pairs of bodies.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        engine: str = "python",
        version: str = "",
        scene: str = "",
        omitted: str = "",
        compliance: bool = False,
        pairs2: bool = False,
    ) -> None:
        format_version = 3 if pairs2 else 2 if compliance else 1
        self._writer = _perpend._Writer(
            os.fspath(path), engine, version, scene, omitted, format_version
        )

    def __call__(self, frame: _perpend.Frame) -> None:
        """Adds a frame."""
        self._writer.append(frame)

    append = __call__

    @property
    def frames(self) -> int:
        """How many there are."""
        return self._writer.frames

    def close(self) -> None:
        """The file is there under its name; the end of `with` does it too."""
        self._writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None or self.frames:
            self._writer.close()
        else:
            self._writer.drop()


def read(path: str | os.PathLike[str]) -> list[_perpend.Frame]:
    """All frames of a file in a list. open() reads one at a time."""
    return list(_perpend.open(os.fspath(path)))


def write(
    path: str | os.PathLike[str], frames: _perpend.Frame | Iterable[_perpend.Frame], **header: Any
) -> None:
    """Writes frames: JSON lines if the name ends in .jsonl or .json, else the standard file."""
    path = os.fspath(path)
    frames = [frames] if isinstance(frames, _perpend.Frame) else list(frames)
    for frame in frames:
        if not isinstance(frame, _perpend.Frame):
            raise TypeError(f"expected frames, not {type(frame).__name__}")
    if path.endswith((".jsonl", ".json")):
        _perpend._write_json_lines(frames, path)
        return
    springs = any(frame.constraints.compliance is not None for frame in frames)
    coupled = any(frame.constraints.pairs2 is not None for frame in frames)
    with Recorder(path, compliance=springs, pairs2=coupled, **header) as record:
        for frame in frames:
            record(frame)
