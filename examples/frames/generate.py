#!/usr/bin/env python3
"""Writes the sample frames: small problems whose answer is known by hand.

    generate.py [FOLDER]        default: the folder of this script

Every frame carries its name, the derivation of its answer, and the answer: the velocities after
the step, and impulses that produce them. The velocities are unique, the impulses of several
contacts often are not: those given here are one choice. Nothing here iterates; what is written
under "expected" is the closed form told in "derivation".

Conventions (docs/json.md): SI units, z upwards, h = 0.01 s, g = 9.81 m/s^2. A contact pushes its
second body along the normal n and the tangents t, o: with k the index of the smallest |n_k| (the
first when equal) t = (e_k - n_k n)/|.| and o = n x t. For n = e_z that is t = e_x, o = e_y.

Slides go along t or o, where the cone, the polygon with 8 facets and the box agree. Where they do
not, the frame is tagged "cone-only". Frames whose answer does not depend on friction are tagged
"frictionless", those that take Gauss-Seidel more than 100,000 sweeps "many-sweeps".

Only square roots and the four operations are used, so that the files come out the same, byte for
byte, on every machine.
"""

import math
import os
import sys

from builder import (
    G,
    H,
    INFINITE,
    X,
    Z,
    ZERO,
    Frame,
    ball_inertia,
    ball_on_floor,
    block_on_floor,
    block_on_slope,
    corners,
    cube_inertia,
    free_row,
    hinge_rows,
    minus,
    patch,
    point_rows,
    scale,
    turn_jacobian,
)


# ---- single_contact.jsonl ----


