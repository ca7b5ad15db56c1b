"""Runs the built program, and writes the small problems the tests feed to it."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["PERPEND_PROGRAM"]
SOURCE = os.environ["PERPEND_SOURCE_DIR"]
SHARED = os.environ.get("PERPEND_SHARED", os.path.join(SOURCE, "..", "shared"))
GRAVITY = 9.81
STEP = 0.01


class Answer:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def json(self):
        """The one document on stdout; anything else there makes this fail."""
        return json.loads(self.out, parse_constant=self._refuse)

    @staticmethod
    def _refuse(constant):
        raise ValueError("not JSON: " + constant)


def run(*arguments, timeout=120, folder=None):
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        cwd=folder,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def frame(mu=0.5, velocity=(0, 0, 0), contacts=1, name="", z=None, joint=False, **more):
    """A point of 1 kg on a fixed plane z = 0, under gravity, touching at `contacts` equal points."""
    record = {
        "step": STEP,
        "bodies": {
            "ids": [0, 7],
            "masses": [0, 1],
            "inertia": [[None] * 9, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
            "positions": [[0, 0, 0], [0, 0, 0]],
            "velocities": [[0] * 6, [*velocity, 0, 0, 0]],
            "forces": [[None] * 6, [0, 0, -GRAVITY, 0, 0, 0]],
        },
    }
    if contacts:
        record["contacts"] = {
            "pairs": [[0, 7]] * contacts,
            "normals": [[0, 0, 1]] * contacts,
            "points": [[0, 0, 0]] * contacts,
            "gap": [0] * contacts,
            "mu": [mu] * contacts,
        }
    if joint:  # keeps the point from moving along x
        record["constraints"] = {
            "pairs": [[0, 7]],
            "rows": [1],
            "jacobian": [[-1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]],
            "bounds": [[None, None]],
            "violation": [0],
        }
    if name:
        record["name"] = name
    if z is not None:
        record["expected"] = {"z": z}
    record.update(more)
    return record


def sliding(speed=1.0, mu=0.5, **more):
    return frame(mu=mu, velocity=(speed, 0, 0), **more)


def tower(boxes, ratio=10.0):
    """Unit boxes of growing mass on each other, four contacts per face: slow for sweeps."""
    masses = [0.0] + [ratio ** (i / boxes) for i in range(boxes)]
    corners = [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
    inertia = [[None] * 9] + [[m / 6, 0, 0, 0, m / 6, 0, 0, 0, m / 6] for m in masses[1:]]
    return {
        "step": STEP,
        "bodies": {
            "ids": list(range(boxes + 1)),
            "masses": masses,
            "inertia": inertia,
            "positions": [[0, 0, i - 0.5] for i in range(boxes + 1)],
            "velocities": [[0] * 6] + [[0.1 * i, 0, 0, 0, 0.05, 0] for i in range(boxes)],
            "forces": [[None] * 6] + [[0, 0, -GRAVITY * m, 0, 0, 0] for m in masses[1:]],
        },
        "contacts": {
            "pairs": [[i, i + 1] for i in range(boxes) for _ in corners],
            "normals": [[0, 0, 1]] * (4 * boxes),
            "points": [[x, y, 0.5] for _ in range(boxes) for x, y in corners],
            "gap": [0] * (4 * boxes),
            "mu": [0.5] * (4 * boxes),
        },
    }


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def lines(self, *records, name="frames.jsonl"):
        """A file of JSON lines."""
        return self.write(name, "".join(json.dumps(record) + "\n" for record in records))

    def standard(self, *records, name="frames.h5"):
        """The same as a standard file."""
        source = self.lines(*records, name=name + ".jsonl")
        self.succeeds("convert", source, self.path(name))
        return self.path(name)

    @staticmethod
    def text(path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def bytes(path):
        with open(path, "rb") as file:
            return file.read()

    def raw(self, name="raw.json", **problem):
        return self.write(name, json.dumps(problem))

    def succeeds(self, *arguments):
        answer = run(*arguments)
        self.assertEqual(answer.code, 0, answer.err + answer.out)
        return answer

    def refuses(self, *arguments, says):
        """Exit code 2, one line on stderr that says why, nothing on stdout."""
        answer = run(*arguments)
        self.assertEqual(answer.code, 2, answer.err + answer.out)
        self.assertEqual(answer.out, "")
        self.assertEqual(answer.err.count("\n"), 1, answer.err)
        self.assertTrue(answer.err.startswith("perpend: "), answer.err)
        self.assertNotIn("internal error", answer.err)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, answer.err)
        return answer


def solver_names():
    """Ours: what `all` means. Peers are there only where their libraries were found."""
    return [
        entry["name"]
        for entry in run("solvers", "--json").json()["solvers"]
        if entry["origin"] == "perpend"
    ]
