#!/usr/bin/python3
"""Gives the program files that were changed at random places, and checks how it ends.

  tests/attack/mutate.py BIN [--runs N] [--seconds S] [--first K] [--jobs J] [--keep DIR]

BIN is the folder of the program. Run K changes one real file in a way that depends on K alone and
gives it to one command: a failure is made again with --first K --runs 1. Every run must

  end with exit code 0, 1 or 2, never by a signal, within 10 s and 1 GB;
  say one line on standard error when the code is 2;
  leave the file as it was (repair: when it refuses).

Files of failures are kept in DIR. The last line is a summary; the exit code is 1 when a run failed.
"""

import argparse
import concurrent.futures
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent.parent
SECONDS, BYTES = 10, 1 << 30
LIMITS = ["--time-limit", "1", "--memory-limit", "256M"]


def run(command, seconds, folder):
    """Exit code (negative: signal; None: too long), stderr, seconds, bytes of the largest process."""
    err = tempfile.TemporaryFile()
    began = time.monotonic()
    process = subprocess.Popen(
        [str(c) for c in command],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=err,
        start_new_session=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    )
    code = None
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            code = os.waitstatus_to_exitcode(status)
            break
        if time.monotonic() - began > seconds:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, usage = os.wait4(process.pid, 0)
            break
        time.sleep(0.002)
    process.returncode = 0
    took = time.monotonic() - began
    err.seek(0)
    return code, err.read().decode(errors="replace"), took, usage.ru_maxrss * 1024


class Seeds:
    """Real files, made by the program itself in `folder`, and what is done with each of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.tasks = []  # (file, arguments with FILE and OUT in them, or with FOLDER)
        self.make()

    def perpend(self, *arguments):
        done = subprocess.run(
            [self.program, *map(str, arguments)],
            cwd=self.folder,
            text=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        if done.returncode not in (0, 1):
            sys.exit(f"perpend {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def add(self, name, *commands):
        for command in commands:
            self.tasks.append((self.folder / name, command.split()))

    def copy(self, file):
        shutil.copy(file, self.folder / file.name)
        return file.name

    def make(self):
        problems = [
            "info FILE",
            "info FILE --json",
            "validate FILE",
            "convert FILE OUT.jsonl",
            "convert FILE OUT.h5",
            "convert FILE OUT.fclib.h5 --to fclib",
            "solve FILE --solver ncp/auto,box/pgs,lcp/lemke --frames most-contacts:2 LIMITS",
            "solve FILE --solver ncp/nncg --warm-start LIMITS --json",
        ]
        recording = problems + [
            "repair FILE",
            "solve FILE --solver ncp/pgs LIMITS --out FILE",
            "convert FILE OUT.h5 --layout frames",
        ]
        self.perpend("simulate", "stack:3", "--steps", 12, "--out", "stack.h5")
        self.perpend("solve", "stack.h5", "--solver", "ncp/nncg", "--out", "solved.h5")
        self.perpend("convert", "stack.h5", "frames.h5", "--layout", "frames")
        self.perpend("convert", "stack.h5", "stack.jsonl")
        for name in ("stack.h5", "solved.h5", "frames.h5"):
            self.add(name, *recording)
        self.add("stack.jsonl", *problems)
        for file in sorted((SOURCE / "fuzz/corpus/standard_file").glob("*.h5")):
            self.add(self.copy(file), *recording)
        for way in ("--global", "--local"):
            name = f"fclib{way}.h5"
            self.perpend("convert", "stack.h5", name, "--to", "fclib", "--frames", 5, way)
            self.add(name, *problems)
        for file in sorted((SOURCE / "fuzz/corpus/fclib").glob("*.h5")):
            self.add(self.copy(file), *problems)
        for file in sorted((SOURCE / "examples/frames").glob("*.jsonl")):
            self.add(self.copy(file), *problems)
        for file in sorted((SOURCE / "fuzz/corpus/raw_problem").glob("*.json")):
            self.add(
                self.copy(file),
                "info FILE",
                "validate FILE",
                "solve FILE --solver lcp/lemke,lcp/pgs LIMITS",
            )
        simulate = [
            "info FILE",
            "validate FILE",
            "simulate FILE --steps 3 LIMITS",
            "simulate FILE --steps 3 --solver ncp/nncg LIMITS --out OUT.h5",
        ]
        for scene in ("stack:3", "arch", "gears", "hole"):
            name = scene.replace(":", "-") + ".json"
            (self.folder / name).write_text(self.perpend("scenes", scene))
            self.add(name, *simulate)
        for file in sorted((SOURCE / "fuzz/corpus/scene").glob("*.json")):
            self.add(self.copy(file), *simulate)
        self.perpend("simulate", "stack:3", "--steps", 10, "--save", "state.json")
        self.add("state.json", "simulate stack:3 --steps 12 --restore FILE LIMITS")
        for shard in (1, 2):
            self.perpend(
                "bench",
                SOURCE / "examples/frames/blocks.jsonl",
                "--solvers",
                "ncp/nncg,box/pgs",
                "--frames",
                "0-3",
                "--repeat",
                1,
                "--shard",
                f"{shard}/2",
                "--out",
                f"shard{shard}",
            )
        for file in sorted((SOURCE / "fuzz/corpus/results").glob("*.h5")):
            (self.folder / file.stem).mkdir()
            shutil.copy(file, self.folder / file.stem / "results.h5")
        for folder in ("shard1", "one", "two"):
            self.add(
                f"{folder}/results.h5",
                "merge FOLDER shard2 --out OUT",
                "compare FOLDER shard1",
                "compare shard1 FOLDER --json",
                "report FOLDER",
                "report FOLDER --json",
            )
        self.add(
            "shard1/results.journal",
            f"bench {SOURCE}/examples/frames/blocks.jsonl --solvers ncp/nncg,box/pgs "
            "--frames 0-3 --repeat 1 --shard 1/2 --out FOLDER",
        )


EXTREMES = [
    b"0",
    b"-1",
    b"1e308",
    b"-1e308",
    b"1e-320",
    b"9223372036854775807",
    b"4294967296",
    b"1e18",
    b"null",
    b"true",
    b'"x"',
    b"[]",
    b"{}",
    b"[[[[[[[[[[[[[[[[[[",
    b"NaN",
    b"1e999",
]


def mutated(data, rng, text):
    """Some of the bytes changed, cut, doubled, or another file's way of being wrong."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if not data:
            return bytes(data)
        at = rng.randrange(len(data))
        size = min(len(data) - at, 1 << rng.randrange(10))
        kind = rng.randrange(9 if text else 7)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif kind == 2:  # a number of two, four or eight bytes
            width = rng.choice((2, 4, 8))
            value = rng.choice(
                (0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, len(data), 2**40)
            )
            data[at : at + width] = (value % 2 ** (8 * width)).to_bytes(width, "little")
        elif kind == 3:
            del data[at : at + size]
        elif kind == 4:
            data[at:at] = data[at : at + size]
        elif kind == 5:
            source = rng.randrange(len(data))
            data[at : at + size] = data[source : source + size]
        elif kind == 6 and rng.random() < 0.3:
            del data[at:]
        elif kind >= 7:
            change_token(data, at, rng)
    return bytes(data)