def single_contact():
    m, r, mu = 2.0, 0.5, 0.5
    inertia = 0.4 * m * r * r
    weight = m * G * H
    frames = []

    f = Frame("free fall: no contacts at all", "v+ = v - g h e_z.", ["frictionless"])
    ball = f.body(m, ball_inertia(m, r), (0.0, 0.0, 3.0), (1.0, 2.0, 0.5), (0.1, 0.2, 0.3))
    f.expect(ball, (1.0, 2.0, 0.5 - G * H), (0.1, 0.2, 0.3))
    frames.append(f)

    f = Frame(
        "ball at rest on the floor",
        "The floor carries the weight: lambda_n = m g h, v+ = 0.",
        ["frictionless"],
    )
    ball_on_floor(f, m, r, mu=mu, z=(weight, 0.0, 0.0))
    frames.append(f)

    u = 0.05
    f = Frame(
        "ball sticking: it starts to roll",
        """Contact speed u = v_x - R omega_y. Sticking
              takes lambda_t = -(2/7) m v_x (effective mass of a ball's surface point: 2 m/7),
              which is below mu m g h. Then v_x+ = 5/7 v_x and omega_y+ = v_x+/R.""",
    )
    ball = ball_on_floor(f, m, r, (u, 0.0, 0.0), mu=mu, z=(weight, -2.0 / 7.0 * m * u, 0.0))
    assert 2.0 / 7.0 * m * u < mu * weight
    f.expect(ball, (5.0 / 7.0 * u, 0.0, 0.0), (0.0, 5.0 / 7.0 * u / r, 0.0))
    frames.append(f)

    u = 2.0
    f = Frame(
        "ball sliding along t",
        """lambda_n = m g h, lambda_t = -mu m g h: v_x+ = v_x - mu g h; the friction's torque
              (-R e_z) x (lambda_t e_x) = -R lambda_t e_y spins it up: omega_y+ = R mu m g h/I.
              The contact speed stays positive.""",
    )
    ball = ball_on_floor(f, m, r, (u, 0.0, 0.0), mu=mu, z=(weight, -mu * weight, 0.0))
    f.expect(ball, (u - mu * G * H, 0.0, 0.0), (0.0, r * mu * weight / inertia, 0.0))
    frames.append(f)

    f = Frame(
        "ball sliding against o",
        """v_y = -2: lambda_o = +mu m g h, v_y+ = v_y + mu g h; torque (-R e_z) x (lambda_o
              e_y) = R lambda_o e_x: omega_x+ = R mu m g h/I.""",
    )
    ball = ball_on_floor(f, m, r, (0.0, -u, 0.0), mu=mu, z=(weight, 0.0, mu * weight))
    f.expect(ball, (0.0, -u + mu * G * H, 0.0), (r * mu * weight / inertia, 0.0, 0.0))
    frames.append(f)

    f = Frame(
        "spinning ball sliding in place",
        """omega_y = 10: the contact point moves with
              -R omega_y along t, so lambda_t = +mu m g h: v_x+ = mu g h,
              omega_y+ = omega_y - R mu m g h/I.""",
    )
    ball = ball_on_floor(f, m, r, spin=(0.0, 10.0, 0.0), mu=mu, z=(weight, mu * weight, 0.0))
    f.expect(ball, (mu * G * H, 0.0, 0.0), (0.0, 10.0 - r * mu * weight / inertia, 0.0))
    frames.append(f)

    f = Frame(
        "ball separating",
        "It leaves with v_z = 1, so no impulse acts: v_z+ = 1 - g h > 0.",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, (0.5, 0.0, 1.0), mu=mu)
    f.expect(ball, (0.5, 0.0, 1.0 - G * H))
    frames.append(f)

    f = Frame(
        "ball without friction",
        "mu = 0: v_x+ = v_x, the floor only carries the weight.",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, (u, 1.0, 0.0), (3.0, 0.0, 1.0), mu=0.0, z=(weight, 0.0, 0.0))
    f.expect(ball, (u, 1.0, 0.0), (3.0, 0.0, 1.0))
    frames.append(f)

    gap = 0.02
    f = Frame(
        "future contact that closes",
        """Stewart-Trinkle: v_z+ >= -psi/h. The free speed
              -5 - g h is beyond -psi/h = -2, so the gap closes exactly at the end of the step:
              v_z+ = -psi/h, lambda_n = m(5 + g h - psi/h).""",
        ["frictionless"],
    )
    ball = ball_on_floor(
        f, m, r, (0.0, 0.0, -5.0), mu=mu, gap=gap, z=(m * (5.0 + G * H - gap / H), 0.0, 0.0)
    )
    f.expect(ball, (0.0, 0.0, -gap / H))
    frames.append(f)

    f = Frame(
        "future contact that stays open",
        "psi/h = 10 exceeds the approach 5 + g h: no impulse, v_z+ = -5 - g h.",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, (0.0, 0.0, -5.0), mu=mu, gap=0.1)
    f.expect(ball, (0.0, 0.0, -5.0 - G * H))
    frames.append(f)

    f = Frame(
        "the same distance under Anitescu-Potra",
        """The gap that closes under Stewart-Trinkle
              is above 1e-6 m, so the contact is left out: v_z+ = -5 - g h.""",
        ["frictionless"],
        stepper="ap",
    )
    ball = ball_on_floor(f, m, r, (0.0, 0.0, -5.0), mu=mu, gap=gap)
    f.expect(ball, (0.0, 0.0, -5.0 - G * H))
    frames.append(f)

    f = Frame(
        "penetration is pushed out",
        "psi = -1 mm: v_z+ = -psi/h = 0.1, lambda_n = m(g h - psi/h).",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, mu=mu, gap=-0.001, z=(m * (G * H + 0.001 / H), 0.0, 0.0))
    f.expect(ball, (0.0, 0.0, 0.001 / H))
    frames.append(f)

    f = Frame(
        "penetration is left alone by Anitescu-Potra",
        "c = 0: the ball only stops falling, v_z+ = 0, lambda_n = m g h.",
        ["frictionless"],
        stepper="ap",
    )
    ball_on_floor(f, m, r, mu=mu, gap=-0.001, z=(weight, 0.0, 0.0))
    frames.append(f)

    e = 0.5
    f = Frame(
        "restitution: a bounce",
        """u- = -2 is faster than 0.01 m/s and the contact closes:
              v_z+ = -e u- = 1, lambda_n = m(1 + 2 + g h).""",
        ["frictionless"],
    )
    ball = ball_on_floor(
        f, m, r, (0.0, 0.0, -2.0), mu=mu, restitution=e, z=(m * (e * 2.0 + 2.0 + G * H), 0.0, 0.0)
    )
    f.expect(ball, (0.0, 0.0, e * 2.0))
    frames.append(f)

    f = Frame(
        "restitution: too slow to bounce",
        "u- = -0.005 is slower than 0.01 m/s: v_z+ = 0, lambda_n = m(0.005 + g h).",
        ["frictionless"],
    )
    ball = ball_on_floor(
        f, m, r, (0.0, 0.0, -0.005), mu=mu, restitution=e, z=(m * (0.005 + G * H), 0.0, 0.0)
    )
    f.expect(ball)
    frames.append(f)

    f = Frame(
        "restitution: not yet there",
        "psi/h = 10 exceeds the approach: the contact does not close, v_z+ = -4 - g h.",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, (0.0, 0.0, -4.0), mu=mu, gap=0.1, restitution=e)
    f.expect(ball, (0.0, 0.0, -4.0 - G * H))
    frames.append(f)

    mass = (1.0, 3.0)
    radius = (0.25, 0.5)
    speed = (2.0, -1.0)

    def two_balls(frame, side=0.0, mu=0.0, z=ZERO, **optional):
        a = frame.body(
            mass[0], ball_inertia(mass[0], radius[0]), ZERO, (speed[0], 0.0, 0.0), force=ZERO
        )
        b = frame.body(
            mass[1],
            ball_inertia(mass[1], radius[1]),
            (radius[0] + radius[1], 0.0, 0.0),
            (speed[1], side, 0.0),
            force=ZERO,
        )
        frame.contact(a, b, X, (radius[0], 0.0, 0.0), 0.0, mu, z, **optional)
        return a, b

    reduced = mass[0] * mass[1] / (mass[0] + mass[1])
    common = (mass[0] * speed[0] + mass[1] * speed[1]) / (mass[0] + mass[1])
    push = reduced * (speed[0] - speed[1])
    f = Frame(
        "two moving balls collide without bounce",
        """Weightless, head-on. Momentum is kept:
              both leave with (m1 v1 + m2 v2)/(m1 + m2); lambda_n = m1 m2/(m1 + m2) (v1 - v2).""",
        ["frictionless"],
    )
    a, b = two_balls(f, mu=0.2, z=(push, 0.0, 0.0))
    f.expect(a, (common, 0.0, 0.0))
    f.expect(b, (common, 0.0, 0.0))
    frames.append(f)

    push = reduced * (speed[0] - speed[1]) * (1.0 + e)
    f = Frame(
        "two moving balls bounce",
        """Newton's law: v2+ - v1+ = e (v1 - v2); lambda_n is
              (1 + e) times that of the collision without bounce.""",
        ["frictionless"],
    )
    a, b = two_balls(f, mu=0.2, z=(push, 0.0, 0.0), restitution=e)
    f.expect(a, (speed[0] - push / mass[0], 0.0, 0.0))
    f.expect(b, (speed[1] + push / mass[1], 0.0, 0.0))
    frames.append(f)

    mu, side = 0.2, 5.0
    push = reduced * (speed[0] - speed[1])
    f = Frame(
        "two moving balls graze each other",
        """n = e_x, t = e_y. The second ball passes with 5 m/s along t: the slip 5 would need
              lambda_t = (2/7) m1 m2/(m1 + m2) 5, more than mu lambda_n, so lambda_t = -mu
              lambda_n acts on ball 2 and its opposite on ball 1. Torques: R2 mu lambda_n on
              ball 2 (at -R2 e_x), R1 mu lambda_n on ball 1, both about +z.""",
    )
    assert 2.0 / 7.0 * reduced * side > mu * push
    a, b = two_balls(f, side, mu, (push, -mu * push, 0.0))
    f.expect(
        a,
        (common, mu * push / mass[0], 0.0),
        (0.0, 0.0, radius[0] * mu * push / ball_inertia(mass[0], radius[0])[2]),
    )
    f.expect(
        b,
        (common, side - mu * push / mass[1], 0.0),
        (0.0, 0.0, radius[1] * mu * push / ball_inertia(mass[1], radius[1])[2]),
    )
    frames.append(f)

    mu = 0.5
    f = Frame(
        "ball on a turntable",
        """The table (mass 0) turns with 2 rad/s, the ball touches it at x = 0.5, where it
              moves with 1 m/s along o. The ball is dragged along: lambda_o = mu m g h, v_y+ =
              mu g h, omega_x+ = R mu m g h/I, still slower than the table.""",
    )
    ball = ball_on_floor(
        f, m, r, mu=mu, z=(weight, 0.0, mu * weight), floor_spin=(0.0, 0.0, 2.0), at=(0.5, 0.0, 0.0)
    )
    f.expect(ball, (0.0, mu * G * H, 0.0), (r * mu * weight / inertia, 0.0, 0.0))
    frames.append(f)

    d = 0.1
    push = G * H / (1.0 / m + d * d / inertia)
    f = Frame(
        "the second contact point is given",
        """points2 says that the floor pushes at (d, 0, -R) from the centre, d = 0.1: the
              normal row is (e_z, -d e_y), A = 1/m + d^2/I, lambda_n = g h/A, v_z+ = -g h +
              lambda_n/m, omega_y+ = -d lambda_n/I.""",
        ["frictionless"],
    )
    ball = ball_on_floor(f, m, r, mu=0.0, z=(push, 0.0, 0.0), points2=(d, 0.0, -r))
    f.expect(ball, (0.0, 0.0, -G * H + push / m), (0.0, -d * push / inertia, 0.0))
    frames.append(f)

    s, c = 0.6, 0.8
    f = Frame(
        "tangents are given",
        """t = (0.8, 0.6, 0) comes from the file and the ball slides along it: lambda_t = -mu
              m g h, v+ = (2 - mu g h) t, spin R mu m g h/I about e_z x t.""",
    )
    ball = ball_on_floor(
        f,
        m,
        r,
        (u * c, u * s, 0.0),
        mu=mu,
        z=(weight, -mu * weight, 0.0),
        tangents=(c, s, 0.0, -s, c, 0.0),
    )
    speed_plus, turn = u - mu * G * H, r * mu * weight / inertia
    f.expect(ball, (speed_plus * c, speed_plus * s, 0.0), (-turn * s, turn * c, 0.0))
    frames.append(f)
    return frames


