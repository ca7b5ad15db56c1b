#!/usr/bin/env python3
"""The simulator table of results/: Perpend and stock Bullet on the same scenes at rest.

    bench/simulate_table.py build/release/bin/perpend [--steps 600] [--times] [SCENE ...]

Both engines run at their defaults (h = 1/60 unless the scene says otherwise, sleeping off) and are
measured by the same code. --times adds ms per step and the steps that missed the tolerance; compare
only times of one run. bench/pareto_table.py has times for more engines and for scenes in motion.
"""

import argparse
import csv
import json
import subprocess
import sys

SCENES = [
    "stack:10",
    "tower",
    "stack",
    "heavy-top",
    "heavy-column",
    "pyramid:20",
    "wall",
    "mass-ratio:1e5",
    "creep",
    "arch",
    "snake",
]
COLUMNS = [
    "scene",
    "engine",
    "end",
    "drift_m",
    "sag_m",
    "creep_m_per_s",
    "penetration_m",
    "penetration_last_second_m",
    "joint_violation_m",
]
TIMES = ["ms_median", "ms_p99", "unconverged_steps"]


def simulate(program, scene, engine, steps, limit):
    try:
        done = subprocess.run(
            [
                program,
                "simulate",
                scene,
                "--engine",
                engine,
                "--steps",
                str(steps),
                "--json",
                "--quiet",
            ],
            capture_output=True,
            text=True,
            timeout=limit,
        )
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def short(value):
    return (
        "" if value is None else f"{value:.1e}" if value and abs(value) < 0.01 else f"{value:.3g}"
    )


def row(scene, engine, d, times):
    if d is None:
        return [scene, engine, "did not finish"]
    end = "fell" if d["fell"] else "moves" if d["drift"] is None else "rests"
    cells = [scene, engine, end] + [
        short(d[name])
        for name in (
            "drift",
            "sag",
            "creep",
            "max_penetration",
            "max_penetration_last_second",
            "max_joint_violation",
        )
    ]
    if times:
        cells += [
            f"{d['step_ms']['median']:.3g}",
            f"{d['step_ms']['p99']:.3g}",
            d.get("unconverged_steps", ""),
        ]
    return cells


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--limit", type=float, default=600, help="seconds per run")
    parser.add_argument("--times", action="store_true")
    given = parser.parse_intermixed_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS + (TIMES if given.times else []))
    for scene in given.scenes or SCENES:
        for engine in ("perpend", "bullet"):
            found = simulate(given.program, scene, engine, given.steps, given.limit)
            table.writerow(row(scene, engine, found, given.times))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
