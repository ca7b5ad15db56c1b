#!/usr/bin/env python3
"""The minutes table of results/: the scripts in a fresh clone, and the small suite.

    bench/minutes_table.py build/release/bin FOLDER [--quick]

The clone is made in FOLDER, and the compiler cache is off. --quick only asks the scripts for help.
"""

import csv
import os
import subprocess
import sys
import time

SUITE = "perpend bench --suite small --solvers all --jobs 2"


def minutes(command, **options):
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=sys.stderr, **options)
    return (time.monotonic() - began) / 60


def main():
    programs, folder = sys.argv[1:3]
    quick = "--quick" in sys.argv
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["command", "minutes"])
    for script in ("scripts/demo.sh", "scripts/test.sh"):
        clone = os.path.join(folder, os.path.basename(script))
        subprocess.run(["git", "clone", "-q", root, clone], check=True)
        took = minutes(
            [os.path.join(clone, script), *(["--help"] if quick else [])],
            env={**os.environ, "CCACHE_DISABLE": "1"},
        )
        table.writerow([script, f"{took:.2g}"])
    command = [os.path.join(programs, "perpend"), *SUITE.split()[1:]]
    if quick:
        command = [command[0], "--version"]
    else:
        command += ["--out", os.path.join(folder, "suite")]
    table.writerow([SUITE, f"{minutes(command):.2g}"])


if __name__ == "__main__":
    main()