# ---- blocks.jsonl ----


def blocks():
    frames = []
    mu = 0.5

    f = Frame(
        "block on a slope just below the friction angle",
        "tan(theta) = 0.99 mu: friction m g h sin(theta) < mu m g h cos(theta), so v+ = 0.",
    )
    block_on_slope(f, 0.99 * mu, mu)
    frames.append(f)

    for factor, words in ((1.01, "just above the friction angle"), (3.0, "well above it")):
        f = Frame(
            "block on a slope " + words,
            """tan(theta) = %g mu: it slides downhill, along -o, with v+ = g h (sin(theta) -
                  mu cos(theta)); the pressure moves to the lower corners and keeps it from
                  turning."""
            % factor,
        )
        slope_mu = mu if factor < 2.0 else 0.3
        block, downhill, s, c = block_on_slope(f, factor * slope_mu, slope_mu)
        f.expect(block, scale(G * H * (s - slope_mu * c), downhill))
        frames.append(f)

    f = Frame(
        "block on a slope without friction",
        "mu = 0: v+ = g h sin(theta) downhill.",
        ["frictionless"],
    )
    block, downhill, s, c = block_on_slope(f, 0.75, 0.0)
    f.expect(block, scale(G * H * s, downhill))
    frames.append(f)

    m, a = 2.0, 1.0
    weight = m * G * H
    f = Frame(
        "sliding block comes to rest",
        "v_x = 0.03 is less than mu g h: friction -m v_x stops it within the step, v+ = 0.",
    )
    block = block_on_floor(f, m, a, (0.03, 0.0, 0.0), mu, (-m * 0.03, 0.0))
    assert 0.03 < mu * G * H
    f.expect(block)
    frames.append(f)

    f = Frame("pushed block holds", "The force along o, 0.98 mu m g, is below the limit: v+ = 0.")
    force = 0.98 * mu * m * G
    block = block_on_floor(f, m, a, mu=mu, friction=(0.0, -force * H), force=(0.0, force, -m * G))
    f.expect(block)
    frames.append(f)

    f = Frame(
        "pushed block gives way",
        "The force along o, 1.02 mu m g, exceeds the limit: v_y+ = 0.02 mu g h.",
    )
    force = 1.02 * mu * m * G
    block = block_on_floor(f, m, a, mu=mu, friction=(0.0, -mu * weight), force=(0.0, force, -m * G))
    f.expect(block, (0.0, (force / m - mu * G) * H, 0.0))
    frames.append(f)

    f = Frame(
        "stack of three boxes at rest",
        """Interface k carries the weight above it, m g h each, shared by its four corners:
              v+ = 0.""",
        ["frictionless"],
    )
    below = f.fixed()
    for level in range(3):
        box = f.body(m, cube_inertia(m, a), (0.0, 0.0, (level + 0.5) * a))
        patch(f, below, box, Z, (0.0, 0.0, level * a), corners(a / 2), mu, (3 - level) * weight)
        below = box
    frames.append(f)

    light, heavy = 1.0, 1000.0
    f = Frame(
        "mass ratio 1:1000, the light box below",
        """The light box carries the heavy one: 1000 g h between them, 1001 g h on the floor:
              v+ = 0.""",
        ["frictionless", "many-sweeps"],
    )
    below = f.fixed()
    for mass, level, load in ((light, 0, light + heavy), (heavy, 1, heavy)):
        box = f.body(mass, cube_inertia(mass, a), (0.0, 0.0, (level + 0.5) * a))
        patch(f, below, box, Z, (0.0, 0.0, level * a), corners(a / 2), mu, load * G * H)
        below = box
    frames.append(f)

    f = Frame(
        "redundant contacts: sixteen under one sliding box",
        """The grid of 4 x 4 points shares the pressure m g h and the friction -mu m g h
              along t: v_x+ = 2 - mu g h. The normal impulses are not unique, the velocity is.""",
    )
    side = 1.5
    places = (-0.75, -0.25, 0.25, 0.75)
    block = block_on_floor(
        f,
        m,
        side,
        (2.0, 0.0, 0.0),
        0.25,
        (-0.25 * weight, 0.0),
        [(x, y) for x in places for y in places],
    )
    f.expect(block, (2.0 - 0.25 * G * H, 0.0, 0.0))
    frames.append(f)

    f = Frame(
        "redundant contacts: every corner twice",
        "Eight contacts, equal in pairs, carry the weight: v+ = 0.",
        ["frictionless"],
    )
    block_on_floor(f, m, a, mu=mu, grid=corners(a / 2) + corners(a / 2))
    frames.append(f)

    f = Frame(
        "conveyor: box dragged by a fast belt",
        """The belt (mass 0) moves with 1 m/s along t
              under a box at rest: lambda_t = mu m g h, v_x+ = mu g h < 1.""",
    )
    block = block_on_floor(
        f, m, a, mu=mu, friction=(mu * weight, 0.0), floor_velocity=(1.0, 0.0, 0.0)
    )
    f.expect(block, (mu * G * H, 0.0, 0.0))
    frames.append(f)

    f = Frame(
        "conveyor: box sticks to a slow belt",
        """The belt moves with 0.02 m/s < mu g h: friction m 0.02 brings the box to the speed
              of the belt within the step.""",
    )
    block = block_on_floor(
        f, m, a, mu=mu, friction=(m * 0.02, 0.0), floor_velocity=(0.02, 0.0, 0.0)
    )
    f.expect(block, (0.02, 0.0, 0.0))
    frames.append(f)

    f = Frame(
        "lift: box on a rising plate",
        """The plate (mass 0) rises with 0.5 m/s and takes the box along: v_z+ = 0.5,
              pressure m(g h + 0.5).""",
        ["frictionless"],
    )
    floor = f.fixed((0.0, 0.0, 0.5))
    block = f.body(m, cube_inertia(m, a), (0.0, 0.0, a / 2))
    patch(f, floor, block, Z, ZERO, corners(a / 2), mu, m * (G * H + 0.5))
    f.expect(block, (0.0, 0.0, 0.5))
    frames.append(f)

    f = Frame(
        "two islands and ids out of order",
        """A box at rest (id 40) and, ten metres away, a
              box sliding along t (id 7) on the same floor (id 12): each as if alone, v+ = 0 and
              v_x+ = 2 - mu g h.""",
    )
    floor = f.fixed(id=12)
    resting = f.body(m, cube_inertia(m, a), (0.0, 0.0, a / 2), id=40)
    sliding = f.body(m, cube_inertia(m, a), (10.0, 0.0, a / 2), (2.0, 0.0, 0.0), id=7)
    patch(f, floor, resting, Z, ZERO, corners(a / 2), mu, weight)
    patch(
        f,
        floor,
        sliding,
        Z,
        (10.0, 0.0, 0.0),
        corners(a / 2),
        mu,
        weight,
        (-mu * weight, 0.0),
        a / 2,
    )
    f.expect(sliding, (2.0 - mu * G * H, 0.0, 0.0))
    frames.append(f)
    return frames


