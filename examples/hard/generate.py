#!/usr/bin/env python3
"""Writes hard.jsonl: problems that break solvers. None has an answer to compare with.

    generate.py [FOLDER]        default: the folder of this script

Some have no solution, some have many, some mix masses of 1e-6 and 1e6 kg. What is asked of a solver
is an honest status, a finite answer that is no worse than its start, and an end. The derivation
says what is hard. "infeasible" tags those without a solution.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "frames"))
sys.dont_write_bytecode = True

from builder import G, INFINITE, X, Y, Z, ZERO, Frame, cross, cube_inertia, minus  # noqa: E402


class Hard(Frame):
    def line(self):
        document = json.loads(super().line())
        del document["expected"]
        return json.dumps(document)

    def cube(self, mass, at, velocity=ZERO, spin=ZERO, down=minus(Z)):
        """Of 1 m, its centre half a metre above `at`."""
        return self.body(
            mass,
            cube_inertia(mass, 1.0),
            (at[0], at[1], at[2] + 0.5),
            velocity,
            spin,
            force=tuple(mass * G * x for x in down),
        )

    def face(
        self, first, second, at, mu, points=((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5))
    ):
        for x, y in points:
            self.contact(first, second, Z, (at[0] + x, at[1] + y, at[2]), mu=mu)

    def hold(self, first, second, axis, lower=INFINITE, upper=INFINITE, rate=0.0):
        """A joint of one row: the second body moves along the axis with -rate."""
        row = minus(axis) + ZERO + tuple(axis) + ZERO
        self.joint(first, second, [(row, lower, upper, 0.0, rate, 0.0)])


def column(frame, masses, mu):
    below = frame.fixed()
    for layer, mass in enumerate(masses):
        cube = frame.cube(mass, (0.0, 0.0, float(layer)))
        frame.face(below, cube, (0.0, 0.0, float(layer)), mu)
        below = cube


def on_slope(name, why, mu):
    """tan of the slope is 3/4."""
    f = Hard(name, why)
    floor, cube = f.fixed(), f.cube(1.0, ZERO, down=(0.6, 0.0, -0.8))
    f.face(floor, cube, ZERO, mu)
    return f


def shaken_wall(mu):
    """Running bond, three layers of three, every cube thrown about."""
    f = Hard(
        "a shaken wall with mu = 1",
        "Contacts open, stick and slide at once; with mu = 1 " "they wedge.",
    )
    seed, floor, below = 1, f.fixed(), []

    def speed():
        nonlocal seed
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        return (seed >> 11) / 2.0**52 - 1.0

    for layer in range(3):
        row, shift = [], 0.5 * (layer % 2)
        for i in range(3):
            x, z = i + shift, float(layer)
            cube = f.cube(
                1.0,
                (x, 0.0, z),
                (0.5 * speed(), 0.5 * speed(), 0.5 * speed()),
                (0.5 * speed(), 0.5 * speed(), 0.5 * speed()),
            )
            row.append((x, cube))
            for other, first in [(x, floor)] if layer == 0 else below:
                low, high = max(x, other) - 0.5, min(x, other) + 0.5
                if high > low:
                    for at in (low, high):
                        for y in (-0.5, 0.5):
                            f.contact(first, cube, Z, (at, y, z), mu=mu)
        below = row
    return f


def hard():
    f = Hard(
        "36 contacts under one cube",
        "108 rows answer to six numbers: A has rank 6 and the impulses are far from unique.",
    )
    floor, cube = f.fixed(), f.cube(1.0, ZERO, (0.4, 0.1, 0.0), (0.0, 0.0, 1.0))
    f.face(
        floor, cube, ZERO, 0.6, [(0.2 * x - 0.5, 0.2 * y - 0.5) for x in range(6) for y in range(6)]
    )
    yield f

    f = Hard(
        "1e-6 to 1e6 kg side by side",
        "Impulses differ by 1e12, velocities do not: an error in N s hides the light cubes.",
    )
    floor = f.fixed()
    for k, mass in enumerate((1e-6, 1e-3, 1.0, 1e3, 1e6)):
        cube = f.cube(mass, (2.0 * k, 0.0, 0.0), (0.3, 0.0, 0.0))
        f.face(floor, cube, (2.0 * k, 0.0, 0.0), 0.5)
    yield f

    f = Hard(
        "1e6 kg on three cubes of 1e-6 kg",
        "The condition of A is about 1e12: the load must go through the light cubes.",
    )
    column(f, (1e-6, 1e-6, 1e-6, 1e6), 0.5)
    yield f

    f = Hard(
        "a vice that closes",
        "Two plates close on a cube at 1 m/s each. No impulse helps: "
        "whatever is pushed, 1 m/s is left somewhere.",
        ["infeasible"],
    )
    below, above = f.fixed((0.0, 0.0, 1.0)), f.fixed((0.0, 0.0, -1.0))
    cube = f.cube(1.0, ZERO)
    f.face(below, cube, ZERO, 0.5)
    f.face(cube, above, (0.0, 0.0, 1.0), 0.5)
    yield f

    yield on_slope("mu = 1e6", "The cone is nearly a half-space.", 1e6)
    yield on_slope("mu = 0", "The cone is a line.", 0.0)

    f = Hard(
        "redundant joints",
        "The same bilateral row three times beside a motor of 1 N s: the "
        "joint rows of A are singular.",
    )
    column(f, (1.0, 1.0), 0.5)
    for _ in range(3):
        f.hold(0, 2, X)
    f.hold(0, 1, Y, -1.0, 1.0, -0.5)
    yield f

    f = Hard(
        "joints that contradict each other",
        "Two bilateral rows ask one body for 1 m/s and " "for -1 m/s.",
        ["infeasible"],
    )
    column(f, (1.0,), 0.5)
    f.hold(0, 1, X, rate=1.0)
    f.hold(0, 1, X, rate=-1.0)
    yield f

    yield shaken_wall(1.0)

    f = Hard(
        "joints alone that contradict each other",
        "The same row twice, 10 m/s apart, and no "
        "contact: eliminated, it leaves an LCP without rows.",
        ["infeasible"],
    )
    floor, cube = f.fixed(), f.cube(2.0, ZERO)
    f.hold(floor, cube, Z)
    f.hold(floor, cube, Z, rate=10.0)
    yield f

    f = Hard(
        "a rod held at three points, with a motor",
        "Nine bilateral rows for six freedoms, and "
        "one that drives against them: no contact, and A of the joints is singular.",
        ["infeasible"],
    )
    floor, rod = f.fixed(), f.cube(1.0, ZERO)
    for x, y, z in ((0.0, 0.0, 0.4), (0.0, 0.0, -0.4), (0.1, 0.0, 0.0)):
        f.joint(
            floor,
            rod,
            [
                (
                    minus(axis) + ZERO + axis + cross((x, y, z), axis),
                    INFINITE,
                    INFINITE,
                    0.0,
                    0.0,
                    0.0,
                )
                for axis in (X, Y, Z)
            ],
        )
    f.joint(floor, rod, [(ZERO + minus(Y) + ZERO + Y, INFINITE, INFINITE, 0.0, 4.0, 0.0)])
    yield f

    f = Hard("a pendulum", "Three bilateral rows and nothing else: what is left is rounding.")
    pivot, bob = f.fixed(), f.cube(1.0, (0.3, 0.1, -1.0), (0.7, -0.2, 0.1), (0.3, 0.2, -0.9))
    f.joint(
        pivot,
        bob,
        [
            (
                minus(axis) + ZERO + axis + cross((-0.3, -0.1, 0.5), axis),
                INFINITE,
                INFINITE,
                1e-3,
                0.0,
                0.0,
            )
            for axis in (X, Y, Z)
        ],
    )
    yield f

    f = Hard("a motor alone", "One row with two bounds, and no contact.")
    floor, cube = f.fixed(), f.cube(1.0, ZERO)
    f.hold(floor, cube, X, -1e-3, 1e-3, -5.0)
    yield f


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else HERE
    with open(os.path.join(folder, "hard.jsonl"), "w") as file:
        for frame in hard():
            file.write(frame.line() + "\n")
