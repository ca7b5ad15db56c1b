#!/usr/bin/env python3
"""Perpend and stock Bullet on the same scenes: one Markdown table.

    bench/simulate_table.py build/release/bin/perpend [--steps 600] [SCENE ...]

Both engines run at their defaults (h = 1/60 unless the scene says otherwise, sleeping off) and are
measured by the same ruler. Times are those of this machine, at whatever else it is doing: compare
the two engines of one run, not two runs.
"""

import argparse
import json
import subprocess

SCENES = ["stack:10", "tower", "stack", "heavy-top", "heavy-column", "pyramid:20", "wall",
          "mass-ratio:1e5", "creep", "arch", "snake", "ragdolls", "hose", "pile-boxes:100",
          "pile-spheres:100"]


def simulate(program, scene, engine, steps, limit):
    try:
        done = subprocess.run([program, "simulate", scene, "--engine", engine, "--steps", str(steps),
                               "--json", "--quiet"], capture_output=True, text=True, timeout=limit)
        return json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def short(value):
    return "-" if value is None else f"{value:.1e}" if value and abs(value) < 0.01 else f"{value:.3g}"


def row(scene, engine, d):
    if d is None:
        return f"| `{scene}` | {engine} | did not finish |" + " |" * 8
    stands = "fell" if d["fell"] else "-" if d["drift"] is None else "rests"
    missed = f"{d['unconverged_steps']}" if "unconverged_steps" in d else ""
    return " | ".join(["| `" + scene + "`", engine, stands, short(d["drift"]), short(d["sag"]),
                       short(d["creep"]), short(d["max_penetration"]),
                       short(d["max_penetration_last_second"]), short(d["max_joint_violation"]),
                       f"{d['step_ms']['median']:.3g} / {d['step_ms']['p99']:.3g}", missed]) + " |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--limit", type=float, default=600, help="seconds per run")
    given = parser.parse_args()
    print("| scene | engine | end | drift m | sag m | creep m/s | penetration m | last second m | "
          "joints m | ms median / p99 | steps short of tolerance |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for scene in given.scenes or SCENES:
        for engine in ("perpend", "bullet"):
            print(row(scene, engine, simulate(given.program, scene, engine, given.steps,
                                              given.limit)), flush=True)


if __name__ == "__main__":
    main()
