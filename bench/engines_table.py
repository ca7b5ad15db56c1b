#!/usr/bin/env python3
"""The engines table of results/: the answers of every engine on the same scenes, measured by the same
errors; docs/engines.md says what they mean.

    bench/engines_table.py build/release/bin/perpend [--steps 120] [--engines bullet,dart:pgs] [SCENE ...]

Each engine runs the scene (`perpend capture ENGINE SCENE`) with its default solver or the one after
the colon, so after the first step the engines have different contacts and velocities. Errors are the
same on every run. Runs that do not finish are reported on standard error.
"""

import csv
import sys

from captured import arguments, capture

SCENES = [
    "stack",
    "stack:10",
    "heavy-top",
    "snake",
    "arch",
    "wall",
    "spheres",
    "logs",
    "hose",
    "mass-ratio:100",
    "creep",
    "ragdolls",
]
# Of each the worst frame, and the median frame (NAME_median).
ERRORS = [
    "own_error",
    "velocity_error",
    "normal_error",
    "friction_error",
    "max_penetration",
    "energy_change",
]
COLUMNS = (
    ["scene", "engine", "engine_version", "steps", "answered", "contacts_max", "joint_rows"]
    + [name + part for name in ERRORS for part in ("", "_median")]
    + ["momentum_gap", "kB_per_frame"]
)


def row(scene, engine, d):
    out = {
        "scene": scene,
        "engine": engine,
        "engine_version": d["engine_version"],
        "steps": d["steps"],
        "contacts_max": d["contacts_max"],
        "joint_rows": d["joint_rows"],
        "answered": ", ".join(f"{name} {steps}" for name, steps in d["answered"].items()),
        "momentum_gap": f"{d['momentum_gap']:.2g}",
        "kB_per_frame": f"{d['bytes'] / d['steps'] / 1000:.1f}",
    }
    for name in ERRORS:
        for part, values in (("", d["errors"]), ("_median", d["errors_median"])):
            if values.get(name) is not None:
                out[name + part] = f"{values[name]:.3g}"
    return out


def main():
    given = arguments(steps=120, limit=600).parse_intermixed_args()
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    for scene in given.scenes or SCENES:
        for engine in given.engines.split(","):
            found, why = capture(given.program, engine, scene, given.steps, given.limit)
            if found:
                table.writerow(row(scene, engine, found))
                sys.stdout.flush()
            else:
                print(f"{scene}: {engine}: {why}", file=sys.stderr)


if __name__ == "__main__":
    main()
