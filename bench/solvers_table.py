#!/usr/bin/env python3
"""The solvers table of results/: what each solver of a comparison solves, how long it takes, how it ends.

    perpend bench --suite small --solvers all --tolerance 1e-12 --repeat 1 --jobs 2 --out out/small
    bench/solvers_table.py out/small

A share is the part of the accepted problems that is solved to 1e-4, 1e-8 and 1e-12 m/s, in own_error
and in velocity_error. Time over best: on each problem solved to 1e-8 in own_error, its time divided by
that of the fastest solver with the same friction model; the median of these.
"""

import argparse
import collections
import csv
import json
import os
import statistics
import sys

TOLERANCES = (1e-4, 1e-8, 1e-12)
COLUMNS = [
    "solver",
    "problems",
    "own_error_1e-4_percent",
    "own_error_1e-8_percent",
    "own_error_1e-12_percent",
    "velocity_error_1e-4_percent",
    "velocity_error_1e-8_percent",
    "velocity_error_1e-12_percent",
    "time_over_best",
    "ends",
]


def nearest(tolerances, wanted):
    return min(range(len(tolerances)), key=lambda k: abs(tolerances[k] / wanted - 1))


def table(document):
    rows, solvers = document["results"], document["solvers"]
    at = [nearest(document["tolerances"], t) for t in TOLERANCES]
    first = rows["first"]
    own, coulomb = first["own_error"]["seconds"], first["velocity_error"]["seconds"]
    best = {}
    for i, solver in enumerate(rows["solver"]):
        if own[i][at[1]] is not None:
            key = (solvers[solver]["friction"], rows["problem"][i])
            best[key] = min(best.get(key, float("inf")), max(own[i][at[1]], 1e-7))
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(COLUMNS)
    for s, solver in enumerate(solvers):
        if solver["name"] == "recorded":  # the answer in a file, not a solver
            continue
        mine = [
            i
            for i, solver_of in enumerate(rows["solver"])
            if solver_of == s and rows["status"][i] != "invalid_input"
        ]
        ends = collections.Counter(rows["status"][i] for i in mine)
        share = [
            f"{sum(seconds[i][k] is not None for i in mine) / max(1, len(mine)) * 100:.0f}"
            for seconds in (own, coulomb)
            for k in at
        ]
        ratios = [
            max(own[i][at[1]], 1e-7) / best[solver["friction"], rows["problem"][i]]
            for i in mine
            if own[i][at[1]] is not None
        ]
        ratio = f"{statistics.median(ratios):.3g}" if ratios else ""
        how = ", ".join(f"{n / len(mine):.0%} {status}" for status, n in ends.most_common())
        lines.writerow([solver["name"], len(mine), *share, ratio, how])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", help="what perpend bench --out has written")
    with open(os.path.join(parser.parse_args().folder, "results.json"), encoding="utf-8") as file:
        table(json.load(file))


if __name__ == "__main__":
    main()
