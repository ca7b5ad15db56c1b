"""Many worlds at once, each in one of several processes: Debian's Bullet is not thread-safe.

>>> import perpend
>>> with perpend.Worlds("pile-boxes:3", 4, processes=2) as worlds:
...     worlds.forces[:, 1, 2] = 5.0
...     worlds.step(10)
...     worlds.positions.shape, worlds.steps.tolist()
((4, 8, 3), [10, 10, 10, 10])
>>> one = perpend.World("pile-boxes:3", seed=2)
>>> one.forces[1, 2] = 5.0
>>> one.step(10)
>>> bool((one.positions == worlds.positions[1]).all())
True
"""

from __future__ import annotations

import functools
import mmap
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from multiprocessing.connection import Connection, wait
from socket import socketpair
from typing import Any, Callable, Iterator, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _perpend
from .world import Scene, World


class WorkerError(RuntimeError):
    """A process of Worlds ended by itself; the message says which and how."""


MEMBERS = ("body", "drive", "joint", "next_frame", "restore", "save", "set_drive", "set_state")


class Member:
    """One world of Worlds: all that a World has but controllers. Its process is asked for it."""

    def __init__(self, worlds, index):
        self._worlds, self.index = worlds, index

    scene = property(lambda self: self._worlds.scenes[self.index])
    positions = property(lambda self: self._worlds.positions[self.index])
    quaternions = property(lambda self: self._worlds.quaternions[self.index])
    velocities = property(lambda self: self._worlds.velocities[self.index])
    forces = property(lambda self: self._worlds.forces[self.index])
    steps = property(lambda self: int(self._worlds.steps[self.index]))

    def __getattr__(self, name: str) -> Any:
        if name in ("contacts", "frame", "report", "hash", "time", "h", "penetration"):
            return self._worlds._ask([(self.index, name)])[0]
        if name in MEMBERS:
            return functools.partial(self._call, name)
        raise AttributeError(f"a world of Worlds has no '{name}'")

    @property
    def effort(self):
        return self._worlds._ask([(self.index, "effort")])[0]

    @effort.setter
    def effort(self, effort):
        self._call("__setattr__", "effort", effort)

    def _call(self, name, *given, **named):
        return self._worlds._ask([(self.index, name, given, named)])[0]

    def step(self, count: int = 1) -> None:
        """Makes steps of this world alone."""
        self._call("step", count)

    def reset(self, seed: int | None = None) -> None:
        """Back to the start, as World.reset()."""
        self._call("reset", seed)
        self._worlds._reseed(self.index, seed)

    def __repr__(self):
        return f"<world {self.index} of {self._worlds!r}>"


