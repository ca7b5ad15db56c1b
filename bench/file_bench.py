#!/usr/bin/python3
"""Writes and reads a large standard file with our code and reads it again with h5py.

    bench/file_bench.py build/release/bin/perpend_file_bench [--frames N] [--folder DIR]

Both read every column of every frame, one frame at a time, from a warm page cache; the best of
three runs counts. Processor time is shown beside the wall's: it says the same on a busy machine."""

import argparse
import json
import os
import subprocess
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
        begin, work, size = time.perf_counter(), time.process_time(), 0
        for row in offsets:
            for data, k in columns:
                size += data[row[k] : row[k] + row[4 + k]].nbytes
        return time.perf_counter() - begin, time.process_time() - work, size / 1e6


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
        print(
            f"{a.frames} frames, {a.bodies} bodies, {a.contacts} contacts, "
            f"{wrote['megabytes'] / a.frames:.3f} MB each, file {os.path.getsize(path) / 1e6:.0f} MB"
        )
        print(
            f"write: {1e3 * wrote['seconds'] / a.frames:.3f} ms per frame "
            f"(processor {1e3 * wrote['cpu_seconds'] / a.frames:.3f}), "
            f"{wrote['megabytes'] / wrote['seconds']:.0f} MB/s, slowest append "
            f"{wrote['slowest_ms']:.1f} ms, peak memory {wrote['peak_mb']:.0f} MB"
        )
        runs = [run(a.program, "read", path) for _ in range(3)]
        seconds = min(r["seconds"] for r in runs)
        work = min(r["cpu_seconds"] for r in runs)
        size = runs[0]["megabytes"]
        theirs = [read_with_h5py(path) for _ in range(3)]
        assert abs(size - theirs[0][2]) < 1, (runs, theirs)
        h5py_seconds, h5py_work = min(t[0] for t in theirs), min(t[1] for t in theirs)
        print(
            f"read: {1e3 * seconds / a.frames:.3f} ms per frame "
            f"(processor {1e3 * work / a.frames:.3f}), {size / seconds:.0f} MB/s, "
            f"peak memory {runs[0]['peak_mb']:.0f} MB; open {1e3 * runs[0]['open_seconds']:.0f} ms"
        )
        print(
            f"h5py: {1e3 * h5py_seconds / a.frames:.3f} ms per frame "
            f"(processor {1e3 * h5py_work / a.frames:.3f}), {size / h5py_seconds:.0f} MB/s; "
            f"ours is {h5py_seconds / seconds:.2f} times as fast "
            f"(processor {h5py_work / work:.2f})"
        )


main()
