"""How frames, systems and results are shown, in a terminal and in a notebook."""

from __future__ import annotations

import html

from . import _perpend
from .plugin import Matrix


def _number(x):
    return f"{x:.3g}" if isinstance(x, float) else str(x)


def _counted(count, word):
    return f"{count} {word}" + ("" if count == 1 else "s")


def _table(rows, title=""):
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(str(k))}</th>"
        f"<td style='text-align:right'>{html.escape(_number(v))}</td>"
        f"<td style='text-align:left'>{html.escape(str(unit))}</td></tr>"
        for k, v, unit in rows
    )
    head = f"<b>{html.escape(title)}</b>" if title else ""
    return f"{head}<table>{cells}</table>"


def _frame(frame):
    c = frame.counts
    words = [_counted(c["bodies"], "body").replace("bodys", "bodies")]
    words.append(_counted(c["contacts"], "contact"))
    if c["joints"]:
        words.append(f"{_counted(c['joints'], 'joint')} with {_counted(c['joint_rows'], 'row')}")
    name = f" {frame.name!r}" if frame.name else ""
    return f"<Frame{name}: {', '.join(words)}, h = {_number(frame.step)} s, t = {_number(frame.time)} s>"


def _frame_html(frame):
    rows = [(k, v, "") for k, v in frame.counts.items()]
    rows += [("step", frame.step, "s"), ("time", frame.time, "s"), ("stepper", frame.stepper, "")]
    return _table(rows, frame.name or "Frame")


def _system(system):
    form = "body space" if system.body_space else "explicit blocks"
    joints = f", {_counted(system.joint_rows, 'joint row')}" if system.joint_rows else ""
    return f"<System: {_counted(system.contacts, 'contact')}{joints}, A in {form}>"


def _result(r):
    main = ", ".join(
        f"{name} {_number(r.errors[name])}"
        for name in ("own_error", "velocity_error")
        if name in r.errors
    )
    return (
        f"<Result: {r.status} after {_counted(r.iterations, 'iteration')} in "
        f"{_number(1e3 * r.seconds)} ms by {r.path}; {main}; {r.message}>"
    )


def _result_html(r):
    units = {name: unit for name, unit, _ in _perpend.measures()}
    rows = [
        ("status", r.status, ""),
        ("message", r.message, ""),
        ("path", r.path, ""),
        ("iterations", r.iterations, ""),
        ("seconds", r.seconds, "s"),
    ]
    rows += [(name, value, units.get(name, "")) for name, value in r.errors.items()]
    return _table(rows, "Result")


def _problem(p):
    return f"<Problem: {p.formulation}, {_counted(p.size, 'unknown')}>"


def _matrix(owner):
    """A as a sparse matrix: of a problem of its own a view, else a new matrix."""
    parts = owner._matrix()
    return None if parts is None else Matrix(*parts)


def install():
    _perpend.Frame.__repr__ = _frame
    _perpend.Frame._repr_html_ = _frame_html
    _perpend.System.__repr__ = _system
    _perpend.System.A = property(_matrix, doc="A as a sparse matrix, made anew.")
    _perpend.Result.__repr__ = _result
    _perpend.Result._repr_html_ = _result_html
    _perpend.Problem.__repr__ = _problem
    _perpend.Problem.A = property(_matrix, doc="A of lcp, mlcp and normal, without a copy.")
    for kind in (_perpend.Frame, _perpend.System, _perpend.Result, _perpend.Problem):
        kind.__module__ = "perpend"

    # The plots of perpend.plots as methods, where matplotlib is.
    def plot(self, **how):
        """perpend.plots.convergence of this result: solve with history=True."""
        return _plots().convergence(self, **how)

    _perpend.Result.plot = plot


def _plots():
    from . import plots

    return plots