class Worlds:
    """Worlds that are stepped at the same time, with the bits that each has alone.

    `scene`: what World takes, for all, or a list with one for each; `count` worlds have the seeds
    1, 2, ... or `seeds`. `positions`, `quaternions`, `velocities` and `forces` are arrays [world,
    body, ...] in memory that the processes share, `steps` is how many each has made; worlds[i] is
    one of them. Options are those of World. Functions in `controllers` are called with this object
    before each step. Ctrl-C ends the step that each world is in.
    """

    def __init__(
        self,
        scene: Any = "stack:1",
        count: int | None = None,
        seeds: Sequence[int] | None = None,
        processes: int | None = None,
        **options: Any,
    ) -> None:
        self._closed = "these worlds were never made"
        self.controllers: list[Callable[[Worlds], object]] = []
        self.scenes, self.seeds = _scenes(scene, count, seeds)
        count = len(self.scenes)
        rows = {len(one.bodies) for one in self.scenes}
        if len(rows) > 1:
            raise ValueError(f"the scenes have different numbers of bodies: {sorted(rows)}")
        if processes is None:
            processes = len(os.sched_getaffinity(0))
        if processes < 1:
            raise ValueError(f"processes: {processes} is less than 1")
        self.processes = min(processes, count)
        self._lock, self._number = threading.RLock(), 0
        descriptor, size = _memory(count, rows.pop())
        try:
            self._stop, self.steps, *arrays = _arrays(descriptor, *size)
            self.positions, self.quaternions, self.velocities, self.forces = arrays
            parts = np.array_split(np.arange(count), self.processes)
            self._workers: list[_Worker] = []
            self._end = weakref.finalize(self, _end, self._workers)
            for part in parts:
                self._workers.append(_Worker(part, descriptor, size))
        finally:
            os.close(descriptor)
        self._place = [(w, k) for w in self._workers for k in range(len(w.part))]
        self._closed = ""
        given = [(i, self.scenes[i], self.seeds[i]) for i in range(count)]
        try:
            plugin = _plugin(options.get("solver", "ncp/auto"))
            self._talk(
                [(w, "make", [given[i] for i in w.part], options, plugin) for w in self._workers]
            )
        except BaseException:
            self.close()
            raise
        for array in (self.positions, self.quaternions, self.velocities, self.steps):
            array.flags.writeable = False

    # ---- all worlds ----

    def step(self, count: int = 1) -> None:
        """Makes steps in every world; each controller is called before each of them."""
        for _ in range(count if self.controllers else 1):
            for controller in self.controllers:
                controller(self)
            self._talk([(w, "step", 1 if self.controllers else count) for w in self._workers])

    def reset(self, seeds: Sequence[int] | None = None) -> None:
        """Back to the start, with new seeds where they are given."""
        given = [None] * len(self) if seeds is None else self._each(seeds, "seeds")
        self._ask([(i, "reset", (seed,)) for i, seed in enumerate(given)])
        for i, seed in enumerate(given):
            self._reseed(i, seed)

    def set_state(
        self,
        positions: ArrayLike | None = None,
        quaternions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Moves the bodies: arrays [world, body, ...], as World.set_state()."""
        all_given = {"positions": positions, "quaternions": quaternions, "velocities": velocities}
        given = {k: self._each(np.asarray(v), k) for k, v in all_given.items() if v is not None}
        self._ask(
            [(i, "set_state", (), {k: v[i] for k, v in given.items()}) for i in range(len(self))]
        )

    def save(self) -> list[_perpend.Snapshot]:
        """A list of snapshots."""
        return self._of_all("save", ())

    def restore(self, snapshots: Sequence[_perpend.Snapshot]) -> None:
        """Back to where save() was called."""
        self._ask([(i, "restore", (s,)) for i, s in enumerate(self._each(snapshots, "snapshots"))])

    def joint(self, joint: str | int, axis: int = -1) -> dict[str, NDArray[np.float64]]:
        """Coordinate, speed and the drive's force of a joint: arrays over the worlds."""
        readings = self._of_all("joint", (joint, axis))
        return {key: np.array([one[key] for one in readings]) for key in readings[0]}

    def set_drive(self, joint: str | int, axis: int = -1, **fields: ArrayLike) -> None:
        """Changes fields of a joint's drive, each to a number or to one for each world."""
        columns = {k: np.broadcast_to(np.asarray(v, float), len(self)) for k, v in fields.items()}
        self._ask(
            [
                (i, "set_drive", (joint, axis), {k: float(v[i]) for k, v in columns.items()})
                for i in range(len(self))
            ]
        )

    contacts = property(lambda self: self._of_all("contacts"), doc="As World's, in a list.")
    frames = property(lambda self: self._of_all("frame"), doc="World.frame, in a list.")
    reports = property(lambda self: self._of_all("report"), doc="World.report, in a list.")
    hashes = property(lambda self: self._of_all("hash"), doc="World.hash, in a list.")

    def __len__(self) -> int:
        return len(self.scenes)

    @overload
    def __getitem__(self, i: int) -> Member:
        ...

    @overload
    def __getitem__(self, i: slice) -> list[Member]:
        ...

    def __getitem__(self, i: int | slice) -> Member | list[Member]:
        places = range(len(self))[i]
        return (
            Member(self, places) if isinstance(places, int) else [Member(self, k) for k in places]
        )

    def __iter__(self) -> Iterator[Member]:
        return (Member(self, i) for i in range(len(self)))

    def __repr__(self):
        name = self.scenes[0].name
        state = " (closed)" if self._closed else ""
        return f"<Worlds: {len(self)} of {name} in {self.processes} processes{state}>"

    # ---- the processes ----

    def close(self) -> None:
        """Ends the processes. The arrays keep the last state."""
        self._closed = self._closed or "these worlds are closed"
        self._end()

    def __enter__(self) -> Worlds:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _reseed(self, i, seed):
        if seed is not None:
            self.seeds[i], self.scenes[i] = seed, self.scenes[i].seeded(seed)

    def _each(self, values, name):
        if len(values) != len(self):
            raise ValueError(f"{name} has {len(values)} entries, expected {len(self)}: one a world")
        return values if isinstance(values, np.ndarray) else list(values)

    def _of_all(self, name, *given):
        return self._ask([(i, name, *given) for i in range(len(self))])

    def _ask(self, questions):
        """Attributes and methods of worlds: (world, name) or (world, name, given, named)."""
        orders = {}
        for i, name, *rest in questions:
            worker, place = self._place[i]
            orders.setdefault(worker, []).append((place, name, *rest))
        answers = self._talk([(w, "ask", asked) for w, asked in orders.items()])
        streams = {w: iter(answer) for w, answer in zip(orders, answers)}
        return [next(streams[self._place[q[0]][0]]) for q in questions]

    def _talk(self, orders):
        """Sends orders to workers and waits for the answers."""
        with self._lock:
            if self._closed:
                raise ValueError(self._closed)
            self._number += 1
            orders = [(w, pickle.dumps((self._number, *order))) for w, *order in orders]
            with _Patience() as patience:
                try:
                    answers, failed = self._answers(orders, patience)
                except BaseException as error:
                    gone = isinstance(error, WorkerError)
                    self._closed = str(error) if gone else "these worlds were interrupted: closed"
                    self._end()
                    raise
            if failed is not None:
                raise failed
            return answers

    def _answers(self, orders, patience):
        waiting, answers, failed = {}, {}, None
        for worker, order in orders:
            worker.send(order)
            waiting[worker.connection] = worker
        limit = None
        while waiting:
            if patience.error is not None and limit is None:
                limit = time.monotonic() + 10  # a step without an end
                self._stop[0] = self._number
                for worker in waiting.values():
                    worker.process.send_signal(signal.SIGINT)
            if limit is not None and time.monotonic() > limit:
                raise patience.error
            for connection in patience.wait(list(waiting)):
                worker = waiting.pop(connection)
                kind, answers[worker], world = worker.receive()
                if kind == "failed" and failed is None:
                    failed = answers[worker]
                    failed.world = world
                    if hasattr(failed, "add_note"):
                        failed.add_note(f"in world {world}")
        return [answers.get(worker) for worker, _ in orders], failed


class _Patience:
    """Ctrl-C waits until a conversation is over: what its handler raises is raised at the end.

    So are exceptions of other handlers, unless they fall between two halves of a message.
    """

    def __enter__(self):
        self.error, self.listens = None, False
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            self.listens = callable(self._before)
        if self.listens:
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number, frame):
        try:
            self._before(number, frame)
        except BaseException as error:
            self.error = error

    def wait(self, connections):
        try:
            return wait(connections, 0.02 if self.listens else None)
        except BaseException as error:
            self.error = error
            return []

    def __exit__(self, kind, error, trace):
        if self.listens:
            signal.signal(signal.SIGINT, self._before)
        if self.error is not None and self.error is not error:
            raise self.error from None


