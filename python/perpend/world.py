"""Scenes and worlds.

>>> import perpend
>>> world = perpend.World("stack:2", contacts=True)
>>> world.step(3)
>>> world.steps, len(world.contacts["forces"])
(3, 8)
>>> saved, before = world.save(), world.hash
>>> world.step(5)
>>> world.restore(saved)
>>> world.hash == before
True
"""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Callable

import numpy as np
from numpy.typing import ArrayLike

from . import _perpend
from .program import run


class Scene:
    """A scene: a built-in name ("stack:10"), a scene or model file, or a dict (docs/scene.md).

    Of a model (URDF, SDF, MJCF, .bullet, OBJ, STL) `imported` is the report of `perpend import`,
    with what is `lost` and `findings` about what is unsound; its options are keywords:
    Scene("robot.urdf", fixed_base=True).
    """

    def __init__(
        self,
        what: str | os.PathLike[str] | dict[str, Any] = "stack:1",
        seed: int = 1,
        **options: Any,
    ) -> None:
        self.seed, self.imported, self._name = seed, None, None
        path = "" if isinstance(what, dict) else os.fspath(what)
        if os.path.splitext(path)[1].lower() in MODELS and os.path.isfile(path):
            self._scene, self.imported = _model(path, options)
        elif options:
            raise TypeError(f"Scene() takes {', '.join(options)} only with a model file")
        elif isinstance(what, dict):
            text = json.dumps(what, default=lambda value: np.asarray(value).tolist())
            self._scene = _perpend._scene_from_json(text, "scene")
        else:
            self._scene = _named(path, seed)
            self._name = self._scene and path
            self._scene = self._scene or _perpend._read_scene(path)

    name = property(lambda self: self._scene.name, doc="Its name.")
    title = property(lambda self: self._scene.title, doc="What it shows, in a line.")
    step = property(lambda self: self._scene.step, doc="s")
    steps = property(lambda self: self._scene.steps, doc="How many `perpend simulate` makes.")
    bodies = property(lambda self: self._scene.bodies, doc="Names of the bodies.")
    joints = property(lambda self: self._scene.joints, doc="Names of the joints.")

    def to_dict(self) -> dict[str, Any]:
        """The scene in the form of docs/scene.md; Scene(that) is the same scene again."""
        return json.loads(self._scene.to_json())

    def write(self, path: str | os.PathLike[str]) -> None:
        """As a scene file (docs/scene.md)."""
        self._scene.write(os.fspath(path))

    def first_frame(self) -> _perpend.Frame:
        """The problem of the first step."""
        return self._scene.first_frame()

    def seeded(self, seed: int) -> Scene:
        """The same with another seed, if it is a built-in scene: others have no random numbers."""
        return self if self._name is None else Scene(self._name, seed)

    def __reduce__(self):
        return Scene, (self.to_dict() if self._name is None else self._name, self.seed)

    def __repr__(self):
        lost = f", {len(self.imported['lost'])} lost" if self.imported else ""
        return f"<Scene {self.name}: {len(self.bodies)} bodies, {len(self.joints)} joints{lost}>"


MODELS = (".urdf", ".sdf", ".world", ".xml", ".mjcf", ".bullet", ".obj", ".stl")


def _named(name, seed):
    """As on the command line: a built-in name wins over a file, a path with a slash is no name."""
    if "/" in name:
        return None
    try:
        return _perpend._scene_named(name, seed)
    except _perpend.InputError as why:
        if os.path.exists(name):
            return None
        raise _perpend.InputError(f"{why}; there is no such file either") from None


def _model(path, options):
    words = []
    for key, value in options.items():
        words += [] if value is False else ["--" + key.replace("_", "-")]
        words += [] if isinstance(value, bool) else [value]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "scene.json")
        report = json.loads(run("import", path, *words, "--out", out, json=True).stdout)
        return _perpend._read_scene(out), report


class World(_perpend._World):
    """A scene that you step.

    `positions`, `quaternions` (w, x, y, z) and `velocities` look into the world and change with
    each step; set_state() writes them. What you write into `forces` (force and torque, N and N m)
    acts in the next step.
    Options: h, threads, contacts (keep the contacts of each step), solver, effort, correct,
    max_push, warm, stepper, and those of solve() that are not about one problem.
    """

    def __init__(
        self,
        scene: Scene | str | os.PathLike[str] | dict[str, Any] = "stack:1",
        seed: int = 1,
        **options: Any,
    ) -> None:
        self.scene = scene if isinstance(scene, Scene) else Scene(scene, seed)
        self.controllers: list[Callable[[World], object]] = []
        super().__init__(self.scene._scene, seed=seed, **options)

    def step(self, count: int = 1) -> None:
        """Makes steps. Each controller is called with this world before each of them."""
        if not self.controllers:
            self._step(count)
            return
        for _ in range(count):
            for controller in self.controllers:
                controller(self)
            self._step(1)

    def reset(self, seed: int | None = None) -> None:
        """Back to the start, of the scene with another seed where it has random numbers."""
        scene = self.scene if seed is None else self.scene.seeded(seed)
        self._reset(None if scene is self.scene else scene._scene)
        self.scene = scene

    def set_state(
        self,
        positions: ArrayLike | None = None,
        quaternions: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
    ) -> None:
        """Moves the bodies: one row for each, those of fixed bodies are not used."""
        given = (positions, quaternions, velocities)
        now = (self.positions, self.quaternions, self.velocities)
        self._set_state(*(np.array(n if g is None else g) for g, n in zip(given, now)))

    def body(self, name: str) -> int:
        """The row of a body, by its name."""
        try:
            return self.scene.bodies.index(name)
        except ValueError:
            raise KeyError(f"{self.scene.name} has no body '{name}'") from None

    def __repr__(self):
        return f"<World {self.scene.name}: step {self.steps}, t = {self.time:.4g} s>"
