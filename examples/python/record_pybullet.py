"""Not run here: needs PyBullet from PyPI (`pip install pybullet`), which Debian 12 lacks.

Records free bodies of PyBullet with the forces that it found, step by step. `perpend capture
bullet` records Debian's Bullet.

    python3 record_pybullet.py MODEL.urdf OUT.h5
"""

import sys

import numpy as np
import perpend
import pybullet as p

H, GRAVITY = 1 / 240, np.array([0, 0, -9.81])


def state(bodies):
    """Of the bodies before the step; base poses and velocities are those of the centre of mass."""
    rows = {
        key: [] for key in ("masses", "mu", "inertia", "positions", "quaternions", "velocities")
    }
    for body in bodies:
        mass, mu, moments = p.getDynamicsInfo(body, -1)[:3]
        position, (x, y, z, w) = p.getBasePositionAndOrientation(body)
        R = np.reshape(p.getMatrixFromQuaternion((x, y, z, w)), (3, 3))
        linear, angular = p.getBaseVelocity(body)
        values = mass, mu, R @ np.diag(moments) @ R.T, position, (w, x, y, z), linear + angular
        for key, value in zip(rows, values):
            rows[key].append(value)
    return {key: np.array(column, dtype=float) for key, column in rows.items()}


def tangents(n):
    k = np.argmin(np.abs(n))
    t = np.eye(3)[k] - n[k] * n
    t /= np.linalg.norm(t)
    return np.r_[t, np.cross(n, t)]


def frame(bodies, before, time):
    """What PyBullet was asked in this step, and its answer."""
    s = dict(before)
    mu, row = s.pop("mu"), {body: i for i, body in enumerate(bodies)}
    turning = np.einsum("bij,bj->bi", s["inertia"], s["velocities"][:, 3:])
    gyroscopic = -np.cross(s["velocities"][:, 3:], turning)
    s["forces"] = np.c_[s["masses"][:, None] * GRAVITY, gyroscopic]
    contacts = {
        key: [] for key in ("pairs", "normals", "tangents", "points", "points2", "gap", "mu")
    }
    z = []
    for c in p.getContactPoints():
        a, b, n = row[c[1]], row[c[2]], -np.array(c[7])  # PyBullet's points from B to A, ours to B
        t = tangents(n)
        on_b = -c[10] * np.array(c[11]) - c[12] * np.array(c[13])  # friction; PyBullet's is on A
        points = np.array(c[5]) - s["positions"][a], np.array(c[6]) - s["positions"][b]
        for key, value in zip(contacts, ((a, b), n, t, *points, c[8], mu[a] * mu[b])):
            contacts[key].append(value)
        z.append(H * np.array([c[9], on_b @ t[:3], on_b @ t[3:]]))
    s["ids"] = bodies
    contacts = {key: np.array(column) for key, column in contacts.items() if z}
    answer = {"z": np.array(z)} if z else {}
    return perpend.Frame(step=H, time=time, bodies=s, contacts=contacts, solution=answer)


def main(path, out):
    p.connect(p.DIRECT)
    p.setTimeStep(H)
    p.setGravity(*GRAVITY)
    ground = p.createMultiBody(0, p.createCollisionShape(p.GEOM_PLANE))
    bodies = [ground, p.loadURDF(path, [0, 0, 1])]
    for body in bodies:
        p.changeDynamics(body, -1, linearDamping=0, angularDamping=0)
    with perpend.Recorder(out, engine="PyBullet") as record:
        for step in range(500):
            before = state(bodies)
            p.stepSimulation()
            record(frame(bodies, before, step * H))


if __name__ == "__main__":
    main(*sys.argv[1:3])
