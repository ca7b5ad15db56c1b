"""Comparing solvers, those of Python too.

>>> import perpend
>>> frames = [perpend.Scene("stack:2").first_frame()]
>>> result = perpend.bench(frames, ["ncp/nncg", "box/pgs"], repeat=1, max_iterations=2000)
>>> [row["status"] for row in result.rows]
['converged', 'converged']
"""

from __future__ import annotations

import html
import json
import os
import select
import signal
import sys
import tempfile
import traceback
from typing import Any, Iterable

from . import _perpend, plugin
from .files import write
from .plugin import Solver
from .program import Page


class Bench:
    """Results of a campaign: rows, a table, and the report in `folder`."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = os.fspath(folder)
        self.document = json.loads(_perpend.read_results(self.folder))
        self.solvers = [s["name"] for s in self.document["solvers"]]
        self.problems = self.document["problems"]
        self.settings = self.document["settings"]
        self.rows = self._rows()

    def _rows(self) -> list[dict[str, Any]]:
        table = self.document["results"]
        texts = self.document["texts"]
        rows = []
        for i in range(len(table["solver"])):
            row: dict[str, Any] = {}
            for name, column in table.items():
                if name == "first":  # when tolerances were met: `document` has it
                    continue
                if isinstance(column, dict):  # work, errors
                    row[name] = {key: values[i] for key, values in column.items()}
                else:
                    row[name] = column[i]
            for name in ("message", "path"):
                row[name] = texts[row[name]]
            row["solver"] = self.solvers[row["solver"]]
            row["python"] = python_share(row["path"])
            rows.append(row)
        return rows

    def history(self, i: int) -> dict[str, list[Any]]:
        """Columns of the history of row i, as those of Result.history."""
        i = range(len(self.rows))[i]
        all_rows = self.document["histories"]
        part = slice(*all_rows["offset"][i : i + 2])
        return {name: column[part] for name, column in all_rows.items() if name != "offset"}

    @property
    def report(self) -> Page:
        """The page that `perpend report` writes."""
        return Page(os.path.join(self.folder, "report.html"))

    def columns(self) -> dict[str, list[Any]]:
        """Rows as columns, ready for pandas.DataFrame."""
        plain = [k for k, v in self.rows[0].items() if not isinstance(v, (dict, list))]
        table = {key: [row[key] for row in self.rows] for key in plain}
        for name in self.rows[0].get("errors", {}):
            table[name] = [row.get("errors", {}).get(name) for row in self.rows]
        return table

    def summary(self) -> list[dict[str, Any]]:
        """One line per solver: solved problems, their median time, and Python's share of it."""
        lines = []
        for name in self.solvers:
            rows = [row for row in self.rows if row["solver"] == name]
            solved = [row for row in rows if row["status"] == "converged"]
            seconds = sorted(row["seconds"] for row in solved)
            shares = [row["python"] for row in rows if row["python"] is not None]
            lines.append(
                {
                    "solver": name,
                    "problems": len(rows),
                    "solved": len(solved),
                    "seconds": seconds[len(seconds) // 2] if seconds else None,
                    "iterations": sorted(r["iterations"] for r in solved)[len(solved) // 2]
                    if solved
                    else None,
                    "python": sum(shares) / len(shares) if shares else 0.0,
                }
            )
        return lines

    def __repr__(self) -> str:
        def cell(value):
            return "-" if value is None else f"{value:.3g}" if isinstance(value, float) else value

        lines = ["solver, solved, median iterations, median s, of it in Python"]
        for line in self.summary():
            lines.append(
                f"{line['solver']}, {line['solved']} of {line['problems']}, "
                f"{cell(line['iterations'])}, {cell(line['seconds'])}, {line['python']:.0%}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [line.split(", ") for line in repr(self).splitlines()]
        out = ""
        for i, row in enumerate(rows):
            tag = "td" if i else "th"
            out += "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in row) + "</tr>"
        return f"<table>{out}</table>"


def python_share(path):
    """The share of a solver's time that was Python's, from the path of its answer; else None."""
    at = path.rfind("Python (")
    return int(path[at + 8 :].split(" ")[0]) / 100 if at >= 0 else None


def bench(
    frames: Any,
    solvers: str | Solver | Iterable[str | Solver],
    out: str | os.PathLike[str] | None = None,
    title: str = "",
    **settings: Any,
) -> Bench:
    """Compares solvers on frames as `perpend bench` does: each solve in a worker process.

    `frames`: frames, files, or a mixture. `solvers`: names and generator functions. Settings:
    tolerance, error, max_iterations, time_limit, memory_limit, warm_start, repeat, facets, seed,
    jobs, set. Without `out` the folder with results and report is a new temporary one.
    """
    _perpend._check_bench(settings)
    folder = os.fspath(out) if out is not None else tempfile.mkdtemp(prefix="perpend-bench-")
    os.makedirs(folder, exist_ok=True)
    all_given = [solvers] if isinstance(solvers, str) or callable(solvers) else list(solvers)
    told = [s if isinstance(s, str) else plugin.described(s) for s in all_given]
    given = [s if isinstance(s, str) else s.name for s in told]
    for name in given:
        if given.count(name) > 1:
            raise ValueError(f"two solvers are called '{name}'")
    names = [s if isinstance(s, str) else plugin.add(s) for s in told]
    known = [info.name for info in _perpend.solvers()]
    for name in names:
        if name not in known:
            raise ValueError(f"unknown solver '{name}' (perpend.solvers() lists them)")
    if isinstance(frames, (str, os.PathLike, _perpend.Frame, _perpend.System)):
        frames = [frames]
    files: list[Any] = []
    loose: list[_perpend.Frame] = []
    for one in frames:
        if not isinstance(one, (str, os.PathLike, _perpend.Frame)):
            raise TypeError(f"bench() takes frames and files, not {type(one).__name__}")
        (loose if isinstance(one, _perpend.Frame) else files).append(one)
    if not names or not (files or loose):
        raise ValueError(f"there are no {'frames' if names else 'solvers'} to compare")
    if loose:
        files.append(os.path.join(folder, "frames.h5"))
        write(files[-1], loose)
    files = [os.fspath(file) for file in files]
    in_child(lambda: _perpend._bench(files, names, settings, title, folder))
    return Bench(folder)


def _heard_once(*_):
    """Ctrl-C in the child. From a terminal it comes twice: from there, and from the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def in_child(work):
    """Runs it in a child process: the workers are forks of one that has a single thread."""
    sys.stdout.flush()
    sys.stderr.flush()
    read, write_to = os.pipe()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    child = os.fork()
    if child == 0:
        told, code = b"", 0
        try:
            signal.signal(signal.SIGINT, _heard_once)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(read)
            work()
        except KeyboardInterrupt:
            code = 130
        except BaseException as error:
            kind = "InputError" if isinstance(error, _perpend.InputError) else "RuntimeError"
            told, code = f"{kind}\n{error}".encode(), 1
            if not isinstance(error, (ValueError, RuntimeError)):
                traceback.print_exc()
        finally:
            try:
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                os.write(write_to, told)
            finally:
                os._exit(code)
    told = b""
    try:
        os.close(write_to)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        while True:
            select.select([read], [], [])
            part = os.read(read, 65536)
            if not part:
                break
            told += part
    except BaseException:
        try:
            os.kill(child, signal.SIGINT)
            os.waitpid(child, 0)
        except BaseException:  # the second Ctrl-C
            os.kill(child, signal.SIGKILL)
            raise
        raise
    finally:
        os.close(read)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 130:
        raise KeyboardInterrupt
    if code != 0:
        kind, _, words = told.decode().partition("\n")
        failure = _perpend.InputError if kind == "InputError" else RuntimeError
        raise failure(words or f"the comparison ended with exit code {code}")
