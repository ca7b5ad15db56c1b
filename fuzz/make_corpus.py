#!/usr/bin/python3
"""Makes the seeds of every target: fuzz/make_corpus.py fuzz/corpus

HDF5 files are tiny and in the oldest format, which has no checksums: a changed byte there reaches
our own checks, while in the newest format nearly every change ends in HDF5's. Texts are short, one
for each way through a reader."""

import base64
import gzip
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np


def text(value, variable):
    return value if variable else np.bytes_(value)


def header(f, variable=False):
    f.attrs["format"] = text("perpend", variable)
    f.attrs["stepper"] = text("st", variable)
    f.attrs["units"] = text("SI", variable)
    f.attrs["format_version"] = np.int64(1)


def frame(n, m, k, optional):
    """Columns of a frame of n bodies, m contacts and k joints of one row."""
    eye = np.array([np.eye(3)] * n).reshape(n, 3, 3)
    columns = {
        "bodies/ids": np.arange(n) + 5,
        "bodies/masses": np.arange(n) * 1.0,
        "bodies/inertia": eye,
        "bodies/positions": np.zeros((n, 3)),
        "bodies/quaternions": np.array([[1.0, 0, 0, 0]] * n).reshape(n, 4),
        "bodies/velocities": np.zeros((n, 6)),
        "bodies/forces": np.zeros((n, 6)),
        "contacts/gap": np.zeros(m),
        "contacts/mu": np.ones(m),
        "contacts/normals": np.array([[0.0, 0, 1]] * m).reshape(m, 3),
        "contacts/points": np.zeros((m, 3)),
        "contacts/pairs": np.array([[5, 6]] * m, int).reshape(m, 2),
        "constraints/jacobian": np.ones((k, 12)),
        "constraints/bounds": np.array([[-np.inf, np.inf]] * k).reshape(k, 2),
        "constraints/violation": np.zeros(k),
        "constraints/pairs": np.array([[5, 6]] * k, int).reshape(k, 2),
        "constraints/rows": np.ones(k, int),
    }
    if optional:
        columns |= {
            "contacts/tangents": np.array([[1.0, 0, 0, 0, 1, 0]] * m).reshape(m, 6),
            "contacts/group": np.full(m, -1),
            "solution/z": np.ones((m, 3)),
            "solution/slide_or_stick": np.ones(m, "i1"),
            "system/M_rows": np.array([1, 1]),
            "system/M_columns": np.array([0, 1]),
            "system/M_values": np.ones(2),
            "system/v": np.ones(2),
            "system/b": np.ones(3),
            "system/mu": np.ones(1),
        }
    return columns


def columns_layout(path, frames, chunked=(), variable=False, solution=False):
    with h5py.File(path, "w", libver="earliest", track_order=False) as f:
        header(f, variable)
        offsets = np.zeros((len(frames), 8), int)
        for i, columns in enumerate(frames):
            rows = [
                len(columns[c])
                for c in ("bodies/ids", "constraints/rows", "constraints/violation", "contacts/gap")
            ]
            offsets[i, 4:] = rows
            if i + 1 < len(frames):
                offsets[i + 1, :4] = offsets[i, :4] + rows
        names = frames[-1].keys() if frames else frame(0, 0, 0, False).keys()
        for name in names:
            parts = [columns[name] for columns in frames if name in columns]
            data = np.concatenate(parts) if parts else frame(0, 0, 0, False)[name]
            shape = (
                dict(chunks=(2,) + data.shape[1:], maxshape=(None,) + data.shape[1:])
                if name in chunked
                else {}
            )
            f.create_dataset(name, data=data, track_times=False, **shape)
        f.create_dataset("step", data=np.ones(len(frames)), track_times=False)
        f.create_dataset("time", data=np.zeros(len(frames)), track_times=False)
        f.create_dataset("frames/offsets", data=offsets, track_times=False)
        if frames and "system/v" in frames[-1]:
            system = np.zeros((len(frames), 14), int)
            system[-1, 7:] = [2, 3, 1, 0, 2, 0, 0]
            f.create_dataset("system/offsets", data=system, track_times=False)
        if solution:
            g = f.create_group("solutions/ncp/pgs")
            one = dict(
                frames=np.array([0]),
                offsets=np.array([[0, 0, 0, 0, 1, 0, 1, 0]]),
                z=np.ones((1, 3)),
                z_joints=np.zeros(0),
                z_own=np.ones(1),
                iterations=np.array([3]),
                seconds=np.ones(1),
            )
            for name, data in one.items():
                g.create_dataset(name, data=data, track_times=False)


