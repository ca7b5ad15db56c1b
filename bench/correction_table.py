#!/usr/bin/env python3
"""The correction table of results/: what rounds of position correction do.

    bench/correction_table.py build/release/bin/perpend [--steps N] [SCENE ...]
"""

import argparse
import csv
import json
import subprocess
import sys

SCENES = ["chain", "ragdolls"]
ROUNDS = [0, 1, 10]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--steps", type=int, default=300)
    given = parser.parse_intermixed_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["scene", "rounds", "joint_violation", "penetration", "cpu_ms_median"])
    for scene in given.scenes or SCENES:
        for rounds in ROUNDS:
            command = [given.program, "simulate", scene, "--steps", str(given.steps)]
            command += ["--correct", str(rounds), "--json", "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            d = json.loads(done.stdout)
            table.writerow(
                [
                    scene,
                    rounds,
                    f"{d['max_joint_violation']:.2g}",
                    f"{d['max_penetration']:.2g}",
                    f"{d['step_cpu_ms']['median']:.2g}",
                ]
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
