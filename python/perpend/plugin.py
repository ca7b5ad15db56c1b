"""Solvers in Python: a generator function that yields iterates.

>>> from perpend import plugin
>>> @plugin.solver("box/do-nothing")
... def do_nothing(problem):
...     "Says that no impulse acts."
...     yield problem.start
>>> do_nothing.name, do_nothing.title
('box/do-nothing', 'Says that no impulse acts.')
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import math
import operator
import os
import threading
import time
import traceback
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

STALLED, INFEASIBLE, FAILED = 1, 2, 3
WORK = ("sweeps", "products", "factorizations", "pivots")

registered = {}  # by name: every function with @solver


class Matrix:
    """A sparse matrix by rows: row i has the entries indptr[i] ... indptr[i + 1] - 1."""

    def __init__(
        self,
        data: NDArray[Any],
        indices: NDArray[Any],
        indptr: NDArray[Any],
        rows: int,
        columns: int,
        clock: Any = None,
    ) -> None:
        self.data, self.indices, self.indptr = data, indices, indptr
        self.shape = (int(rows), int(columns))
        self._clock = clock

    def __matmul__(self, x: ArrayLike) -> NDArray[np.float64]:
        """A x, in compiled code."""
        x = np.ascontiguousarray(x, dtype=float)
        if x.shape != (self.shape[1],):
            raise ValueError(f"A has {self.shape[1]} columns, x has the shape {x.shape}")
        begun = time.perf_counter()
        y = _product(self.data, self.indices, self.indptr, x)
        if self._clock is not None:
            self._clock.compiled += time.perf_counter() - begun
        return y

    def row(self, i: int) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """The columns and values of row i, as arrays that look into the matrix."""
        part = slice(self.indptr[i], self.indptr[i + 1])
        return self.indices[part], self.data[part]

    def diagonal(self) -> NDArray[np.float64]:
        """Its diagonal, a new array."""
        out = np.zeros(min(self.shape))
        for i in range(len(out)):
            columns, values = self.row(i)
            out[i] = values[columns == i].sum()
        return out

    def toarray(self) -> NDArray[np.float64]:
        """All entries, as a dense array."""
        out = np.zeros(self.shape)
        for i in range(self.shape[0]):
            columns, values = self.row(i)
            np.add.at(out[i], columns, values)
        return out

    def tocsr(self) -> Any:
        """The same for scipy."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape)

    def __repr__(self) -> str:
        return f"<Matrix {self.shape[0]} x {self.shape[1]}, {len(self.data)} entries>"


def _product(data, indices, indptr, x):
    try:
        from ._perpend import _product as compiled
    except ImportError:
        products = np.append(data * x[indices], 0.0)
        sums = np.add.reduceat(products, np.minimum(indptr[:-1], len(data)))
        return np.where(np.diff(indptr) > 0, sums, 0.0)
    return compiled(data, indices, indptr, x)


class Task:
    """One problem as a solver sees it: z has `size` numbers (include/perpend/peers/plugin.h).

    formulation, size, contacts, joint_rows, A, b, mu, lower, upper, friction_bounds, step, mass,
    jacobian, free_velocity, start, tolerance, seed, options.
    """

    formulation: str
    size: int
    contacts: int
    joint_rows: int
    A: Matrix
    b: NDArray[np.float64]
    mu: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    friction_bounds: Optional[NDArray[np.float64]]
    step: float
    mass: Optional[Matrix]
    jacobian: Optional[Matrix]
    free_velocity: Optional[NDArray[np.float64]]
    start: NDArray[np.float64]
    tolerance: float
    seed: int
    options: Dict[str, Any]

    def __init__(self, columns: dict[str, Any], host: Any, watch: Any) -> None:
        self.compiled = 0.0
        self._watch = watch
        self._excluded = 0.0
        for name, value in columns.items():
            if name in ("A", "mass", "jacobian") and value is not None:
                data, places, starts, rows, width = value
                value = Matrix(data, places, starts, rows, width, clock=self)
            if name == "friction_bounds" and value is not None:
                value = value.reshape(-1, 2)
            setattr(self, name, value)
        self._host = host
        self._forget()

    def _forget(self):
        self._work, self._restarted = [0, 0, 0, 0], False

    _path = ""

    def own_error(self, z: ArrayLike) -> float:
        """The largest row of this problem's natural map at z, m/s. Its time is not billed."""
        begun = time.perf_counter()
        error = self._host.own_error(self._iterate(z))
        spent = time.perf_counter() - begun
        self._excluded += spent
        self._watch.exclude(spent)
        return error

    def count(self, work: str, times: int = 1) -> None:
        """Counts work: sweeps, products, factorizations or pivots."""
        if work not in WORK:
            raise ValueError(f"count() takes {', '.join(WORK)}, not {work!r}")
        if not 0 <= operator.index(times) < 2**62:
            raise ValueError(f"count() takes how often, not {times}")
        self._work[WORK.index(work)] += times

    def restarted(self) -> None:
        """The method starts again from here."""
        self._restarted = True

    def path(self, text: str) -> None:
        """Another method gave the answer."""
        self._path = str(text)

    def _iterate(self, z):
        given = np.asarray(z)
        if given.dtype.kind not in "biuf":
            raise ValueError("an iterate is no array of real numbers")
        z = np.ascontiguousarray(given, dtype=float).reshape(-1)
        if z.shape != (self.size,):
            raise ValueError(f"an iterate has {z.size} numbers, expected {self.size}")
        if sum(n != 1 for n in given.shape) > 1 and given.shape[-1] != 3:
            raise ValueError(f"an iterate has the shape {given.shape}, expected ({self.size},)")
        return z


