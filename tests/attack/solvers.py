#!/usr/bin/env python3
"""Every solver on every hostile frame, through the command line, with a time limit.

    solvers.py BIN [--seconds N] [--frames N] [--solvers LIST] [--jobs N]

BIN is the folder of perpend and perpend-peers. Counted: crashes (the program ends by a signal, a
result is `crashed`), results that claim to have converged and have not (recomputed without rounding
by hostile/exact.py), answers that are not finite, overruns of the time limit by more than a second.
A program that crashes loses its other frames: they are given to it again, in halves, so that every
frame is counted. Crashes of a peer in its own process are counted apart: they are the peer's, and
the program must live. Frames that the program refuses to read must be refused in one line; solvers
are not asked about them.

Exits 1 when anything was found. --keep FOLDER keeps what was found as files.
"""

import argparse
import concurrent.futures
import fractions
import json
import math
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile"))

import exact  # noqa: E402
from frames import explicit_problems, hostile_frames  # noqa: E402

try:
    import h5py
except ImportError:
    h5py = None

BATCH = 40
TOLERANCE = 1e-8
OVERRUN = 1.0  # s beyond the time limit
START = 0.25  # s that the program may take to start a peer, to read, to measure and to write
HANG = 20.0  # s after which a program is taken to hang
HARMLESS = ("crash of a peer", "late on a busy machine")


class Finding:
    def __init__(self, what, solver, problem, why):
        self.what, self.solver, self.problem, self.why = what, solver, problem, why

    def __str__(self):
        return "%s: %s on '%s': %s" % (
            self.what,
            self.solver["name"],
            self.problem["name"],
            self.why,
        )


def write_fclib(path, problem):
    n = len(problem["b"])
    with h5py.File(path, "w") as file:
        file["fclib_local/spacedim"] = [3]
        for name, value in (("m", n), ("n", n), ("nz", -2), ("nzmax", n * n)):
            file["fclib_local/W/" + name] = [value]
        file["fclib_local/W/p"] = [n * i for i in range(n + 1)]
        file["fclib_local/W/i"] = [j for _ in range(n) for j in range(n)]
        file["fclib_local/W/x"] = [float(x) for row in problem["A"] for x in row]
        file["fclib_local/vectors/q"] = problem["b"]
        file["fclib_local/vectors/mu"] = problem["mu"]


def answers(path, solver):
    """By frame: z, z_joints, z_own and the number of facets."""
    found = {}
    with h5py.File(path, "r") as file:
        group = file.get("solutions/" + solver)
        if group is None:
            return found
        z, z_joints, z_own = (group[k][()].tolist() for k in ("z", "z_joints", "z_own"))
        facets = int(group.attrs["n_d"]) or 8
        for frame, o in zip(group["frames"][()].tolist(), group["offsets"][()].tolist()):
            found[frame] = (
                z[o[0] : o[0] + o[4]],
                z_joints[o[1] : o[1] + o[5]],
                z_own[o[2] : o[2] + o[6]],
                facets,
            )
    return found