# ---- joints.jsonl ----


def joints():
    frames = []
    m, length, mu = 3.0, 2.0, 0.5
    rod_inertia = (0.01, m * length * length / 12.0, m * length * length / 12.0)
    anchor, tip = (-length / 2, 0.0, 0.0), (length, 0.0, 0.0)

    def rod(frame, spin=0.0):
        ground = frame.fixed()
        return ground, frame.body(
            m, rod_inertia, (length / 2, 0.0, 0.0), (0.0, spin * length / 2, 0.0), (0.0, 0.0, spin)
        )

    f = Frame(
        "pendulum let go from the horizontal",
        """A rod of length L, held at its end by a ball
              joint: angular acceleration 3 g/(2 L), so omega_y+ = 3 g h/(2 L), v_z+ = -3 g h/4;
              the joint carries m g h/4.""",
    )
    ground, body = rod(f)
    f.joint(ground, body, point_rows(ZERO, anchor, (0.0, 0.0, m * G * H / 4.0)))
    f.expect(body, (0.0, 0.0, -0.75 * G * H), (0.0, 1.5 * G * H / length, 0.0))
    frames.append(f)

    half = m * G * H / 2.0
    f = Frame(
        "joint plus contact: the tip rests on the floor",
        "Joint and tip carry half of the weight each: v+ = 0.",
    )
    ground, body = rod(f)
    f.joint(ground, body, point_rows(ZERO, anchor, (0.0, 0.0, half)))
    f.contact(ground, body, Z, tip, 0.0, mu, (half, 0.0, 0.0))
    frames.append(f)

    spin = 1.0
    f = Frame(
        "joint plus contact: the tip slides in a circle",
        """The rod turns about the ball joint with 1 rad/s, its tip slides along o with
              friction mu m g h/2 at the arm L; moment of inertia about the joint m L^2/3:
              omega_z+ = omega_z - 3 mu g h/(2 L), v_y+ = omega_z+ L/2. Sideways the joint takes
              half of the friction.""",
    )
    ground, body = rod(f, spin)
    f.joint(ground, body, point_rows(ZERO, anchor, (0.0, -mu * half / 2.0, half)))
    f.contact(ground, body, Z, tip, 0.0, mu, (half, 0.0, -mu * half))
    spin -= 1.5 * mu * G * H / length
    f.expect(body, (0.0, spin * length / 2, 0.0), (0.0, 0.0, spin))
    frames.append(f)

    spin = 0.02
    f = Frame(
        "joint plus contact: the tip comes to rest",
        """With omega_z = 0.02 friction omega_z m L/3 < mu m g h/2 stops the rod within the
              step: v+ = 0.""",
    )
    stop = spin * m * length / 3.0
    assert stop < mu * half
    ground, body = rod(f, spin)
    f.joint(ground, body, point_rows(ZERO, anchor, (0.0, -stop / 2.0, half)))
    f.contact(ground, body, Z, tip, 0.0, mu, (half, 0.0, -stop))
    f.expect(body)
    frames.append(f)

    wheel_mass, axial = 4.0, 0.5
    wheel_inertia = (0.3, 0.3, axial)

    def wheel(frame, spin, spin_plus, row):
        """A wheel on a hinge about z through its centre, and one row about the same axis."""
        ground = frame.fixed()
        body = frame.body(wheel_mass, wheel_inertia, ZERO, spin=(0.0, 0.0, spin))
        frame.joint(
            ground, body, hinge_rows(ZERO, ZERO, (0.0, 0.0, wheel_mass * G * H), (0.0, 0.0)) + [row]
        )
        frame.expect(body, spin=(0.0, 0.0, spin_plus))

    axis = turn_jacobian(Z)
    torque = 2.0
    f = Frame(
        "motor at its bound",
        """Target 10 rad/s, torque at most 2 N m, I = 0.5: the motor gives all it has, omega+
              = tau h/I = 0.04.""",
    )
    wheel(f, 0.0, torque * H / axial, (axis, -torque * H, torque * H, 0.0, -10.0, torque * H))
    frames.append(f)

    f = Frame(
        "motor reaching its target",
        """Target 0.03 rad/s needs the impulse I 0.03 < tau h:
              omega+ = 0.03.""",
    )
    wheel(f, 0.0, 0.03, (axis, -torque * H, torque * H, 0.0, -0.03, axial * 0.03))
    frames.append(f)

    f = Frame(
        "motor as a brake at its bound",
        "Target 0, omega = 1: omega+ = 1 - tau h/I, the motor at its lower bound.",
    )
    wheel(f, 1.0, 1.0 - torque * H / axial, (axis, -torque * H, torque * H, 0.0, 0.0, -torque * H))
    frames.append(f)

    f = Frame(
        "joint limit that is hit",
        """The limit is 0.01 rad away and the wheel turns towards it with 3 rad/s: omega+ >=
              -Phi/h = -1, so omega+ = -1 and lambda = I (3 - 1).""",
    )
    wheel(f, -3.0, -1.0, (axis, 0.0, INFINITE, 0.01, 0.0, axial * 2.0))
    frames.append(f)

    f = Frame(
        "joint limit that is not hit",
        """0.01 rad away, turning towards it with 0.5 rad/s < Phi/h: lambda = 0,
              omega+ = -0.5.""",
    )
    wheel(f, -0.5, -0.5, (axis, 0.0, INFINITE, 0.01, 0.0, 0.0))
    frames.append(f)

    door_inertia, push, spin = (0.3, 1.0, 1.2), 6.0, 0.5
    about_hinge = door_inertia[2] + m * length * length / 4.0
    gain = push * H / about_hinge
    f = Frame(
        "redundant joints: a door on two hinges",
        """Both hinges, half a metre above and below, allow the same turn about z: ten rows
              of rank five. A torque of 6 N m on the door, moment of inertia about the hinges I
              + m L^2/4: omega+ = omega + tau h/(I + m L^2/4), v_y+ = omega+ L/2. The hinges
              share the weight m g h and its moment m g h L/2.""",
    )
    ground = f.fixed()
    door = f.body(
        m,
        door_inertia,
        (length / 2, 0.0, 0.0),
        (0.0, spin * length / 2, 0.0),
        (0.0, 0.0, spin),
        torque=(0.0, 0.0, push),
    )
    for z in (-0.5, 0.5):
        f.joint(
            ground,
            door,
            hinge_rows(
                (0.0, 0.0, z),
                (-length / 2, 0.0, z),
                (0.0, m * length * gain / 4.0, half),
                (0.0, -half * length / 2.0),
            ),
        )
    f.expect(door, (0.0, (spin + gain) * length / 2, 0.0), (0.0, 0.0, spin + gain))
    frames.append(f)

    f = Frame(
        "joint violation is taken back",
        """A rail along y and z holds the body's x, rotation is free; it is 1 mm off: v_x+ =
              -Phi/h = -0.1, the rest falls freely.""",
    )
    ground = f.fixed()
    body = f.body(m, (0.1, 0.2, 0.3), (0.001, 0.0, 0.0), (0.3, 0.4, 0.0))
    f.joint(ground, body, [free_row(minus(X) + ZERO + X + ZERO, m * (-0.1 - 0.3), 0.001)])
    f.expect(body, (-0.001 / H, 0.4, -G * H))
    frames.append(f)

    f = Frame(
        "two bodies pinned together",
        """Weightless; 1 kg moving with 2 m/s is pinned to 3 kg at rest, centre on centre:
              momentum gives both 0.5 m/s; the spins stay their own.""",
    )
    first = f.body(1.0, (0.1, 0.1, 0.1), ZERO, (2.0, 0.0, 0.0), (0.0, 0.0, 1.0), force=ZERO)
    second = f.body(3.0, (0.4, 0.4, 0.4), ZERO, force=ZERO)
    f.joint(first, second, point_rows(ZERO, ZERO, (1.5, 0.0, 0.0)))
    f.expect(first, (0.5, 0.0, 0.0), (0.0, 0.0, 1.0))
    f.expect(second, (0.5, 0.0, 0.0))
    frames.append(f)

    mass, side, drive = 1.0, 1.0, 10.0
    f = Frame(
        "motor at its bound drags a box over the floor",
        """A linear motor of 10 N pulls at the centre of a box, against friction mu m g =
              4.905 N: v_x+ = (10 - mu m g) h/m.""",
    )
    block = block_on_floor(f, mass, side, mu=mu, friction=(-mu * mass * G * H, 0.0))
    f.joint(0, block, [(minus(X) + ZERO + X + ZERO, -drive * H, drive * H, 0.0, -1.0, drive * H)])
    f.expect(block, ((drive - mu * mass * G) * H / mass, 0.0, 0.0))
    frames.append(f)

    drive = 4.0
    f = Frame(
        "motor too weak for friction",
        "A linear motor of 4 N pulls against mu m g = 4.905 N: the box stays, v+ = 0.",
    )
    block = block_on_floor(f, mass, side, mu=mu, friction=(-drive * H, 0.0))
    f.joint(0, block, [(minus(X) + ZERO + X + ZERO, -drive * H, drive * H, 0.0, -1.0, drive * H)])
    frames.append(f)
    return frames


