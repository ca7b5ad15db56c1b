"""Solvers in Python: in this process, in bench, and for the command line."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import perpend
from conftest import FRAMES, ROOT

EXAMPLE = str(ROOT / "examples" / "python" / "box_pgs.py")


def python_pgs():
    names = [info.name for info in perpend.solvers()]
    if "box/pgs-in-python" not in names:
        exec(compile(open(EXAMPLE).read(), EXAMPLE, "exec"), {"__name__": "example"})
    return "box/pgs-in-python"


def normal_only(problem):
    "Pushes with what one contact alone would need, again and again."
    z = problem.start.copy()
    for i in range(10):
        w = problem.A @ z + problem.b
        z[0::3] = np.maximum(0, z[0::3] - w[0::3] / np.trace(problem.A.toarray()[:3, :3]))
        yield z


def namesake(problem):
    yield problem.start


namesake.name = "ncp/normal-only"

COMPARING = """
import perpend, sys, time
def sleeps(problem):
    time.sleep(60)
    yield problem.start
frame = perpend.Scene("stack:1").first_frame()
print("begun", flush=True)
try:
    perpend.bench(frame, [sleeps], repeat=1)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

WAITING = """
import os, signal, sys, threading, time, perpend
perpend.load_plugin(sys.argv[1])
frame = perpend.Scene("stack:2").first_frame()
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    perpend.solve(frame, "box/sleeps")
except KeyboardInterrupt as stop:
    print(stop.result.status, perpend.solve(frame, "box/answers", max_iterations=1).iterations)
"""


def same_history(ours, theirs):
    for name in theirs:
        if name in ("seconds", "restart"):
            continue
        a, b = np.asarray(ours[name], float), np.asarray(theirs[name], float)
        assert len(a) == len(b), name
        scale = np.maximum(1, np.abs(b))
        assert (np.abs(a - b) <= 1e-12 * scale).all(), (name, np.abs(a - b).max())


class TestInProcess:
    @pytest.mark.parametrize("file", ["blocks.jsonl", "joints.jsonl", "single_contact.jsonl"])
    def test_a_port_of_box_pgs_has_the_iterations_and_errors_of_the_original(self, file):
        solver = python_pgs()
        for frame in perpend.read(FRAMES / file):
            told = dict(history=True, tolerance=1e-6, max_iterations=300)
            theirs = perpend.solve(frame, "box/pgs", **told)
            ours = perpend.solve(frame, solver, **told)
            assert (ours.status, ours.iterations) == (theirs.status, theirs.iterations)
            assert ours.work == theirs.work or theirs.iterations == 0
            same_history(ours.history, theirs.history)
            assert ours.path.startswith("Python (") or ours.path == "start"

    def test_what_a_solver_does_wrong_is_one_line(self, blocks):
        @perpend.solver("box/breaks")
        def breaks(problem):
            yield problem.start + 1e-3
            problem.nothing

        @perpend.solver("box/short")
        def short(problem):
            yield np.zeros(1)

        @perpend.solver("box/nan")
        def nan(problem):
            yield problem.start + np.nan

        @perpend.solver("box/ends")
        def ends(problem):
            yield problem.start + 1e-3
            return "no further idea"

        @perpend.solver("box/none-there-is")
        def infeasible(problem):
            raise perpend.Infeasible("none there is")
            yield

        @perpend.solver("box/complex")
        def complex_numbers(problem):
            yield problem.start + 1j

        @perpend.solver("box/turned")
        def turned(problem):
            yield problem.start.reshape(-1, 3).T

        @perpend.solver("box/another-size")
        def another_size(problem):
            problem.size = 3
            yield np.zeros(3)

        @perpend.solver("box/counts")
        def counts(problem):
            problem.count("sweeps", -1)
            yield problem.start

        @perpend.solver("box/places")
        def places(problem):
            problem.A.indices[:] = 10**9
            yield problem.A @ problem.start

        for name, status, words in [
            ("box/complex", "failed", "an iterate is no array of real numbers"),
            ("box/turned", "failed", "an iterate has the shape (3, 4), expected (12,)"),
            ("box/another-size", "failed", "an iterate has 3 numbers, expected 12"),
            ("box/counts", "failed", "count() takes how often, not -1"),
            ("box/places", "failed", "row 0 has column 1000000000 of 12"),
            (
                "box/breaks",
                "failed",
                "AttributeError: 'Task' object has no attribute 'nothing' (plugin_test.py, line",
            ),
            ("box/short", "failed", "ValueError: an iterate has 1 numbers, expected 12"),
            ("box/nan", "failed", "not finite"),
            ("box/ends", "stalled", "no further idea"),
            ("box/none-there-is", "infeasible", "none there is"),
        ]:
            result = perpend.solve(blocks[0], name)
            assert result.status == status and words in result.message, result.message

    def test_a_name_without_a_formulation_is_refused(self):
        with pytest.raises(ValueError, match="formulations are"):
            perpend.solver("mine")(lambda problem: iter(()))
        with pytest.raises(TypeError, match="a solver needs a name: @perpend.solver"):
            perpend.solver(normal_only)

    def test_options_arrive_as_numbers_and_words(self, blocks):
        seen = {}

        @perpend.solver(
            "box/options",
            options={
                "damping": perpend.option(0.5, "how much", lowest=0, highest=1),
                "order": perpend.option("up", "which way", choices=["up", "down"]),
            },
        )
        def options(problem):
            seen.update(problem.options)
            yield problem.start + 1e-9

        perpend.solve(blocks[0], "box/options", damping=0.25, order="down", max_iterations=1)
        assert seen == {"damping": 0.25, "order": "down"}
        with pytest.raises(perpend.InputError, match="damping"):
            perpend.solve(blocks[0], "box/options", damping=2)

    def test_own_error_in_a_solver_is_that_of_the_history(self, blocks):
        found = []

        @perpend.solver("box/looks")
        def looks(problem):
            z = problem.start + 1e-3
            found.append(problem.own_error(z))
            yield z

        result = perpend.solve(blocks[0], "box/looks", max_iterations=1, history=True)
        assert result.history["own_error"][1] == found[0]

    def test_a_task_kept_after_the_solve_raises(self, blocks):
        kept = []

        @perpend.solver("box/keeps")
        def keeps(problem):
            kept.append(problem)
            yield problem.start + 1

        perpend.solve(blocks[0], "box/keeps", max_iterations=1)
        assert kept[0].b.size == 12
        with pytest.raises(RuntimeError, match="the solve is over"):
            kept[0].own_error(kept[0].start)

    def test_a_solver_that_does_not_yield_ends_at_its_limit(self, blocks):
        @perpend.solver("box/computes")
        def computes(problem):
            yield problem.start + 1e-3
            while True:
                try:
                    pass
                except Exception:
                    pass

        for _ in range(2):
            result = perpend.solve(blocks[0], "box/computes", time_limit=0.05)
            assert result.status == "time_limit" and "did not yield" in result.message
        assert perpend.solve(blocks[0], "box/pgs", time_limit=5).status == "converged"


