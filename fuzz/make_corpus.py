#!/usr/bin/python3
"""Makes the seed corpus of standard_file_fuzz: fuzz/make_corpus.py fuzz/corpus/standard_file

Tiny files in HDF5's oldest format, which has no checksums: a changed byte there reaches our own
checks, while in the newest format nearly every change ends in HDF5's."""

import sys
from pathlib import Path

import h5py
import numpy as np


def text(value, variable):
    return value if variable else np.bytes_(value)


def header(f, variable=False):
    f.attrs["format"] = text("perpend", variable)
    f.attrs["stepper"] = text("st", variable)
    f.attrs["units"] = text("SI", variable)
    f.attrs["format_version"] = np.int64(1)


def frame(n, m, k, optional):
    """Columns of a frame of n bodies, m contacts and k joints of one row."""
    eye = np.array([np.eye(3)] * n).reshape(n, 3, 3)
    columns = {
        "bodies/ids": np.arange(n) + 5,
        "bodies/masses": np.arange(n) * 1.0,
        "bodies/inertia": eye,
        "bodies/positions": np.zeros((n, 3)),
        "bodies/quaternions": np.array([[1.0, 0, 0, 0]] * n).reshape(n, 4),
        "bodies/velocities": np.zeros((n, 6)),
        "bodies/forces": np.zeros((n, 6)),
        "contacts/gap": np.zeros(m),
        "contacts/mu": np.ones(m),
        "contacts/normals": np.array([[0.0, 0, 1]] * m).reshape(m, 3),
        "contacts/points": np.zeros((m, 3)),
        "contacts/pairs": np.array([[5, 6]] * m).reshape(m, 2),
        "constraints/jacobian": np.ones((k, 12)),
        "constraints/bounds": np.array([[-np.inf, np.inf]] * k).reshape(k, 2),
        "constraints/violation": np.zeros(k),
        "constraints/pairs": np.array([[5, 6]] * k).reshape(k, 2),
        "constraints/rows": np.ones(k, int),
    }
    if optional:
        columns |= {
            "contacts/tangents": np.array([[1.0, 0, 0, 0, 1, 0]] * m).reshape(m, 6),
            "contacts/group": np.full(m, -1),
            "solution/z": np.ones((m, 3)),
            "solution/slide_or_stick": np.ones(m, "i1"),
            "system/M_rows": np.array([1, 1]),
            "system/M_columns": np.array([0, 1]),
            "system/M_values": np.ones(2),
            "system/v": np.ones(2),
            "system/b": np.ones(3),
            "system/mu": np.ones(1),
        }
    return columns


def columns_layout(path, frames, chunked=(), variable=False, solution=False):
    with h5py.File(path, "w", libver="earliest", track_order=False) as f:
        header(f, variable)
        offsets = np.zeros((len(frames), 8), int)
        for i, columns in enumerate(frames):
            rows = [len(columns[c]) for c in
                    ("bodies/ids", "constraints/rows", "constraints/violation", "contacts/gap")]
            offsets[i, 4:] = rows
            if i + 1 < len(frames):
                offsets[i + 1, :4] = offsets[i, :4] + rows
        names = frames[-1].keys() if frames else frame(0, 0, 0, False).keys()
        for name in names:
            parts = [columns[name] for columns in frames if name in columns]
            data = np.concatenate(parts) if parts else frame(0, 0, 0, False)[name]
            shape = dict(chunks=(2,) + data.shape[1:],
                         maxshape=(None,) + data.shape[1:]) if name in chunked else {}
            f.create_dataset(name, data=data, track_times=False, **shape)
        f.create_dataset("step", data=np.ones(len(frames)), track_times=False)
        f.create_dataset("time", data=np.zeros(len(frames)), track_times=False)
        f.create_dataset("frames/offsets", data=offsets, track_times=False)
        if frames and "system/v" in frames[-1]:
            system = np.zeros((len(frames), 14), int)
            system[-1, 7:] = [2, 3, 1, 0, 2, 0, 0]
            f.create_dataset("system/offsets", data=system, track_times=False)
        if solution:
            g = f.create_group("solutions/ncp/pgs")
            one = dict(frames=np.array([0]), offsets=np.array([[0, 0, 0, 0, 1, 0, 1, 0]]),
                       z=np.ones((1, 3)), z_joints=np.zeros(0), z_own=np.ones(1),
                       iterations=np.array([3]), seconds=np.ones(1))
            for name, data in one.items():
                g.create_dataset(name, data=data, track_times=False)


def frames_layout(path, frames):
    with h5py.File(path, "w", libver="earliest") as f:
        header(f)
        f.create_group("frames")
        for i, columns in enumerate(frames):
            for name, data in (columns | {"step": 1.0, "time": 0.0}).items():
                f.create_dataset(f"frames/{i:06}/{name}", data=data, track_times=False)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    columns_layout(folder / "empty.h5", [])
    columns_layout(folder / "columns.h5", [frame(2, 1, 1, False), frame(2, 2, 0, False)])
    columns_layout(folder / "chunked.h5", [frame(2, 3, 0, False)], chunked=("contacts/gap", "bodies/ids"))
    columns_layout(folder / "optional.h5", [frame(2, 1, 0, True)], variable=True)
    columns_layout(folder / "solution.h5", [frame(2, 1, 0, False)], solution=True)
    frames_layout(folder / "frames.h5", [frame(2, 1, 1, False)])
    (folder / "none.h5").write_bytes(b"\x89HDF\r\n\x1a\n")


main()