def frames_layout(path, frames):
    with h5py.File(path, "w", libver="earliest") as f:
        header(f)
        f.create_group("frames")
        for i, columns in enumerate(frames):
            for name, data in (columns | {"step": 1.0, "time": 0.0}).items():
                f.create_dataset(f"frames/{i:06}/{name}", data=data, track_times=False)


def standard_files(folder):
    columns_layout(folder / "empty.h5", [])
    columns_layout(folder / "columns.h5", [frame(2, 1, 1, False), frame(2, 2, 0, False)])
    columns_layout(
        folder / "chunked.h5", [frame(2, 3, 0, False)], chunked=("contacts/gap", "bodies/ids")
    )
    columns_layout(folder / "optional.h5", [frame(2, 1, 0, True)], variable=True)
    columns_layout(folder / "solution.h5", [frame(2, 1, 0, False)], solution=True)
    frames_layout(folder / "frames.h5", [frame(2, 1, 1, False)])
    (folder / "none.h5").write_bytes(b"\x89HDF\r\n\x1a\n")


# ---- FCLIB ----


def matrix(f, name, dense, form):
    """A matrix as triplets (p: columns, i: rows), "csc" or "csr"."""
    rows, columns = np.nonzero(dense)
    if form == "csc":
        order = np.lexsort((rows, columns))
        rows, columns = rows[order], columns[order]
    values = dense[rows, columns]
    count = {"triplets": len(values), "csc": -1, "csr": -2}[form]
    major, size = (columns, dense.shape[1]) if form == "csc" else (rows, dense.shape[0])
    starts = np.searchsorted(major, np.arange(size + 1))
    p, i = {"triplets": (columns, rows), "csc": (starts, rows), "csr": (starts, columns)}[form]
    for key, value in dict(
        nzmax=[len(values)], m=[dense.shape[0]], n=[dense.shape[1]], nz=[count], p=p, i=i
    ).items():
        f.create_dataset(f"{name}/{key}", data=np.array(value, "i4"), track_times=False)
    f.create_dataset(f"{name}/x", data=values, track_times=False)


def fclib_file(path, form, local, joints):
    rng = np.random.default_rng(1)
    n, r, nv = 3, 2 if joints else 0, 6
    with h5py.File(path, "w", libver="earliest") as f:
        root = "fclib_local" if local else "fclib_global"
        f.create_dataset(f"{root}/spacedim", data=np.array([3], "i4"), track_times=False)
        f.create_dataset(f"{root}/info/title", data=np.bytes_("small"), track_times=False)
        vectors = dict(mu=np.full(1, 0.5))
        J = np.round(rng.normal(size=(n + r, nv)), 3)
        if local:
            A = J @ J.T
            matrix(f, f"{root}/W", A[:n, :n], form)
            vectors |= dict(q=np.ones(n))
            if joints:
                matrix(f, f"{root}/V", A[:n, n:], form)
                matrix(f, f"{root}/R", A[n:, n:], form)
                vectors |= dict(s=np.zeros(r))
        else:
            matrix(f, f"{root}/M", np.diag(np.arange(1.0, nv + 1)), form)
            matrix(f, f"{root}/H", J[:n].T, form)
            vectors |= dict(f=np.ones(nv), w=np.zeros(n))
            if joints:
                matrix(f, f"{root}/G", J[n:].T, form)
                vectors |= dict(b=np.zeros(r))
        for name, data in vectors.items():
            f.create_dataset(f"{root}/vectors/{name}", data=data, track_times=False)