class TestBench:
    def test_python_and_the_original_have_the_same_rows(self, tmp_path, blocks):
        result = perpend.bench(
            blocks[:6],
            ["box/pgs", python_pgs(), normal_only, "ncp/auto"],
            out=tmp_path,
            repeat=2,
            tolerance=1e-6,
            max_iterations=200,
        )
        rows = {}
        for row in result.rows:
            rows.setdefault(row["solver"], []).append(row)
        assert list(rows) == ["box/pgs", "box/pgs-in-python", "ncp/normal-only", "ncp/auto"]
        for theirs, ours in zip(rows["box/pgs"], rows["box/pgs-in-python"]):
            assert (ours["status"], ours["iterations"]) == (theirs["status"], theirs["iterations"])
            for name, value in theirs["errors"].items():
                assert value is None or abs(ours["errors"][name] - value) < 1e-12
        assert all(row["status"] == "converged" for row in rows["ncp/auto"])
        assert {row["python"] for row in rows["ncp/auto"]} == {None}
        shares = [row["python"] for row in rows["ncp/normal-only"]]
        assert all(0 <= share <= 1 for share in shares)
        assert {r["status"] for r in rows["ncp/normal-only"]} <= {"stalled", "iteration_limit"}
        assert os.path.getsize(result.report) > 1e5
        assert "box/pgs-in-python" in repr(result) and "Python" in result._repr_html_()
        assert len(result.columns()["velocity_error"]) == 24

    def test_a_solver_that_dies_or_hangs_is_a_row(self, tmp_path, blocks):
        def dies(problem):
            yield problem.start + 1e-3
            os._exit(3)

        def hangs(problem):
            yield problem.start + 1e-3
            while True:
                pass

        result = perpend.bench(
            blocks[:1], [dies, hangs, "ncp/auto"], out=tmp_path, repeat=1, time_limit=0.2
        )
        assert [row["status"] for row in result.rows] == ["crashed", "time_limit", "converged"]

    def test_any_exit_code_of_a_solver_is_a_crash(self, tmp_path, blocks):
        def leaves(code):
            def solver(problem):
                yield problem.start + 1e-3
                os._exit(code)

            solver.name = f"ncp/leaves-{code}"
            return solver

        codes = [0, 1, 5, 6]
        result = perpend.bench(blocks[:1], map(leaves, codes), out=tmp_path, repeat=1)
        assert [row["status"] for row in result.rows] == ["crashed"] * len(codes)

    def test_a_method_is_a_solver(self, tmp_path, blocks):
        class Mine:
            def answer(self, problem):
                yield problem.start + 1e-3

        result = perpend.bench(blocks[0], Mine().answer, out=tmp_path, repeat=1)
        assert result.solvers == ["ncp/answer"]
        assert len(result.history(-1)["iteration"]) == len(result.history(0)["iteration"])
        with pytest.raises(IndexError):
            result.history(1)

    @pytest.mark.parametrize(
        "frames, solvers, given, words",
        [
            ([0], ["ncp/auto", "ncp/auto"], {}, "two solvers are called 'ncp/auto'"),
            ([0], [normal_only, namesake], {}, "two solvers are called 'ncp/normal-only'"),
            ([0], [], {}, "there are no solvers"),
            ([], ["ncp/auto"], {}, "there are no frames"),
            ([0], ["ncp/auto"], {"tolerance": "x"}, "tolerance: expected a number"),
            ([0], ["ncp/auto"], {"tolerance": -1}, "tolerance: expected at least 0"),
            ([0], ["ncp/auto"], {"jobs": 0}, "jobs: expected at least 1"),
            ([0], ["ncp/auto"], {"repeat": 1.5}, "repeat: expected a whole number"),
            ([0], ["lcp/lemke"], {"facets": 2}, "facets: expected at least 3"),
        ],
    )
    def test_what_cannot_be_compared(self, tmp_path, blocks, frames, solvers, given, words):
        with pytest.raises(ValueError, match=words):
            perpend.bench([blocks[i] for i in frames], solvers, out=tmp_path, **given)
        with pytest.raises(TypeError, match="takes frames and files, not System"):
            perpend.bench(perpend.assemble(blocks[0]), ["ncp/auto"], out=tmp_path)

    def test_control_c_ends_it_once(self):
        # To the whole group, as a terminal does: the child hears it twice.
        for _ in range(3):
            child = subprocess.Popen(
                [sys.executable, "-B", "-c", COMPARING],
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
            assert child.stdout.readline() == "begun\n"
            time.sleep(0.3)
            os.killpg(child.pid, signal.SIGINT)
            out, _ = child.communicate(timeout=60)
            assert out == "interrupted\n"

    def test_wrong_names_are_told_before_anything_runs(self, tmp_path, blocks):
        with pytest.raises(ValueError, match="unknown solver 'ncp/none'"):
            perpend.bench(blocks, ["ncp/none"], out=tmp_path / "a")
        with pytest.raises(TypeError, match="no option 'repeats'"):
            perpend.bench(blocks, ["ncp/auto"], repeats=1)
        with pytest.raises(perpend.InputError, match="absent.h5"):
            perpend.bench("/tmp/absent.h5", ["ncp/auto"])


class TestCommandLine:
    def run(self, program, *words):
        done = subprocess.run(
            [program, "--quiet", *map(str, words)], capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    def test_the_program_has_no_python_in_it(self, program):
        out = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
        assert "libc.so" in out and "python" not in out

    def test_solve_gives_the_rows_of_the_original(self, program):
        words = ("--solver", "box/pgs,box/pgs-in-python", "--max-iterations", 200, "--history")
        code, out, err = self.run(
            program, "--plugin", EXAMPLE, "solve", FRAMES / "blocks.jsonl", *words, "--json"
        )
        assert code in (0, 1), err
        found = {}
        for row in json.loads(out)["results"]:
            found.setdefault(row["solver"], []).append(row)
        assert len(found["box/pgs"]) == len(found["box/pgs-in-python"]) > 10
        for theirs, ours in zip(found["box/pgs"], found["box/pgs-in-python"]):
            assert (ours["status"], ours["iterations"]) == (theirs["status"], theirs["iterations"])
            columns = lambda row: {k: [p[k] for p in row["history"]] for k in row["history"][0]}
            if theirs["iterations"]:
                a, b = columns(ours), columns(theirs)
                keep = [k for k in b if None not in b[k] and not isinstance(b[k][0], dict)]
                same_history({k: a[k] for k in keep}, {k: b[k] for k in keep})

    def test_bench_and_simulate_take_it(self, program, tmp_path):
        code, out, err = self.run(
            program, "--plugin", EXAMPLE, "bench", FRAMES / "single_contact.jsonl", "--solvers",
            "box/pgs,box/pgs-in-python", "--repeat", 1, "--max-iterations", 50, "--out", tmp_path / "r",
        )  # fmt: skip
        assert code in (0, 1), err
        rows = list(csv.DictReader((tmp_path / "r" / "results.csv").open()))
        assert any("Python (" in row["path"] for row in rows)
        words = ("simulate", "stack:1", "--steps", 3, "--tolerance", 1e-6, "--json", "--solver")
        _, ours, err = self.run(program, "--plugin", EXAMPLE, *words, "box/pgs-in-python")
        _, theirs, _ = self.run(program, *words, "box/pgs")
        ours, theirs = json.loads(ours), json.loads(theirs)
        assert ours["contacts_max"] == theirs["contacts_max"] and ours["steps"] == 3
        assert abs(ours["kinetic_energy"] - theirs["kinetic_energy"]) < 1e-9

    @pytest.mark.parametrize(
        "text, words",
        [
            ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
            ("def f(:\n  pass", "SyntaxError"),
            ("x = 1", "has no solvers"),
            (
                "import perpend\nfor i in 1, 2:\n  @perpend.solver('box/one')\n"
                "  def f(p): yield p.start",
                "two solvers are called 'box/one'",
            ),
            (
                "import perpend\n@perpend.solver('mine')\ndef f(p): yield p.start",
                "formulations are",
            ),
            ("import sys; sys.exit(3)", "SystemExit"),
            ("import os; os._exit(7)", "exit code 7"),
        ],
    )
    def test_a_file_that_cannot_be_used_is_one_line(self, program, tmp_path, text, words):
        path = tmp_path / "mine.py"
        path.write_text(text)
        code, _, err = self.run(program, "--plugin", path, "solvers")
        assert code == 2 and words in err and err.startswith(f"perpend: --plugin: {path}: "), err
        assert err.count("\n") == 1

    def test_what_a_solver_prints_is_not_in_the_document(self, program, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text(
            "import os, perpend\nprint('hello')\n"
            "@perpend.solver('box/prints')\ndef f(p):\n  'Prints.'\n  print('hello')\n"
            "  yield p.start + 1e-3\n  os._exit(5)\n"
        )
        code, out, err = self.run(
            program, "--plugin", path, "solve", FRAMES / "single_contact.jsonl", "--frames", 1,
            "--solver", "box/prints", "--json",
        )  # fmt: skip
        (row,) = json.loads(out)["results"]
        assert code == 1 and row["status"] == "crashed" and "exit code 5" in row["message"]

    def test_control_c_does_not_wait_for_a_file_s_solver(self, tmp_path):
        path = tmp_path / "mine.py"
        path.write_text(
            "import time, perpend\n"
            "@perpend.solver('box/sleeps')\ndef f(p):\n  time.sleep(600)\n  yield p.start\n"
            "@perpend.solver('box/answers')\ndef g(p):\n  yield p.start + 1\n"
        )
        done = subprocess.run(
            [sys.executable, "-B", "-c", WAITING, path], capture_output=True, text=True, timeout=120
        )
        assert done.stdout == "stopped 1\n", done.stderr

    @pytest.mark.parametrize(
        "does", ["while True: pass", "time.sleep(60)", "os.kill(os.getpid(), 19)"]
    )
    def test_a_solver_that_does_not_yield_is_ended_at_its_limit(self, program, tmp_path, does):
        path = tmp_path / "mine.py"
        path.write_text(
            "import os, time, perpend\n@perpend.solver('box/silent')\n"
            f"def f(p):\n  yield p.start + 1e-3\n  {does}\n"
        )
        code, out, err = self.run(
            program, "--plugin", path, "solve", FRAMES / "single_contact.jsonl", "--frames", 1,
            "--solver", "box/silent", "--time-limit", 0.1, "--json",
        )  # fmt: skip
        (row,) = json.loads(out)["results"]
        assert (code, row["status"]) == (1, "time_limit"), row["message"]

    def test_nothing_of_the_current_folder_is_imported(self, program, tmp_path):
        for name in ("perpend", "numpy", "signal"):
            (tmp_path / (name + ".py")).write_text("raise RuntimeError('imported')")
        done = subprocess.run(
            [program, "--plugin", EXAMPLE, "solvers"], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 0 and "box/pgs-in-python" in done.stdout, done.stderr

    def test_check_solver_judges_it(self, program):
        code, out, err = self.run(program, "check-solver", EXAMPLE)
        assert code in (0, 1) and "box/pgs-in-python" in out, err
