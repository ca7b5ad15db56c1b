"""own_error of an answer, computed from the frame's numbers alone, without rounding.

y = A lambda + b is exact (fractions); roots are taken with sixty digits beyond the powers by which
impulses and velocities differ. Only tangents that
the frame does not give and the directions of facets are irrational: they are taken as doubles, made
as docs/format.md and docs/formulations.md say. Definitions: docs/errors.md and
docs/formulations.md.
"""

import decimal
import math
from fractions import Fraction

CONTEXT = decimal.Context(prec=60, Emax=10**9, Emin=-(10**9))
INFINITE = math.inf
OUTSIDE = Fraction(-1, 10**6)
TOUCHING = Fraction(1, 10**6)


def exact(x):
    return Fraction(x)


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def root(x):
    """Of a fraction, as a fraction."""
    if x <= 0:
        return Fraction(0)
    quotient = CONTEXT.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator))
    return Fraction(CONTEXT.sqrt(quotient))


def set_digits(numbers):
    """So many that none of these numbers drowns in another."""
    powers = [
        (abs(x.numerator).bit_length() - x.denominator.bit_length()) for x in numbers if x != 0
    ]
    CONTEXT.prec = 60 + (2 * (max(powers) - min(powers)) if powers else 0)


def norm(v):
    return root(dot(v, v))


def clamp(x, lower, upper):
    if lower != -INFINITE and x < lower:
        return exact(lower)
    if upper != INFINITE and x > upper:
        return exact(upper)
    return x


def tangents(n):
    """docs/format.md: from the axis along which n is shortest, in doubles as they are made there."""
    k = min(range(3), key=lambda i: (abs(n[i]), i))
    e = [1.0 if i == k else 0.0 for i in range(3)]
    t = [e[i] - n[k] * n[i] for i in range(3)]
    length = math.sqrt(sum(x * x for x in t))
    t = [x / length for x in t]
    return t, [n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]]


def inverse3(m):
    """Of a symmetric matrix of nine numbers, by its adjugate."""
    a = [[(m[3 * i + j] + m[3 * j + i]) / 2 for j in range(3)] for i in range(3)]
    columns = [cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])]
    determinant = dot(a[0], columns[0])
    return [[columns[j][i] / determinant for j in range(3)] for i in range(3)], a


