#!/usr/bin/env python3
"""The pareto table of results/: accuracy against time, Perpend at six efforts beside stock Bullet, ODE,
DART and MuJoCo.

    bench/pareto_table.py build/release/bin [--steps N] [SCENE ...]

Every engine runs every scene. The same code measures all of them: penetration and drift from the
poses, velocity_error of the worst step from the recorded impulses. Every run has a row, also slow and
failed ones; a run that takes longer than --limit is stopped. Engines without a recorder are left out,
with a message. Compare only times of one run of this script.
"""

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile

# Scenes and their steps (0: the scene's own). All of it takes a quarter of an hour on an idle machine.
SCENES = {
    "stack:10": 0,
    "heavy-column": 0,
    "wall": 150,
    "pyramid:20": 150,
    "chain": 300,
    "pile-boxes:100": 200,
    "pile-boxes:1000": 90,
    "pile-spheres:1000": 90,
    "ragdolls": 300,
    "hose": 300,
    "logs": 150,
    "crates:8": 300,
}
EFFORTS = ["real-time", "10", "30", "100", "300", "exact"]
# Engine, name of the setting, options.
OTHERS = [
    ("bullet", "10", ["--solver", "si", "--max-iterations", "10"]),
    ("bullet", "50", ["--solver", "si", "--max-iterations", "50"]),
    ("bullet", "nncg 50", ["--solver", "nncg", "--max-iterations", "50"]),
    ("ode", "default", []),
    ("dart", "default", []),
    ("mujoco", "default", []),
]
FLOWN = 1e6  # m/s, of velocity_error: such a run is reported and not drawn
COLUMNS = [
    "scene",
    "engine",
    "setting",
    "steps",
    "bodies",
    "contacts_max",
    "ms_median",
    "ms_p99",
    "ms_worst",
    "cpu_ms_median",
    "cpu_ms_p99",
    "cpu_ms_worst",
    "over_bullet",
    "penetration",
    "penetration_last_second",
    "drift",
    "joint_violation",
    "velocity_error",
    "fell",
    "outcome",
]
BASE = ("bullet", "10")  # what over_bullet compares with


def called(command, limit):
    """The JSON that the command prints, or None and why not."""
    # In its own session, so that programs which it starts are killed with it.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        try:
            printed, complaints = child.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, f"not finished after {limit:g} s"
    try:
        return json.loads(printed), ""
    except json.JSONDecodeError:
        words = complaints.strip().splitlines()
        return None, words[-1].replace(",", ";") if words else f"exit code {child.returncode}"


def line(scene, engine, setting, run, seen, why):
    """One line of the table from the engine's summary `run` and the measurements `seen`."""
    out = dict.fromkeys(COLUMNS, "")
    out.update(scene=scene, engine=engine, setting=setting, outcome=why or "finished")
    if run is None or seen is None:
        return out
    for kind, times in [("ms", seen["step_ms"]), ("cpu_ms", run.get("step_cpu_ms", {}))]:
        for which in ("median", "p99", "worst"):
            out[f"{kind}_{which}"] = times.get(which, "")
    out.update(
        steps=run["steps"],
        bodies=run["bodies"],
        contacts_max=run["contacts_max"],
        penetration=seen["max_penetration"],
        penetration_last_second=seen["max_penetration_last_second"],
        drift=seen["drift"],
        joint_violation=seen["max_joint_violation"],
        velocity_error=run["errors"].get("velocity_error"),
        fell=seen["fell"],
    )
    if (out["velocity_error"] or 0) > FLOWN:
        out["outcome"] = "flew apart"
    return {key: "" if value is None else value for key, value in out.items()}


def ours(given, scene, effort):
    command = [given.program, "simulate", scene, "--effort", effort, "--json", "--quiet"]
    run, why = called(command + given.length, given.limit)
    return line(scene, "perpend", effort, run, run, why)


def theirs(given, scene, engine, setting, options):
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "run.h5")
        run, why = called(
            [given.program, "capture", engine, scene, "--json", "--quiet", "--out", recording]
            + given.length
            + options,
            given.limit,
        )
        seen = None
        if run is not None:
            seen, why = called([given.ruler, scene, recording], given.limit)
        # Each solver of an engine is a curve.
        return line(
            scene, " ".join([engine] + setting.split()[:-1]), setting.split()[-1], run, seen, why
        )


def written(row):
    """Numbers to six digits."""
    return {name: f"{cell:.6g}" if isinstance(cell, float) else cell for name, cell in row.items()}


def rows_of(given, scene, others):
    steps = given.steps or SCENES.get(scene, 0)
    given.length = ["--steps", str(steps)] if steps else []
    runs = [lambda e=effort: ours(given, scene, e) for effort in EFFORTS]
    runs += [lambda o=other: theirs(given, scene, *o) for other in others]
    rows = []
    for run in runs:
        rows.append(run())
        said = [rows[-1][name] for name in ("scene", "engine", "setting", "ms_median", "outcome")]
        print(*said, file=sys.stderr)
    base = [row["ms_median"] for row in rows if (row["engine"], row["setting"]) == BASE]
    for row in rows:
        if base and base[0] != "" and row["ms_median"] != "":
            row["over_bullet"] = float(f"{row['ms_median'] / base[0]:.3g}")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--steps", type=int, help="of each run [those of the table of scenes]")
    parser.add_argument("--limit", type=float, default=15, help="seconds for each run")
    given = parser.parse_intermixed_args()
    given.program = os.path.join(given.programs, "perpend")
    given.ruler = os.path.join(given.programs, "perpend_pareto_bench")
    for program in (given.program, given.ruler):
        if not os.path.exists(program):
            sys.exit(f"pareto: {program} is not built")
    others = []
    for engine, setting, options in OTHERS:
        if os.path.exists(os.path.join(given.programs, "perpend-capture-" + engine)):
            others.append((engine, setting, options))
        else:
            print(f"pareto: {engine} is left out, its recorder is not built", file=sys.stderr)
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    table.writeheader()
    for scene in given.scenes or SCENES:
        table.writerows(map(written, rows_of(given, scene, others)))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
