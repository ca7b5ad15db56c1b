"""Docstrings, stubs, plots, notebooks, the wheel, Octave."""

import doctest
import html
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import pytest

import perpend
from conftest import FRAMES, ROOT

PACKAGE = Path(perpend.__file__).parent
SELF_EXPLANATORY = {
    *(f"Option.{name}" for name in ("name", "meaning", "choices", "lowest", "highest")),
    *(f"SolverInfo.{name}" for name in ("name", "title", "reference", "options", "formulation")),
    *("File.path", "Frame.name", "Frame.tags", "Problem.formulation"),
}
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MPLBACKEND": "Agg"}


def execute(*words, **how):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, **how)


class TestDocstrings:
    @pytest.mark.parametrize(
        "name", ["", ".bench", ".files", ".plugin", ".program", ".world", ".worlds"]
    )
    def test_their_examples_are_true(self, name, program):
        module = importlib.import_module("perpend" + name)
        failed, run = doctest.testmod(module)
        assert failed == 0 and run > 0

    def test_what_is_public_says_what_it_is(self):
        def words(thing):  # pybind11 begins with a signature
            text = thing.__doc__ or ""
            return text.split("\n\n", 1)[-1] if re.match(r"\w+\(.*\) -> ", text) else text

        silent = []
        for name in perpend.__all__:
            thing = getattr(perpend, name)
            if name != "__version__" and not words(thing).strip():
                silent.append(name)
            for key, member in vars(thing).items() if isinstance(thing, type) else ():
                told = isinstance(member, property) or callable(member)
                if told and not key.startswith("_") and not words(member).strip():
                    silent.append(f"{name}.{key}")
        assert sorted(set(silent) - SELF_EXPLANATORY) == []

    def test_the_help_of_solve_is_the_registry(self):
        for name, _, meaning in perpend.options():
            assert re.search(f"  {name}( \\[.*\\])?: {re.escape(meaning)}", perpend.solve.__doc__)

    def test_what_is_public_is_there(self):
        assert all(hasattr(perpend, name) for name in perpend.__all__)
        version = [line for line in (ROOT / "CMakeLists.txt").read_text().splitlines()]
        assert any(f"VERSION {perpend.__version__}" in line for line in version)

    def test_the_guide_s_code_runs(self, monkeypatch):
        page = (ROOT / "docs" / "python.md").read_text()
        blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
        assert len(blocks) >= 4
        monkeypatch.chdir(ROOT)
        exec("\n".join(blocks), {"__name__": "guide"})

    def test_the_readme_s_solver_has_at_most_20_lines_and_runs(self, monkeypatch, capsys):
        (block,) = (ROOT / "README.md").read_text().split("```python\n")[1:]
        block = block.split("```")[0]
        assert len([line for line in block.splitlines() if line.strip()]) <= 20
        monkeypatch.chdir(ROOT)
        exec(block, {"__name__": "readme"})
        out = capsys.readouterr().out
        assert "normal/my-pgs, " in out and "normal/pcg, " in out


STRICT = """
import pathlib
from typing import Iterator
import numpy as np
import numpy.typing as npt
import perpend


def my_solver(problem: perpend.Task) -> "Iterator[npt.NDArray[np.float64]]":
    z = problem.start.copy()
    while True:
        w = problem.A @ z + problem.b
        z = z - 0.1 * w
        problem.count("sweeps")
        yield z


def main() -> None:
    frames = perpend.read(pathlib.Path("x.h5"))
    frame: perpend.Frame = frames[0]
    frame.contacts.mu[:] = 0.5
    frame.contacts["mu"][:] = 0.5
    for name in frame.contacts:
        print(name, "mu" in frame.contacts, len(frame.contacts))
    result = perpend.solve(frame, "ncp/auto", tolerance=1e-8, history=True)
    z: npt.NDArray[np.float64] = result.impulses
    errors: dict[str, float] = perpend.measure(frame, z)
    bench = perpend.bench(frames, ["ncp/auto"], repeat=1)
    for row in bench.rows:
        print(row["status"], errors, result.status, result.contact_impulses)
    world = perpend.World("stack:2", contacts=True)
    world.step(3)
    world.forces[1, 0] = 3.0
    saved: perpend.Snapshot = world.save()
    world.restore(saved)
    world.controllers.append(lambda one: one.step)
    saved.write(pathlib.Path("s.json"))
    p: npt.NDArray[np.float64] = world.positions
    print(p.sum(), world.hash, world.report["status"], perpend.World("stack:1").time)
    file = perpend.open(pathlib.Path("run.h5"))
    part: list[perpend.Frame] = file[0:3]
    print(len(part), file[0].step)
    with perpend.Recorder("run.h5", engine="mine") as record:
        record(frame)
    with perpend.Worlds("stack:2", 3) as worlds:
        worlds.step(5)
        worlds.forces[:, 1, 0] = 1.0
        print(worlds.positions.shape, worlds[0].hash, [one.steps for one in worlds[1:]])
    s = perpend.Scene("stack:2")
    d: dict[str, object] = s.to_dict()
    print(d, perpend.run("solvers", json=True).stdout, perpend.__version__)
    perpend.plots.convergence(result)

"""