def fclib_files(folder):
    fclib_file(folder / "local.h5", "csr", True, False)
    fclib_file(folder / "local-joints.h5", "csc", True, True)
    fclib_file(folder / "global.h5", "triplets", False, False)
    fclib_file(folder / "global-joints.h5", "csr", False, True)


# ---- texts ----


def json_lines(folder):
    """The shortest two frames of each sample file, and one with every column."""
    samples = Path(__file__).resolve().parent.parent / "examples" / "frames"
    for file in sorted(samples.glob("*.jsonl")):
        lines = [line for line in file.read_text().splitlines() if line.startswith("{")]
        for k, line in enumerate(sorted(lines, key=len)[:2]):
            (folder / f"{file.stem}-{k}.jsonl").write_text(line + "\n")
    body = dict(
        ids=[7, 3],
        masses=[0, 2.5],
        inertia=[[None] * 9, [1, 0, 0, 0, 1, 0, 0, 0, 1]],
        positions=[[0, 0, -1], [0, 0, 1]],
        quaternions=[[1, 0, 0, 0], [0, 1, 0, 0]],
        velocities=[[0] * 6, [0, 0, -1, 0, 0, 0]],
        forces=[[None] * 6, [0, 0, -9.81, 0, 0, 0]],
    )
    contacts = dict(
        pairs=[[7, 3]],
        normals=[[0, 0, 1]],
        points=[[0, 0, 0]],
        gap=[1e-3],
        mu=[0.5],
        points2=[[0, 0, 1e-3]],
        tangents=[[1, 0, 0, 0, 1, 0]],
        restitution=[0.5],
        group=[-1],
        ids=[12],
        rolling_mu=[0.1],
        torsional_mu=[0.1],
        bias=[[0, 0, 0]],
        cfm=[[0, 0, 0]],
        friction_bounds=[[None, 1]],
    )
    joints = dict(
        pairs=[[7, 3]],
        rows=[2],
        jacobian=[[1] + [0] * 5 + [-1] + [0] * 5] * 2,
        bounds=[[None, None], [-1, 1]],
        violation=[0, 0.1],
        compliance=[0, 0.5],
        rate=[1, 1],
        cfm=[0, 0],
        bias=[0, 0],
    )
    expected = dict(
        velocities_plus=[[0] * 6] * 2,
        z=[[1, 0, 0]],
        z_joints=[0, 1],
        iterations=5,
        answered="ncp/pgs",
        slide_or_stick=[1],
        errors=dict(own_error=1e-9),
    )
    every = dict(
        name="every column",
        derivation="none",
        tags=["a"],
        step=0.01,
        time=1.5,
        stepper="ap",
        bodies=body,
        contacts=contacts,
        constraints=joints,
        expected=expected,
        timing=dict(collision=1e-3, solver=1e-3),
    )
    short = dict(
        step=0.01,
        bodies=dict(masses=[1], positions=[[0, 0, 0]], inertia=[[1, 0, 0, 0, 1, 0, 0, 0, 1]]),
    )
    (folder / "every.jsonl").write_text(json.dumps(every) + "\n")
    (folder / "short.jsonl").write_text("# two frames\n" + (json.dumps(short) + "\n") * 2)


