#!/usr/bin/env python3
"""The peers table of results/: how many problems each solver of a comparison solves.

    bench/peers_table.py out/peers

The folder is what `perpend bench --out` has written: frames, and FCLIB files (*.hdf5).
"""

import csv
import json
import os
import sys

from solvers_table import nearest

TOLERANCES = (1e-4, 1e-8)


def main():
    with open(os.path.join(sys.argv[1], "results.json"), encoding="utf-8") as file:
        document = json.load(file)
    rows = document["results"]
    seconds = rows["first"]["own_error"]["seconds"]
    at = [nearest(document["tolerances"], tolerance) for tolerance in TOLERANCES]
    fclib = [problem["file"].endswith(".hdf5") for problem in document["problems"]]
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(
        ["solver"]
        + [kind + part for kind in ("frames", "fclib") for part in ("", "_1e-4", "_1e-8")]
        + ["crashed"]
    )
    for number, solver in enumerate(document["solvers"]):
        if solver["name"] == "recorded":  # the answer in a file, not a solver
            continue
        cells = [solver["name"]]
        for kind in (False, True):
            mine = [
                i
                for i, of in enumerate(rows["solver"])
                if of == number
                and fclib[rows["problem"][i]] == kind
                and rows["status"][i] != "invalid_input"
            ]
            cells += [len(mine), *(sum(seconds[i][k] is not None for i in mine) for k in at)]
        ends = [rows["status"][i] for i, of in enumerate(rows["solver"]) if of == number]
        table.writerow([*cells, ends.count("crashed")])


if __name__ == "__main__":
    main()
