"""The program `perpend`: commands that are not functions here are started.

>>> import perpend
>>> "ncp/auto" in perpend.run("solvers", json=True).stdout
True
"""

from __future__ import annotations

import json as _json
import os
import shutil
import subprocess
import sys


class ProgramError(RuntimeError):
    """The program ended with an error; the line that it said is the message."""


def program():
    """The path of the program: $PERPEND, the one built with this module, or that on the PATH."""
    beside = os.path.join(os.path.dirname(__file__), "..", "..", "bin", "perpend")
    for path in (os.environ.get("PERPEND"), beside, shutil.which("perpend")):
        if path and os.access(path, os.X_OK):
            return os.path.abspath(path)
    raise ProgramError("the program perpend is not found: set PERPEND or add it to the PATH")


def run(*arguments, json=False, fails=(0,)):
    """Runs a command and returns its subprocess.CompletedProcess; `json` adds --json."""
    words = [program(), "--quiet", *map(os.fspath, map(str, arguments))]
    done = subprocess.run(words + (["--json"] if json else []), capture_output=True, text=True)
    if done.returncode not in fails:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        last = lines[-1] if lines else f"exit code {done.returncode}"
        raise ProgramError(last.removeprefix("perpend: "))
    return done


def _document(done):
    return _json.loads(done.stdout)


def doctor(path, other=None, **options):
    """What `perpend doctor` says about a recording, or about where two part, as a dict."""
    words = [] if other is None else [other]
    words += [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    return _document(run("doctor", path, *words, json=True, fails=(0, 1)))


def reproduce(*what, out, quick=False):
    """Makes figures and tables of the papers again: `perpend reproduce WHAT --out OUT`, as a dict."""
    words = ["--quick"] if quick else []
    return _document(run("reproduce", *what, *words, "--out", out, json=True))


def share(path, out):
    """Writes a page that shows a recording (docs/share.md). In a notebook it is shown."""
    run("view", path, "--share", out)
    return _page(out)


def view(what, port=0, browser=True):
    """Starts the viewer of a scene or a recording; .terminate() ends it."""
    words = [program(), "--quiet", "view", os.fspath(what)]
    words += ["--port", str(port)] if port else []
    words += [] if browser else ["--no-open"]
    return subprocess.Popen(words, stderr=sys.stderr)


def _page(path):
    try:
        from IPython import get_ipython
        from IPython.display import IFrame
    except ImportError:
        return path
    return IFrame(os.path.relpath(path), "100%", 480) if get_ipython() else path
