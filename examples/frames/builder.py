"""Frames, and the bodies, contacts and joints that several sample frames share."""

import json
import math

H = 0.01
G = 9.81
INFINITE = None  # in bounds

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ZERO = (0.0, 0.0, 0.0)


def add(*vectors):
    return tuple(sum(entries) for entries in zip(*vectors))


def scale(factor, v):
    return tuple(factor * x for x in v)


def minus(v):
    return tuple(0.0 - x for x in v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def tangents(n):
    k = min(range(3), key=lambda i: abs(n[i]))
    t = [(1.0 if i == k else 0.0) - n[k] * n[i] for i in range(3)]
    length = math.sqrt(sum(x * x for x in t))
    t = tuple(x / length for x in t)
    return t, cross(n, t)


def clean(value):
    """-0.0 is written as 0.0: the sign of nothing is noise in a file that people read."""
    if isinstance(value, (list, tuple)):
        return [clean(x) for x in value]
    return value + 0.0 if isinstance(value, float) else value


class Frame:
    """One line of a file. Bodies are named by their id."""

    def __init__(self, name, derivation, tags=(), stepper="st"):
        self.name, self.derivation, self.tags, self.stepper = name, derivation, tags, stepper
        self.ids, self.bodies, self.plus = [], {}, {}
        self.columns = {
            name: []
            for name in ("masses", "inertia", "positions", "quaternions", "velocities", "forces")
        }
        self.contacts, self.z = {}, []
        self.joints, self.z_joints = {}, []

    def body(
        self,
        mass,
        inertia,
        position,
        velocity=ZERO,
        spin=ZERO,
        force=None,
        torque=ZERO,
        quaternion=(1.0, 0.0, 0.0, 0.0),
        id=None,
    ):
        """Inertia: three principal moments along the world's axes. Force: gravity unless given."""
        id = len(self.ids) if id is None else id
        self.ids.append(id)
        self.bodies[id] = tuple(position)
        force = (0.0, 0.0, -mass * G) if force is None else force
        for name, row in (
            ("masses", mass),
            ("inertia", [inertia[0], 0.0, 0.0, 0.0, inertia[1], 0.0, 0.0, 0.0, inertia[2]]),
            ("positions", position),
            ("quaternions", quaternion),
            ("velocities", tuple(velocity) + tuple(spin)),
            ("forces", tuple(force) + tuple(torque)),
        ):
            self.columns[name].append(row)
        self.plus[id] = tuple(velocity) + tuple(spin)  # until `expect` says otherwise
        return id

    def fixed(self, velocity=ZERO, spin=ZERO, id=None):
        return self.body(0.0, ZERO, ZERO, velocity, spin, force=ZERO, id=id)

    def contact(self, first, second, normal, point, gap=0.0, mu=0.0, z=ZERO, **optional):
        """Point: on the surface of the first body, in the world."""
        row = {
            "pairs": [first, second],
            "normals": normal,
            "points": add(point, minus(self.bodies[first])),
            "gap": gap,
            "mu": mu,
            **optional,
        }
        for name, value in row.items():
            self.contacts.setdefault(name, []).append(value)
        self.z.append(z)

    def joint(self, first, second, rows):
        """Rows: (jacobian, lower, upper, violation, rate, impulse[, compliance])."""
        self.joints.setdefault("pairs", []).append([first, second])
        self.joints.setdefault("rows", []).append(len(rows))
        soft = self.joints.get("compliance") or any(len(row) > 6 for row in rows)
        for jacobian, lower, upper, violation, rate, impulse, *compliance in rows:
            self.joints.setdefault("jacobian", []).append(jacobian)
            self.joints.setdefault("bounds", []).append([lower, upper])
            self.joints.setdefault("violation", []).append(violation)
            self.joints.setdefault("rate", []).append(rate)
            if soft:
                self.joints.setdefault("compliance", []).append(*(compliance or [0.0]))
            self.z_joints.append(impulse)

    def mimic(self, pair, pair2, row, row2, violation, impulse):
        """One row over two pairs of bodies. No frame here has other joints beside it."""
        self.joint(*pair, [(row, INFINITE, INFINITE, violation, 0.0, impulse)])
        self.joints.setdefault("pairs2", []).append(list(pair2))
        self.joints.setdefault("jacobian2", []).append(row2)

    def expect(self, body, velocity=ZERO, spin=ZERO):
        self.plus[body] = tuple(velocity) + tuple(spin)

    def line(self):
        expected = {"velocities_plus": [self.plus[id] for id in self.ids]}
        document = {"name": self.name, "derivation": " ".join(self.derivation.split())}
        if self.tags:
            document["tags"] = list(self.tags)
        document.update(step=H, stepper=self.stepper, bodies={"ids": self.ids, **self.columns})
        if self.contacts:
            document["contacts"] = self.contacts
            expected["z"] = self.z
        if self.joints:
            document["constraints"] = self.joints
            expected["z_joints"] = self.z_joints
        document["expected"] = expected
        for part in ("bodies", "contacts", "constraints", "expected"):
            if part in document:
                document[part] = {name: clean(rows) for name, rows in document[part].items()}
        return json.dumps(document)


# ---- bodies and contacts that several frames share ----


def ball_inertia(mass, radius):
    return (0.4 * mass * radius * radius,) * 3


def cube_inertia(mass, side):
    return (mass * side * side / 6.0,) * 3


def ball_on_floor(
    frame,
    mass=2.0,
    radius=0.5,
    velocity=ZERO,
    spin=ZERO,
    mu=0.5,
    z=ZERO,
    gap=0.0,
    floor_velocity=ZERO,
    floor_spin=ZERO,
    at=ZERO,
    **optional,
):
    """Floor and ball; the contact point is below the ball's centre."""
    floor = frame.fixed(floor_velocity, floor_spin)
    ball = frame.body(
        mass, ball_inertia(mass, radius), add(at, (0.0, 0.0, radius + gap)), velocity, spin
    )
    frame.contact(floor, ball, Z, at, gap, mu, z, **optional)
    return ball


def spread(points, total, shift):
    """Pressures at the points of a symmetric grid with the given sum and centre of pressure.

    Points and centre are given in two tangential coordinates."""
    mean = [sum(p[k] * p[k] for p in points) / len(points) for k in range(2)]
    return [
        total / len(points) * (1.0 + shift[0] * p[0] / mean[0] + shift[1] * p[1] / mean[1])
        for p in points
    ]


def patch(frame, first, second, normal, centre, grid, mu, pressure, friction=(0.0, 0.0), depth=0.0):
    """Contacts of a flat face. Its total impulse is pressure n + friction (t, o); it acts at
    `depth` below the centre of mass, so the centre of pressure moves by -depth friction/pressure;
    each point takes friction in proportion to its pressure, which leaves no torque about n."""
    t, o = tangents(normal)
    shift = [-depth * f / pressure for f in friction] if pressure else (0.0, 0.0)
    for (a, b), p in zip(grid, spread(grid, pressure, shift)):
        share = p / pressure if pressure else 0.0
        frame.contact(
            first,
            second,
            normal,
            add(centre, scale(a, t), scale(b, o)),
            0.0,
            mu,
            (p, share * friction[0], share * friction[1]),
        )


def corners(half):
    return [(a, b) for a in (-half, half) for b in (-half, half)]


def block_on_floor(
    frame,
    mass,
    side,
    velocity=ZERO,
    mu=0.5,
    friction=(0.0, 0.0),
    grid=None,
    force=None,
    floor_velocity=ZERO,
):
    """A cube that rests with a grid of contacts (default: its four corners) on the floor."""
    floor = frame.fixed(floor_velocity)
    force = (0.0, 0.0, -mass * G) if force is None else force
    block = frame.body(mass, cube_inertia(mass, side), (0.0, 0.0, side / 2), velocity, force=force)
    patch(
        frame,
        floor,
        block,
        Z,
        ZERO,
        grid or corners(side / 2),
        mu,
        -force[2] * H,
        friction,
        side / 2,
    )
    return block


def block_on_slope(frame, tan_slope, mu, mass=2.0, side=1.0):
    """A cube on a slope that falls towards +x. Returns the block and the downhill direction -o."""
    c = 1.0 / math.sqrt(1.0 + tan_slope * tan_slope)
    s = tan_slope * c
    n = (s, 0.0, c)
    _, o = tangents(n)
    half_c, half_s = math.sqrt((1.0 + c) / 2.0), math.sqrt((1.0 - c) / 2.0)
    floor = frame.fixed()
    block = frame.body(
        mass, cube_inertia(mass, side), scale(side / 2, n), quaternion=(half_c, 0.0, half_s, 0.0)
    )
    pressure = mass * G * c * H
    patch(
        frame,
        floor,
        block,
        n,
        ZERO,
        corners(side / 2),
        mu,
        pressure,
        (0.0, min(mu * pressure, mass * G * s * H)),
        side / 2,
    )
    return block, minus(o), s, c


def free_row(jacobian, impulse, violation=0.0, rate=0.0):
    return (jacobian, INFINITE, INFINITE, violation, rate, impulse)


def point_rows(r1, r2, impulses, violation=ZERO):
    """Three rows that hold a point of the second body at a point of the first."""
    rows = []
    for e, impulse, phi in zip((X, Y, Z), impulses, violation):
        jacobian = minus(e) + minus(cross(r1, e)) + e + cross(r2, e)
        rows.append(free_row(jacobian, impulse, phi))
    return rows


def turn_jacobian(axis):
    return ZERO + minus(axis) + ZERO + axis


def hinge_rows(r1, r2, forces, torques):
    """A hinge about z: the point, and no turning about x and y."""
    return point_rows(r1, r2, forces) + [
        free_row(turn_jacobian(e), impulse) for e, impulse in zip((X, Y), torques)
    ]