Solver = Callable[[Task], Iterator[Any]]  # what yields iterates
S = TypeVar("S", bound=Callable[..., Any])


class Infeasible(Exception):
    """Raise it in a solver if there is provably no solution."""


class Stalled(Exception):
    """Raise it in a solver that cannot go on, with the reason."""


class _Late(BaseException):
    """Raised within a solver that does not yield before its time limit."""


class _Watch:
    """Ends a generator of this process that computes beyond its limit: a thread raises _Late in it.

    Python raises it between two of its instructions: a call of compiled code ends first.
    """

    GRACE = 0.5  # s

    def __init__(self, host):
        left = getattr(host, "time_left", lambda: math.inf)  # perpend.worker is killed instead
        self._left, self._news, self._ends = left, threading.Condition(), math.inf
        self._whom = threading.get_ident()
        self._on = math.isfinite(left())
        if self._on:
            self.begin()
            threading.Thread(target=self._run, daemon=True).start()

    def begin(self):
        """The next iterate is due within what is left."""
        if self._on:
            self._ends = time.monotonic() + self._left() + self.GRACE

    def exclude(self, seconds):
        self._ends += seconds

    def _run(self):
        with self._news:
            while self._on:
                if time.monotonic() >= self._ends:
                    self._raise(_Late)
                    return
                self._news.wait(min(self._ends - time.monotonic(), 3600))

    def _raise(self, what):
        whom = ctypes.c_ulong(self._whom)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(whom, what and ctypes.py_object(what))

    def end(self):
        if self._on:
            with self._news:
                self._on = False
                self._raise(None)  # one that is on its way
                self._news.notify()


def drive(function, columns, host):
    """Runs a generator until the host says that it is enough."""
    watch = _Watch(host)
    try:
        try:
            _drive(function, columns, host, watch)
        finally:
            watch.end()
    except _Late:
        host.late()


def _drive(function, columns, host, watch):
    task = Task(columns, host, watch)
    clock = time.perf_counter
    iterates = None

    def since(begun):
        seconds = max(0.0, clock() - begun - task._excluded)
        told = (seconds, min(task.compiled, seconds), task._work, task._restarted, task._path)
        task.compiled = task._excluded = 0.0
        task._forget()
        return told

    begun = clock()
    try:
        iterates = function(task)
        while True:
            z = task._iterate(next(iterates))
            if not host.next(z, *since(begun)):
                return
            watch.begin()
            begun = clock()
    except StopIteration as end:
        why = end.value or "the solver returned without an answer"
        host.finish(STALLED, str(why), *since(begun))
    except Stalled as why:
        host.finish(STALLED, str(why), *since(begun))
    except Infeasible as why:
        host.finish(INFEASIBLE, str(why), *since(begun))
    except Exception as error:
        host.finish(FAILED, where(error), *since(begun))
    finally:
        if iterates is not None and hasattr(iterates, "close"):
            iterates.close()


def where(error):
    """An exception as one line with file and line, as far out as it is not ours."""
    at = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.dirname(frame.filename) != os.path.dirname(__file__):
            at = f" ({os.path.basename(frame.filename)}, line {frame.lineno})"
    if isinstance(error, SyntaxError) and error.filename:
        at = f" ({os.path.basename(error.filename)}, line {error.lineno})"
    text = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    return f"{type(error).__name__}: {text}{at}"


def option(
    fallback: object,
    meaning: str,
    choices: Sequence[str] = (),
    lowest: float = 0.0,
    highest: float = 1e300,
) -> dict[str, Any]:
    """An option of a solver: a number with a range, or one of several words."""
    return {
        "fallback": str(fallback),
        "meaning": meaning,
        "choices": list(choices),
        "lowest": float(lowest),
        "highest": float(highest),
    }


def described(function, name=None, title=None, reference=None, joints=None, options=None):
    """Gives a generator function what the table of solvers needs."""
    if not callable(function):
        raise TypeError(f"a solver is a name or a generator function, not {function!r}")
    called = getattr(function, "__name__", "solver").strip("<>").replace("_", "-")
    words = inspect.getdoc(function) or ""
    if inspect.ismethod(function):  # which cannot have a name of its own
        function = functools.partial(function)
    function.name = name or getattr(function, "name", "ncp/" + called)
    function.title = title or getattr(function, "title", words.split("\n")[0] or called)
    function.reference = reference or getattr(function, "reference", "this user")
    function.joints = getattr(function, "joints", True) if joints is None else joints
    if options is not None or not hasattr(function, "options"):
        function.options = [dict(one, name=key) for key, one in (options or {}).items()]
    return function


def solver(
    name: str,
    title: str | None = None,
    reference: str | None = None,
    joints: bool = True,
    options: dict[str, dict[str, Any]] | None = None,
) -> Callable[[S], S]:
    """Makes a generator function a solver: it yields iterates z until it is not asked for more."""
    if not isinstance(name, str):
        raise TypeError('a solver needs a name: @perpend.solver("ncp/my-method")')

    def decorate(function: S) -> S:
        if worker and name in registered:  # in a notebook a cell is run again
            raise ValueError(f"two solvers are called '{name}'")
        told: S = described(function, name, title, reference, joints, options)
        registered[name] = told
        if not worker:
            add(told)
        return told

    return decorate


worker = False  # perpend.worker only collects


def add(function):
    """Adds a described function to the table of solvers of this process; returns its name."""
    from . import _perpend

    _perpend._add_solver(
        function.name,
        function.title,
        function.reference,
        function.joints,
        function.options,
        "Python",
        lambda columns, host: drive(function, columns, host),
    )
    return function.name
