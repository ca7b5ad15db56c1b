#!/usr/bin/env python3
"""The porting table of results/: what examples/bullet prints with Bullet's world and with Perpend's.

    bench/porting_table.py build/release/bin
"""

import csv
import os
import re
import resource
import subprocess
import sys


def run(program):
    """What it prints, and its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, sum(getattr(after, t) - getattr(before, t) for t in ("ru_utime", "ru_stime"))


def main():
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["world", "tower", "tower_top_m", "chain_gap_m", "crate_gap_m", "cpu_s"])
    for world, program in (("bullet", "bullet_stock"), ("perpend", "bullet_with_perpend")):
        text, seconds = run(os.path.join(sys.argv[1], program))
        tower = re.search(r"tower (\w+), its top at ([\d.]+) m", text)
        chain = re.search(r"chain apart by ([\d.]+) m", text)
        crate = re.search(r"crate above the lift (-?[\d.]+) m", text)
        cells = [world, tower[1], tower[2], chain[1], crate[1], f"{seconds:.2g}"]
        table.writerow(cells)


if __name__ == "__main__":
    main()
