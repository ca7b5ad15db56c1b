#!/usr/bin/env python3
"""The contact models side by side on the same scenes: one Markdown table.

    bench/nonconvex_table.py build/release/bin/perpend [--repeat 3] [SCENE ...]

Rows are contacts times three, the most of any step. Times are medians of a step on this machine,
the best of the repeated runs, which take turns: compare the models of one run, not two runs.
"""

import argparse
import json
import subprocess

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
    "one direction": [],
    "nonconvex": ["--contacts", "nonconvex"],
    "conjunctive": ["--contacts", "conjunctive"],
}


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
    given = parser.parse_args()
    print(
        "| scene | model | rows | ms median | ratio | solves repeated | steps short of tolerance | "
        "penetration m |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scene in given.scenes or SCENES:
        best = {}
        for _ in range(given.repeat):
            for model, flags in MODELS.items():
                d = simulate(given.program, scene, flags)
                if model not in best or d["step_ms"]["median"] < best[model]["step_ms"]["median"]:
                    best[model] = d
        plain = best["one direction"]["step_ms"]["median"]
        for model, d in best.items():
            ms = d["step_ms"]["median"]
            print(
                f"| `{scene}` | {model} | {3 * d['contacts_max']} | {ms:.3g} | {ms / plain:.2f} | "
                f"{d['settled']} | {d['unconverged_steps']} | {d['max_penetration']:.1e} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
