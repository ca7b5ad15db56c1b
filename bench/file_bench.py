#!/usr/bin/python3
"""The file table of results/: a large standard file written and read by our code, and read by h5py.

    bench/file_bench.py build/release/bin/perpend_file_bench [--frames N] [--folder DIR]

Both read every column of every frame, one frame at a time, from a warm page cache; the best of
three runs counts."""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time

import h5py

COUNT = {"bodies": 0, "contacts": 3}


def read_with_h5py(path):
    with h5py.File(path) as f:
        offsets = f["frames/offsets"]
        columns = []
        for group, k in COUNT.items():
            columns += [(f[group][name], k) for name in f[group] if len(f[group][name])]
        columns += [(f["solution/z"], 3), (f["solution/slide_or_stick"], 3)]
        begin, size = time.perf_counter(), 0
        for row in offsets:
            for data, k in columns:
                size += data[row[k] : row[k] + row[4 + k]].nbytes
        return time.perf_counter() - begin, size / 1e6


def run(*command):
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--bodies", type=int, default=1000)
    parser.add_argument("--contacts", type=int, default=4000)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=a.folder) as folder:
        path = os.path.join(folder, "bench.h5")
        wrote = run(a.program, "write", path, str(a.frames), str(a.bodies), str(a.contacts))
        runs = [run(a.program, "read", path) for _ in range(3)]
        theirs = [read_with_h5py(path) for _ in range(3)]
    size = runs[0]["megabytes"]
    assert abs(size - theirs[0][1]) < 1, (runs, theirs)
    read = min(r["seconds"] for r in runs)
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["what", "ms_per_frame", "MB_per_s", "peak_memory_MB", "over_ours"])
    for what, seconds, memory, ratio in (
        ("write", wrote["seconds"], wrote["peak_mb"], None),
        ("read", read, runs[0]["peak_mb"], 1),
        ("read with h5py", min(t[0] for t in theirs), None, min(t[0] for t in theirs) / read),
    ):
        table.writerow(
            [
                what,
                f"{1e3 * seconds / a.frames:.2g}",
                f"{size / seconds:.0f}",
                "" if memory is None else f"{memory:.0f}",
                "" if ratio is None else f"{ratio:.2f}",
            ]
        )


if __name__ == "__main__":
    main()