def scenes(folder):
    cube = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    shapes = dict(
        box=dict(half_extents=[1, 2, 3]),
        sphere=dict(radius=0.5),
        cylinder=dict(radius=1, height=2),
        cone=dict(radius=1, height=2),
        capsule=dict(radius=1, height=2),
        hull=dict(points=cube),
        compound=dict(
            parts=[
                dict(shape=dict(type="sphere", radius=1), position=[1, 0, 0]),
                dict(shape=dict(type="box", half_extents=[1, 1, 1]), orientation=[0, 1, 0, 0]),
            ]
        ),
        height_field=dict(rows=2, columns=3, spacing=0.5, heights=[0, 1, 0, 1, 0, 1]),
        mesh=dict(points=cube[:4], triangles=[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]),
        plane={},
    )
    head = dict(
        format="perpend-scene",
        format_version=1,
        name="s",
        gravity=[0, 0, -9.81],
        step=0.01,
        steps=5,
        seed=3,
        at_rest=True,
    )
    for name, fields in shapes.items():
        moves = name not in ("height_field", "mesh", "plane")
        body = dict(
            name=name,
            id=4,
            shape=dict(type=name, **fields),
            mass=2 if moves else 0,
            mu=0.4,
            restitution=0.1,
            position=[0, 0, 1],
        )
        (folder / f"{name}.json").write_text(json.dumps(head | dict(bodies=[body])))
    ball = dict(shape=dict(type="sphere", radius=1))
    motions = [
        dict(type="path", keys=[dict(time=0, velocity=[0] * 6), dict(time=1, velocity=[1] * 6)]),
        dict(type="vibration", direction=[0, 0, 1], amplitude=0.1, frequency=5, phase=1),
        dict(type="conveyor", velocity=[1, 0, 0, 0, 0, 0]),
    ]
    (folder / "motions.json").write_text(
        json.dumps(
            head
            | dict(
                bodies=[
                    ball | dict(motion=m, position=[4 * i, 0, 0]) for i, m in enumerate(motions)
                ]
            )
        )
    )
    pose = dict(position=[0, 0, 0], orientation=[1, 0, 0, 0])
    motor = dict(speed=1, max_force=None)
    joints = [
        dict(type="hinge", limit=[-1, 1], motor=motor),
        dict(type="point"),
        dict(type="slider", limit=[None, 1], motor=dict(speed=0, max_force=3)),
        dict(
            type="generic",
            limits=[[0, 0], None, [-1, None], [0, 0], None, [-1, 1]],
            motors=[None, motor, None, None, None, None],
        ),
        dict(type="fixed", collide=True),
    ]
    bodies = [
        ball
        | dict(
            mass=1,
            position=[3 * i, 0, 0],
            inertia=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
            centre_of_mass=[0, 0, 0],
            velocity=[0] * 6,
        )
        for i in range(3)
    ]
    linked = [
        dict(name=str(i), id=i, first=i % 3 - 1, second=(i + 1) % 3, **pose, **j)
        for i, j in enumerate(joints)
    ]
    (folder / "joints.json").write_text(json.dumps(head | dict(bodies=bodies, joints=linked)))
    drive = dict(stiffness=9, position=1, damping=2, speed=0, max_force=None, friction=1)
    linked[0] |= dict(drive=drive | dict(armature=1, force=-1), mimic=dict(joint="2", ratio=2))
    linked[1] |= dict(drives=[None, None, None, drive, None, {}])
    linked[2] |= dict(drive=None)
    linked[3] |= dict(drives=[drive, None, drive, None, None, drive])
    bodies[0] |= dict(group=3, mask=6)
    keys = [dict(time=0, position=0, force=1), dict(time=1, position=1, force=0)]
    control = [dict(joint="2", keys=keys), dict(joint=3, axis=5, keys=keys[:1])]
    driven = dict(bodies=bodies, joints=linked, apart=[[0, 2]], control=control)
    (folder / "drives.json").write_text(json.dumps(head | driven))