# ---- drives.jsonl ----


def drives():
    """Springs, dampers and servos: rows with a compliance C. Of a spring k and a damper d, implicit
    Euler lambda = -h (k (Phi + h v+) + d v+) is the row v+ + rate + Phi/h + C lambda = 0 with
    C = 1/(h (h k + d)), where Phi/h + rate = C h k Phi."""
    frames = []

    def row(jacobian, k, d, phi, impulse, most=INFINITE):
        c = 1.0 / (H * (H * k + d))
        lower = -most if most != INFINITE else INFINITE
        return (jacobian, lower, most, phi, c * H * k * phi - phi / H, impulse, c)

    along = minus(Z) + ZERO + Z + ZERO
    mass, k, phi = 0.1, 1e5, 0.01
    f = Frame(
        "spring that is much stiffer than the step can follow",
        """m = 0.1, k = 1e5, Phi = 0.01 above its rest: m (v+ - v) = -m g h - h k (Phi + h v+), so
              v+ = (m (v - g h) - h k Phi)/(m + h^2 k).""",
    )
    ground = f.fixed()
    ball = f.body(mass, ball_inertia(mass, 0.1), (0.0, 0.0, phi), (0.0, 0.0, 0.3))
    plus = (mass * (0.3 - G * H) - H * k * phi) / (mass + H * H * k)
    f.joint(ground, ball, [row(along, k, 0.0, phi, -H * k * (phi + H * plus))])
    f.expect(ball, (0.0, 0.0, plus))
    frames.append(f)

    d = 50.0
    f = Frame(
        "damper",
        "d = 50: m (v+ - v) = -m g h - h d v+, so v+ = m (v - g h)/(m + h d).",
    )
    ground = f.fixed()
    ball = f.body(mass, ball_inertia(mass, 0.1), ZERO, (0.0, 0.0, 2.0))
    plus = mass * (2.0 - G * H) / (mass + H * d)
    f.joint(ground, ball, [row(along, 0.0, d, 0.0, -H * d * plus)])
    f.expect(ball, (0.0, 0.0, plus))
    frames.append(f)

    strongest = 3.0
    f = Frame(
        "servo at its bound",
        """The same spring with at most 3 N: it gives all it has, v+ = v - g h - 3 h/m.""",
    )
    ground = f.fixed()
    ball = f.body(mass, ball_inertia(mass, 0.1), (0.0, 0.0, phi))
    f.joint(ground, ball, [row(along, k, d, phi, -strongest * H, strongest * H)])
    f.expect(ball, (0.0, 0.0, -G * H - strongest * H / mass))
    frames.append(f)

    axial, spin, turned = 0.5, 1.0, 0.2
    f = Frame(
        "hinge with a servo",
        """A wheel, I = 0.5, that has turned by 0.2; k = 1e5, d = 50: I (w+ - w) =
              -h (k (0.2 + h w+) + d w+), so w+ = (I w - h k 0.2)/(I + h^2 k + h d).""",
    )
    ground = f.fixed()
    wheel = f.body(4.0, (0.3, 0.3, axial), ZERO, spin=(0.0, 0.0, spin))
    plus = (axial * spin - H * k * turned) / (axial + H * H * k + H * d)
    servo = row(turn_jacobian(Z), k, d, turned, -H * (k * (turned + H * plus) + d * plus))
    f.joint(ground, wheel, hinge_rows(ZERO, ZERO, (0.0, 0.0, 4.0 * G * H), (0.0, 0.0)) + [servo])
    f.expect(wheel, spin=(0.0, 0.0, plus))
    frames.append(f)

    mass, mu, k = 1.0, 0.5, 100.0
    across = minus(X) + ZERO + X + ZERO
    for phi, name in ((-0.04, "too weak for"), (-0.06, "stronger than")):
        pull = -H * k * phi
        friction = mu * mass * G * H
        moves = pull > friction
        f = Frame(
            "spring " + name + " friction",
            """A spring of 100 N/m, stretched by %g m, pulls at the centre of a box, against
              friction mu m g = 4.905 N: """
            % -phi
            + (
                "v+ = h (k 0.06 - mu m g)/(m + h^2 k)."
                if moves
                else "the box stays, v+ = 0, friction carries k 0.04 = 4 N."
            ),
        )
        plus = (pull - friction) / (mass + H * H * k) if moves else 0.0
        held = friction if moves else pull
        box = block_on_floor(f, mass, 1.0, mu=mu, friction=(-held, 0.0))
        f.joint(0, box, [row(across, k, 0.0, phi, -H * k * (phi + H * plus))])
        f.expect(box, (plus, 0.0, 0.0))
        frames.append(f)
    return frames