def _scenes(what, count, seeds):
    """The scene and the seed of each world."""
    several = isinstance(what, (list, tuple))
    lengths = {name: len(x) for name, x in (("scenes", what), ("seeds", seeds))
               if x is not None and (name == "seeds" or several)}  # fmt: skip
    if count is None:
        count = next(iter(lengths.values()), 1)
    for name, length in lengths.items():
        if length != count:
            raise ValueError(f"{length} {name} for {count} worlds")
    if count < 1:
        raise ValueError(f"count: {count} is less than 1")
    seeds = [1 + i for i in range(count)] if seeds is None else [int(seed) for seed in seeds]
    if not several:
        first = what if isinstance(what, Scene) else Scene(what, seeds[0])
        what = [first if isinstance(what, Scene) else first.seeded(seed) for seed in seeds]
    else:
        what = [w if isinstance(w, Scene) else Scene(w, seed) for w, seed in zip(what, seeds)]
    return what, seeds


def _plugin(solver):
    """The file that a solver was loaded from: the processes load it too."""
    for info in _perpend.solvers():
        if info.name == solver and info.origin == "Python":
            raise ValueError(
                f"{solver} is a function of this process; the processes of Worlds take solvers "
                "from files: perpend.load_plugin('solver.py')"
            )
        if info.name == solver and os.path.isabs(info.origin):
            return info.origin
    return None


# ---- shared memory ----


def _memory(count, rows):
    descriptor = os.memfd_create("perpend-worlds")
    os.ftruncate(descriptor, 8 * (1 + count + 19 * count * rows))
    return descriptor, (count, rows)


def _arrays(descriptor, count, rows):
    """The order that is to stop, steps, positions, quaternions, velocities, forces."""
    memory = mmap.mmap(descriptor, 0)
    shapes = [(1,), (count,)] + [(count, rows, width) for width in (3, 4, 6, 6)]
    arrays, at = [], 0
    for i, shape in enumerate(shapes):
        arrays.append(np.ndarray(shape, np.int64 if i < 2 else float, memory, at))
        at += arrays[-1].nbytes
    return arrays


# ---- a process, seen from here ----