def snapshots(folder):
    pose = [0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    body = dict(pose=pose, velocity=[0, 0, -1, 0, 0, 0], activation=1, resting=0)
    head = dict(
        format="perpend-snapshot", format_version=1, scene="s", dt=0.01, step=7, remaining=0.002
    )
    full = head | dict(
        bodies=[
            body | dict(id=0),
            body
            | dict(
                id=1,
                previous=pose,
                force=[0, 0, 1, 0, 0, 0],
                activation=4,
                resting=0.5,
                fell_short=True,
            ),
        ],
        contacts=[dict(first=0, second=1, impulses=[["00ff00000000000a", 0, 0, 1.5]])],
        joints=[dict(first=-1, second=1, enabled=True, impulse=0.5, rows=[[0, 1.5], [12, -1]])],
    )
    drive = dict(axis=5, drive=dict(stiffness=9), coordinate=7, force=-1)
    full["joints"][0] |= dict(drives=[drive])
    (folder / "full.json").write_text(json.dumps(full))
    (folder / "empty.json").write_text(json.dumps(head | dict(bodies=[], contacts=[], joints=[])))


def hands(folder):
    events = [
        dict(step=0, kind="set", name="solver", value="box/pgs"),
        dict(step=3, kind="drag", body=1, point=[0, 0.5, 0], target=[1, 1e-3, 2]),
        dict(step=3, kind="twist", body=1, torque=[0, 0, 5]),
        dict(step=4, kind="release", body=1),
        dict(step=5, kind="cut", joint=0),
        dict(step=9, kind="throw", position=[0, 0, 1], velocity=[1, 0, 0], radius=0.1, mass=2),
    ]
    head = dict(format="perpend-hand", format_version=1, scene="s")
    (folder / "hand.json").write_text(json.dumps(head | dict(events=events)))


def views(folder):
    # Numbers and fields of src/view/messages.inc.
    (folder / "play").write_bytes(bytes([16]))
    (folder / "drag").write_bytes(struct.pack("<BxxxI6d", 32, 1, 0, 0, 0, 1, 2, 3))
    (folder / "set").write_bytes(struct.pack("<BxxxI1sxxxI2s", 37, 1, b"h", 2, b".1"))
    (folder / "show_frame").write_bytes(struct.pack("<B7xd", 48, 12))
    (folder / "save_frame").write_bytes(struct.pack("<BxxxIdI2s", 51, 0, 3, 2, b"h5"))
    solve = struct.pack("<BxxxIdI8sxxxx2d", 49, 0, 3, 8, b"ncp/nncg", 100, 1e-8)
    (folder / "solve_frame").write_bytes(solve)


def controls(folder):
    keys = [dict(time=0, position=0, force=1), dict(time=1, position=1, force=0)]
    drive = dict(stiffness=10, damping=1, position=0.1, speed=1, max_force=5)
    head = dict(format="perpend-control", format_version=1)
    control = [dict(joint="joint 1", keys=keys), dict(joint=3, axis=5, keys=keys[:1])]
    drives = [dict(joint="joint 1", **drive), dict(joint=1, axis=4, friction=1, armature=0.1)]
    (folder / "all.json").write_text(
        json.dumps(head | dict(steps=5, step=0.01, drives=drives, control=control))
    )


def packed(folder):
    """Recordings in pages that the program has made, where it is built."""
    program = Path(__file__).parent.parent / "build/release/bin/perpend"
    if not program.exists():
        return
    with tempfile.TemporaryDirectory() as made:
        run, page = made + "/run.h5", made + "/page.html"
        for name, more in {"frames": [], "trajectory": ["--trajectory"]}.items():
            subprocess.run(
                [program, "simulate", "chain:1", "--steps", "2", "--out", run], check=True
            )
            subprocess.run([program, "view", run, "--share", page, *more], check=True)
            found = re.search(r'class="perpend-recording">([^<]*)<', Path(page).read_text())
            (folder / name).write_bytes(gzip.decompress(base64.b64decode(found[1])))


def raw_problems(folder):
    A = [[0, 0, 2.0], [0, 1, -1.0], [1, 0, -1.0], [1, 1, 2.0]]
    (folder / "lcp.json").write_text(json.dumps(dict(type="lcp", n=2, A=A, b=[-1, 1e-3])))
    (folder / "mlcp.json").write_text(
        json.dumps(dict(type="mlcp", n=2, A=A, b=[-1, 1], lower=[None, 0], upper=[5, None]))
    )


# ---- models (src/model) ----

DATA = Path(__file__).parent.parent / "tests" / "model" / "data"


def objs(folder):
    (folder / "wedge.obj").write_bytes((DATA / "wedge.obj").read_bytes())
    (folder / "faces.obj").write_text(
        "v 0 0 0\nv 1 0 0\nvt 0 0\nv 0 1 0 1\nf 1/1/1 -1//1 2/1 # end\n"
    )


def stls(folder):
    (folder / "wedge.stl").write_bytes((DATA / "wedge.stl").read_bytes())
    (folder / "text.stl").write_text(
        "solid a\nfacet normal 0 0 1 outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e-1 0\n"
        "endloop endfacet\nendsolid a\n"
    )


def urdfs(folder):
    for name in ("fixed", "limit", "mimic", "continuous", "cylinder"):
        (folder / f"{name}.urdf").write_bytes((DATA / f"{name}.urdf").read_bytes())
    link = "<link name='{}'><collision><geometry><sphere radius='1'/></geometry></collision></link>"
    joint = "<joint name='{0}' type='{1}'><parent link='a'/><child link='{0}'/></joint>"
    (folder / "massless.urdf").write_text(
        "<robot name='r'>"
        + "".join(link.format(name) for name in "abcd")
        + joint.format("b", "planar")
        + joint.format("c", "floating")
        + joint.format("d", "prismatic")
        + "<gazebo/></robot>"
    )


def models(folder):
    """The first byte is the options: fuzz/model.cpp."""
    for name, how in dict(fixed=17, limit=16, mimic=6, cylinder=2).items():
        text = (DATA / f"{name}.urdf").read_bytes()
        (folder / f"{name}.urdf").write_bytes(bytes([how]) + text)
    (folder / "wedge.obj").write_bytes(bytes([96 + 16]) + (DATA / "wedge.obj").read_bytes())
    (folder / "pieces.obj").write_bytes(bytes([96 + 8]) + (DATA / "wedge.obj").read_bytes())
    (folder / "wedge.stl").write_bytes(bytes([64]) + (DATA / "wedge.stl").read_bytes())


# ---- what goes between processes (src/peers/wire.cpp) ----


def whole(*numbers):
    return struct.pack(f"<{len(numbers)}q", *numbers)


def real(*numbers):
    return struct.pack(f"<{len(numbers)}d", *numbers)


def texts(text):
    return whole(len(text)) + text.encode()


def vector(*numbers):
    return whole(len(numbers), 1) + real(*numbers)


def block(rows, columns, value=0.5):
    return whole(rows, columns) + real(*[value] * (rows * columns))


def integers(*numbers):
    return whole(len(numbers), *numbers)


def sparse(rows, columns, entries):
    return (
        whole(rows, columns)
        + integers(*[e[0] for e in entries])
        + integers(*[e[1] for e in entries])
        + whole(len(entries))
        + real(*[e[2] for e in entries])
    )


def wire_system(blocks, dynamics, group):
    """One contact and one joint row between two bodies."""
    if blocks:
        A = (
            whole(1, 1)
            + integers(0, 1, 2)
            + integers(0, 1)
            + integers(0, 9)
            + whole(10)
            + real(*[1.0] * 10)
            + integers(0, 1)
        )
    else:
        A = (
            whole(2)
            + whole(1)
            + whole(0, 1)
            + 4 * block(3, 6)
            + whole(1)
            + whole(0, 1)
            + 4 * block(6, 1)
            + vector()
        )
    laws = (
        vector(1, 0, 0, 0)
        + vector(0.5)
        + vector(-1)
        + vector(1)
        + real(0.01)
        + vector(0.1)
        + vector(0, 0, 0, 0)
        + vector()
        + vector()
        + block(1, 2)
    )
    groups = whole(1) + integers(0) + whole(0) if group else whole(0)
    out = bytes([blocks]) + A + laws + groups + integers(0) + whole(1) + bytes([dynamics])
    if dynamics:
        out += (
            sparse(2, 2, [(0, 0, 1.0), (1, 1, 2.0)])
            + vector(0, 1)
            + vector(0, 1)
            + integers(-1, 0)
            + sparse(4, 2, [(0, 0, 1.0)])
            + sparse(4, 2, [(3, 1, 1.0)])
        )
    return out


def wire_files(folder):
    request = (
        texts("ncp/pgs")
        + real(1e-8)
        + struct.pack("<i", 1)
        + whole(100)
        + real(1, 0)
        + vector(1, 2, 3)
        + whole(8, 1)
        + whole(1)
        + texts("a")
        + texts("b")
        + b"\1"
        + real(1.05)
        + b"\1"
        + whole(2)
        + struct.pack("<2i", 0, 1)
        + b"\1"
    )
    point = whole(3) + real(0.5) + b"\1" + real(*[1e-3] * 11)
    result = (
        struct.pack("<i", 1)
        + texts("done")
        + texts("start")
        + vector(1, 0, 0)
        + vector(1)
        + texts("ncp")
        + whole(7, 1, 2, 3, 4)
        + real(0.1, 0.2)
        + b"\1"
        + real(*[1e-9] * 11)
        + whole(2)
        + 2 * point
    )
    task = (
        texts("ncp/siconos-nsgs")
        + sparse(3, 3, [(k, k, 2.0) for k in range(3)])
        + vector(0.5)
        + integers(-1, 0, 0)
        + real(1e9)
    )
    call = 4 * vector(1, 0, 0) + b"\1" + real(1e-8) + whole(1000)
    answer = vector(1, 0, 0) + b"\1" + texts("no pivot") + whole(12) + real(1e-9, 0.5)
    messages = dict(
        system_bodies=(0, wire_system(0, 1, 1)),
        system_blocks=(0, wire_system(1, 0, 0)),
        request=(1, request),
        result=(2, result),
        task=(3, task),
        call=(4, call),
        answer=(5, answer),
    )
    stream = whole(3, len(task)) + task + 2 * (whole(4, len(call)) + call)
    for name, (kind, content) in (messages | dict(stream=(6, stream))).items():
        (folder / name).write_bytes(bytes([kind]) + content)


# ---- campaigns ----

MEASURES = (
    "own_error velocity_error rms_violation joint_error joint_turn_error natural_map_error "
    "normal_error friction_error total_error lcp_merit pgs_merit max_penetration energy_change"
).split()
WORKS = "sweeps products factorizations pivots".split()


def results_file(path, problems, campaign):
    solvers, rows = ["ncp/nncg", "box/pgs"], 2 * problems
    history = 2 * rows
    words, reals = (lambda *t: np.array(t, dtype="S")), (lambda n, v=0.25: np.full(n, v))
    counts = lambda n, v=0: np.full(n, v, "i8")
    c = {
        "title": words("two solvers"),
        "campaign": words(campaign),
        "rows_planned": counts(1, rows),
        "tolerances": np.array([1e-8, 1e-4, 1.0]),
        "texts": words("done", "start"),
        "settings/error": words("own_error"),
        "settings/command": words("perpend bench"),
        "settings/set_names": words("bounds"),
        "settings/set_values": words("lagged"),
        "machines/cores": counts(1, 2),
        "machines/memory_bytes": reals(1, 1e10),
        "solvers/name": words(*solvers),
        "solvers/formulation": words("ncp", "box"),
        "solvers/friction": words("cone", "box"),
        "problems/file": words(*["a.h5"] * problems),
        "problems/hash": words(*[f"{k:016x}" for k in range(problems)]),
        "problems/tags": words(*["resting\nimpact"] * problems),
        "problems/title": words(*["t"] * problems),
        "results/solver": np.tile([0, 1], problems),
        "results/machine": counts(rows),
        "results/problem": np.repeat(np.arange(problems), 2),
        "results/message": counts(rows),
        "results/path": counts(rows, 1),
        "results/iterations": counts(rows, 7),
        "results/status": words(*["converged", "stalled"] * problems),
        "results/reproducible": counts(rows, 1),
        "runs/offset": 2 * np.arange(rows + 1),
        "runs/seconds": reals(2 * rows),
        "histories/offset": 2 * np.arange(rows + 1),
        "histories/iteration": np.tile([0, 7], rows),
        "histories/restart": counts(history),
    }
    for key in ("frame", "bodies", "contacts", "joints", "joint_rows", "ordinal"):
        c[f"problems/{key}"] = np.arange(problems)
    for key in ("tolerance", "time_limit", "memory_limit"):
        c[f"settings/{key}"] = reals(1)
    for key in ("max_iterations", "warm_start", "repeat", "facets", "seed", "jobs"):
        c[f"settings/{key}"] = counts(1, 1)
    for key in ("cpu", "os", "compiler", "flags", "version", "commit", "date"):
        c[f"machines/{key}"] = words("x")
    for key in range(3):
        c[f"machines/load_{key}"] = reals(1)
    for key in ("title", "reference", "origin"):
        c[f"solvers/{key}"] = words("x", "y")
    for key in ("seconds", "seconds_low", "seconds_high", "formulation_seconds"):
        c[f"results/{key}"] = reals(rows)
    for key in WORKS:
        c[f"results/work/{key}"] = counts(rows, 3)
    for key in MEASURES:
        c[f"results/errors/{key}"] = reals(rows, 1e-9)
    for key in ("seconds", "own_error", "velocity_error", "normal_error", "friction_error"):
        c[f"histories/{key}"] = reals(history, 1e-3)
    with h5py.File(path, "w", libver="earliest") as f:
        f.attrs["format"] = np.bytes_("perpend-results")
        f.attrs["format_version"] = np.int64(1)
        for name, data in c.items():
            f.create_dataset(name, data=data, track_times=False)


def results_files(folder):
    results_file(folder / "one.h5", 1, "0123456789abcdef")
    results_file(folder / "two.h5", 2, "")


def cbor(value):
    def head(major, n):
        if n < 24:
            return bytes([major << 5 | n])
        return bytes([major << 5 | 25]) + struct.pack(">H", n)

    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        return head(3, len(value)) + value.encode()
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(k) + cbor(v) for k, v in value.items())