# ---- mimics.jsonl ----


def mimics():
    """Joints that follow others, q2 = r q1 + o: the row q2' - r q1' + Phi/h = 0 acts on the bodies of
    both. lambda = -(q2' - r q1' + Phi/h)/A at the velocities without it."""
    frames = []
    along = minus(X) + ZERO + X + ZERO
    ball = (0.1, 0.1, 0.1)

    base, leader, follower, r, push = 3.0, 2.0, 0.5, -2.0, 40.0
    f = Frame(
        "mimic: two fingers on a free hand",
        """The leader is pushed by F = 40, the hand against it. With x of the hand and q of the
              leader, M = m0 + m1 + m2: momentum M x' + (m1 + r m2) q' = 0, and
              (m1 + r m2) x' + (m1 + r^2 m2) q' = h F.""",
    )
    hand = f.body(base, ball, ZERO, force=(-push, 0.0, -base * G))
    one = f.body(leader, ball, (0.5, 0.0, 0.0), force=(push, 0.0, -leader * G))
    two = f.body(follower, ball, (-0.5, 0.0, 0.0))
    m, p, s = base + leader + follower, leader + r * follower, leader + r * r * follower
    q = H * push / (s - p * p / m)
    x = -p * q / m
    impulse = follower * (x + r * q)
    f.mimic((hand, two), (hand, one), along, scale(-r, along), 0.0, impulse)
    for body, speed in ((hand, x), (one, x + q), (two, x + r * q)):
        f.expect(body, (speed, 0.0, -G * H))
    frames.append(f)

    masses, r, phi = (1.0, 2.0, 4.0, 0.5), 0.5, 0.003
    speeds = (0.1, -0.2, 0.4, 0.3)
    f = Frame(
        "mimic over four bodies",
        """Bodies 0, 1 and 2, 3 are two pairs; v1 - v0 = (v3 - v2)/2, open by Phi = 0.003:
              A = 1/m0 + 1/m1 + (1/m2 + 1/m3)/4. What it gives to each pair adds to no momentum.""",
    )
    bodies = [
        f.body(m, ball, (float(i), 0.0, 0.0), (v, 0.0, 0.0))
        for i, (m, v) in enumerate(zip(masses, speeds))
    ]
    weights = (-1.0, 1.0, r, -r)
    a = sum(w * w / m for w, m in zip(weights, masses))
    impulse = -(sum(w * v for w, v in zip(weights, speeds)) + phi / H) / a
    f.mimic(bodies[:2], bodies[2:], along, scale(-r, along), phi, impulse)
    for body, m, v, w in zip(bodies, masses, speeds, weights):
        f.expect(body, (v + w * impulse / m, 0.0, -G * H))
    frames.append(f)

    moments, r = (0.5, 0.2), 3.0
    f = Frame(
        "mimic: a wheel follows a slide on the same carrier",
        """Turns follow metres: w2 - w0 = 3 (v1 - v0); the carrier has terms in both pairs.
              A = 1/I2 + 1/I0 + 9 (1/m1 + 1/m0).""",
    )
    carrier = f.body(base, (moments[0],) * 3, ZERO, spin=(0.0, 0.0, 0.3))
    slide = f.body(leader, ball, (0.5, 0.0, 0.0), (0.7, 0.0, 0.0))
    wheel = f.body(1.0, (moments[1],) * 3, (-0.5, 0.0, 0.0))
    a = 1.0 / moments[0] + 1.0 / moments[1] + r * r * (1.0 / base + 1.0 / leader)
    impulse = (0.3 + r * 0.7) / a
    f.mimic((carrier, wheel), (carrier, slide), turn_jacobian(Z), scale(-r, along), 0.0, impulse)
    f.expect(carrier, (r * impulse / base, 0.0, -G * H), (0.0, 0.0, 0.3 - impulse / moments[0]))
    f.expect(slide, (0.7 - r * impulse / leader, 0.0, -G * H))
    f.expect(wheel, (0.0, 0.0, -G * H), (0.0, 0.0, impulse / moments[1]))
    frames.append(f)

    r, push = 0.5, 20.0
    f = Frame(
        "mimic: what blocks one finger stops the other",
        """The leader is pushed by 20 N along x and the follower, which goes half as far, touches a
              wall without friction: virtual work gives 20/r = 40 N on the wall, and nothing moves
              along x.""",
        ["frictionless"],
    )
    wall = f.fixed()
    one = f.body(leader, ball, (1.0, 0.0, 0.0), force=(push, 0.0, 0.0))
    two = f.body(follower, ball, (-0.1, 0.0, 0.0), force=ZERO)
    f.mimic((wall, two), (wall, one), along, scale(-r, along), 0.0, H * push / r)
    f.contact(wall, two, minus(X), ZERO, z=(H * push / r, 0.0, 0.0))
    frames.append(f)
    return frames