class TestStubs:
    def test_mypy_accepts_right_and_refuses_wrong_use(self, tmp_path):
        if not shutil.which("mypy"):
            pytest.skip("mypy is missing")
        (tmp_path / "right.py").write_text(
            "import perpend\nr = perpend.solve(perpend.read('x')[0], tolerance=1e-6)\n"
            "x: float = r.errors['own_error']\n"
        )
        (tmp_path / "wrong.py").write_text(
            "import perpend\nr = perpend.solve(perpend.read('x')[0], 3)\ny: str = r.iterations\n"
        )
        words = ["--config-file", ROOT / "pyproject.toml", "--no-incremental"]
        environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
        done = execute("mypy", *words, "right.py", "wrong.py", env=environment, cwd=tmp_path)
        lines = [line for line in done.stdout.splitlines() if ": error:" in line]
        assert len(lines) == 2 and all(line.startswith("wrong.py:") for line in lines), lines

    def test_a_strictly_typed_script_has_no_error(self, tmp_path):
        if not shutil.which("mypy"):
            pytest.skip("mypy is missing")
        (tmp_path / "mypy.ini").write_text(
            "[mypy]\nstrict = True\n[mypy-perpend.*]\nignore_errors = True\n"
        )
        (tmp_path / "user.py").write_text(STRICT)
        environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
        done = execute("mypy", "--no-incremental", "user.py", env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stdout

    def test_the_stub_names_what_the_module_has(self):
        from perpend import _perpend

        text = (PACKAGE / "_perpend.pyi").read_text()
        for name in dir(_perpend):
            if not name.startswith("__") or name == "__version__":
                known = (f"def {name}(", f"class {name}:", f"class {name}(", f"{name}:")
                assert any(word in text for word in known), name
        for kind in ("Frame", "System", "Result", "Problem", "File", "_World"):
            body = text.split(f"class {kind}:")[1].split("\nclass ")[0]
            for name in vars(getattr(_perpend, kind)):
                if not name.startswith("_"):
                    assert name in body, (kind, name)


class TestPlots:
    @pytest.fixture(autouse=True)
    def matplotlib(self):
        pytest.importorskip("matplotlib").use("Agg")

    def test_curves_are_the_numbers(self, tmp_path, blocks):
        from perpend import plots

        r = perpend.solve(blocks[3], "ncp/pgs", history=True)
        axes = plots.convergence(r, "own_error")
        assert np.array_equal(axes.lines[0].get_ydata(), r.history["own_error"])
        assert len(r.plot().lines) == 1
        with pytest.raises(ValueError, match="history=True"):
            plots.convergence(perpend.solve(blocks[3]))
        z = perpend.solve(blocks[3])
        assert plots.forces(blocks[3], z.impulses).collections
        with pytest.raises(ValueError, match="impulses for"):
            plots.forces(blocks[3], [1, 2, 3])
        perpend.run("simulate", "stack:2", "--steps", 12, "--out", tmp_path / "r.h5")
        line = plots.timeline(tmp_path / "r.h5").lines[0]
        assert len(line.get_xdata()) == 12 and line.get_ydata().max() < 1e-8
        bench = perpend.bench(blocks[:3], ["ncp/auto", "ncp/nncg"], out=tmp_path / "b", repeat=1)
        axes = plots.profile(bench)
        assert max(line.get_ydata()[-1] for line in axes.lines) == 1


class TestCommands:
    def test_the_doctor_finds_where_two_runs_part(self, program, tmp_path):
        one, other = tmp_path / "one.h5", tmp_path / "other.h5"
        for path, step in ((one, 0.01), (other, 0.005)):
            perpend.run("simulate", "slope", "--steps", 20, "--dt", step, "--out", path)
        assert perpend.doctor(one)["verdict"] == "sound"
        assert str(perpend.doctor(one)) == f"verdict: sound (20 frames of {one})"
        assert perpend.doctor(one, one)["findings"] == []
        (finding,) = perpend.doctor(one, other)["findings"]
        assert finding["id"] == "runs_part" and finding["frame"] == 0
        shown = perpend.doctor(one, other)._repr_html_()
        assert "<th" in shown and finding["title"] in shown and "frame 0" in shown

    def test_an_experiment_of_the_papers_is_a_dict_and_a_page(self, program, tmp_path):
        done = perpend.reproduce("configurations", out=tmp_path / "papers", quick=True)
        verdicts = {claim["verdict"] for e in done["experiments"] for claim in e["claims"]}
        assert "agrees" in verdicts
        assert "Table 1" in (tmp_path / "papers" / "index.html").read_text()
        assert "Table 1" in done["html"]._repr_html_()
        assert "claims agree" in str(done) and done._repr_html_().count("<tr>") > 10

    def test_the_viewer_answers_until_it_is_closed(self, program):
        with perpend.view("stack:2", browser=False) as viewer:
            assert urllib.request.urlopen(viewer.address, timeout=20).status == 200
            assert viewer.address in viewer._repr_html_() and viewer.address in repr(viewer)
        assert viewer.process.returncode is not None and "ended" in repr(viewer)

    def test_the_viewer_of_nothing_says_why(self, program):
        with pytest.raises(perpend.ProgramError, match="no-such"):
            perpend.view("no-such", browser=False)

    def test_a_notebook_shows_a_page_as_it_is(self, tmp_path):
        from perpend.program import Page

        text = "<!doctype html><p title='a&quot;b'>\u03bb</p><script>1 < 2 && alert()</script>"
        (tmp_path / "p.html").write_text(text, encoding="utf-8")
        page = Page(tmp_path / "p.html")
        assert os.path.getsize(page) > 0
        shown = page._repr_html_()
        assert html.unescape(shown.split('srcdoc="')[1].split('"')[0]) == text


class TestNotebooks:
    def test_there_are_five_without_outputs(self):
        assert len(NOTEBOOKS) == 5
        for path in NOTEBOOKS:
            for cell in json.loads(path.read_text())["cells"]:
                assert cell["cell_type"] == "markdown" or (
                    cell["outputs"] == [] and cell["execution_count"] is None
                )

    @pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
    def test_they_run(self, path, program, tmp_path):
        run_notebook(pytest.importorskip("nbformat").read(path, 4), tmp_path)

    def test_commands_show_themselves(self, program, tmp_path):
        v4 = pytest.importorskip("nbformat").v4
        perpend.run("simulate", "stack:1", "--steps", 4, "--out", tmp_path / "r.h5")
        cells = [
            "import perpend; world = perpend.World('stack:1'); perpend.solve(world.next_frame())",
            "perpend.doctor('r.h5')",
            "perpend.reproduce('configurations', out='papers', quick=True)",
            "viewer = perpend.view('r.h5', browser=False); viewer",
            "viewer.close()",
        ]
        if "pages to share: yes" in perpend.run("--version").stdout:
            cells.append("perpend.share('r.h5', 'r.html')")
        book = v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])
        run_notebook(book, tmp_path)
        shown = [cell.outputs[0]["data"]["text/html"] for cell in book.cells if cell.outputs]
        words = ["own_error", "verdict: sound", "claims agree", "http://127.0.0.1:", "<iframe"]
        assert all(word in html for word, html in zip(words, shown))
        assert len(shown) == len(cells) - 1


