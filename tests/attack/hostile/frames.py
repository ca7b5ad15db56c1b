#!/usr/bin/env python3
"""Writes hostile frames: valid input with numbers and structures that break solvers.

    frames.py FILE.jsonl [--frames N]

The same frames every time: no seed is drawn. With --frames N about N of them, spread over all
kinds. Units are those of docs/json.md.
"""

import argparse
import json
import math
import random

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
CORNERS = [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)]
G = 9.81


def minus(v):
    return tuple(-x for x in v)


def powers(*exponents):
    return [float("1e%d" % e) for e in exponents]


class Frame:
    """Body 0 is fixed."""

    def __init__(self, name, step=0.01, **more):
        self.document = {"name": name, "step": step, **more}
        self.bodies = {"masses": [], "inertia": [], "positions": [], "velocities": [], "forces": []}
        self.contacts, self.joints = [], []
        self.body(0.0, 0.0)

    def body(self, mass, inertia=None, at=(0.0, 0.0, 0.0), velocity=(0.0,) * 6, force=None):
        inertia = mass / 6 if inertia is None else inertia
        if not isinstance(inertia, (list, tuple)):
            inertia = [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia]
        force = (0.0, 0.0, -G * mass, 0.0, 0.0, 0.0) if force is None else force
        for column, value in zip(self.bodies, (mass, inertia, at, velocity, force)):
            self.bodies[column].append(value)
        return len(self.bodies["masses"]) - 1

    def contact(self, first, second, point=(0.0, 0.0, 0.0), normal=Z, gap=0.0, mu=0.5, **more):
        self.contacts.append(
            dict(pairs=[first, second], normals=normal, points=point, gap=gap, mu=mu, **more)
        )

    def face(self, first, second, z=0.0, mu=0.5):
        for x, y in CORNERS:
            self.contact(first, second, (x, y, z), mu=mu)

    def row(self, first, second, axis, lower=None, upper=None, violation=0.0, arm=None, rate=0.0):
        """A joint of one row along an axis of the second body, with its moment."""
        arm = (0.0, 0.0, 0.0) if arm is None else arm
        self.joints.append(
            (
                [first, second],
                [[*minus(axis), 0, 0, 0, *axis, *arm]],
                [[lower, upper]],
                [violation],
                [rate],
            )
        )

    def record(self):
        document = dict(self.document, bodies=self.bodies)
        if self.contacts:
            document["contacts"] = {k: [c[k] for c in self.contacts] for k in self.contacts[0]}
        if self.joints:
            pairs, jacobian, bounds, violation, rate = zip(*self.joints)
            document["constraints"] = {
                "pairs": list(pairs),
                "rows": [len(j) for j in jacobian],
                "jacobian": sum(jacobian, []),
                "bounds": sum(bounds, []),
                "violation": sum(violation, []),
                "rate": sum(rate, []),
            }
        return document


def point(
    name,
    mass=1.0,
    inertia=0.2,
    velocity=(1.0, 0.0, -1.0, 0.0, 0.0, 0.0),
    mu=0.5,
    gap=0.0,
    at=(0.0, 0.0, 0.0),
    force=None,
    step=0.01,
    **more,
):
    """One body of one contact."""
    f = Frame(name, step)
    f.body(mass, inertia, (0.0, 0.0, 0.5), velocity, force)
    f.contact(0, 1, at, mu=mu, gap=gap, **more)
    return f


def cube(name, mass=1.0, velocity=(0.0,) * 6, mu=0.5, force=None, step=0.01, inertia=None):
    """One body of four contacts."""
    f = Frame(name, step)
    f.body(mass, inertia, (0.0, 0.0, 0.5), velocity, force)
    f.face(0, 1, mu=mu)
    return f


def masses():
    for m in powers(
        -200, -170, -160, -155, -150, -100, -50, -20, -12, -6, 6, 12, 20, 50, 100, 150, 155, 200
    ):
        yield cube("mass %g" % m, m, (0.3, 0.0, -1.0, 0.0, 0.0, 0.0))
        yield point("mass %g, inertia 1" % m, m, 1.0)
    for m in powers(-160, -9, 9, 100):
        yield cube("mass %g, mu 0" % m, m, mu=0.0)