# ---- groups.jsonl ----


def groups():
    """A particle near the edge between the top (n = e_z) and the side (n = e_x) of a fixed box
    that fills x < 0, z < 0. For the side t = e_y, o = e_z. Top and side are one group."""
    frames = []
    m = 2.0

    def edge(frame, place, velocity, mu, z_top, z_side):
        box = frame.fixed()
        particle = frame.body(m, (0.01, 0.01, 0.01), place, velocity)
        x, _, z = place
        frame.contact(box, particle, Z, (x, 0.0, 0.0), z, mu, z_top, group=0)
        frame.contact(box, particle, X, (0.0, 0.0, z), x, mu, z_side, group=0)
        return particle

    place, velocity = (0.01, 0.0, 0.02), (-3.0, 0.0, -4.0)
    story = """Predicted gaps: top 0.02 - h(4 + g h) = -0.020981, side 0.01 - 3 h = -0.02, the
            larger one: the side pushes, v_x+ = -psi_side/h = -1, lambda_n = m(3 - 1)."""

    f = Frame(
        "group: the side pushes", story + " Without friction v_z+ = -4 - g h.", ["frictionless"]
    )
    body = edge(f, place, velocity, 0.0, ZERO, (2.0 * m, 0.0, 0.0))
    f.expect(body, (-1.0, 0.0, -4.0 - G * H))
    frames.append(f)

    f = Frame(
        "group: the side pushes, with friction",
        story + """ Friction mu lambda_n acts along +o = +z: v_z+ = -4 - g h + mu 2.""",
    )
    body = edge(f, place, velocity, 0.5, ZERO, (2.0 * m, 0.0, 0.5 * 2.0 * m))
    f.expect(body, (-1.0, 0.0, -4.0 - G * H + 0.5 * 2.0))
    frames.append(f)

    f = Frame(
        "group: the top pushes",
        """Predicted gaps: top 0.02 - h(2.5 + g h) = -0.005981, side 0.01 - 4 h = -0.03: the
              top pushes, v_z+ = -psi_top/h = -2, lambda_n = m(0.5 + g h); v_x is left alone.""",
        ["frictionless"],
    )
    body = edge(f, place, (-4.0, 0.0, -2.5), 0.0, (m * (0.5 + G * H), 0.0, 0.0), ZERO)
    f.expect(body, (-4.0, 0.0, -2.0))
    frames.append(f)

    f = Frame(
        "group: the particle passes over the edge",
        """Predicted gaps: top 0.02 - h(1 + g h) > 0: the largest stays positive, so nothing
              pushes, although the side's own gap 0.01 - 3 h would close: v+ is the free
              velocity.""",
        ["frictionless"],
    )
    body = edge(f, place, (-3.0, 0.0, -1.0), 0.0, ZERO, ZERO)
    f.expect(body, (-3.0, 0.0, -1.0 - G * H))
    frames.append(f)

    f = Frame(
        "group: the face behind the particle does not push",
        """The particle is above the top, 5 cm behind the plane of the side: only the top has
              psi >= 0, v_z+ = -psi_top/h = -0.1. The side alone would throw it out with 5 m/s.""",
        ["frictionless"],
    )
    body = edge(
        f, (-0.05, 0.0, 0.001), (0.0, 0.0, -1.0), 0.0, (m * (1.0 + G * H - 0.1), 0.0, 0.0), ZERO
    )
    f.expect(body, (0.0, 0.0, -0.1))
    frames.append(f)
    return frames


