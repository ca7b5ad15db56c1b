"""What Python costs: solve() and step() beside the same in C++, and how soon Ctrl-C is heard.

    ninja -C build/release perpend_python_bench
    PYTHONPATH=build/release/python /usr/bin/python3 bench/python_bench.py [STEPS]

Prints one line of JSON; the goals are at most 20 us more, 1.1 and 100 ms. The two take turns and
medians are compared, so that both see the same machine. A million steps of stack:10 take minutes;
the default is 100,000.
`steps_over_cpp` is world.step(N), `calls_over_cpp` N calls of world.step(); each on the clock and of
the processor's time, which other programs disturb less.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import perpend

ROOT = Path(__file__).resolve().parent.parent
TURNS, PARTS = 10, 100


class Cpp:
    """perpend_python_bench, which waits for requests."""

    def __init__(self, program):
        self.child = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, what, count):
        print(what, count, file=self.child.stdin, flush=True)
        return np.array(self.child.stdout.readline().split(), float)


def solve_median(frame, times):
    spent = []
    for _ in range(times):
        begun = time.perf_counter()
        perpend.solve(frame, "ncp/auto", tolerance=1e-8)
        spent.append(time.perf_counter() - begun)
    return statistics.median(spent)


def steps(world, count, one_by_one):
    begun = np.array([time.perf_counter(), time.process_time()])
    if one_by_one:
        for _ in range(count):
            world.step()
    else:
        world.step(count)
    return np.array([time.perf_counter(), time.process_time()]) - begun


def late(work, after=0.3):
    """Seconds from Ctrl-C until its exception is here; 0 if the work ends before."""
    sent = []

    def stop():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, stop)
    try:
        timer.start()
        work()
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    return 0.0


def main(count, program):
    cpp = Cpp(program)
    frame = perpend.Scene("stack:1").first_frame()
    assert frame.counts["contacts"] == 4
    solves = [(cpp("solve", 1000)[0], solve_median(frame, 1000)) for _ in range(TURNS)]
    cpp_us, python_us = (1e6 * statistics.median(column) for column in zip(*solves))

    part = max(1, count // PARTS)
    whole, single = perpend.World("stack:10"), perpend.World("stack:10")
    turns = [
        (cpp("step", part), steps(whole, part, False), steps(single, part, True))
        for _ in range(PARTS)
    ]
    in_cpp, in_one, in_calls = np.median(turns, axis=0)

    spheres = perpend.World("pile-spheres:300", effort=20)
    spheres.step(150)
    frame = spheres.next_frame()  # about 750 contacts
    endless = dict(tolerance=1e-300, max_iterations=10**9)
    names = [info.name for info in perpend.solvers()]
    waits = {name: late(lambda: perpend.solve(frame, name, **endless)) for name in names}
    slowest = sorted(waits, key=waits.get)[-3:]
    pile = perpend.World("pile-boxes:100")
    with perpend.Worlds("pile-boxes:30", 4, processes=2) as worlds:
        stops = {
            **{name: waits[name] for name in slowest},
            "world": max(late(lambda: pile.step(10**6)) for _ in range(3)),
            "worlds": max(late(lambda: worlds.step(10**6)) for _ in range(3)),
        }
    told = {
        "solve_us": round(python_us, 2),
        "solve_cpp_us": round(cpp_us, 2),
        "solve_more_us": round(python_us - cpp_us, 2),
        "steps": part * PARTS,
        "step_cpp_us": (1e6 * in_cpp / part).round(2).tolist(),
        "steps_over_cpp": (in_one / in_cpp).round(4).tolist(),
        "calls_over_cpp": (in_calls / in_cpp).round(4).tolist(),
        "solvers_stopped": sum(wait > 0 for wait in waits.values()),
        "ctrl_c_ms": {name: round(1e3 * wait, 1) for name, wait in stops.items()},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    given = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
    main(given, ROOT / "build" / "release" / "bin" / "perpend_python_bench")
