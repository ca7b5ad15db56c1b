#!/usr/bin/python3
"""Attacks what is lost, what never ends, and what writes files that no command reads.

  tests/attack/lost_or_locked.py BIN [--seconds S] [--first K]

BIN is the folder of the program. Round K depends on K alone. In every round

  plots     frames whose numbers differ by rounding, or are as large as numbers get, are plotted;
  outputs   a command is told to write onto its input, by a random name of it;
  nesting   a document of ours is nested deeply at a random place;
  packages  a model names a mesh outside of its folder;
  scenes    numbers of a scene are replaced by hostile ones; what is recorded of it validates.

Every run must end within 20 s and 1 GB with exit code 0, 1 or 2, and with one line when it is 2; an
input stays as it was. The last line is a summary; the exit code is 1 when a run failed.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

SECONDS, BYTES = 20, 1 << 30
HOSTILE = [1e308, -1e300, 1e100, 1e71, 1e31, 1e30, 1e-31, 1e-141, 1e-300, 5e-324, 0, -1, 1e140]


class Rounds:
    def __init__(self, program, folder):
        self.program, self.folder = program, Path(folder)
        self.counts, self.codes, self.failures, self.round = Counter(), Counter(), [], -1
        self.run("simulate", "stack:2", "--steps", 3, "--out", self.folder / "good.h5")
        self.recording = (self.folder / "good.h5").read_bytes()
        self.scene = json.loads(self.run("scenes", "chain:3")[1])

    def run(self, *words, code_of=(0, 1, 2)):
        """Exit code and standard output; a run that ends in another way is a failure."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (4 * BYTES, 4 * BYTES))
        command = [str(self.program), *map(str, words)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, preexec_fn=limit,
                stdin=subprocess.DEVNULL, cwd=self.folder,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            self.fail(f"took more than {SECONDS} s", words)
            return None, ""
        self.codes[done.returncode] += 1
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        if done.returncode not in code_of:
            self.fail(f"ended with {done.returncode}: {done.stderr[-200:]}", words)
        elif done.returncode == 2 and len(lines) != 1:
            self.fail(f"said {len(lines)} lines", words)
        return done.returncode, done.stdout

    def fail(self, why, words):
        self.failures.append(why)
        print(f"round {self.round}: perpend {' '.join(map(str, words))}: {why}", flush=True)

    def write(self, name, text):
        path = self.folder / name
        path.unlink(missing_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    # ---- the attacks ----

    def plots(self, rng):
        size = rng.choice([1.0, 19.62, 1e9, 1e-9, 1e100, 1e-100, 1e200])
        frames = []
        for k in range(4):
            push = -size * (1 + k * rng.choice([0, 2.3e-16, 1e-13, 1e-3]))
            frames.append({
                "step": 0.01, "time": rng.choice([0.01, 1e300, 1e-300]) * k,
                "bodies": {
                    "masses": [0, 1], "positions": [[0, 0, 0], [0, 0, 0]],
                    "inertia": [[0] * 9, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
                    "velocities": [[0] * 6] * 2, "forces": [[0] * 6, [0, 0, push, 0, 0, 0]],
                },
                "contacts": {
                    "pairs": [[0, 1]], "normals": [[0, 0, 1]], "points": [[0, 0, 0]],
                    "gap": [0], "mu": [0.5],
                },
            })  # fmt: skip
        file = self.write("plot.jsonl", "".join(json.dumps(frame) + "\n" for frame in frames))
        plot = self.folder / "plot.svg"
        plot.unlink(missing_ok=True)
        self.run("forces", file, "--solver", "ncp/pgs", "--plot", plot)
        if plot.exists() and plot.stat().st_size > 1e6:
            self.fail(f"the plot has {plot.stat().st_size} bytes", ["forces", file])

    def outputs(self, rng):
        name = rng.choice(["in.json", "in.svg", "in.png", "in.html", "in.gif", "in.h5"])
        scene = rng.random() < 0.5
        given = self.write(name, json.dumps(self.scene) if scene else self.recording)
        before = given.read_bytes()
        other = self.folder / ("other" + given.suffix)
        other.unlink(missing_ok=True)
        how = rng.choice(["same", "link", "hard", "relative", "two links"])
        if how in ("link", "two links"):
            os.symlink(given.name, other)
        if how == "two links":
            two = self.folder / ("two" + given.suffix)
            two.unlink(missing_ok=True)
            os.symlink(other, two)
            other = two
        if how == "hard":
            os.link(given, other)
        out = {"same": given, "relative": f"./../{self.folder.name}/{given.name}"}.get(how, other)
        simulate = ["simulate", given, "--steps", 2]
        command = rng.choice(
            [
                [*simulate, "--out"],
                [*simulate, "--save"],
                [*simulate, "--share"],
                [*simulate, "--at", "0", "--picture"],
                [*simulate, "--animate"],
                [*simulate, "--refine", 1, "--plot"],
                ["view", given, "--steps", 1, "--out"],
                ["capture", "bullet", given, "--steps", 1, "--out"],
            ]
            if scene
            else [
                ["doctor", given, "--page"],
                ["forces", given, "--out"],
                ["forces", given, "--plot"],
                ["view", given, "--share"],
                ["convert", given, "--to", "jsonl"],
                ["convert", given, "--to", "fclib", "--frames", 0],
            ]
        )
        code, _ = self.run(*command, out)
        if code != 2 or given.read_bytes() != before:
            self.fail(f"wrote onto its input ({how})", [*command, out])

    def nesting(self, rng):
        depth = rng.choice([20, 1000, 100_000, 1_000_000])
        inner = rng.choice(["[", '{"a":', "[[]," if depth < 10**6 else "["]) * depth
        good = self.write("good.json", json.dumps(self.scene))
        text, command = rng.choice(
            [
                ('{"format": "perpend-scene", "bodies": DEEP}', ["simulate"]),
                ('{"format": "perpend-scene", "DEEP"', ["scenes"]),
                ('{"format": "perpend-hand", "events": DEEP}', ["view", good, "--steps", 1, "--hand"]),
                ('{"format": "perpend-hand", "scene": DEEP', ["view", good, "--steps", 1, "--hand"]),
                ('{"format": "perpend-snapshot", "joints": DEEP}', ["simulate", good, "--restore"]),
                ('{"format": "perpend-control", "drives": DEEP}', ["simulate", good, "--control"]),
                ('{"step": 0.01, "bodies": {"masses": DEEP}}', ["info"]),
                ('{"step": 0.01, "contacts": DEEP}', ["validate"]),
                ('{"type": "lcp", "n": 1, "A": DEEP, "b": [1]}', ["solve"]),
            ]
        )  # fmt: skip
        code, _ = self.run(*command, self.write("deep.json", text.replace("DEEP", inner)))
        if code not in (2, None) and (command, code) != (["validate"], 1):
            self.fail(f"took a document nested {depth} deep", command)

    def packages(self, rng):
        with tempfile.TemporaryDirectory(dir="/tmp") as top:
            folder = Path(top, *rng.choice([[], ["a"], ["a", "b"]]))
            folder.mkdir(parents=True, exist_ok=True)
            secret = self.write("secret.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")  # fmt: skip
            up = os.path.relpath(secret, folder)
            uri = rng.choice(["package://", "model://", "file://", ""]) + rng.choice(
                [str(secret), up, "." + str(secret), "./" + up, "/" + str(secret), "../" + up,
                 f"{folder.name}/{up}", f"{folder.name}/../{up}", f"//{secret}"]
            )  # fmt: skip
            path = folder / "robot.urdf"
            path.write_text(
                "<robot name='r'><link name='l'><collision><geometry>"
                f"<mesh filename='{uri}'/></geometry></collision></link></robot>"
            )
            code, _ = self.run("import", path)
            if code not in (2, None):
                self.fail(f"read a mesh outside of the model's folder: {uri}", ["import", path])

    def scenes(self, rng):
        places, document = [], json.loads(json.dumps(self.scene))

        def walk(value):
            for key, one in value.items() if isinstance(value, dict) else enumerate(value):
                if isinstance(one, (dict, list)):
                    walk(one)
                elif isinstance(one, (int, float)) and not isinstance(one, bool):
                    places.append((value, key))

        walk(document)
        for value, key in rng.sample(places, rng.choice([1, 1, 2])):
            value[key] = rng.choice(HOSTILE)
        document["steps"] = 5
        file, out = self.write("scene.json", json.dumps(document)), self.folder / "run.h5"
        out.unlink(missing_ok=True)
        self.run("simulate", file, "--out", out, "--effort", 20, "--quiet")
        if out.exists():
            code, said = self.run("validate", out)
            if code == 1:
                self.fail(f"recorded what validate refuses: {said[:300]}", ["simulate", file])

    def attack(self, number):
        self.round = number
        for attack in (self.plots, self.outputs, self.nesting, self.packages, self.scenes):
            attack(random.Random(f"{number} {attack.__name__}"))
            self.counts[attack.__name__] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="perpend-attack-") as folder:
        rounds = Rounds((options.bin / "perpend").resolve(), folder)
        number = options.first
        while time.monotonic() < end:
            rounds.attack(number)
            number += 1
    ran = ", ".join(f"{name} {count}" for name, count in sorted(rounds.counts.items()))
    codes = json.dumps({str(code): count for code, count in sorted(rounds.codes.items())})
    print(f"lost or locked: {ran}; exit codes {codes}; failures: {len(rounds.failures)}")
    return 1 if rounds.failures else 0


if __name__ == "__main__":
    sys.exit(main())
