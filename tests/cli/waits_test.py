"""A signal is heard whatever the program waits for, and what it lacks is one line."""

import json
import os
import resource
import signal
import subprocess
import time
import unittest

from kills import Recording, alive, built
from peers_test import built as peers_built
from peers_test import peers
from program import PROGRAM, Case, frame, run, tower

PATIENCE = 30  # s on a busy machine, far below what is waited for without an end


def until(holds, what):
    end = time.monotonic() + 2 * PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise AssertionError("never: " + what)
        time.sleep(0.02)


def state(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


class Stops(Case):
    def start(self, *arguments, **options):
        process = subprocess.Popen(
            [PROGRAM, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **{"stdin": subprocess.DEVNULL, **options},
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def hears(self, process, number=signal.SIGINT):
        process.send_signal(number)
        _, err = process.communicate(timeout=PATIENCE)
        # Negative: before the program had begun to listen.
        self.assertIn(process.returncode, (128 + number, -number), err)
        return err

    def stopping(self, name):
        """A program that stops itself, and where it tells its number."""
        pid = self.path(name + ".pid")
        self.write(name, f"#!/bin/sh\necho $$ >{pid}.new; mv {pid}.new {pid}\nkill -STOP $$\n")
        os.chmod(self.path(name), 0o755)
        return self.path(name), pid

    def stopped(self, pid):
        until(lambda: os.path.exists(pid), "a process that stops itself")
        with open(pid, encoding="utf-8") as file:
            number = int(file.read())
        until(lambda: state(number) == "T", "stopped")
        return number

    def test_while_a_scene_is_built(self):
        out, film = self.path("run.h5"), self.path("run.mp4")
        recorded = ("--out", out, "--animate", film)
        for arguments in (
            ["simulate", "stack:1000000", "--steps", 1, *recorded],
            ["simulate", "stack:1000000", "--steps", 1, "--engine", "bullet"],
            ["simulate", "stack:1000000", "--refine", 1],
            ["view", "stack:1000000", "--no-open"],
            ["view", "stack:1000000", "--steps", 1, "--out", out],
            ["capture", "bullet", "stack:300000", "--steps", 1, "--out", out],
        ):
            for seconds, number in ((0.3, signal.SIGINT), (2, signal.SIGTERM)):
                process = self.start(*arguments)
                time.sleep(seconds)
                self.hears(process, number)
                self.assertEqual(os.listdir(self.folder), [], arguments)

    def test_before_a_pipe_has_its_reader(self):
        lines, pipe = self.lines(frame()), self.path("pipe")
        os.mkfifo(pipe)
        for ending in (".jsonl", ".json", ".svg", ".png", ".csv", ".html"):
            os.symlink(pipe, pipe + ending)
        files = sorted(os.listdir(self.folder))
        for arguments in (
            ["convert", lines, pipe + ".jsonl"],
            ["simulate", "stack:1", "--steps", 2, "--save", pipe],
            ["simulate", "stack:1", "--steps", 2, "--picture", pipe + ".png"],
            ["simulate", "stack:1", "--steps", 2, "--refine", 1, "--plot", pipe + ".svg"],
            ["forces", lines, "--solver", "ncp/nncg", "--out", pipe],
            ["forces", lines, "--solver", "ncp/nncg", "--plot", pipe + ".svg"],
            ["doctor", lines, "--page", pipe + ".html"],
        ):
            for seconds in (0, 0.5):  # before it waits, while it waits
                process = self.start(*arguments)
                time.sleep(seconds)
                self.hears(process)
                self.assertEqual(sorted(os.listdir(self.folder)), files, arguments)

    def test_before_standard_input_has_ended(self):
        left = set(os.listdir("/tmp"))
        for arguments in (["simulate", "-"], ["solve", "-", "--solver", "ncp/nncg"], ["info", "-"]):
            process = self.start(*arguments, stdin=subprocess.PIPE)
            process.stdin.write("{")
            process.stdin.flush()
            time.sleep(0.5)
            self.hears(process, signal.SIGTERM)
        self.assertEqual(
            [n for n in set(os.listdir("/tmp")) - left if n.startswith("perpend-")], []
        )

    def test_while_ffmpeg_is_waited_for(self):
        ffmpeg, pid = self.stopping("ffmpeg")
        process = self.start(
            "simulate", "stack:1", "--steps", 30, "--animate", self.path("film.mp4"),
            env={**os.environ, "PATH": self.folder + ":" + os.environ["PATH"]},
        )  # fmt: skip
        number = self.stopped(pid)
        self.hears(process)
        self.assertFalse(alive(number))
        self.assertEqual(
            sorted(os.listdir(self.folder)), sorted(map(os.path.basename, [ffmpeg, pid]))
        )

    def test_while_a_stopped_solver_is_waited_for(self):
        helper, pid = self.stopping("helper")
        lines = self.lines(frame(), frame())
        python = self.write("mine.py", "")
        commands = [({"PERPEND_PYTHON": helper}, ["--plugin", python, "solvers"])]
        if peers():
            with_peer = ["--solver", peers()[0]]
            commands += [
                ({"PERPEND_PEERS": helper}, ["solve", lines, *with_peer]),
                ({"PERPEND_PEERS": helper}, ["check-solver", peers()[0]]),
                ({"PERPEND_PEERS": helper},
                 ["bench", lines, *with_peer, "--out", self.path("bench")]),
            ]  # fmt: skip
        for variables, arguments in commands:
            process = self.start(*arguments, env={**os.environ, **variables})
            number = self.stopped(pid)
            os.remove(pid)
            self.hears(process)
            if arguments[0] in ("--plugin", "solve"):  # of others the real one ends with its parent
                until(lambda one=number: not alive(one), "the helper's end")
            elif alive(number):
                os.kill(number, signal.SIGKILL)

    @peers_built
    def test_while_a_peer_that_was_stopped_at_work_is_waited_for(self):
        solver = next(name for name in peers() if name.startswith("ncp/"))
        process = self.start(
            "solve", self.lines(*[tower(12)] * 200), "--solver", solver, "--tolerance", 0,
            "--max-iterations", 10**12, "--set", "patience=0",
        )  # fmt: skip
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        until(lambda: self.text(children).strip(), "a child")
        time.sleep(0.3)
        child = int(self.text(children).split()[0])
        os.kill(child, signal.SIGSTOP)
        time.sleep(0.2)
        self.hears(process)
        self.assertFalse(alive(child))

    @unittest.skipUnless(built("bullet"), "the recorder of Bullet was not built")
    def test_while_a_stopped_recorder_is_waited_for(self):
        out = self.path("run.h5")
        running = Recording("bullet", out)
        self.addCleanup(running.process.communicate)
        self.addCleanup(running.process.kill)
        seen = running.wait_for_frames()
        child = running.child()
        os.kill(child, signal.SIGSTOP)
        self.hears(running.process, signal.SIGTERM)
        self.assertFalse(alive(child))
        self.assertEqual(os.listdir(self.folder), ["run.h5"])
        self.assertGreaterEqual(self.succeeds("info", out, "--json").json()["frames"], seen)


class Lacks(Case):
    def run_with(self, *arguments, **options):
        done = subprocess.run(
            [PROGRAM, *map(str, arguments)],
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
            **options,
        )
        self.assertIn(done.returncode, (1, 2), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_a_standard_output_that_is_closed_is_no_file_of_ours(self):
        lines, out = self.standard(frame()), self.path("out.h5")
        for arguments in (
            ["info", lines],
            ["solvers"],
            ["simulate", "stack:1", "--steps", 2, "--out", out],
        ):
            err = self.run_with(*arguments, preexec_fn=lambda: os.close(1))
            self.assertIn("standard output", err)
        self.assertEqual(run("validate", out).code, 0)

    def test_without_descriptors_there_is_one_line(self):
        lines = self.standard(frame())
        for count in range(4, 9):
            limit = lambda n=count: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n))
            for arguments in (
                ["info", lines],
                ["solve", lines, "--solver", "ncp/nncg"],
                ["simulate", "stack:1", "--steps", 2, "--out", self.path("out.h5")],
                ["capture", "bullet", "stack:1", "--steps", 2, "--out", self.path("out.h5")],
                ["bench", lines, "--solvers", "ncp/nncg", "--out", self.path(f"bench{count}")],
                ["view", "stack:1", "--no-open", "--out", self.path("out.h5"), "--steps", "2"],
            ):
                done = subprocess.run(
                    [PROGRAM, "--quiet", *map(str, arguments)],
                    capture_output=True,
                    text=True,
                    timeout=120,
                    preexec_fn=limit,
                )
                self.assertIn(done.returncode, (0, 1, 2), (count, arguments, done.stderr))
                if done.returncode:
                    self.assertEqual(done.stderr.count("\n"), 1, (count, arguments, done.stderr))

    def test_a_file_of_results_is_known_as_what_it_is(self):
        lines, out = self.lines(frame()), self.path("bench")
        self.succeeds("bench", lines, "--solvers", "ncp/nncg,box/pgs", "--repeat", 0, "--out", out)
        results = os.path.join(out, "results.h5")
        told = self.succeeds("info", results, "--json").json()
        self.assertEqual(told["solvers"], ["ncp/nncg", "box/pgs"])
        self.assertEqual((told["problems"], told["rows"]), (1, 2))
        self.assertIn("results of perpend bench", self.succeeds("info", results).out)
        for command in (["solve", results, "--solver", "ncp/nncg"], ["validate", results]):
            self.refuses(*command, says="holds results of perpend bench")

    def test_a_run_with_absurd_energy_ends(self):
        moving = {"mass": 1000, "velocity": [1e5, 0, 0, 0, 0, 0], "position": [0, 0, 5],
                  "shape": {"type": "sphere", "radius": 1}}  # fmt: skip
        text = json.dumps(
            {"format": "perpend-scene", "name": "fast", "steps": 9, "step": 0.01,
             "bodies": [{"name": "stone", **moving}]}
        )  # fmt: skip
        path = self.write("fast.json", text)
        for engine in ("perpend", "bullet"):
            answer = run("simulate", path, "--engine", engine, "--json")
            self.assertEqual(answer.code, 1, answer.err)
            told = answer.json()
            self.assertTrue(told["stopped"])
            self.assertEqual(told["steps"], 1)
            self.assertIn("the kinetic energy is 5e+12 J after step 1", told["message"])
            self.assertIn(told["message"], answer.err)
            self.assertEqual(answer.err.count("\n"), 1)
        calm = text.replace("100000.0", "10.0")
        self.assertFalse(
            self.succeeds("simulate", self.write("calm.json", calm), "--json").json()["stopped"]
        )

    def test_attributes_without_end_are_refused(self):
        many = " ".join(f'a{i}="1"' for i in range(100000))
        for name, tag in (("a.urdf", "robot"), ("a.sdf", "sdf"), ("a.xml", "mujoco")):
            path = self.write(name, f"<!-- < -->\n<{tag} name='>' {many}></{tag}>")
            answer = run("import", path, timeout=PATIENCE)
            self.assertEqual(answer.code, 2, answer.err)
            if "was not built" not in answer.err and "libmujoco" not in answer.err:
                self.assertIn(f"{name}:2: a tag has more than 1000 attributes", answer.err)


if __name__ == "__main__":
    unittest.main()