def journals(folder):
    machine = {k: "x" for k in ("cpu", "os", "compiler", "flags", "version", "commit", "date")}
    machine |= dict(cores=2, memory_bytes=1e10, load=[0.5, 0.25, 0.125])
    problem = dict(
        file="a.h5",
        frame=0,
        title="t",
        tags=["x"],
        counts=[2, 0, 0, 4],
        hash="0123456789abcdef",
        ordinal=0,
    )
    row = dict(
        solver=1,
        problem=0,
        machine=0,
        status=1,
        message="done",
        path="start",
        iterations=7,
        seconds=[0.1, 0.1, 0.2, 0.0],
        reproducible=True,
        work=[7, 14, 1, 0],
        errors=[1e-9] * len(MEASURES),
        runs=[0.1, 0.2],
        history=real(0, 0, 0, 1, 1, 1, 1, 7, 0.1, 0, 1e-9, 1e-9, 1e-9, 1e-9),
    )
    records = [
        dict(record="campaign", identity=[["--tolerance", "1e-08"]]),
        dict(record="machine", machine=machine),
        dict(record="problem", index=0, problem=problem),
        dict(record="row", row=row),
    ]
    contents = [cbor(r) for r in records]
    joined = b"".join(struct.pack("<H", len(c)) + c for c in contents)
    (folder / "whole").write_bytes(joined)
    (folder / "begun").write_bytes(struct.pack("<H", len(contents[0])) + contents[0])


TARGETS = dict(
    standard_file=standard_files,
    fclib=fclib_files,
    json_lines=json_lines,
    scene=scenes,
    snapshot=snapshots,
    raw_problem=raw_problems,
    view=views,
    hand=hands,
    control=controls,
    packed=packed,
    model=models,
    obj=objs,
    stl=stls,
    urdf=urdfs,
    wire=wire_files,
    results=results_files,
    journal=journals,
)


def main():
    for name, make in TARGETS.items():
        folder = Path(sys.argv[1]) / name
        folder.mkdir(parents=True, exist_ok=True)
        make(folder)


main()