class ExactSystem:
    def __init__(self, frame):
        bodies, h = frame["bodies"], exact(frame["step"])
        count = len(bodies["masses"])
        ids = bodies.get("ids", list(range(count)))
        place = {body: i for i, body in enumerate(ids)}
        self.fixed = [m == 0 for m in bodies["masses"]]
        self.mass = [exact(m) for m in bodies["masses"]]
        self.inverse_inertia, self.inertia = [], []
        zero = [0.0] * 6
        self.free = []
        for i in range(count):
            v = [exact(x) for x in bodies.get("velocities", [zero] * count)[i]]
            self.inertia.append(None)
            self.inverse_inertia.append(None)
            if not self.fixed[i]:
                f = [exact(x) for x in bodies.get("forces", [zero] * count)[i]]
                self.inverse_inertia[i], self.inertia[i] = inverse3(
                    [exact(x) for x in bodies["inertia"][i]]
                )
                v = [x + h * a for x, a in zip(v, self.respond(i, f))]
            self.free.append(v)
        positions = [[exact(x) for x in p] for p in bodies["positions"]]
        velocities = [[exact(x) for x in v] for v in bodies.get("velocities", [zero] * count)]
        self.rows, self.c, self.mu, self.gap, self.kept = [], [], [], [], []
        self.compliance = []  # of the joint rows
        self.predicted, group = [], []
        contacts = frame.get("contacts", {"gap": []})
        stepper = frame.get("stepper", "st")
        groups = contacts.get("group", [-1] * len(contacts["gap"]))
        gaps = contacts.get("push", contacts["gap"])
        for i in self.taking_part(stepper, gaps, groups):
            first, second = (place[x] for x in contacts["pairs"][i])
            n = contacts["normals"][i]
            t, o = tangents(n)
            if "tangents" in contacts:
                t, o = contacts["tangents"][i][:3], contacts["tangents"][i][3:]
            gap = exact(gaps[i])
            r1 = [exact(x) for x in contacts["points"][i]]
            r2 = [
                positions[first][k] + r1[k] + gap * exact(n[k]) - positions[second][k]
                for k in range(3)
            ]
            if "points2" in contacts:
                r2 = [exact(x) for x in contacts["points2"][i]]
            for d in (n, t, o):
                d = [exact(x) for x in d]
                self.rows.append(
                    [
                        (first, [-x for x in d] + [-x for x in cross(r1, d)]),
                        (second, d + cross(r2, d)),
                    ]
                )
            normal = self.rows[-3]
            surface = [exact(x) for x in contacts.get("surface_velocity", [zero] * (i + 1))[i][:3]]
            moved = [dot([exact(x) for x in d], surface) for d in (n, t, o)]
            free = self.velocity(normal, self.free) + moved[0]
            before = self.velocity(normal, velocities) + moved[0]
            closing = gap / h if stepper == "st" else Fraction(0)
            self.predicted.append(gap + h * free)
            e = exact(contacts["restitution"][i]) if "restitution" in contacts else 0
            if e > 0 and before < exact(-0.01) and self.predicted[-1] < 0:
                closing = min(closing, e * before)
            self.c += [closing + moved[0], moved[1], moved[2]]
            self.mu.append(exact(contacts["mu"][i]))
            self.gap.append(gap)
            self.kept.append(i)
            group.append(groups[i])
        self.contacts = len(self.mu)
        self.groups = [
            [i for i, g in enumerate(group) if g == which]
            for which in sorted({g for g in group if g >= 0})
        ]
        self.lower, self.upper = [], []
        if "constraints" in frame:
            q = frame["constraints"]
            row = 0
            for joint, (pair, rows) in enumerate(zip(q["pairs"], q["rows"])):
                for _ in range(rows):
                    j = [exact(x) for x in q["jacobian"][row]]
                    self.rows.append([(place[pair[0]], j[:6]), (place[pair[1]], j[6:])])
                    if "pairs2" in q:
                        j = [exact(x) for x in q["jacobian2"][row]]
                        pair2 = q["pairs2"][joint]
                        self.rows[-1] += [(place[pair2[0]], j[:6]), (place[pair2[1]], j[6:])]
                    rate = q["rate"][row] if "rate" in q else 0
                    self.c.append(exact(q["violation"][row]) / h + exact(rate))
                    self.compliance.append(exact(q["compliance"][row] if "compliance" in q else 0))
                    low, high = q["bounds"][row]
                    self.lower.append(-INFINITE if low is None else low)
                    self.upper.append(INFINITE if high is None else high)
                    row += 1
        # Faces of groups that only stand by.
        self.away = {i for faces in self.groups for i in faces if i != self.pushing_face(faces)}

    @staticmethod
    def taking_part(stepper, gaps, groups):
        if stepper == "st":
            return range(len(gaps))
        out = [exact(g) > TOUCHING for g in gaps]
        for which in {g for g in groups if g >= 0}:
            faces = [i for i, g in enumerate(groups) if g == which]
            largest = max(exact(gaps[i]) for i in faces)
            deepest = min(largest, -TOUCHING)
            for i in faces:
                out[i] = largest > TOUCHING or exact(gaps[i]) < deepest
        return [i for i, left in enumerate(out) if not left]

    def respond(self, body, wrench):
        return [x / self.mass[body] for x in wrench[:3]] + [
            dot(row, wrench[3:]) for row in self.inverse_inertia[body]
        ]

    @staticmethod
    def velocity(row, v):
        return sum(dot(j, v[body]) for body, j in row)

    def pushed(self, impulses):
        """v+ of all bodies."""
        wrench = [[Fraction(0)] * 6 for _ in self.mass]
        for row, x in zip(self.rows, impulses):
            if x == 0:
                continue
            for body, j in row:
                wrench[body] = [w + x * a for w, a in zip(wrench[body], j)]
        return [
            v if self.fixed[i] else [a + b for a, b in zip(v, self.respond(i, wrench[i]))]
            for i, v in enumerate(self.free)
        ], wrench

    def y(self, impulses):
        return self.relative(self.pushed(impulses)[0], impulses)

    def relative(self, v, impulses):
        y = [self.velocity(row, v) + c for row, c in zip(self.rows, self.c)]
        for j, compliance in enumerate(self.compliance):
            y[3 * self.contacts + j] += compliance * exact(impulses[3 * self.contacts + j])
        return y

    def diagonal(self, k):
        whole = {}  # a body may be in both pairs
        for body, j in self.rows[k]:
            whole[body] = [a + b for a, b in zip(whole.get(body, [0] * 6), j)]
        total = Fraction(0)
        for body, j in whole.items():
            if not self.fixed[body]:
                total += dot(j, self.respond(body, j))
        return total + (self.compliance[k - 3 * self.contacts] if k >= 3 * self.contacts else 0)

    def rho(self, contact):
        trace = sum(self.diagonal(3 * contact + k) for k in range(3))
        return 3 / trace if trace > 0 else Fraction(1)

    def rho_joint(self, j):
        diagonal = self.diagonal(3 * self.contacts + j)
        return 1 / diagonal if diagonal > 0 else Fraction(1)

    def pushing_face(self, faces):
        outside = [i for i in faces if self.gap[i] >= OUTSIDE]
        if outside:
            return max(outside, key=lambda i: (self.predicted[i], -i))
        return max(faces, key=lambda i: (self.gap[i], -i))