def run_notebook(book, folder):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    os.environ.update(ENVIRONMENT, JUPYTER_DATA_DIR=str(folder), IPYTHONDIR=str(folder))
    kernel = folder / "kernels" / "python3"
    kernel.mkdir(parents=True)
    words = [sys.executable, "-B", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernel / "kernel.json").write_text(json.dumps({"argv": words, "display_name": "Python 3"}))
    where = {"metadata": {"path": str(folder)}}
    nbclient.NotebookClient(book, timeout=120, resources=where).execute()


class TestPackages:
    def test_pip_installs_it_without_a_network(self, tmp_path):
        pytest.importorskip("wheel")
        pytest.importorskip("pip")
        source = tmp_path / "source"
        source.mkdir()
        for name in ("pyproject.toml", "setup.py", "CMakeLists.txt", "LICENSE"):
            shutil.copy(ROOT / name, source)
        venv = tmp_path / "venv"
        made = execute(sys.executable, "-m", "venv", "--system-site-packages", venv)
        if made.returncode:
            pytest.skip("python3-venv is missing")
        environment = {**os.environ, "PERPEND_PYTHON_FOLDER": str(PACKAGE.parent)}
        environment.pop("PYTHONPATH", None)
        pip = [venv / "bin" / "pip", "install", "--no-build-isolation", "--no-index", source]
        done = execute(*pip, env=environment)
        assert done.returncode == 0, done.stderr
        told = "import perpend; print(perpend.__version__, perpend.__file__)"
        out = execute(venv / "bin" / "python", "-c", told, env=environment, cwd=tmp_path).stdout
        assert out.split()[0] == perpend.__version__ and str(venv) in out

    def test_what_is_not_built_yet_is_built_by_pip(self, tmp_path):
        pytest.importorskip("wheel")
        pytest.importorskip("pip")
        source = tmp_path / "source"
        source.mkdir()
        for name in ("pyproject.toml", "setup.py", "CMakeLists.txt", "LICENSE"):
            shutil.copy(ROOT / name, source)
        shutil.copytree(ROOT / "python", source / "python")
        # The cmake of this test has compiled before.
        cmake = tmp_path / "bin" / "cmake"
        cmake.parent.mkdir()
        cmake.write_text(
            f"#!/bin/sh\ncase $1 in --build)\n mkdir -p build/release/python\n"
            f" cp -r '{PACKAGE}' build/release/python ;;\nesac\n"
        )
        environment = {**os.environ, "PATH": f"{cmake.parent}:{os.environ['PATH']}"}
        environment.pop("PERPEND_PYTHON_FOLDER", None)
        words = ["wheel", "--no-build-isolation", "--no-index", "--no-deps", "-w", tmp_path, source]
        cmake.chmod(0o644)
        environment["PATH"] = str(cmake.parent)
        done = execute(sys.executable, "-m", "pip", *words, env=environment)
        assert done.returncode != 0 and "perpend is not compiled" in done.stdout + done.stderr
        cmake.chmod(0o755)
        environment["PATH"] += f":{os.environ['PATH']}"
        done = execute(sys.executable, "-m", "pip", *words, env=environment)
        assert done.returncode == 0, done.stderr
        (wheel,) = tmp_path.glob("perpend-*.whl")
        names = zipfile.ZipFile(wheel).namelist()
        for name in ("__init__.py", "_perpend.pyi", "py.typed", next(PACKAGE.glob("*.so")).name):
            assert "perpend/" + name in names