def execute(words, folder, timeout):
    """The finished program with the seconds it took: of the wall clock, and of processors."""
    texts = [os.path.join(folder, name) for name in ("stdout", "stderr")]
    with open(texts[0], "w") as out, open(texts[1], "w") as err:
        begun = time.monotonic()
        program = subprocess.Popen(words, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        ended = 0
        while not ended:
            time.sleep(0.005)
            ended, status, used = os.wait4(program.pid, os.WNOHANG)
            if not ended and time.monotonic() - begun > timeout:
                program.kill()
                program.wait()
                raise subprocess.TimeoutExpired(words, timeout)
    program.returncode = os.waitstatus_to_exitcode(status)
    program.wall = time.monotonic() - begun
    program.cpu = used.ru_utime + used.ru_stime
    program.out, program.err = (open(text).read() for text in texts)
    return program


class Attack:
    def __init__(self, arguments):
        self.arguments = arguments
        self.systems = {}

    def command(self, *words):
        return [os.path.join(self.arguments.bin, "perpend"), *words]

    def solvers(self):
        told = subprocess.run(
            self.command("solvers", "--json"), capture_output=True, text=True, check=True
        )
        every = json.loads(told.stdout)["solvers"]
        if not self.arguments.solvers:
            return every
        names = self.arguments.solvers.split(",")
        return [
            s
            for s in every
            if s["name"] in names
            or ("peers" in names and s["origin"] != "perpend")
            or ("all" in names and s["origin"] == "perpend")
        ]

    def system(self, problem):
        key = id(problem)
        if key not in self.systems:
            self.systems[key] = (exact.ExactMatrix if "A" in problem else exact.ExactSystem)(
                problem
            )
        return self.systems[key]

    def batches(self, problems):
        """Each with frames of all kinds; explicit matrices are files of their own."""
        frames = [p for p in problems if "A" not in p]
        batches = [[p] for p in problems if "A" in p] if h5py else []
        count = -(-len(frames) // BATCH)
        return [frames[i::count] for i in range(count)] + batches

    def ask(self, solver, problems):
        """What the program did, how long it took, and the answers that it wrote."""
        limit = self.arguments.time_limit
        explicit = "A" in problems[0]
        with tempfile.TemporaryDirectory() as folder:
            given = os.path.join(folder, "given.hdf5" if explicit else "given.jsonl")
            out = os.path.join(folder, "out.h5")
            if explicit:
                write_fclib(given, problems[0])
            else:
                with open(given, "w") as file:
                    file.writelines(json.dumps(p) + "\n" for p in problems)
            words = [
                "solve",
                given,
                "--solver",
                solver["name"],
                "--json",
                "--quiet",
                "--time-limit",
                str(limit),
                "--tolerance",
                str(TOLERANCE),
                "--memory-limit",
                self.arguments.memory_limit,
            ]
            if h5py:
                words += ["--out", out]
            done = execute(self.command(*words), folder, (limit + OVERRUN) * len(problems) + HANG)
            stored = answers(out, solver["name"]) if os.path.exists(out) else {}
        return done, stored

    def run(self, solver, problems):
        """What was found, and the statuses of all problems."""
        try:
            return self.tried(solver, problems)
        except subprocess.TimeoutExpired as hang:
            return self.again(solver, problems, "hang", "did not end within %g s" % hang.timeout)

    def tried(self, solver, problems):
        done, stored = self.ask(solver, problems)
        if done.returncode == 2 and len(done.err.strip().splitlines()) == 1:
            return self.again(solver, problems, "refused", done.err.strip())
        if done.returncode not in (0, 1):
            return self.again(
                solver,
                problems,
                "crash",
                "exit code %d %s" % (done.returncode, done.err.strip()[-200:]),
            )
        results = json.loads(done.out)["results"]
        if len(results) != len(problems):
            return self.again(solver, problems, "lost", "%d results" % len(results))
        if self.late(results, done):
            if len(problems) > 1:
                return self.halves(solver, problems)
            # A busy machine is late, too: three times in a row it is the solver, unless others have
            # the processors.
            for _ in range(2):
                done, stored = self.ask(solver, problems)
                results = json.loads(done.out)["results"]
                if not self.late(results, done):
                    break
            else:
                used = self.arguments.time_limit + OVERRUN
                busy = done.cpu < used and os.getloadavg()[0] > os.cpu_count()
                return [
                    Finding(
                        "late on a busy machine" if busy else "overrun",
                        solver,
                        problems[0],
                        "%.2f s, %.2f of a processor; %s"
                        % (done.wall, done.cpu, results[0]["message"]),
                    )
                ], {"overrun": 1}
        found, statuses = [], {}
        for result in results:
            problem, status = problems[result["frame"]], result["status"]
            statuses[status] = statuses.get(status, 0) + 1
            why = self.judged(solver, problem, result, stored.get(result["frame"]))
            found += [Finding(what, solver, problem, text) for what, text in why]
        return found, statuses

    def late(self, results, done):
        """Whether one of them, or all together, took a second more than they may have."""
        if self.arguments.untimed:
            return False
        most = self.arguments.time_limit + OVERRUN
        seconds = [r["seconds"] + r["formulation_seconds"] for r in results]
        spent = sum(seconds) + sum(r.get("transfer_seconds", 0) for r in results)
        return max(seconds) > most or done.wall - spent > OVERRUN + START * len(results)

    def judged(self, solver, problem, result, answer):
        message = result["message"]
        if result["status"] == "crashed":
            yield ("crash of a peer" if solver["origin"] != "perpend" else "crash", message)
        if result["status"] == "not_called" or not message:
            yield "no reason", result["status"]
        if answer is None:
            return
        if not all(math.isfinite(x) for x in [*sum(answer[0], []), *answer[1], *answer[2]]):
            yield "not finite", message
        elif result["status"] == "converged":
            z, z_joints, z_own, facets = answer
            error = exact.own_error(
                self.system(problem), solver["formulation"], z, z_joints, z_own, facets
            )
            if error > fractions.Fraction(TOLERANCE):
                yield "false converged", "own_error is %.4g, told %.4g (%s; %s)" % (
                    float(error),
                    result["errors"]["own_error"],
                    message,
                    result["path"],
                )

    def again(self, solver, problems, what, why):
        if len(problems) > 1:
            return self.halves(solver, problems)
        return [Finding(what, solver, problems[0], why)], {what: 1}

    def halves(self, solver, problems):
        middle = len(problems) // 2
        found, statuses = [], {}
        for part in (problems[:middle], problems[middle:]):
            more, counts = self.run(solver, part)
            found += more
            for status, count in counts.items():
                statuses[status] = statuses.get(status, 0) + count
        return found, statuses

    def accepted(self, solver, problems):
        """Those that the program reads."""
        refused = set()
        for batch in self.batches(problems):
            refused |= {id(f.problem) for f in self.run(solver, batch)[0] if f.what == "refused"}
        return [p for p in problems if id(p) not in refused]

    def attack(self, solvers, problems):
        """Batch by batch, each to every solver, until the time is over."""
        found = []
        statuses = {s["name"]: {} for s in solvers}
        until = time.monotonic() + (self.arguments.seconds or math.inf)

        def one(job):
            solver, batch = job
            return (solver, *(self.run(solver, batch) if time.monotonic() < until else ([], {})))

        jobs = [(s, batch) for batch in self.batches(problems) for s in solvers]
        begun = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(max(1, self.arguments.jobs)) as pool:
            for done, (solver, more, counts) in enumerate(pool.map(one, jobs), 1):
                if sys.stderr.isatty() or done % len(solvers) == 0:
                    print(
                        "%d of %d groups of runs, %.0f s"
                        % (done, len(jobs), time.monotonic() - begun),
                        file=sys.stderr,
                        end="\r" if sys.stderr.isatty() else "\n",
                        flush=True,
                    )
                found += more
                for finding in more:
                    print(finding, flush=True)
                for status, count in counts.items():
                    mine = statuses[solver["name"]]
                    mine[status] = mine.get(status, 0) + count
        return found, statuses


def told(statuses):
    return ", ".join("%d %s" % (n, s) for s, n in sorted(statuses.items(), key=lambda x: -x[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", metavar="BIN", help="folder of perpend and perpend-peers")
    parser.add_argument("--seconds", type=float, metavar="N", help="begin nothing after so long")
    parser.add_argument(
        "--frames", type=int, metavar="N", help="about so many, spread over all kinds"
    )
    parser.add_argument("--match", metavar="TEXT", help="only frames whose name contains it")
    parser.add_argument("--solvers", metavar="LIST", help="names with commas, all, peers [both]")
    parser.add_argument("--time-limit", type=float, default=1.0, metavar="SECONDS")
    parser.add_argument("--memory-limit", metavar="BYTES", default="2G")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="programs at the same time"
    )
    parser.add_argument("--untimed", action="store_true", help="do not look at the clock")
    parser.add_argument("--keep", metavar="FOLDER", help="keep the frames of what was found")
    arguments = parser.parse_args()
    problems = hostile_frames(arguments.frames)
    explicit = list(explicit_problems())
    if arguments.frames:
        explicit = explicit[:: max(1, 600 // arguments.frames)]
    problems = [p for p in problems + explicit if (arguments.match or "") in p["name"]]
    if not h5py:
        print("h5py is not there: answers are not recomputed, and no explicit matrices are tried")
    attack = Attack(arguments)
    solvers = attack.solvers()
    accepted = attack.accepted(solvers[0], problems)
    found, statuses = attack.attack(solvers, accepted)
    if arguments.keep and found:
        os.makedirs(arguments.keep, exist_ok=True)
        with open(os.path.join(arguments.keep, "found.txt"), "w") as file:
            file.writelines(str(f) + "\n" for f in found)
        with open(os.path.join(arguments.keep, "found.jsonl"), "w") as file:
            named = {f.problem["name"]: f.problem for f in found if "A" not in f.problem}
            file.writelines(json.dumps(p) + "\n" for p in named.values())
    counts = {}
    for finding in found:
        counts[finding.what] = counts.get(finding.what, 0) + 1
    total = {}
    for solver in solvers:
        mine = statuses[solver["name"]]
        print("%-30s %s" % (solver["name"], told(mine)))
        for status, count in mine.items():
            total[status] = total.get(status, 0) + count
    print("all: " + told(total))
    runs = sum(total.values())
    whole = len(solvers) * len(accepted)
    print(
        "solvers: %d of %d runs (%d solvers, %d problems, %d more refused): %s"
        % (
            runs,
            whole,
            len(solvers),
            len(accepted),
            len(problems) - len(accepted),
            ", ".join(
                "%d %s" % (counts.get(what, 0), what)
                for what in (
                    "crash",
                    "crash of a peer",
                    "hang",
                    "overrun",
                    "late on a busy machine",
                    "false converged",
                    "not finite",
                    "lost",
                    "no reason",
                    "refused",
                )
            ),
        )
    )
    return 1 if set(counts) - set(HARMLESS) else 0


if __name__ == "__main__":
    sys.exit(main())
