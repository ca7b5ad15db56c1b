#!/usr/bin/env python3
"""Solvers on FCLIB files: what `perpend solve` reaches within a time limit, as a Markdown table.

Usage: bench/fclib_table.py build/release/bin/perpend FOLDER [SOLVER...]
"""
import json
import pathlib
import subprocess
import sys

TOLERANCES = ("1e-4", "1e-8", "1e-12")
SECONDS = "10"


def solve(program, path, solver, tolerance):
    command = [program, "solve", str(path), "--solver", solver, "--error", "natural_map_error",
               "--tolerance", tolerance, "--time-limit", SECONDS, "--max-iterations", "100000000",
               "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode not in (0, 1):
        sys.exit(answer.stderr.strip())
    return json.loads(answer.stdout)["results"][0]


def main():
    program, folder, *solvers = sys.argv[1:]
    files = sorted(pathlib.Path(folder).glob("*.hdf5"))
    for solver in solvers or ["ncp/nncg", "ncp/pgs"]:
        print(f"\n`{solver}`, limit {SECONDS} s: iterations, seconds, natural_map_error, "
              "velocity_error (m/s)\n")
        print("| file | contacts | " + " | ".join(TOLERANCES) + " |")
        print("| --- | --- |" + " --- |" * len(TOLERANCES))
        solved = dict.fromkeys(TOLERANCES, 0)
        for path in files:
            cells, contacts = [], 0
            for tolerance in TOLERANCES:
                r = solve(program, path, solver, tolerance)
                contacts = r["contacts"]
                natural = r["errors"]["natural_map_error"]
                solved[tolerance] += natural <= float(tolerance)
                cells.append(f"{r['iterations']}, {r['seconds']:.2g} s, {natural:.1e}, "
                             f"{r['errors']['velocity_error']:.1e}")
            print(f"| {path.stem} | {contacts} | " + " | ".join(cells) + " |", flush=True)
        print("| solved | | " + " | ".join(f"{n} of {len(files)}" for n in solved.values()) + " |")


if __name__ == "__main__":
    main()