def change_token(data, at, rng):
    """The number or word of JSON at this place becomes another one."""
    end = at
    while end < len(data) and data[end] not in b" ,:]}\n":
        end += 1
    begin = at
    while begin > 0 and data[begin - 1] not in b" ,:[{\n":
        begin -= 1
    data[begin:end] = rng.choice(EXTREMES)


def one_run(seeds, number, keep):
    """Why the run failed (None: it held), its exit code, its seconds and bytes."""
    rng = random.Random(number)
    file, task = seeds.tasks[rng.randrange(len(seeds.tasks))]
    with tempfile.TemporaryDirectory(dir=seeds.folder) as name:
        folder = Path(name)
        if "FOLDER" in task:
            target = folder / "campaign" / file.name
            shutil.copytree(file.parent, target.parent)
        else:
            target = folder / file.name
        data = mutated(file.read_bytes(), rng, file.suffix in (".json", ".jsonl"))
        target.write_bytes(data)
        arguments = []
        for word in task:
            word = word.replace("FILE", str(target)).replace("OUT", str(folder / "out"))
            word = word.replace("FOLDER", str(target.parent))
            arguments += LIMITS if word == "LIMITS" else [word]
        for i, word in enumerate(arguments):
            if word in ("shard1", "shard2"):
                arguments[i] = str(seeds.folder / word)
        code, err, seconds, size = run([seeds.program, *arguments], 2 * SECONDS, folder)
        lines = [line for line in err.splitlines() if line.strip()]
        why = None
        if code is None or seconds > SECONDS:
            why = f"took {seconds:.1f} s"
        elif code not in (0, 1, 2):
            why = f"ended with {code}: {err[-300:]}"
        elif code == 2 and len(lines) != 1:
            why = f"said {len(lines)} lines: {err[:300]!r}"
        elif size > BYTES:
            why = f"took {size / 2**20:.0f} MB"
        changes = task[0] in ("repair", "bench") or "--out FILE" in " ".join(task)
        if not why and not (changes and code != 2):
            if not target.exists() or (target.read_bytes() != data and task[0] != "bench"):
                why = "did not leave its file as it was"
        if why:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{number}-{file.name}").write_bytes(data)
            shown = " ".join([*task]).replace("FILE", str(keep / f"{number}-{file.name}"))
            why = f"run {number}: perpend {shown}: {why}"
        return why, code, seconds, size, task[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("--runs", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=Path, default=Path("build/attack"))
    options = parser.parse_args()
    program = (options.bin / "perpend").resolve()
    keep = options.keep.resolve()
    end = time.monotonic() + options.seconds
    failures, codes, commands = [], Counter(), Counter()
    slowest = largest = 0
    with tempfile.TemporaryDirectory(prefix="perpend-attack-") as folder:
        seeds = Seeds(program, Path(folder))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            number, waiting = options.first, set()
            while waiting or (number < options.first + options.runs and time.monotonic() < end):
                while (
                    len(waiting) < 2 * options.jobs
                    and time.monotonic() < end
                    and number < options.first + options.runs
                ):
                    waiting.add(pool.submit(one_run, seeds, number, keep))
                    number += 1
                done, waiting = concurrent.futures.wait(
                    waiting, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for future in done:
                    why, code, seconds, size, command = future.result()
                    codes[code] += 1
                    commands[command] += 1
                    slowest, largest = max(slowest, seconds), max(largest, size)
                    if why:
                        failures.append(why)
                        print(why, flush=True)
    ran = ", ".join(f"{name} {count}" for name, count in sorted(commands.items()))
    print(
        f"mutated files: {sum(codes.values())} runs ({ran}); exit codes "
        f"{json.dumps({str(k): v for k, v in sorted(codes.items(), key=str)})}; slowest "
        f"{slowest:.1f} s, largest {largest / 2**20:.0f} MB; {len(failures)} failed"
    )
    sys.exit(1 if failures else 0)


main()
