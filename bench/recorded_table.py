#!/usr/bin/env python3
"""How many frames recorded from engines a solver solves, as a Markdown table.

    bench/recorded_table.py build/release/bin/perpend [--against OTHER_PERPEND] [SCENE ...]

Records every scene in every engine (--steps each; recordings in --folder are used again), solves all
frames as rigid contacts with --solver to 1e-8 m/s, and prints "solved of frames" for each scene and
engine, with --against those of the other program first. A cell is empty if the engine cannot
represent the scene. Frames that were not solved are listed below the table.
"""

import argparse
import json
import os
import subprocess
import tempfile

ENGINES = ["bullet", "ode", "dart", "mujoco", "siconos"]
SCENES = [
    "stack",
    "stack:10",
    "heavy-top",
    "snake",
    "arch",
    "spheres",
    "logs",
    "hose",
    "mass-ratio:100",
    "creep",
    "ragdolls",
]


def record(perpend, engine, scene, steps, path, limit):
    if os.path.exists(path):
        return True
    try:
        subprocess.run(
            [
                perpend,
                "capture",
                engine,
                scene,
                "--steps",
                str(steps),
                "--no-errors",
                "--out",
                path,
            ],
            capture_output=True,
            timeout=limit,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        if os.path.exists(path):
            os.remove(path)
        return False
    return True


def solve(perpend, path, solver):
    answer = subprocess.run(
        [perpend, "solve", path, "--solver", solver, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    return json.loads(answer.stdout)["results"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("perpend")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--against", help="another perpend, whose count comes first")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--solver", default="ncp/auto")
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--limit", type=float, default=150, help="seconds per recording")
    parser.add_argument("--folder", help="where recordings are kept")
    arguments = parser.parse_intermixed_args()
    engines = arguments.engines.split(",")
    folder = arguments.folder or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    unsolved = []
    print("| scene | " + " | ".join(engines) + " |")
    print("| --- |" + " ---: |" * len(engines))
    for scene in arguments.scenes or SCENES:
        cells = []
        for engine in engines:
            path = os.path.join(folder, f"{engine}-{scene.replace(':', '-')}.h5")
            if not record(arguments.perpend, engine, scene, arguments.steps, path, arguments.limit):
                cells.append("")
                continue
            text = ""
            if arguments.against:
                before = solve(arguments.against, path, arguments.solver)
                text = f"{sum(r['status'] == 'converged' for r in before)} → "
            after = solve(arguments.perpend, path, arguments.solver)
            text += f"{sum(r['status'] == 'converged' for r in after)} of {len(after)}"
            cells.append(text)
            unsolved += [(engine, scene, r) for r in after if r["status"] != "converged"]
        print(f"| `{scene}` | " + " | ".join(cells) + " |", flush=True)
    print()
    for engine, scene, r in unsolved:
        print(
            f"- {engine} `{scene}` frame {r['frame']}: {r['status']}, "
            f"{r['errors'].get('own_error'):.2g} m/s; {r['message']}"
        )


if __name__ == "__main__":
    main()