def inertias():
    for i in powers(-200, -100, -50, -20, -12, -9, -6, -3, 3, 6, 9, 12, 20, 50, 100, 200):
        yield point("inertia %g" % i, 100.0, i, (3.0, 0.0, -10.0, 0.0, 0.0, 0.0))
    for ratio in powers(3, 6, 9, 12, 15):
        f = point(
            "moments 1 : %g : %g" % (ratio, ratio),
            1.0,
            [1.0, 0, 0, 0, ratio, 0, 0, 0, ratio],
            at=(0.3, 0.2, 0.0),
        )
        yield f


def levers():
    for r in powers(
        -300, -200, -160, -100, -20, -8, 3, 6, 8, 12, 20, 50, 77, 78, 100, 150, 154, 155, 200, 300
    ):
        yield point("lever %g" % r, at=(r, 0.0, 0.0))
    for r in powers(6, 10, 14):
        f = Frame("two levers %g" % r)
        f.body(1.0, 0.2, (0.0, 0.0, 0.5), (0.0, 0.0, -1.0, 0.0, 0.0, 0.0))
        f.contact(0, 1, (r, 0.0, 0.0))
        f.contact(0, 1, (-r, 1.0, 0.0))
        yield f


def frictions():
    for mu in (
        0.0,
        1e-300,
        1e-160,
        1e-16,
        1e-8,
        1e2,
        1e4,
        1e6,
        1e8,
        1e16,
        1e76,
        1e154,
        1e160,
        1e300,
    ):
        down = tuple(G * x for x in (0.6, 0.0, -0.8)) + (0.0, 0.0, 0.0)
        yield cube("slope, mu %g" % mu, mu=mu, force=down)
        yield point("sliding, mu %g" % mu, mu=mu)


def motions():
    for v in powers(-300, -200, -150, -100, -30, 4, 8, 12, 16, 30, 100, 150, 200, 300):
        yield cube("slides at %g" % v, velocity=(v, 0.0, 0.0, 0.0, 0.0, 0.0))
        yield cube("falls at %g" % v, velocity=(0.0, 0.0, -v, 0.0, 0.0, 0.0))
    for v in powers(4, 8, 16, 100):
        yield cube("spins at %g" % v, velocity=(0.0, 0.0, 0.0, v, 0.5 * v, -v))
        yield point("rises at %g" % v, velocity=(0.0, 0.0, v, 0.0, 0.0, 0.0))
    for p in powers(-300, -100, 6, 12, 20, 100, 150, 300):
        yield cube("force %g" % p, force=(p, 0.0, -p, 0.0, 0.0, p))
    for h in powers(-300, -100, -30, -12, -6, 2, 6, 12, 100, 300):
        yield cube("step %g" % h, step=h)
        yield point("step %g, gap 1e-3" % h, step=h, gap=1e-3)
    for gap in powers(-300, -100, -20, 3, 6, 12, 100, 300):
        yield point("gap %g" % gap, gap=gap)
        yield point("gap %g" % -gap, gap=-gap)


