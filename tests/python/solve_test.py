"""solve(), measure() and the command line agree; threads; Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import perpend
from conftest import FRAMES
from frames_test import large


def command(program, *words):
    done = subprocess.run([program, "--quiet", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class TestCommandLine:
    @pytest.mark.parametrize("solver", ["ncp/auto", "box/pgs", "lcp/lemke", "mncp/newton"])
    def test_results_are_those_of_perpend_solve(self, program, blocks, solver):
        _, out, _ = command(
            program,
            "solve",
            FRAMES / "blocks.jsonl",
            "--solver",
            solver,
            "--tolerance",
            1e-7,
            "--json",
        )
        for told, frame in zip(json.loads(out)["results"], blocks):
            try:
                result = perpend.solve(frame, solver, tolerance=1e-7)
            except perpend.InputError:
                assert told["status"] == "invalid_input"
                continue
            assert (result.status, result.iterations) == (told["status"], told["iterations"])
            assert result.path == told["path"] and result.message == told["message"]
            for name, value in told["errors"].items():
                if value is not None:
                    assert result.errors[name] == value, name

    def test_measure_is_perpend_measure(self, program, tmp_path, blocks):
        rows = []
        for frame in blocks:
            z = perpend.solve(frame, "box/pgs", max_iterations=3)
            rows.append(np.r_[z.contact_impulses.ravel(), z.joint_impulses])
        np.savetxt(tmp_path / "z.csv", np.concatenate(rows).reshape(-1, 1), fmt="%.17g")
        np.save(tmp_path / "z.npy", np.concatenate(rows))
        for name in ("z.csv", "z.npy"):
            code, out, err = command(
                program, "measure", FRAMES / "blocks.jsonl", "--impulses", tmp_path / name, "--json"
            )
            assert code == 0, err
            for told, frame, z in zip(json.loads(out)["results"], blocks, rows):
                mine = perpend.measure(frame, z)
                for key, value in told["errors"].items():
                    assert value is None or mine[key] == value, key

    def test_measure_says_what_is_wrong(self, program, tmp_path):
        (tmp_path / "z.csv").write_text("n,t,o\n1,2,3\n1,x,3\n")
        file = FRAMES / "single_contact.jsonl"
        code, _, err = command(program, "measure", file, "--impulses", tmp_path / "z.csv")
        assert code == 2 and "line 3: 'x' is not a number" in err and err.count("\n") == 1
        (tmp_path / "z.csv").write_text("1,2\n")
        code, _, err = command(
            program, "measure", file, "--frames", 1, "--impulses", tmp_path / "z.csv"
        )
        assert code == 2 and "needs 3 numbers" in err and "2 are left" in err
        (tmp_path / "z.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\xff{")
        code, _, err = command(program, "measure", file, "--impulses", tmp_path / "z.npy")
        assert code == 2 and "is cut off" in err
        code, _, err = command(program, "measure", file, "--error", "own_error")
        assert code == 2 and "choose one of: velocity_error" in err

    def test_measure_fails_an_answer_that_misses_the_tolerance(self, program, tmp_path):
        file = FRAMES / "single_contact.jsonl"
        (tmp_path / "z.csv").write_text("1000,0,0\n")
        words = ("measure", file, "--frames", 1, "--impulses", tmp_path / "z.csv")
        assert command(program, *words)[0] == 0
        assert command(program, *words, "--tolerance", 1e-6)[0] == 1


class TestKeywords:
    def test_an_unknown_one_lists_the_known(self, blocks):
        with pytest.raises(TypeError, match="no option 'tolerence' .*: tolerance, error, .*bounds"):
            perpend.solve(blocks[0], "box/pgs", tolerence=1)

    def test_a_solver_s_own_option_is_a_keyword(self, blocks):
        newest = perpend.solve(blocks[0], "box/pgs", max_iterations=5, tolerance=1e-14)
        lagged = perpend.solve(
            blocks[0], "box/pgs", max_iterations=5, tolerance=1e-14, bounds="lagged"
        )
        assert not np.array_equal(newest.impulses, lagged.impulses)
        with pytest.raises(perpend.InputError, match="bounds"):
            perpend.solve(blocks[0], "box/pgs", bounds="other")

    @pytest.mark.parametrize(
        "keywords, words",
        [
            ({"tolerance": "x"}, "tolerance: expected a number"),
            ({"max_iterations": 1.5}, "max_iterations: expected a whole number"),
            ({"error": "size"}, "unknown error 'size'"),
            ({"tolerance": -1.0}, "tolerance"),
            ({"warm_start": [1.0]}, "warm start has 1 rows"),
        ],
    )
    def test_a_wrong_value_is_named(self, blocks, keywords, words):
        with pytest.raises(ValueError, match=words):
            perpend.solve(blocks[0], "box/pgs", **keywords)

    def test_an_unknown_solver(self, blocks):
        with pytest.raises(ValueError, match="unknown solver 'ncp/none'"):
            perpend.solve(blocks[0], "ncp/none")

    def test_history_is_columns_of_one_length(self, blocks):
        history = perpend.solve(blocks[3], "ncp/pgs", history=True).history
        lengths = {len(column) for column in history.values()}
        assert lengths == {len(history["iteration"])} and lengths != {0}
        assert history["own_error"][-1] <= 1e-8

    def test_a_warm_start_needs_no_iteration(self, blocks):
        first = perpend.solve(blocks[3])
        again = perpend.solve(blocks[3], warm_start=first.impulses, tolerance=1e-7)
        assert (again.iterations, again.path) == (0, "start")


class TestThreads:
    def test_a_python_thread_counts_on_during_a_solve_of_two_seconds(self):
        frame = large()
        counts, over = [0], threading.Event()

        def count():
            while not over.is_set():
                counts[0] += 1
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        began, before = time.monotonic(), counts[0]
        result = perpend.solve(
            frame, "ncp/fixed-point", tolerance=1e-300, time_limit=2, max_iterations=10**9
        )
        counted, spent = counts[0] - before, time.monotonic() - began
        over.set()
        thread.join()
        assert result.status == "time_limit" and spent > 1.9
        assert counted > 100

    def test_solves_in_four_threads_are_the_serial_ones(self, blocks):
        serial = [perpend.solve(frame, "ncp/auto").impulses for frame in blocks]
        found = [None] * len(blocks)

        def work(k):
            for i in range(k, len(blocks), 4):
                found[i] = perpend.solve(blocks[i], "ncp/auto").impulses

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert all(np.array_equal(a, b) for a, b in zip(serial, found))


ENDLESS = """
import sys, perpend
sys.path.insert(0, sys.argv[1])
from frames_test import large
frame = large()
print("begun", flush=True)
try:
    perpend.solve(frame, "ncp/fixed-point", tolerance=1e-300, max_iterations=10**9)
