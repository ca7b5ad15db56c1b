#!/usr/bin/env python3
"""The fclib table of results/: what solvers reach on FCLIB files within 10 s.

    bench/fclib_table.py build/release/bin/perpend FOLDER [--error NAME] [--tolerances T,T] [SOLVER ...]

A line is one solver on one file, stopped when the error named by --error meets the tolerance.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

SECONDS = "10"
COLUMNS = [
    "solver",
    "file",
    "contacts",
    "error",
    "tolerance",
    "iterations",
    "seconds",
    "natural_map_error",
    "velocity_error_m_per_s",
]


def solve(program, path, solver, error, tolerance):
    command = [
        program,
        "solve",
        str(path),
        "--solver",
        solver,
        "--error",
        error,
        "--tolerance",
        tolerance,
        "--time-limit",
        SECONDS,
        "--max-iterations",
        "100000000",
        "--json",
    ]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 1):
        sys.exit(answer.stderr.strip())
    return json.loads(answer.stdout)["results"][0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("solvers", nargs="*")
    parser.add_argument("--error", default="natural_map_error")
    parser.add_argument("--tolerances", default="1e-4,1e-8,1e-12")
    given = parser.parse_intermixed_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for solver in given.solvers or ["ncp/nncg", "ncp/pgs"]:
        for path in sorted(pathlib.Path(given.folder).glob("*.hdf5")):
            for tolerance in given.tolerances.split(","):
                r = solve(given.program, path, solver, given.error, tolerance)
                table.writerow(
                    [
                        solver,
                        path.stem,
                        r["contacts"],
                        given.error,
                        tolerance,
                        r["iterations"],
                        f"{r['seconds']:.2g}",
                        f"{r['errors']['natural_map_error']:.1e}",
                        f"{r['errors']['velocity_error']:.1e}",
                    ]
                )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