class ExactMatrix:
    """y = A lambda + b as an FCLIB file has it."""

    def __init__(self, problem):
        self.A = [[exact(x) for x in row] for row in problem["A"]]
        self.b = [exact(x) for x in problem["b"]]
        self.mu = [exact(x) for x in problem["mu"]]
        self.contacts = len(self.mu)
        self.kept = range(self.contacts)
        self.away, self.groups, self.lower, self.upper, self.rows = set(), [], [], [], self.b

    def y(self, impulses):
        return [dot(row, impulses) + b for row, b in zip(self.A, self.b)]

    def rho(self, contact):
        trace = sum(self.A[3 * contact + k][3 * contact + k] for k in range(3))
        return 3 / trace if trace > 0 else Fraction(1)


def cone_residual(impulse, y, mu, rho):
    """|lambda - P_K(lambda - rho u)|/rho."""
    set_digits([*impulse, *y, mu, rho, Fraction(1)])
    u = [y[0] + mu * norm(y[1:]), y[1], y[2]]
    z = [x - rho * v for x, v in zip(impulse, u)]
    tangent = norm(z[1:])
    if mu * tangent <= -z[0]:
        p = [Fraction(0)] * 3
    elif tangent <= mu * z[0]:
        return norm(u)
    else:
        n = (z[0] + mu * tangent) / (1 + mu * mu)
        p = [n, mu * n / tangent * z[1], mu * n / tangent * z[2]]
    return norm([x - q for x, q in zip(impulse, p)]) / rho


def bounded(z, w, scale, lower, upper, weight=None):
    """|z - clamp(z - scale w)| times weight, or divided by the scale."""
    size = abs(z - clamp(z - scale * w, lower, upper))
    return size / scale if weight is None else size * weight


def joint_errors(s, impulses, y):
    for j, (low, high) in enumerate(zip(s.lower, s.upper)):
        k = 3 * s.contacts + j
        yield bounded(impulses[k], y[k], s.rho_joint(j), low, high)


def cone_error(s, impulses, y):
    for i in range(s.contacts):
        if i not in s.away:
            yield cone_residual(
                impulses[3 * i : 3 * i + 3], y[3 * i : 3 * i + 3], s.mu[i], s.rho(i)
            )
    yield from joint_errors(s, impulses, y)


def box_error(s, impulses, y):
    for i in range(s.contacts):
        if i in s.away:
            continue
        rho, k = s.rho(i), 3 * i
        yield bounded(impulses[k], y[k], rho, 0, INFINITE)
        bound = s.mu[i] * max(Fraction(0), impulses[k])
        for row in (k + 1, k + 2):
            yield bounded(impulses[row], y[row], rho, -bound, bound)
    yield from joint_errors(s, impulses, y)


def normal_error(s, impulses, y):
    for i in range(s.contacts):
        if i not in s.away:
            yield bounded(impulses[3 * i], y[3 * i], s.rho(i), 0, INFINITE)