# ---- models.jsonl ----


def models():
    """Slides between the axes: there box and polygon give other velocities than Coulomb's cone."""
    frames = []
    tag = ["cone-only"]
    mu, m = 0.5, 2.0
    weight = m * G * H
    # Half-way between two of the eight facets of the polygon: 22.5 degrees from t.
    c, s = math.sqrt(2.0 + math.sqrt(2.0)) / 2.0, math.sqrt(2.0 - math.sqrt(2.0)) / 2.0
    diagonal = math.sqrt(0.5)

    r, u = 0.5, 2.0
    inertia = 0.4 * m * r * r
    for a, b, angle, rest in (
        (c, s, "22.5", ", the polygon along its nearest facets"),
        (diagonal, diagonal, "45", ""),
    ):
        f = Frame(
            "ball sliding at %s degrees to t" % angle,
            """Friction mu m g h acts against the slip: v+ = (2 - mu g h) d, spin R mu m g h/I
                  about e_z x d. The box would brake t and o each with mu m g h%s."""
            % rest,
            tag,
        )
        ball = ball_on_floor(
            f, m, r, (u * a, u * b, 0.0), mu=mu, z=(weight, -mu * weight * a, -mu * weight * b)
        )
        turn, speed = r * mu * weight / inertia, u - mu * G * H
        f.expect(ball, (speed * a, speed * b, 0.0), (-turn * b, turn * a, 0.0))
        frames.append(f)

    f = Frame(
        "block sliding at 22.5 degrees to t",
        """Four contacts, all sliding along d: v+ =
              (2 - mu g h) d; the pressure moves ahead along d and keeps the block from turning.""",
        tag,
    )
    block = block_on_floor(f, m, 1.0, (u * c, u * s, 0.0), mu, (-mu * weight * c, -mu * weight * s))
    f.expect(block, ((u - mu * G * H) * c, (u - mu * G * H) * s, 0.0))
    frames.append(f)

    push = 1.2 * mu * m * G
    f = Frame(
        "block pushed at 45 degrees beyond the cone, within the box",
        """The force 1.2 mu m g exceeds friction: v+ = 0.2 mu g h along it. Each component is
              0.85 mu m g: the box model holds it.""",
        tag,
    )
    block = block_on_floor(
        f,
        m,
        1.0,
        mu=mu,
        friction=(-mu * weight * diagonal, -mu * weight * diagonal),
        force=(push * diagonal, push * diagonal, -m * G),
    )
    speed = (push / m - mu * G) * H
    f.expect(block, (speed * diagonal, speed * diagonal, 0.0))
    frames.append(f)
    return frames


FILES = {
    "single_contact": single_contact,
    "blocks": blocks,
    "joints": joints,
    "drives": drives,
    "mimics": mimics,
    "groups": groups,
    "models": models,
}


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for name, frames in FILES.items():
        with open(os.path.join(folder, name + ".jsonl"), "w", encoding="ascii") as file:
            for frame in frames():
                file.write(frame.line() + "\n")


if __name__ == "__main__":
    main()
