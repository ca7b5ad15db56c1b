"""Not run here: needs a MuJoCo of 3.x from PyPI (`pip install mujoco`), which Debian 12 lacks.

Records a model with free bodies, step by step. `perpend capture mujoco` records Debian's MuJoCo.

    python3 record_mujoco.py MODEL.xml OUT.h5
"""

import sys

import mujoco
import numpy as np
import perpend


def state(model, data):
    """Of the bodies, before the step: afterwards mjData has the velocities of the new one."""
    velocities = np.zeros((model.nbody, 6))
    for b in range(1, model.nbody):
        both = np.zeros(6)
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, b, both, 0)
        velocities[b] = np.r_[both[3:], both[:3]]  # MuJoCo has the angular part first
    turned = np.zeros((model.nbody, 9))
    for b in range(model.nbody):
        R = data.ximat[b].reshape(3, 3)
        turned[b] = (R @ np.diag(model.body_inertia[b]) @ R.T).ravel()
    return data.xipos.copy(), data.xquat.copy(), velocities, turned.reshape(-1, 3, 3)


def frame(model, data, before, h):
    positions, quaternions, velocities, inertia = before
    masses = np.where(np.arange(model.nbody) == 0, 0.0, model.body_mass)
    forces = np.zeros((model.nbody, 6))
    forces[:, :3] = masses[:, None] * model.opt.gravity
    spin = velocities[:, 3:]
    forces[:, 3:] = -np.cross(spin, np.einsum("bij,bj->bi", inertia, spin))  # gyroscopic
    contacts = [data.contact[i] for i in range(data.ncon)]
    pairs = np.reshape([model.geom_bodyid[list(c.geom)] for c in contacts], (-1, 2))
    points = np.reshape([c.pos for c in contacts], (-1, 3))
    return perpend.Frame(
        step=h,
        time=data.time - h,
        bodies={
            "ids": np.arange(model.nbody),
            "masses": masses,
            "inertia": inertia,
            "positions": positions,
            "quaternions": quaternions,
            "velocities": velocities,
            "forces": forces,
        },
        contacts={
            "pairs": pairs,
            "normals": np.reshape([c.frame[:3] for c in contacts], (-1, 3)),  # from body 1 to 2
            "points": points - positions[pairs[:, 0]],
            "points2": points - positions[pairs[:, 1]],
            "gap": [c.dist for c in contacts],
            "mu": [c.friction[0] for c in contacts],
        },
    )


def main(path, out):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    with perpend.Recorder(out, engine="MuJoCo", version=mujoco.__version__) as record:
        for _ in range(500):
            mujoco.mj_forward(model, data)
            before = state(model, data)
            mujoco.mj_step(model, data)
            record(frame(model, data, before, model.opt.timestep))


if __name__ == "__main__":
    main(*sys.argv[1:3])
