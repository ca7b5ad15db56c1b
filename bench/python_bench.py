"""What Python costs: solve() against the solver's own time, step() against a loop in C++.

PYTHONPATH=build/release/python /usr/bin/python3 bench/python_bench.py [STEPS]

Prints one line of JSON. A million steps of stack:10 take minutes; the default is 100,000.
"""

import json
import statistics
import sys
import time

import perpend


def microseconds(call, times=3000):
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        spent.append(time.perf_counter() - begun)
    return 1e6 * statistics.median(spent)


def steps(world, count, one_by_one):
    begun = time.perf_counter()
    if one_by_one:
        for _ in range(count):
            world.step()
    else:
        world.step(count)
    return time.perf_counter() - begun


def main(count):
    frame = perpend.Scene("stack:1").first_frame()
    assert frame.counts["contacts"] == 4
    whole = microseconds(lambda: perpend.solve(frame, "ncp/auto", tolerance=1e-8))
    results = [perpend.solve(frame, "ncp/auto", tolerance=1e-8) for _ in range(500)]
    own = 1e6 * statistics.median(r.seconds + r.formulation_seconds for r in results)
    world = perpend.World("stack:10")
    steps(world, 1000, False)
    turns = [(steps(world, count // 10, False), steps(world, count // 10, True)) for _ in range(10)]
    cpp, python = (sum(column) for column in zip(*turns))
    told = {"solve_us": whole, "solver_us": own, "steps": count, "step_us": 1e6 * cpp / count}
    print(json.dumps({**told, "python_over_cpp": python / cpp}))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100000)
