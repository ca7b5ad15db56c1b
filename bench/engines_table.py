#!/usr/bin/env python3
"""results/engines.csv: the answers of every engine on the same scenes, measured by the same errors;
docs/engines.md tells what they mean.

    bench/engines_table.py build/release/bin/perpend [--steps 120] [--engines bullet,dart:pgs] [SCENE ...]
        [--results FILE.json] [--picture FILE.svg] > results/engines.csv

Each engine runs the scene by itself (`perpend capture ENGINE SCENE`), with its default solver or the
one named after a colon, so that after the first step every engine has contacts and velocities of its
own. With --results runs that the file has are not made again, and new ones are added to it. Errors
are the same on every run; times are not, and none is printed. Runs that were not finished are told
on standard error.
"""

import csv
import json
import os
import sys

import engines_plot
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


class Results:
    """Summaries by engine and scene, kept in a file where one is named."""

    def __init__(self, path):
        self.path, self.kept = path, {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.kept = {tuple(key.split(" ")): value for key, value in json.load(file).items()}

    def of(self, given, engine, scene):
        if (engine, scene) not in self.kept:
            self.kept[engine, scene] = capture(
                given.program, engine, scene, given.steps, given.limit
            )
            if self.path:
                with open(self.path, "w", encoding="utf-8") as file:
                    json.dump({" ".join(key): value for key, value in self.kept.items()}, file)
        return self.kept[engine, scene]


def main():
    parser = arguments(steps=120, limit=600)
    parser.add_argument("--results", help="JSON file of the runs, read and added to")
    parser.add_argument("--picture", help="SVG file")
    given = parser.parse_intermixed_args()
    engines, scenes = given.engines.split(","), given.scenes or SCENES
    results = Results(given.results)
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    drawn = {}
    for scene in scenes:
        for engine in engines:
            found, why = results.of(given, engine, scene)
            if found:
                drawn.setdefault((engine.partition(":")[0], scene), found)
                table.writerow(row(scene, engine, found))
                sys.stdout.flush()
            else:
                print(f"{scene}: {engine}: {why}", file=sys.stderr)
    if given.picture:
        names = list(dict.fromkeys(engine.partition(":")[0] for engine in engines))
        with open(given.picture, "w", encoding="utf-8") as file:
            file.write(engines_plot.draw(scenes, names, drawn))


if __name__ == "__main__":
    main()
