"""Records DART through its own Python module (python3-dartpy): a box that falls on the ground.

    python3 record_dart.py OUT.h5
    perpend info OUT.h5
"""

import sys

import dartpy as dart
import numpy as np
import perpend

MU, H = 0.5, 0.005


def box(name, size, mass, height):
    skeleton = dart.dynamics.Skeleton(name)
    joint, node = skeleton.createFreeJointAndBodyNodePair()
    shape = node.createShapeNode(dart.dynamics.BoxShape(size))
    shape.createVisualAspect()
    shape.createCollisionAspect()
    shape.createDynamicsAspect().setFrictionCoeff(MU)
    inertia = mass / 12 * np.diag([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2])  # fmt: skip
    node.setInertia(dart.dynamics.Inertia(mass, np.zeros(3), inertia))
    skeleton.setPositions(np.array([0, 0, 0, 0, 0, height]))
    return skeleton, node, inertia


def frame(world, node, mass, inertia, before):
    """What DART was asked in this step: the state before it, the contacts that it found."""
    pose, velocity = before
    found = world.getLastCollisionResult()  # kept: its contacts look into it
    contacts = list(found.getContacts())
    R, x = pose[:3, :3], pose[:3, 3]
    # A contact's force acts on its first body; here that may be the box or the ground.
    up = [1.0 if c.normal[2] > 0 else -1.0 for c in contacts]
    return perpend.Frame(
        step=H,
        time=world.getTime() - H,
        bodies={
            "ids": [0, 1],
            "masses": [0.0, mass],
            "inertia": [np.eye(3), R @ inertia @ R.T],
            "positions": [np.zeros(3), x],
            "quaternions": [[1, 0, 0, 0], dart.math.Quaternion(R).wxyz()],
            "velocities": [np.zeros(6), velocity],
            "forces": [np.zeros(6), [0, 0, -9.81 * mass, 0, 0, 0]],
        },
        contacts={
            "pairs": np.tile([0, 1], (len(contacts), 1)).reshape(-1, 2),
            "normals": np.reshape([s * c.normal for s, c in zip(up, contacts)], (-1, 3)),
            "points": np.reshape([c.point for c in contacts], (-1, 3)),
            "gap": [-c.penetrationDepth for c in contacts],
            "mu": np.full(len(contacts), MU),
        },
    )


def main(path):
    mass = 2.0
    world = dart.simulation.World()
    world.setTimeStep(H)
    world.setGravity([0, 0, -9.81])
    ground, _, _ = box("ground", [10, 10, 1], 1.0, -0.5)
    ground.setMobile(False)
    cube, node, inertia = box("cube", [0.4, 0.4, 0.4], mass, 0.21)
    world.addSkeleton(ground)
    world.addSkeleton(cube)
    omitted = "solution: DART's Python module does not tell the impulses row by row"
    with perpend.Recorder(path, engine="DART", scene="falling cube", omitted=omitted) as record:
        for _ in range(100):
            pose = node.getTransform().matrix()
            speed = node.getSpatialVelocity(
                dart.dynamics.Frame.World(), dart.dynamics.Frame.World()
            )
            before = pose, np.r_[speed[3:], speed[:3]]  # DART has the angular part first
            world.step()
            record(frame(world, node, mass, inertia, before))


if __name__ == "__main__":
    main(sys.argv[1])