class TestOctave:
    def test_a_solver_there_is_judged_by_measure(self, program, tmp_path):
        octave = shutil.which("octave-cli") or shutil.which("octave")
        if not octave:
            pytest.skip("octave is missing")
        frame = perpend.read(FRAMES / "blocks.jsonl")[0]
        assert frame.contacts.mu[0] > 0.1
        perpend.write(tmp_path / "in.h5", frame)
        folder = ROOT / "examples" / "matlab"
        script = f"addpath('{folder}'); solve_frames('in.h5', 'out.jsonl', 'z.csv');"
        done = execute(octave, "--no-gui", "--quiet", "--norc", "--eval", script, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        for words in (["in.h5", "--impulses", "z.csv"], ["out.jsonl"]):
            judged = execute(
                program, "measure", *words, "--tolerance", "1e-6", "--json", cwd=tmp_path
            )
            assert judged.returncode == 0, judged.stdout + judged.stderr
            (row,) = json.loads(judged.stdout)["results"]
            assert row["errors"]["velocity_error"] <= 1e-6
        a, b = perpend.read(tmp_path / "in.h5")[0], perpend.read(tmp_path / "out.jsonl")[0]
        for group in ("bodies", "contacts"):
            for column in dir(getattr(b, group)):
                was, now = getattr(getattr(a, group), column), getattr(getattr(b, group), column)
                assert was is None or now is None or np.array_equal(was, now), column
        # A worse answer is refused.
        z = np.loadtxt(tmp_path / "z.csv", delimiter=",")
        np.savetxt(tmp_path / "w.csv", 1.1 * z, delimiter=",")
        words = ["measure", "in.h5", "--impulses", "w.csv", "--tolerance", "1e-6"]
        assert execute(program, *words, cwd=tmp_path).returncode == 1
