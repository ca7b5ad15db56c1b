"""Runs of `perpend capture`, for the tables of this folder."""

import argparse
import json
import os
import subprocess
import tempfile

ENGINES = ["bullet", "ode", "dart", "mujoco", "siconos"]


def arguments(steps, limit):
    """The arguments of every table; steps and limit are defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--limit", type=float, default=limit, help="seconds per run")
    return parser


def capture(program, engine, scene, steps, limit, *more):
    """The summary of a recording, or None and why there is none. engine: NAME or NAME:SOLVER; more:
    further arguments. The recording is removed."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        name, _, solver = engine.partition(":")
        command = [
            program,
            "capture",
            name,
            scene,
            "--steps",
            str(steps),
            *more,
            "--out",
            os.path.join(folder, "run.h5"),
            "--json",
            "--quiet",
        ]
        command += ["--solver", solver] if solver else []
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=limit, check=False
            )
        except subprocess.TimeoutExpired:
            return None, f"not finished after {limit:.0f} s"
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1].removeprefix("perpend: ")
    return json.loads(done.stdout), ""
