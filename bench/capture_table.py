#!/usr/bin/env python3
"""The recording table of results/: how much longer a step takes while it is recorded.

    bench/capture_table.py build/release/bin/perpend [--engines bullet,dart:pgs] [--steps 10000] [SCENE ...]

`perpend capture --compare` runs two worlds of the engine in turns, one recorded and one not, so that
both see the same load of the machine. A recorded step ends when its record is with the writer's
thread; the file is flushed to disk at least twice a second and removed afterwards. Errors of the
answers are not measured (--no-errors). An engine uses its default solver, or the one after the colon.
Runs that do not finish are reported on standard error.
"""

import csv
import os
import sys

from captured import arguments, capture

SCENES = ["wall:10", "pile-spheres:100", "pile-boxes:100", "pile-spheres:1000"]
COLUMNS = [
    "engine",
    "scene",
    "bodies",
    "contacts_max",
    "steps",
    "plain_ms_median",
    "plain_ms_p99",
    "engine_part_ms_median",
    "engine_part_ms_p99",
    "recorded_ms_median",
    "recorded_ms_p99",
    "longer_percent",
    "waited_s",
    "kB_per_frame",
    "same_bits",
]


def row(engine, scene, d):
    times = [
        f"{d[part][which]:.3g}"
        for part in ("plain_step_ms", "step_ms", "recorded_step_ms")
        for which in ("median", "p99")
    ]
    longer = d["recorded_step_ms"]["median"] / d["plain_step_ms"]["median"] - 1
    return [
        engine,
        os.path.basename(scene),
        d["bodies"],
        d["contacts_max"],
        d["steps"],
        *times,
        f"{100 * longer:.0f}",
        f"{d['seconds']['waited']:.2g}",
        f"{d['bytes'] / d['steps'] / 1000:.1f}",
        "yes" if d["same_without_recording"] else "no",
    ]


def main():
    given = arguments(steps=10000, limit=3600).parse_intermixed_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for engine in given.engines.split(","):
        for scene in given.scenes or SCENES:
            found, why = capture(
                given.program, engine, scene, given.steps, given.limit, "--compare", "--no-errors"
            )
            if found:
                table.writerow(row(engine, scene, found))
                sys.stdout.flush()
            else:
                print(f"{scene}: {engine}: {why}", file=sys.stderr)


if __name__ == "__main__":
    main()
