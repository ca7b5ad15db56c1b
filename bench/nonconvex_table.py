#!/usr/bin/env python3
"""The contacts table of results/: the contact models side by side on the same scenes.

    bench/nonconvex_table.py build/release/bin/perpend [--repeat 3] [--steps N] [SCENE ...]

Rows are three times the contacts of the largest step. Times are the median processor time of a step,
the best of the repeated runs. The models run in turns, so compare only times of one run of this script.
"""

import argparse
import csv
import json
import subprocess
import sys

SCENES = [
    "cracked-ramp",
    "hole",
    "notch",
    "tiles",
    "stack:10",
    "tower",
    "wall",
    "pyramid:20",
    "ragdolls",
    "pile-boxes:20",
]
MODELS = {
    "one-direction": [],
    "nonconvex": ["--contacts", "nonconvex"],
    "conjunctive": ["--contacts", "conjunctive"],
}

COLUMNS = [
    "scene",
    "model",
    "rows",
    "cpu_ms_median",
    "over_one_direction",
    "settled",
    "unconverged_steps",
    "penetration",
]


def simulate(program, scene, flags):
    done = subprocess.run(
        [program, "simulate", scene, *flags, "--json", "--quiet"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--steps", type=int, help="of each run [those of the scene]")
    given = parser.parse_intermixed_args()
    length = ["--steps", str(given.steps)] if given.steps else []
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for scene in given.scenes or SCENES:
        best = {}
        for _ in range(given.repeat):
            for model, flags in MODELS.items():
                d = simulate(given.program, scene, flags + length)
                if (
                    model not in best
                    or d["step_cpu_ms"]["median"] < best[model]["step_cpu_ms"]["median"]
                ):
                    best[model] = d
        plain = best["one-direction"]["step_cpu_ms"]["median"]
        for model, d in best.items():
            ms = d["step_cpu_ms"]["median"]
            table.writerow(
                [
                    scene,
                    model,
                    3 * d["contacts_max"],
                    f"{ms:.3g}",
                    f"{ms / plain:.2f}",
                    d["settled"],
                    d["unconverged_steps"],
                    f"{d['max_penetration']:.1e}",
                ]
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
