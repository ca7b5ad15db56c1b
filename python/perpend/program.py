"""The program `perpend`: commands that are not functions here are started.

>>> import perpend
>>> "ncp/auto" in perpend.run("solvers", json=True).stdout
True
"""

from __future__ import annotations

import html
import json as _json
import os
import shutil
import subprocess
import tempfile
from typing import Any, Dict, Sequence


class ProgramError(RuntimeError):
    """The program ended with an error; the line that it said is the message."""


def program() -> str:
    """The path of the program: $PERPEND, the one built with this module, or that on the PATH."""
    beside = os.path.join(os.path.dirname(__file__), "..", "..", "bin", "perpend")
    for path in (os.environ.get("PERPEND"), beside, shutil.which("perpend")):
        if path and os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise ProgramError("the program perpend is not found: set PERPEND or add it to the PATH")


def run(
    *arguments: object, json: bool = False, fails: Sequence[int] = (0,)
) -> subprocess.CompletedProcess[str]:
    """Runs a command and returns its subprocess.CompletedProcess; `json` adds --json."""
    words = [program(), "--quiet", *map(os.fspath, map(str, arguments))]
    done = subprocess.run(words + (["--json"] if json else []), capture_output=True, text=True)
    if done.returncode not in fails:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        last = lines[-1] if lines else f"exit code {done.returncode}"
        raise ProgramError(last.removeprefix("perpend: "))
    return done


class Page(str):
    """The path of a page, which a notebook shows: the whole page is then in its output."""

    def _repr_html_(self) -> str:
        with open(self, encoding="utf-8") as file:
            page = html.escape(file.read())
        return (
            f'<iframe srcdoc="{page}" style="width: 100%; height: 30em; border: 1px solid #ccc">'
            "</iframe>"
        )


class Report(Dict[str, Any]):
    """What a command told as JSON. print() and notebooks show `rows` of it as a table."""

    def __init__(self, document: dict[str, Any], title: str, rows: list[dict[str, Any]]) -> None:
        super().__init__(document)
        self.title, self.rows = title, rows

    def __str__(self) -> str:
        words = [", ".join(f"{key}: {value}" for key, value in row.items()) for row in self.rows]
        return "\n".join([self.title, *words])

    def _repr_html_(self) -> str:
        def cells(tag, words):
            style = "text-align: left; vertical-align: top"
            return "".join(f"<{tag} style='{style}'>{html.escape(str(w))}</{tag}>" for w in words)

        head = f"<tr>{cells('th', self.rows[0])}</tr>" if self.rows else ""
        body = "".join(f"<tr>{cells('td', row.values())}</tr>" for row in self.rows)
        return f"<b>{html.escape(self.title)}</b><table>{head}{body}</table>"


def doctor(
    path: str | os.PathLike[str], other: str | os.PathLike[str] | None = None, **options: Any
) -> Report:
    """What `perpend doctor` says about a recording, or about where two part, as a dict."""
    words = [] if other is None else [other]
    words += [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    told = _json.loads(run("doctor", path, *words, json=True, fails=(0, 1)).stdout)
    verdict = told["verdict"] if isinstance(told["verdict"], str) else ", ".join(told["verdict"])
    rows = [
        {
            "finding": one["title"],
            "where": f"frame {one['frame']}, {one['where']}",
            "says": one["says"],
            "change": one["change"],
            "then": one["predicted"],
        }
        for one in told["findings"]
    ]
    return Report(told, f"verdict: {verdict} ({told['frames']} frames of {path})", rows)


def reproduce(*what: str, out: str | os.PathLike[str], quick: bool = False) -> Report:
    """Makes figures and tables of the papers again: `perpend reproduce WHAT --out OUT`, as a dict."""
    words = ["--quick"] if quick else []
    told = _json.loads(run("reproduce", *what, *words, "--out", out, json=True).stdout)
    told["html"] = Page(os.path.join(out, "index.html"))
    rows = [
        {
            "where": f"{one['paper']}, {claim['where']}",
            "quantity": claim["quantity"],
            "paper": claim["paper"],
            "ours": f"{claim['ours']:.4g}" if isinstance(claim["ours"], float) else claim["ours"],
            "verdict": claim["verdict"],
        }
        for one in told["experiments"]
        for claim in one["claims"]
    ]
    return Report(told, f"{told['agrees']} of {len(rows)} claims agree", rows)


def share(path: str | os.PathLike[str], out: str | os.PathLike[str]) -> Page:
    """Writes a page that shows a recording (docs/share.md), and returns its path."""
    run("view", path, "--share", out)
    return Page(os.fspath(out))


class Viewer:
    """A running `perpend view`. Its page is at `address`; close() ends it, as the end of `with`."""

    def __init__(self, words: list[str]) -> None:
        with tempfile.TemporaryFile("w+") as said:
            self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=said, text=True)
            out = self.process.stdout
            self.address = out.readline().strip() if out else ""
            if not self.address:
                self.process.communicate()
                said.seek(0)
                lines = said.read().splitlines() or ["perpend view ended at once"]
                raise ProgramError(lines[-1].removeprefix("perpend: "))

    def close(self) -> None:
        self.process.terminate()
        self.process.communicate()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "" if self.process.poll() is None else " (ended)"
        return f"<Viewer at {self.address}{state}>"

    def _repr_html_(self) -> str:
        address = html.escape(self.address)
        return f'The viewer: <a href="{address}" target="_blank" rel="noopener">{address}</a>'


def view(what: str | os.PathLike[str], port: int = 0, browser: bool = True) -> Viewer:
    """Starts the viewer of a scene or a recording. In a notebook it is a link."""
    words = [program(), "--quiet", "view", os.fspath(what)]
    words += ["--port", str(port)] if port else []
    words += [] if browser else ["--no-open"]
    return Viewer(words)