def facet_directions(n):
    for facet in range(n):
        if 4 * facet % n == 0:
            yield [[1, 0, -1, 0][4 * facet // n], [0, 1, 0, -1][4 * facet // n]]
        else:
            angle = 2 * math.pi * facet / n
            yield [exact(math.cos(angle)), exact(math.sin(angle))]


class Facets:
    """The rows of lcp and mlcp at their own unknowns."""

    def __init__(self, s, own, facets, mixed, joint_impulses):
        self.s, self.mixed = s, mixed
        away = s.away
        self.pushing = [i for i in range(s.contacts) if i not in away]
        self.directions = list(facet_directions(facets))
        own = [exact(x) for x in own]
        velocities = 6 * s.fixed.count(False) if mixed else 0
        self.v, own = own[:velocities], own[velocities:]
        p = len(self.pushing)
        rows = range(len(s.lower))
        self.joints = [
            j for j in rows if mixed or s.lower[j] != -INFINITE or s.upper[j] != INFINITE
        ]
        self.bilateral = [j for j in rows if j not in self.joints]
        gammas = sum(len(g) - 1 for g in s.groups)
        sizes = [len(self.joints)] if mixed else []
        sizes += [p, p * facets, p, gammas]
        if not mixed:
            self.two = [
                j for j in self.joints if s.lower[j] != -INFINITE and s.upper[j] != INFINITE
            ]
            sizes += [len(self.joints), len(self.two)]
        parts = []
        for size in sizes:
            parts.append(own[:size])
            own = own[size:]
        assert not own and len(parts[-1]) == sizes[-1], "z_own has another length"
        if mixed:
            self.x, self.pn, self.pf, self.speed, self.gamma = parts
        else:
            self.pn, self.pf, self.speed, self.gamma, self.x, self.eta = parts
        self.impulses = [Fraction(0)] * len(s.rows)
        for k, i in enumerate(self.pushing):
            self.impulses[3 * i] = self.pn[k]
            for axis in (0, 1):
                self.impulses[3 * i + 1 + axis] = sum(
                    (d[axis] * f for d, f in zip(self.directions, self.facets_of(k))), Fraction(0)
                )
        for x, j in zip(self.x, self.joints):
            self.impulses[3 * s.contacts + j] = x if mixed else self.origin(j) + self.sign(j) * x
        for j in self.bilateral:
            self.impulses[3 * s.contacts + j] = exact(joint_impulses[j])

    def facets_of(self, k):
        n = len(self.directions)
        return self.pf[k * n : (k + 1) * n]

    def sign(self, j):
        return 1 if self.mixed or self.s.lower[j] != -INFINITE else -1

    def origin(self, j):
        return exact(self.s.lower[j] if self.sign(j) > 0 else self.s.upper[j])

    def errors(self):
        s = self.s
        if self.mixed:
            wrench = s.pushed(self.impulses)[1]
            moving = [i for i, fixed in enumerate(s.fixed) if not fixed]
            v = [list(x) for x in s.free]
            for place, i in enumerate(moving):
                v[i] = self.v[6 * place : 6 * place + 6]
                change = [a - b for a, b in zip(v[i], s.free[i])]
                for k in range(6):
                    m = s.mass[i] if k < 3 else s.inertia[i][k - 3][k - 3]
                    momentum = m * change[k] if k < 3 else dot(s.inertia[i][k - 3], change[3:])
                    yield abs(momentum - wrench[i][k]) / m
            y = s.relative(v, self.impulses)
        else:
            y = s.y(self.impulses)
        group_rows = {}
        gamma = list(self.gamma)
        for faces in s.groups:
            mine, gamma = gamma[: len(faces) - 1], gamma[len(faces) - 1 :]
            first = y[3 * faces[0]]
            group_rows[s.pushing_face(faces)] = first + sum(mine, Fraction(0))
            for f in range(len(mine)):
                w = first - y[3 * faces[f + 1]] + sum(mine[: f + 1], Fraction(0))
                yield bounded(mine[f], w, 1, 0, INFINITE)
        for k, i in enumerate(self.pushing):
            rho = s.rho(i)
            w = group_rows.get(i, y[3 * i])
            yield bounded(self.pn[k], w, rho, 0, INFINITE)
            for d, f in zip(self.directions, self.facets_of(k)):
                yield bounded(f, dot(d, y[3 * i + 1 : 3 * i + 3]) + self.speed[k], rho, 0, INFINITE)
            slack = s.mu[i] * self.pn[k] - sum(self.facets_of(k), Fraction(0))
            yield bounded(self.speed[k], slack, 1 / rho, 0, INFINITE, weight=1)
        for x, j in zip(self.x, self.joints):
            rho, w = s.rho_joint(j), y[3 * s.contacts + j]
            if self.mixed:
                yield bounded(x, w, rho, s.lower[j], s.upper[j])
                continue
            w *= self.sign(j)
            if j in self.two:
                eta = self.eta[self.two.index(j)]
                w += eta
                slack = exact(s.upper[j]) - exact(s.lower[j]) - x
                yield bounded(eta, slack, 1 / rho, 0, INFINITE, weight=1)
            yield bounded(x, w, rho, 0, INFINITE)
        for j in self.bilateral:
            yield abs(y[3 * s.contacts + j])


def own_error(system, formulation, z, z_joints, z_own=None, facets=8):
    """The largest row of the formulation's natural map, m/s, as a fraction. z: three numbers for
    each contact of the frame, z_joints: one for each joint row, z_own: of lcp and mlcp."""
    if formulation in ("lcp", "mlcp"):
        rows = Facets(system, z_own, facets, formulation == "mlcp", z_joints).errors()
    else:
        impulses = [exact(x) for i in system.kept for x in z[i]] + [exact(x) for x in z_joints]
        away = {3 * i + k for i in system.away for k in range(3)}
        impulses = [Fraction(0) if k in away else x for k, x in enumerate(impulses)]
        y = system.y(impulses)
        law = {"ncp": cone_error, "mncp": cone_error, "box": box_error, "normal": normal_error}
        rows = law[formulation](system, impulses, y)
    return max(rows, default=Fraction(0))
