#!/usr/bin/python3
"""Signals while something is waited for, labels of what ends badly, floods of the viewer, and what lacks.

  tests/attack/waits.py BIN [--seconds S] [--first K]

Run K is one attack, which depends on K alone. The last line counts them by kind and tells the longest
time until a signal was heard; the exit code is 1 when one failed.
"""

import argparse
import base64
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HEARD = 20  # s; a busy machine


class Failed(Exception):
    pass


def expect(right, what):
    if not right:
        raise Failed(what)


def children(pid):
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


def gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Attacks:
    def __init__(self, bin_folder):
        self.program = str((bin_folder / "perpend").resolve())
        self.slowest = 0.0
        module = bin_folder.resolve().parent / "python"
        self.python = dict(os.environ, PYTHONPATH=str(module)) if module.is_dir() else None
        self.peers = [
            one["name"]
            for one in json.loads(self.run("solvers", "--json").stdout)["solvers"]
            if one["origin"] != "perpend" and one["name"].startswith("ncp/")
        ]

    def run(self, *arguments, **options):
        return subprocess.run(
            [self.program, "--quiet", *map(str, arguments)],
            **{
                "capture_output": True,
                "text": True,
                "timeout": 120,
                "stdin": subprocess.DEVNULL,
                **options,
            },
        )

    def fine(self, done, codes=(0, 1, 2)):
        expect(done.returncode in codes, f"ended with {done.returncode}: {done.stderr[-300:]}")
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        expect(
            done.returncode != 2 or len(lines) == 1, f"said {len(lines)} lines: {done.stderr[:300]}"
        )

    def helper(self, folder):
        """A program that stops itself."""
        path = folder / "ffmpeg"
        path.write_text("#!/bin/sh\nkill -STOP $$\n")
        path.chmod(0o755)
        return str(path)

    def signals(self, rng, folder):
        helper, pipe, out = self.helper(folder), folder / "pipe.svg", folder / "run.h5"
        os.mkfifo(pipe)
        frame = folder / "frame.jsonl"
        done = self.run("simulate", "stack:2", "--steps", 2, "--out", folder / "two.h5")
        expect(done.returncode == 0, done.stderr)
        self.run("convert", folder / "two.h5", frame)
        count = rng.choice((20_000, 200_000, 1_000_000))
        kinds = [
            (["simulate", f"stack:{count}", "--steps", 1, "--out", out], {}),
            (["simulate", f"pile-spheres:{count}", "--steps", 1], {}),
            (["view", f"stack:{count}", "--no-open"], {}),
            (["capture", "bullet", f"stack:{count // 4}", "--out", out], {}),
            (["simulate", "stack:1", "--steps", 2, "--save", pipe], {}),
            (["simulate", "stack:1", "--steps", 2, "--refine", 1, "--plot", pipe], {}),
            (["forces", frame, "--out", pipe], {}),
            (
                ["simulate", "stack:1", "--steps", 60, "--animate", folder / "a.mp4"],
                {"PATH": f"{folder}:{os.environ['PATH']}"},
            ),
            (["--plugin", __file__, "solvers"], {"PERPEND_PYTHON": helper}),
        ]
        if self.peers:
            kinds.append((["solve", frame, "--solver", self.peers[0]], {"PERPEND_PEERS": helper}))
            kinds.append(
                (
                    ["bench", frame, "--solvers", self.peers[0], "--out", folder / "b"],
                    {"PERPEND_PEERS": helper},
                )
            )
        arguments, variables = rng.choice(kinds)
        before = set(os.listdir(folder))
        process = subprocess.Popen(
            [self.program, "--quiet", *map(str, arguments)],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
            env={**os.environ, **variables},
        )  # fmt: skip
        time.sleep(rng.random() * 2)
        below = children(process.pid)
        number = rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        ended = process.poll() is not None
        began = time.monotonic()
        process.send_signal(number)
        try:
            process.communicate(timeout=HEARD)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failed(f"{' '.join(map(str, arguments))}: did not hear signal {int(number)}")
        if ended or process.returncode == 0:
            return
        self.slowest = max(self.slowest, time.monotonic() - began)
        shown = " ".join(map(str, arguments))
        expect(
            process.returncode in (128 + number, -number),
            f"{shown}: ended with {process.returncode}",
        )
        time.sleep(0.1)
        expect(all(map(gone, below)), f"{shown}: left a process behind")
        left = set(os.listdir(folder)) - before - {"b", "run.h5"}
        expect(not left, f"{shown}: left {left}")

    def current_folder(self, rng, folder):
        """Modules of the current folder are not imported."""
        if not self.python:
            return
        trap = "import os; open('trap', 'w'); raise RuntimeError\n"
        for name in rng.sample(("perpend", "numpy", "signal", "pickle", "mmap", "socket"), 3):
            (folder / (name + ".py")).write_text(trap)
        (folder / "perpend").write_bytes(rng.randbytes(64))
        done = subprocess.run(
            [sys.executable, "-B", "-c",
             "import sys, os; sys.path = [p for p in sys.path if p]; import perpend\n"
             "sys.path.insert(0, '')\n"
             "with perpend.Worlds('stack:1', 2, processes=1) as w: w.step(); print(w.steps.sum())"],
            cwd=folder, env=self.python, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        expect(done.stdout == "2\n", done.stderr[-300:])
        expect(not (folder / "trap").exists(), "something of the current folder was imported")

    def exit_codes(self, rng, folder):
        """A Python solver that ends its process, or never yields."""
        if not self.python:
            return
        how, label = rng.choice(
            [(f"os._exit({rng.randrange(256)})", "crashed"), ("os.kill(os.getpid(), 11)", "crashed"),
             ("while True: pass", "time_limit"), ("time.sleep(1000)", "time_limit")]
        )  # fmt: skip
        (folder / "mine.py").write_text(
            "import os, time, perpend\n@perpend.solver('ncp/mine')\n"
            f"def mine(p):\n  yield p.start + 1e-3\n  {how}\n"
        )
        self.run("simulate", "stack:1", "--steps", 1, "--out", folder / "one.h5")
        done = self.run(
            "--plugin", folder / "mine.py", "solve", folder / "one.h5", "--solver", "ncp/mine",
            "--time-limit", 0.2, "--json", env=self.python,
        )  # fmt: skip
        (row,) = json.loads(done.stdout)["results"]
        expect(row["status"] == label, f"{how}: {row['status']}: {row['message']}")

    def lacks(self, rng, folder):
        """Closed standard streams, no descriptors, no room to write."""
        self.run("simulate", "stack:1", "--steps", 3, "--out", folder / "one.h5")
        arguments = rng.choice(
            [["info", "one.h5"], ["solve", "one.h5", "--solver", "ncp/nncg"], ["doctor", "one.h5"],
             ["simulate", "stack:1", "--steps", 2, "--out", "two.h5"], ["convert", "one.h5", "a.jsonl"],
             ["capture", "bullet", "stack:1", "--steps", 2, "--out", "two.h5"],
             ["view", "stack:1", "--steps", 2, "--out", "two.h5"], ["validate", "one.h5"],
             ["bench", "one.h5", "--solvers", "ncp/nncg", "--repeat", 0, "--out", "b"]]
        )  # fmt: skip
        closed = rng.sample((0, 1, 2), rng.randrange(4))
        count = rng.choice((1000, *range(4, 12)))

        def prepare():
            for number in closed:
                os.close(number)
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))

        done = self.run(*arguments, cwd=folder, preexec_fn=prepare)
        self.fine(done) if 2 not in closed else expect(
            done.returncode in (0, 1, 2), done.returncode
        )
        if 1 in closed and arguments[0] in ("info", "doctor"):
            expect(done.returncode != 0, f"{arguments}: exit code 0 without standard output")
        for file in ("one.h5", "two.h5"):
            if (folder / file).exists():
                expect(
                    self.run("validate", folder / file).returncode == 0,
                    f"{arguments}: damaged {file}",
                )

    def attributes(self, rng, folder):
        kind, tag = rng.choice((("urdf", "robot"), ("sdf", "sdf"), ("xml", "mujoco")))
        count = rng.choice((10, 900, 5000, 100_000, 1_000_000))
        attributes = " ".join(f'a{i}="{rng.choice("=<>1")}"' for i in range(count))
        path = folder / f"model.{kind}"
        path.write_text(f"<{tag} {attributes}></{tag}>")
        done = self.run("import", path, timeout=HEARD)
        expect(done.returncode == 2, f"{kind} with {count} attributes: exit code {done.returncode}")
        self.fine(done)

    def viewer(self, rng, folder):
        """Silent connections, floods of large messages: bounded memory, and a page still opens."""
        process = subprocess.Popen(
            [self.program, "--quiet", "view", rng.choice(("stack:3", "wall", "pile-boxes:300")), "--no-open"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (rng.choice((24, 1024)),) * 2),
        )  # fmt: skip
        try:
            address = process.stdout.readline().strip()
            expect(address, "the viewer did not start")
            port = int(address.rsplit(":", 1)[1].split("/")[0])
            token = address.split("token=")[1]
            silent = [
                socket.create_connection(("127.0.0.1", port)) for _ in range(rng.choice((64, 300)))
            ]
            flood = self.page(port, token)
            flood.sendall(self.message(16, b""))
            large = self.message(32, rng.randbytes(rng.choice((100, 4000, 60_000))))
            try:
                for _ in range(rng.choice((500, 12_000))):
                    flood.sendall(large)
            except OSError:
                pass  # it was closed, as it may be
            self.page(port, token).close()
            pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
            expect(pages * 4096 < 600 << 20, f"the viewer has {pages * 4096 >> 20} MB")
            for one in (flood, *silent):
                one.close()
            process.terminate()
            expect(process.wait(HEARD) == 143, f"the viewer ended with {process.returncode}")
        finally:
            process.kill()
            process.communicate()

    def page(self, port, token):
        end = time.monotonic() + HEARD
        while time.monotonic() < end:
            one = socket.create_connection(("127.0.0.1", port), timeout=HEARD)
            host = f"127.0.0.1:{port}"
            try:
                one.sendall(
                    f"GET /socket?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
                    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n\r\n".encode()
                )
                if one.recv(12) == b"HTTP/1.1 101":
                    return one
            except OSError:
                pass
            one.close()
            time.sleep(0.05)
        raise Failed("no page opens any more")

    @staticmethod
    def message(number, payload):
        data = bytes([number]) + payload
        size = len(data)
        head = (
            bytes([0x82, 0x80 | size])
            if size < 126
            else bytes([0x82, 0xFE]) + size.to_bytes(2, "big")
        )
        return head + bytes(4) + data


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    attacks = Attacks(options.bin)
    kinds = [attacks.signals, attacks.current_folder, attacks.exit_codes, attacks.lacks,
             attacks.attributes, attacks.viewer]  # fmt: skip
    counts, failures, number = Counter(), 0, options.first
    while time.monotonic() < end:
        rng = random.Random(number)
        kind = kinds[number % len(kinds)]
        with tempfile.TemporaryDirectory(prefix="perpend-attack-") as folder:
            try:
                kind(rng, Path(folder))
            except (Failed, subprocess.TimeoutExpired, ValueError, KeyError) as why:
                failures += 1
                print(f"run {number}, {kind.__name__}: {why}", flush=True)
        counts[kind.__name__] += 1
        number += 1
    told = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(
        f"waits, labels and limits: {sum(counts.values())} runs ({told}); a signal was heard after "
        f"{attacks.slowest:.2f} s at worst; {failures} failed"
    )
    sys.exit(1 if failures else 0)


main()
