"""The other end of `perpend --plugin solver.py`: python3 -m perpend.worker FILE PARENT.

Speaks the wire of src/peers over its standard input, a socket: a message is its kind and size,
then every field of its struct in order, numbers as they are in memory.
"""

from __future__ import annotations

import ctypes
import os
import runpy
import signal
import socket
import struct
import sys

import numpy as np

TABLE, TASK, STEP, REPLY = 6, 7, 8, 9
ITERATE, FINISH, OWN_ERROR = 0, 1, 2


class Channel:
    def __init__(self, number):
        self.socket = socket.socket(fileno=number)

    def send(self, kind, data):
        self.socket.sendall(struct.pack("=QQ", kind, len(data)) + data)

    def receive(self, wanted):
        kind, size = struct.unpack("=QQ", self.exactly(16))
        data = self.exactly(size)
        if kind != wanted:
            raise EOFError(f"message {kind} instead of {wanted}")
        return data

    def exactly(self, size):
        data = bytearray(size)
        view = memoryview(data)
        while view:
            count = self.socket.recv_into(view)
            if count == 0:
                raise EOFError("the other end is gone")
            view = view[count:]
        return data


def text(words):
    data = str(words).encode("utf-8", "replace")
    return struct.pack("=Q", len(data)) + data


def table(refused, solvers):
    parts = [text(refused), struct.pack("=Q", len(solvers))]
    for s in solvers:
        parts += [text(s.name), text(s.title), text(s.reference), struct.pack("=?", s.joints)]
        parts.append(struct.pack("=Q", len(s.options)))
        for o in s.options:
            parts += [text(o["name"]), text(o["meaning"]), text(o["fallback"])]
            parts.append(struct.pack("=Q", len(o["choices"])))
            parts += [text(word) for word in o["choices"]]
            parts.append(struct.pack("=dd", o["lowest"], o["highest"]))
    return b"".join(parts)


class Reader:
    """The fields of a PythonTask (src/peers/wire.hpp), in order."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, kind):
        (value,) = struct.unpack_from("=" + kind, self.data, self.at)
        self.at += struct.calcsize("=" + kind)
        return value

    def text(self):
        size = self.number("Q")
        self.at += size
        return bytes(self.data[self.at - size : self.at]).decode("utf-8", "replace")

    def list(self, dtype):
        count = self.number("Q")
        values = np.frombuffer(self.data, dtype, count, self.at).copy()
        self.at += values.nbytes
        return values

    def matrix(self):
        rows, columns = self.number("q"), self.number("q")
        starts, indices = self.list(np.int64), self.list(np.int64)
        values = self.list(np.float64)
        return (values, indices, starts, rows, columns) if len(starts) else None


def task(data):
    r = Reader(data)
    solver = r.text()
    columns = {"formulation": r.text()}
    for name in ("size", "contacts", "joint_rows"):
        columns[name] = r.number("q")
    for name in ("step", "tolerance"):
        columns[name] = r.number("d")
    columns["seed"] = r.number("Q")
    for name in ("A", "mass", "jacobian"):
        columns[name] = r.matrix()
    for name in ("b", "mu", "lower", "upper", "friction_bounds", "free_velocity", "start"):
        columns[name] = r.list(np.float64)
    for name in ("friction_bounds", "free_velocity"):
        if len(columns[name]) == 0:
            columns[name] = None
    given = {}
    for _ in range(r.number("Q")):
        key = r.text()
        given[key] = r.text()
    columns["options"] = given
    return solver, columns


class Host:
    """What a running solver has of perpend, over the wire."""

    def __init__(self, channel):
        self.channel = channel

    def step(self, kind, z=(), status=0, words="", seconds=0.0, compiled=0.0, work=(0, 0, 0, 0),
             restarted=False, path=""):  # fmt: skip
        z = np.ascontiguousarray(z, dtype=float)
        data = struct.pack("=qqq", kind, z.size, 1) + z.tobytes() + struct.pack("=q", status)
        data += text(words) + text(path) + struct.pack("=dd", seconds, compiled)
        data += struct.pack("=qqqq?", *work, restarted)
        self.channel.send(STEP, data)

    def reply(self):
        return struct.unpack("=?d", self.channel.receive(REPLY))

    def next(self, z, seconds, compiled, work, restarted, path):
        self.step(ITERATE, z, 0, "", seconds, compiled, work, restarted, path)
        return self.reply()[0]

    def finish(self, status, why, seconds, compiled, work, restarted, path):
        self.step(FINISH, (), status, why, seconds, compiled, work, restarted, path)

    def own_error(self, z):
        self.step(OWN_ERROR, z)
        return self.reply()[1]


def numbers(function, columns):
    """Options of numbers as numbers: the wire has words."""
    words = {o["name"] for o in function.options if o["choices"]}
    given = columns["options"]
    columns["options"] = {k: v if k in words else float(v) for k, v in given.items()}


def main(arguments):
    if len(arguments) != 2 or int(arguments[1]) != os.getppid():
        print("perpend --plugin FILE.py starts this module", file=sys.stderr)
        return 2
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # ends with its parent, however long it computes
    for stop in (signal.SIGINT, signal.SIGHUP):
        signal.signal(stop, signal.SIG_IGN)  # Ctrl-C is for the parent
    channel = Channel(os.dup(0))
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # what solvers print must not be in the program's output

    from . import plugin

    plugin.worker = True
    refused = ""
    try:
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="perpend_plugin")
    except (Exception, SystemExit) as error:
        refused = plugin.where(error)
    channel.send(TABLE, table(refused, list(plugin.registered.values())))
    host = Host(channel)
    try:
        while True:
            name, columns = task(channel.receive(TASK))
            function = plugin.registered[name]
            numbers(function, columns)
            plugin.drive(function, columns, host)
    except (EOFError, OSError):
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