def crowds():
    for n in (2, 3, 10, 50, 100, 200, 400):
        for mu in (0.0, 0.7):
            f = Frame("%d equal contacts, mu %g" % (n, mu))
            f.body(1.0, 0.2, (0.0, 0.0, 0.5), (1.0, 0.0, -1.0, 0.0, 0.0, 0.0))
            for _ in range(n):
                f.contact(0, 1, mu=mu)
            yield f
    for n in (3, 5, 8, 14, 20):
        f = Frame("%d contacts under one cube" % (n * n))
        f.body(1.0, None, (0.0, 0.0, 0.5), (0.4, 0.1, 0.0, 0.0, 0.0, 1.0))
        for i in range(n * n):
            f.contact(0, 1, (i % n / n - 0.5, i // n / n - 0.5, 0.0))
        yield f
    for n in (4, 9, 30):
        f = Frame("%d contacts on a line" % n)
        f.body(1.0, None, (0.0, 0.0, 0.5), (0.0, 1.0, -0.1, 0.0, 0.0, 0.0))
        for i in range(n):
            f.contact(0, 1, (i / n - 0.5, 0.0, 0.0))
        yield f
    for apart in powers(-16, -12, -9, -6, -3):
        f = Frame("contacts %g m apart" % apart)
        f.body(1.0, None, (0.0, 0.0, 0.5), (0.0, 1.0, -1.0, 0.0, 0.0, 0.0))
        for x, y in CORNERS:
            f.contact(0, 1, (apart * x, apart * y, 0.0))
        yield f
    f = Frame("1200 contacts of one body")
    f.body(1.0, None, (0.0, 0.0, 0.5), (0.4, 0.1, -0.3, 0.0, 0.0, 1.0))
    for i in range(1200):
        f.contact(0, 1, (i % 40 / 40 - 0.5, i // 40 / 30 - 0.5, 0.0), mu=0.1 + i % 7 / 10)
    yield f


def wedges():
    for tilt in (0.0, 1e-15, 1e-12, 1e-8, 1e-4, 0.1):
        for mu in (0.0, 0.3, 1.0, 1e3):
            f = Frame("jammed between two faces, tilt %g, mu %g" % (tilt, mu))
            f.body(1.0, None, (0.0, 0.0, 0.5))
            for side in (-1.0, 1.0):
                normal = (-side * math.cos(tilt), 0.0, math.sin(tilt))
                f.contact(0, 1, (0.5 * side, 0.0, 0.5), normal, mu=mu)
            yield f
    for speed in powers(-8, 0, 6):
        for mu in (0.0, 0.5, 2.0):
            f = Frame("a vice that closes at %g, mu %g" % (speed, mu))
            f.body(1.0, None, (0.0, 0.0, 0.5))
            f.body(0.0, 0.0, (0.0, 0.0, 1.0), (0.0, 0.0, -speed, 0.0, 0.0, 0.0))
            f.face(0, 1, mu=mu)
            for x, y in CORNERS:
                f.contact(1, 2, (x, y, 0.5), mu=mu)
            yield f
    for depth in powers(-9, -3, 0, 6):
        f = Frame("overlaps of %g m on both sides" % depth)
        f.body(1.0, None, (0.0, 0.0, 0.5))
        f.contact(0, 1, (0.5, 0.0, 0.5), minus(X), gap=-depth)
        f.contact(0, 1, (-0.5, 0.0, 0.5), X, gap=-depth)
        yield f


def joints():
    rng = random.Random(1)

    def axis():
        v = [rng.uniform(-1, 1) for _ in range(3)]
        return tuple(v)

    def held(name, contacts):
        f = Frame(name)
        f.body(2.0, 0.2, (0.0, 0.0, 0.5), (0.3, 0.0, 0.0, 0.0, 0.0, 0.0))
        if contacts:
            f.face(0, 1)
        return f

    for contacts in (False, True):
        with_them = " with contacts" if contacts else ""
        for n in (2, 3, 6, 12):
            f = held("%d rows that contradict each other" % n + with_them, contacts)
            for i in range(n):
                f.row(0, 1, Z, violation=0.1 * i)
            yield f
            f = held("%d equal rows" % n + with_them, contacts)
            for i in range(n):
                f.row(0, 1, X, violation=0.01)
            yield f
            f = held("%d random rows" % n + with_them, contacts)
            for i in range(n):
                f.row(0, 1, axis(), arm=axis(), violation=rng.uniform(-1, 1))
            yield f
        for off in powers(-16, -13, -10, -7, -4):
            f = held("rows that differ by %g" % off + with_them, contacts)
            f.row(0, 1, X)
            f.row(0, 1, (1.0, off, 0.0), violation=1e-3)
            yield f
        for violation in (0.0, 1e-300, 1.0):
            for bounds in ((None, None), (0.0, None), (-1.0, 1.0), (0.0, 0.0)):
                f = held(
                    "a row of zeros, violation %g, bounds %s" % (violation, bounds) + with_them,
                    contacts,
                )
                f.row(0, 1, (0.0, 0.0, 0.0), *bounds, violation=violation)
                yield f
        for bounds in (
            (0.0, 0.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (-2.0, -1.0),
            (0.0, None),
            (None, 0.0),
            (-1e300, 1e300),
            (-1e-300, 1e-300),
            (None, -1e8),
            (1e8, None),
            (1e300, 1e300),
            (-5e-324, 5e-324),
        ):
            f = held("bounds %s" % (bounds,) + with_them, contacts)
            f.row(0, 1, Z, *bounds, violation=0.05)
            yield f
            f = held("bounds %s on a turning row" % (bounds,) + with_them, contacts)
            f.row(0, 1, (0.0, 0.0, 0.0), *bounds, arm=(0.3, 0.1, 1.0), rate=-2.0)
            yield f
        for size in powers(-300, -160, -100, -12, 8, 16, 76, 100, 160, 300):
            f = held("a row of size %g" % size + with_them, contacts)
            f.row(0, 1, (size, 0.0, 0.0), violation=1e-3)
            yield f
        for size in powers(-8, 8, 16, 100):
            f = held("violation %g" % size + with_them, contacts)
            f.row(0, 1, X, violation=size)
            f.row(0, 1, X, -1.0, 1.0)
            yield f
    for links in (1, 2, 5, 12):
        f = Frame("a chain of %d" % links)
        for i in range(links):
            f.body(1.0, 0.1, (i + 0.5, 0.0, 0.0))
            for a in (X, Y, Z):
                cross = (0.0, -a[2], a[1])  # of the arm (1, 0, 0)/2 and the axis
                f.joints.append(
                    (
                        [i, i + 1],
                        [
                            [
                                *minus(a),
                                *(minus(tuple(0.5 * c for c in cross)) if i else (0, 0, 0)),
                                *a,
                                *(-0.5 * c for c in cross),
                            ]
                        ],
                        [[None, None]],
                        [0.0],
                        [0.0],
                    )
                )
        yield f
    for links in (2, 5):
        f = Frame("a loop of %d that does not close" % links)
        for i in range(links):
            f.body(1.0, 0.1, (i + 0.5, 0.0, 0.0))
            for a in (X, Y, Z):
                f.row(i, i + 1, a)
        for a in (X, Y, Z):
            f.row(0, links, a, violation=0.1)
        yield f


def nothing():
    f = Frame("a fixed body alone")
    yield f
    f = Frame("a free body")
    f.body(1.0)
    yield f
    f = Frame("two that never touch, 1e300 apart")
    f.body(1.0, at=(1e300, 0.0, 0.0))
    f.body(1.0, at=(-1e300, 0.0, 0.0))
    yield f
    f = Frame("a free body beside a cube")
    f.body(1e-9)
    f.body(1.0, at=(0.0, 0.0, 0.5))
    f.face(0, 2)
    yield f
    f = Frame("many islands")
    for i in range(12):
        f.body(
            10.0 ** (i - 6), at=(3.0 * i, 0.0, 0.5), velocity=(0.1 * i, 0.0, -1.0, 0.0, 0.0, 0.0)
        )
        f.contact(0, i + 1, (3.0 * i, 0.0, 0.0), mu=0.1 * i)
    yield f


def stacks():
    for ratio in powers(-12, -9, -6, -4, -3, -2, 2, 3, 4, 6, 9, 12, 20):
        f = Frame("three cubes, masses 1 : %g : %g" % (ratio, ratio * ratio))
        for i in range(3):
            f.body(ratio**i, at=(0.0, 0.0, i + 0.5))
            f.face(i, i + 1, 0.0 if i == 0 else 0.5)
        yield f
    for n in (6, 12):
        for mu in (0.0, 0.5):
            f = Frame("a tower of %d, mu %g" % (n, mu))
            for i in range(n):
                f.body(1.0 + i, at=(0.0, 0.0, i + 0.5), velocity=(0.1 * i, 0.0, 0.0, 0.0, 0.0, 0.1))
                f.face(i, i + 1, 0.0 if i == 0 else 0.5, mu)
            yield f


def alternatives():
    rng = random.Random(2)
    for k in range(20):
        f = Frame("groups of alternatives %d" % k, stepper=("st", "ap")[k % 2])
        f.body(1.0, None, (0.0, 0.0, 0.5), tuple(rng.uniform(-1, 1) for _ in range(6)))
        for group in range(1 + k % 3):
            for face in range(1 + (k + group) % 4):
                normal = (X, Y, Z, minus(X), minus(Y))[(face + group) % 5]
                f.contact(
                    0,
                    1,
                    (rng.uniform(-1, 1), rng.uniform(-1, 1), 0.0),
                    normal,
                    gap=rng.choice((0.0, -1e-3, 1e-3, -1e6, 1e-300)),
                    mu=rng.choice((0.0, 0.5)),
                    group=group,
                )
        f.contact(0, 1, (0.1, 0.1, 0.0), gap=rng.uniform(-1e-3, 1e-3), group=-1)
        yield f
    for e in (0.0, 1e-300, 0.5, 1.0):
        for v in (1.0, 1e8, 1e150):
            yield point(
                "restitution %g at %g" % (e, v),
                velocity=(1.0, 0.0, -v, 0.0, 0.0, 0.0),
                restitution=e,
            )


def random_frames():
    rng = random.Random(3)
    for k in range(150):
        reach = (0, 3, 6, 12, 40, 120)[k % 6]

        def size():
            return 10.0 ** rng.uniform(-reach, reach)

        def vector(length=3):
            return tuple(rng.uniform(-1, 1) * size() for _ in range(length))

        f = Frame("random %d, 1e+-%d" % (k, reach), step=0.01, stepper=("st", "st", "ap")[k % 3])
        moving = rng.randint(1, 4)
        for _ in range(moving):
            m = size()
            f.body(
                m,
                [m * s for s in (0.1, 0, 0, 0, 0.1 * rng.uniform(1, 1.9), 0, 0, 0, 0.1)],
                vector(),
                vector(6),
                vector(6),
            )
        pairs = [(i, j) for j in range(1, moving + 1) for i in range(j)]
        for _ in range(rng.randint(0 if k % 4 == 0 else 1, 8)):
            n = [rng.uniform(-1, 1) for _ in range(3)]
            length = math.sqrt(sum(x * x for x in n)) or 1.0
            f.contact(
                *rng.choice(pairs),
                vector(),
                tuple(x / length for x in n),
                gap=rng.choice((0.0, rng.uniform(-1, 1) * size())),
                mu=rng.choice((0.0, 0.3, 1.0, size())),
            )
        for _ in range(rng.randint(0, 4) if k % 2 == 0 else 0):
            bounds = rng.choice(((None, None), (0.0, None), (None, 0.0), (-size(), size())))
            f.row(
                *rng.choice(pairs),
                vector(),
                *bounds,
                violation=rng.uniform(-1, 1) * size(),
                arm=vector(),
            )
        yield f


def explicit_problems():
    """y = A lambda + b with explicit A, as FCLIB files have it: A, b, mu."""
    rng = random.Random(4)

    def matrix(n, entry):
        return [[entry(i, j) for j in range(3 * n)] for i in range(3 * n)]

    def problem(name, A, mu=0.7):
        return {
            "name": name,
            "A": A,
            "b": [rng.uniform(-2, 1) for _ in A],
            "mu": [mu] * (len(A) // 3),
        }

    def symmetric(n, rank):
        rows = [[rng.uniform(-1, 1) for _ in range(rank)] for _ in range(3 * n)]
        return [[sum(x * y for x, y in zip(a, b)) for b in rows] for a in rows]

    for n in (1, 2):
        yield problem("A = 0, %d contacts" % n, matrix(n, lambda i, j: 0.0))
        yield problem("A = -1, %d contacts" % n, matrix(n, lambda i, j: -float(i == j)))
        yield problem("a skew A, %d contacts" % n, matrix(n, lambda i, j: float((i < j) - (i > j))))
    for size in powers(-300, -160, -100, -12, 12, 100, 160, 300):
        yield problem("A = %g" % size, matrix(2, lambda i, j: size * (i == j)))
    for block in (0, 1):
        good = symmetric(2, 6)
        yield problem(
            "block %d of A is 0" % block,
            [
                [0.0 if i // 3 == j // 3 == block else x for j, x in enumerate(row)]
                for i, row in enumerate(good)
            ],
        )
        yield problem(
            "row %d of A is 0" % block,
            [[0.0] * 6 if i == block else row for i, row in enumerate(good)],
        )
    for rank in (1, 2, 5):
        yield problem("A of rank %d" % rank, symmetric(4, rank))
    for off in (1e-12, 1e-3, 1.0):
        good = symmetric(3, 9)
        yield problem(
            "A unsymmetric by %g" % off,
            [[x + off * (i < j) for j, x in enumerate(row)] for i, row in enumerate(good)],
        )
    for mu in (0.0, 1e-300, 1e8, 1e300):
        yield problem("explicit A, mu %g" % mu, symmetric(3, 7), mu)


KINDS = (
    masses,
    inertias,
    levers,
    frictions,
    motions,
    crowds,
    wedges,
    joints,
    nothing,
    stacks,
    alternatives,
    random_frames,
)


def hostile_frames(most=None):
    """All of them, or about `most`: each n-th."""
    frames = [f.record() for kind in KINDS for f in kind()]
    every = 1 if not most or most >= len(frames) else len(frames) / most
    return [frames[int(i * every)] for i in range(int(len(frames) / every))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--frames", type=int, metavar="N")
    arguments = parser.parse_args()
    with open(arguments.file, "w") as file:
        for frame in hostile_frames(arguments.frames):
            file.write(json.dumps(frame) + "\n")


if __name__ == "__main__":
    main()