# What a process runs: this package, wherever it would find another one.
_START = """
import sys
count = 6 + int(sys.argv[5])
package, sys.path[:] = sys.argv[6:count], sys.argv[count:]
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from importlib import util
spec = util.spec_from_file_location(
    "perpend", package[0] + "/__init__.py", submodule_search_locations=package
)
sys.modules["perpend"] = util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["perpend"])
from perpend.worlds import serve
serve(*map(int, sys.argv[1:5]))
"""
_PACKAGE = [os.path.abspath(folder) for folder in sys.modules[__package__].__path__]
_NUMPY = os.path.dirname(os.path.dirname(os.path.abspath(np.__file__)))


def _path():
    """The folders of this process without the current one, unless numpy is there."""
    here = os.path.realpath(os.curdir)
    path = [folder for folder in sys.path if os.path.realpath(folder or os.curdir) != here]
    return path if _NUMPY in path else [*path, _NUMPY]


class _Worker:
    def __init__(self, part, memory, size):
        self.part = part.tolist()
        ours, theirs = socketpair()
        words = [sys.executable, *(["-B"] if sys.dont_write_bytecode else []), "-c", _START]
        # Its standard input ends when this process does. A session of its own: Ctrl-C in the
        # terminal is for this process.
        self.process = subprocess.Popen(
            [
                *words,
                *map(str, (theirs.fileno(), memory, *size, len(_PACKAGE))),
                *_PACKAGE,
                *_path(),
            ],
            stdin=subprocess.PIPE,
            pass_fds=(theirs.fileno(), memory),
            start_new_session=True,
        )
        theirs.close()
        self.connection = Connection(ours.detach())

    def send(self, order):
        try:
            self.connection.send_bytes(order)
        except (BrokenPipeError, ConnectionResetError):
            self._ended()

    def receive(self):
        try:
            return self.connection.recv()
        except (EOFError, ConnectionResetError):
            self._ended()

    def _ended(self):
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            code = None
        how = "hung up" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        first, last = self.part[0], self.part[-1]
        whose = f"world {first}" if first == last else f"worlds {first} to {last}"
        raise WorkerError(f"the process of {whose} {how}; all worlds are closed") from None


def _end(workers):
    for worker in workers:
        worker.connection.close()
        worker.process.stdin.close()
    for worker in workers:
        try:
            worker.process.wait(0.5)
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()


# ---- a process, seen from inside ----


class _Server:
    def __init__(self, memory, size):
        self.stop, self.steps, *self.arrays = _arrays(memory, *size)
        self.order, self.at = 0, None
        self.worlds = []

    def make(self, given, options, plugin):
        if plugin:
            _perpend.load_plugin(plugin)
        for i, scene, seed in given:
            self.at = i
            world = World(scene, seed=seed, **options)
            now = (world.positions, world.quaternions, world.velocities, world.forces)
            self.worlds.append(
                (i, world, [(one, array[i]) for one, array in zip(now, self.arrays)])
            )
            self.publish(len(self.worlds) - 1)

    def publish(self, k):
        i, world, views = self.worlds[k]
        for mine, shared in views:
            shared[...] = mine
        self.steps[i] = world.steps

    def step(self, count):
        for k in range(len(self.worlds)):
            self.one(k, "step", (count,))

    def ask(self, questions):
        return [self.one(*question) for question in questions]

    def one(self, k, name, given=None, named=None):
        self.at, world, views = self.worlds[k]
        mine, shared = views[3]
        mine[...] = shared
        try:
            value = getattr(world, name)
            return value if given is None else value(*given, **(named or {}))
        finally:
            self.publish(k)

    def answer(self, number, name, *given):
        """Carries out an order. Ctrl-C is heard only here, and only if it is for this order."""
        try:
            self.order = number
            if self.stop[0] == number:
                raise KeyboardInterrupt
            return getattr(self, name)(*given)
        finally:
            self.order = 0

    def interrupt(self, *_):
        if self.order and self.stop[0] == self.order:
            self.order = 0
            raise KeyboardInterrupt


def _sendable(error):
    """An exception whose class the other process may not have is told by its words."""
    try:
        return pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


def serve(descriptor, memory, *size):
    """What a process of Worlds does."""

    def watch():
        while os.read(0, 1):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    server = _Server(memory, size)
    signal.signal(signal.SIGINT, server.interrupt)
    connection = Connection(descriptor)
    while True:
        try:
            order = connection.recv()
        except (EOFError, OSError):
            return
        try:
            reply = ("done", server.answer(*order), None)
        except KeyboardInterrupt:
            reply = ("stopped", None, None)
        except Exception as error:
            reply = ("failed", _sendable(error), server.at)
        try:
            connection.send_bytes(pickle.dumps(reply))
        except OSError:
            return
