#!/usr/bin/python3
"""Runs commands that write on a disk that is full after so many bytes, and checks what is left.

  tests/attack/full_disk.py BIN [--seconds S]

The disk is a small tmpfs where one can be mounted (as root), and a limit on the size of files
everywhere. An older file lies at the name that is written to. Every run must end by itself, not by a
signal, with one line on standard error when it fails; what lies at the name afterwards is the older
file as it was, or a file that can be read: of a recording its frames so far, of anything else the
whole. The last line is a summary; the exit code is 1 when a run failed.
"""

import argparse
import itertools
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 120  # s, far above what any of them takes
SIZES = [0, 1, 4, 16, 64, 150, 300, 600, 1200, 3000]  # kB


def own_mounts():
    """Starts this program again where its mounts are its own; false: not allowed."""
    if os.environ.get("PERPEND_OWN_MOUNTS"):
        return os.environ["PERPEND_OWN_MOUNTS"] == "yes"
    if (
        os.geteuid() != 0
        or not shutil.which("unshare")
        or subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0
    ):
        return False
    os.environ["PERPEND_OWN_MOUNTS"] = "yes"
    os.execvp("unshare", ["unshare", "-m", sys.executable, *sys.argv])


class Disk:
    """A folder in which `kilobytes` can be written beside what is there already."""

    def __init__(self, folder, kilobytes, mounted):
        self.folder, self.mounted, self.kilobytes = folder, mounted, kilobytes

    def __enter__(self):
        self.folder.mkdir()
        if self.mounted:
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", self.folder], check=True
            )
        return self

    def fill(self):
        """From now on only so much room."""
        if not self.mounted:
            return
        used = sum(-(-f.stat().st_size // 4096) * 4 for f in self.folder.rglob("*") if f.is_file())
        subprocess.run(
            ["mount", "-o", f"remount,size={used + 4 + self.kilobytes}k", self.folder], check=True
        )

    def limits(self):
        if not self.mounted:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.kilobytes * 1024,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def __exit__(self, *_):
        if self.mounted:
            subprocess.run(["umount", self.folder], check=True)
        shutil.rmtree(self.folder)


class Attack:
    def __init__(self, bin_folder, folder):
        self.program, self.folder = (bin_folder / "perpend").resolve(), folder
        self.stack = folder / "stack.h5"
        self.plain("simulate", "stack:3", "--steps", 200, "--out", self.stack)
        recorders = self.plain("--version").split("recorders: ")[-1].split("\n")[0]
        self.commands = [
            ("old.h5", "simulate stack:3 --steps 200 --out NAME"),
            ("old.json", "simulate stack:3 --steps 5 --save NAME"),
            ("old.png", "simulate stack:3 --steps 5 --picture NAME"),
            ("old.h5", f"convert {self.stack} NAME"),
            ("old.jsonl", f"convert {self.stack} NAME"),
            ("old.fclib.h5", f"convert {self.stack} NAME --to fclib --frames 3"),
            ("old.h5", f"solve {self.stack} --solver ncp/nncg --out NAME"),
            ("old.h5", "solve NAME --solver ncp/nncg --out NAME"),
        ] + [
            ("old.h5", f"capture {engine.strip()} stack:3 --steps 200 --out NAME")
            for engine in recorders.split(",")
            if engine.strip() not in ("", "none", "gazebo")
        ]
        self.runs, self.failures, self.kept = 0, [], {"older": 0, "new": 0, "gone": 0}

    def plain(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"perpend {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout

    def readable(self, file):
        """Whether info, or JSON's or PNG's own reader, takes it."""
        data = file.read_bytes()
        if file.suffix == ".png":
            return data.startswith(b"\x89PNG") and data.endswith(b"IEND\xaeB`\x82")
        if file.suffix == ".json":
            return data.rstrip().endswith(b"}")
        done = subprocess.run([self.program, "info", file], capture_output=True)
        return done.returncode == 0

    def run(self, name, command, kilobytes, mounted):
        with Disk(self.folder / "disk", kilobytes, mounted) as disk:
            target = disk.folder / name
            self.plain("simulate", "stack:1", "--steps", 3, "--out", self.folder / "small.h5")
            # Something readable of the same kind, so that NAME can also be the input.
            shutil.copy(self.folder / "small.h5", target)
            before = target.read_bytes()
            disk.fill()
            words = [str(target) if w == "NAME" else w for w in command.split()]
            try:
                done = subprocess.run(
                    [self.program, *words],
                    capture_output=True,
                    timeout=LIMIT,
                    stdin=subprocess.DEVNULL,
                    preexec_fn=disk.limits,
                )
            except subprocess.TimeoutExpired:
                return f"did not end in {LIMIT} s"
            lines = [
                line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()
            ]
            if done.returncode not in (0, 1, 2):
                return f"ended with {done.returncode}: {' '.join(lines)[:300]}"
            if done.returncode == 2 and len(lines) != 1:
                return f"said {len(lines)} lines: {' | '.join(lines)[:300]}"
            if not target.exists():
                self.kept["gone"] += 1
                return "the older file is gone, and there is no new one"
            unchanged = target.read_bytes() == before
            self.kept["older" if unchanged else "new"] += 1
            if not unchanged and not self.readable(target):
                return f"left a file that cannot be read (exit code {done.returncode})"
            if done.returncode == 0 and unchanged:
                return "said that it had written, and has not"
        return None

    def all(self, end, mounted):
        for kilobytes, (name, command) in itertools.product(SIZES, self.commands):
            if time.monotonic() > end:
                return
            self.runs += 1
            where = "tmpfs" if mounted else "file size"
            if why := self.run(name, command, kilobytes, mounted):
                self.failures.append(why)
                print(f"{where} of {kilobytes} kB: perpend {command}: {why}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin", type=Path)
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    mounts = own_mounts()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="perpend-attack-") as folder:
        attack = Attack(options.bin, Path(folder))
        attack.all(began + options.seconds / (2 if mounts else 1), False)
        if mounts:
            attack.all(began + options.seconds, True)
    kept = ", ".join(f"{name} {count}" for name, count in attack.kept.items())
    print(
        f"full disks: {attack.runs} runs{'' if mounts else ' (no tmpfs: not root)'}; file at the name "
        f"afterwards: {kept}; {len(attack.failures)} failed"
    )
    sys.exit(1 if attack.failures else 0)


main()
