"""Plots with matplotlib: convergence, profile, forces, the timeline of errors.

Each draws into `axes`, or a new figure, and returns the axes.
"""

from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _perpend
from .bench import Bench


def _axes(axes, what, **labels):
    if axes is None:
        import matplotlib.pyplot as pyplot

        axes = pyplot.figure(figsize=(6, 4)).add_subplot()
    axes.set(**labels)
    if axes.get_title() == "":
        axes.set_title(what)
    return axes


def convergence(
    results: _perpend.Result | dict[str, _perpend.Result],
    measure: str = "velocity_error",
    over: str = "iteration",
    axes: Any = None,
) -> Any:
    """The error of each iteration. `results`: one Result with a history, or a dict of them."""
    if isinstance(results, _perpend.Result):
        results = {results.path: results}
    axes = _axes(axes, "Convergence", xlabel=over, ylabel=_label(measure))
    for name, result in results.items():
        history = result.history
        for column in (measure, over):
            if column not in history:
                raise ValueError(f"{name} has no history of {column}: solve with history=True")
        axes.semilogy(history[over], np.maximum(history[measure], 1e-300), label=name)
    axes.legend()
    return axes


def profile(bench: Bench, axes: Any = None) -> Any:
    """Performance profile: the share of problems that a solver solves within a factor of the best."""
    axes = _axes(axes, "Profile", xlabel="time over the best solver's", ylabel="share of problems")
    seconds: dict[str, dict[int, float]] = {name: {} for name in bench.solvers}
    for row in bench.rows:
        if row["status"] == "converged":
            seconds[row["solver"]][row["problem"]] = max(row["seconds"], 1e-7)
    best: dict[int, float] = {}
    for times in seconds.values():
        for problem, time in times.items():
            best[problem] = min(time, best.get(problem, time))
    count = len(bench.problems)
    for name, times in seconds.items():
        ratios = np.sort([time / best[problem] for problem, time in times.items()])
        shares = np.arange(1, len(ratios) + 1) / count
        axes.step(np.r_[1, ratios], np.r_[0, shares], where="post", label=name)
    axes.set_xscale("log")
    axes.set_ylim(0, 1.05)
    axes.legend()
    return axes


def forces(frame: _perpend.Frame, impulses: ArrayLike, axes: Any = None, plane: str = "xz") -> Any:
    """The contacts of a frame and the forces on their second bodies, seen along an axis."""
    if len(plane) != 2 or not set(plane) <= set("xyz"):
        raise ValueError(f"plane: expected two of x, y and z, not '{plane}'")
    u, v = ("xyz".index(letter) for letter in plane)
    axes = _axes(axes, "Forces", xlabel=f"{plane[0]} (m)", ylabel=f"{plane[1]} (m)")
    system = _perpend.assemble(frame)
    z = np.asarray(impulses, dtype=float).ravel()[: 3 * system.contacts].reshape(-1, 3)
    contacts, bodies = frame.contacts, frame.bodies
    if len(z) != len(contacts.gap):
        raise ValueError(f"{len(z)} impulses for {len(contacts.gap)} contacts")
    points = bodies.positions[contacts.pairs[:, 0]] + contacts.points
    tangents = contacts.tangents
    if tangents is None:
        tangents = np.array([_tangents(n) for n in contacts.normals])
    force = z[:, :1] * contacts.normals + z[:, 1:2] * tangents[:, :3] + z[:, 2:] * tangents[:, 3:]
    force = force / frame.step
    axes.plot(points[:, u], points[:, v], "k.", markersize=4)
    axes.quiver(points[:, u], points[:, v], force[:, u], force[:, v], angles="xy", color="C3")
    axes.plot(bodies.positions[:, u], bodies.positions[:, v], "+", color="C0")
    axes.set_aspect("equal", adjustable="datalim")
    return axes


def timeline(
    what: str | os.PathLike[str] | Sequence[_perpend.Frame],
    measure: str = "velocity_error",
    axes: Any = None,
) -> Any:
    """The error of each frame's recorded answer over time. `what`: a path or frames."""
    frames = what if isinstance(what, (list, tuple)) else _perpend.open(str(what))
    times, errors = [], []
    for i in range(len(frames)):
        frame = frames[i]
        if frame.solution.z is None:
            continue
        joints = frame.solution.z_joints
        told = _perpend.measure(frame, frame.solution.z, joints)
        times.append(frame.time)
        errors.append(told.get(measure, np.nan))
    if not times:
        raise ValueError("no frame has a recorded answer (/solution/z)")
    axes = _axes(axes, "Recorded answers", xlabel="time (s)", ylabel=_label(measure))
    axes.semilogy(times, np.maximum(errors, 1e-300))
    return axes


def _label(measure):
    units = {name: unit for name, unit, _ in _perpend.measures()}
    unit = units.get(measure, "")
    return f"{measure} ({unit})" if unit else measure


def _tangents(n):
    """t and o of a normal, as docs/format.md says."""
    k = int(np.argmin(np.abs(n)))
    t = np.eye(3)[k] - n[k] * n
    t /= np.linalg.norm(t)
    return np.r_[t, np.cross(n, t)]