except KeyboardInterrupt as stop:
    print(stop.result.status, stop.result.iterations > 0, flush=True)
"""


# Afterwards the interpreter ends with what was left behind.
FACTORIZING = """
import os, signal, threading, perpend
world = perpend.World("pile-spheres:300", effort=20)
world.step(150)
frame = world.next_frame()
system = perpend.assemble(frame)
for problem, solver in (
    (frame, "lcp/interior-point"),
    (system, "lcp/interior-point"),
    (frame, "lcp/fischer-newton"),
    (frame, "lcp/lemke"),
):
    threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        perpend.solve(problem, solver, tolerance=1e-300, max_iterations=10**9)
    except KeyboardInterrupt as stop:
        shape = stop.result.contact_impulses.shape
        print(stop.result.status, shape, perpend.solve(frame, "ncp/auto", tolerance=1e-4).status)
"""


class TestInterrupts:
    def test_control_c_raises_with_the_result_so_far(self):
        child = subprocess.Popen(
            [sys.executable, "-B", "-c", ENDLESS, os.path.dirname(__file__)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.7)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=30)
        assert out == "stopped True\n"

    def test_control_c_does_not_wait_for_a_factorization(self):
        child = subprocess.run(
            [sys.executable, "-B", "-c", FACTORIZING], capture_output=True, text=True, timeout=120
        )
        assert child.returncode == 0 and child.stdout == "stopped (748, 3) converged\n" * 4, child

    def test_control_c_in_a_solver_of_python_has_a_result_too(self, blocks):
        @perpend.solver("box/waits")
        def waits(problem):
            yield problem.start + 1e-3
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)

        with pytest.raises(KeyboardInterrupt) as caught:
            perpend.solve(blocks[0], "box/waits")
        assert (caught.value.result.status, caught.value.result.iterations) == ("stopped", 1)
        world = perpend.World("stack:1", solver="box/waits")
        before = world.hash
        with pytest.raises(KeyboardInterrupt):
            world.step(2)
        assert (world.steps, world.hash) == (0, before)

    def test_a_handler_s_exception_leaves_the_solve(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Alarm) as caught:
                perpend.solve(large(), "ncp/nncg", tolerance=1e-300, max_iterations=10**9)
            assert caught.value.result.status == "stopped"
        finally:
            signal.signal(signal.SIGALRM, before)
