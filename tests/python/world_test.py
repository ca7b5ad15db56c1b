"""Worlds, recorders, and the commands that are started."""

import json
import os
import pickle
import runpy
import signal
import subprocess
import sys
import textwrap
import threading
import types
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import perpend
from conftest import ROOT


def final_hash(name, steps=40):
    world = perpend.World(name)
    world.step(steps)
    return world.hash


class TestWorld:
    def test_it_is_the_run_of_perpend_simulate(self, program):
        for name in ("stack:4", "chain:4", "pile-boxes:8"):
            done = subprocess.run(
                [program, "--quiet", "simulate", name, "--steps", "40", "--json"],
                capture_output=True,
                text=True,
            )
            assert json.loads(done.stdout)["state_hash"] == final_hash(name), name

    def test_views_of_the_state_follow_the_steps(self):
        world = perpend.World("stack:2")
        z, again = world.positions, world.positions
        assert np.shares_memory(z, again)
        world.set_state(positions=z + np.array([0, 0, 1.0]))
        high = z.copy()
        world.step(5)
        t = 5 * world.h
        assert z[-1, 2] < high[-1, 2] - 0.3 * 9.81 * t * t
        del world
        assert np.isfinite(z).all()

    def test_a_force_acts_in_one_step_and_is_then_forgotten(self):
        world = perpend.World("stack:1")
        top = len(world.scene.bodies) - 1
        mass = world.scene.to_dict()["bodies"][top]["mass"]
        world.forces[top, 2] = 50 * mass
        world.step()
        assert abs(world.velocities[top, 2] - (50 - 9.81) * world.h) < 1e-9
        assert (world.forces == 0).all()

    def test_controllers_are_called_before_every_step(self):
        world, seen = perpend.World("stack:1"), []
        world.controllers.append(lambda w: seen.append(w.steps))
        world.step(4)
        assert seen == [0, 1, 2, 3]

    def test_a_controller_moves_a_joint_by_its_drive(self, tmp_path):
        scene = perpend.Scene("chain:1").to_dict()
        scene["joints"][0]["name"] = "hinge"
        scene["gravity"] = [0, 0, 0]
        world = perpend.World(scene)
        world.set_drive("hinge", stiffness=1e3, damping=1e2)
        assert world.drive("hinge")["stiffness"] == 1e3
        world.controllers.append(lambda w: w.set_drive("hinge", position=0.3))
        world.step(120)
        assert abs(world.joint("hinge")["coordinate"] - 0.3) < 1e-3
        springs = perpend.World(scene, contacts=True)
        springs.set_drive("hinge", stiffness=1e3)
        springs.step()
        assert springs.frame.constraints.compliance.max() > 0
        perpend.write(tmp_path / "run.h5", [springs.frame])
        back = perpend.read(tmp_path / "run.h5")[0]
        assert back.constraints.compliance.max() == springs.frame.constraints.compliance.max()
        assert perpend.validate(str(tmp_path / "run.h5")) == []
        assert world.joint(0) == world.joint("hinge")
        for call, words in [
            (lambda: world.joint("knee"), "has no joint 'knee'"),
            (lambda: world.joint(0, axis=1), "no axis 1"),
            (lambda: world.set_drive("hinge", torque=1), "choose one of: stiffness"),
            (lambda: world.set_drive("hinge", damping=-1), "damping"),
        ]:
            with pytest.raises((KeyError, TypeError, ValueError), match=words):
                call()

    def test_set_state_and_its_errors(self):
        world = perpend.World("stack:2")
        v = np.zeros((len(world.scene.bodies), 6))
        v[:, 0] = 1
        world.set_state(velocities=v)
        assert world.velocities[-1, 0] == 1
        with pytest.raises(ValueError, match="positions has 3 numbers, expected 9"):
            world.set_state(positions=[0, 0, 0])
        with pytest.raises(ValueError, match="not finite"):
            world.set_state(velocities=v * np.nan)
        before = world.hash
        with pytest.raises(ValueError, match="quaternions row 1 is 0"):
            world.set_state(quaternions=0 * world.quaternions)
        with pytest.raises(ValueError, match=r"velocities has the shape \(6, 3\)"):
            world.set_state(velocities=v.T)
        world.forces[2, 0] = np.nan
        with pytest.raises(ValueError, match="forces row 2 is not finite"):
            world.step()
        assert (world.hash, world.steps) == (before, 0)
        world.forces[2, 0] = 0
        world.step()

    def test_a_drive_takes_numbers_and_a_joint_is_named_or_numbered(self):
        world = perpend.World("chain:1")
        for call, kind, words in [
            (lambda: world.set_drive(0, stiffness="x"), ValueError, "stiffness: expected a number"),
            (lambda: world.joint(None), KeyError, "no joint None"),
            (lambda: world.joint(0.5), KeyError, "no joint 0.5"),
            (lambda: world.joint(10**30), ValueError, "joint: expected a whole number"),
        ]:
            with pytest.raises(kind, match=words):
                call()
        assert world.joint(np.int64(0)) == world.joint(0)

    def test_a_restored_world_goes_on_with_the_same_bits(self, tmp_path):
        world = perpend.World("pile-boxes:6")
        world.step(20)
        saved = world.save()
        saved.write(str(tmp_path / "s.json"))
        world.step(20)
        ahead = world.hash
        world.restore(saved)
        assert world.steps == 20
        world.step(20)
        assert world.hash == ahead
        other = perpend.World("pile-boxes:6")
        other.restore(perpend.read_snapshot(str(tmp_path / "s.json")))
        other.step(20)
        assert other.hash == ahead
        with pytest.raises(perpend.InputError):
            perpend.World("stack:3").restore(saved)

    def test_reset_and_seed(self):
        world = perpend.World("pile-boxes:6", seed=1)
        start = world.hash
        z = world.positions
        world.step(10)
        first = world.hash
        world.reset()
        assert world.hash == start and world.steps == 0
        world.step(10)
        assert world.hash == first
        world.reset(seed=2)
        world.step(10)
        assert world.hash != first
        assert np.shares_memory(z, world.positions)

    def test_forces_of_a_resting_stack_carry_its_weight(self):
        world = perpend.World("stack:3", contacts=True)
        world.step(30)
        c = world.contacts
        ground = (c["bodies"] == 0).any(axis=1)
        masses = [b.get("mass", 0) for b in world.scene.to_dict()["bodies"]]
        assert abs(abs(c["forces"][ground, 2].sum()) - 9.81 * sum(masses)) < 1e-6
        assert world.frame.counts["contacts"] == len(c["mu"])
        errors = perpend.measure(world.frame, world.frame.solution.z)
        assert errors["velocity_error"] < 1e-8

    def test_without_contacts_it_says_how(self):
        with pytest.raises(ValueError, match="contacts=True"):
            perpend.World("stack:1").contacts
        with pytest.raises(TypeError, match="no option 'solvers'.*choose one of"):
            perpend.World("stack:1", solvers="box/pgs")
        with pytest.raises(perpend.InputError, match="unknown scene"):
            perpend.World("no-such")

    def test_options_are_those_of_solve_too(self):
        for given, kind, words in [
            ({"tolerance": "x"}, ValueError, "tolerance: expected a number"),
            ({"correct": 1.5}, ValueError, "correct: expected a whole number"),
            ({"stepper": "euler"}, ValueError, "stepper: expected st or ap"),
            ({"tolerance": -1}, perpend.InputError, "ncp/auto: tolerance"),
            (
                {"warm_start": [0]},
                TypeError,
                "no option 'warm_start' with ncp/auto; .*memory_limit",
            ),
            ({"bounds": "lagged"}, TypeError, "no option 'bounds'"),
            ({"correct": -1}, ValueError, "correct: must not be negative"),
            ({"max_push": np.nan}, ValueError, "max_push: must not be negative"),
            ({"h": -1.0}, ValueError, "h: expected a positive number of seconds"),
            ({"h": np.nan}, ValueError, "h: expected a positive number of seconds"),
            ({"solver": "box/pgs", "bounds": "odd"}, perpend.InputError, "bounds"),
        ]:
            with pytest.raises(kind, match=words):
                perpend.World("stack:1", **given)
        options = dict(solver="box/pgs", max_iterations=20)
        one = perpend.World("slope", bounds="lagged", **options)
        other = perpend.World("slope", set={"bounds": "lagged"}, **options)
        one.step(5)
        other.step(5)
        assert one.hash == other.hash
        with pytest.raises(ValueError, match="step: -3 is negative"):
            one.step(-3)

    def test_an_alarm_ends_a_million_steps_and_the_world_goes_on(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        world, other = perpend.World("stack:3"), perpend.World("stack:3")
        before = signal.signal(signal.SIGALRM, ring)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(Alarm):
                world.step(10**6)
        finally:
            signal.signal(signal.SIGALRM, before)
        assert 0 < world.steps < 10**6
        other.step(world.steps)
        assert world.hash == other.hash

    def test_effort(self):
        world = perpend.World("stack:3", effort=5)
        assert world.effort == "5"
        world.effort = "exact"
        assert world.effort == "exact"
        with pytest.raises(ValueError, match="effort"):
            world.effort = "much"

    def test_a_scene_from_code_is_the_scene(self, tmp_path):
        scene = perpend.Scene("stack:3")
        told = scene.to_dict()
        again = pickle.loads(pickle.dumps(perpend.Scene(told)))
        assert again.to_dict() == told
        told["bodies"][1]["position"] = np.array(told["bodies"][1]["position"])
        assert perpend.Scene(told).to_dict() == again.to_dict()
        told["bodies"][1]["mass"] = -1
        with pytest.raises(perpend.InputError, match="mass"):
            perpend.Scene(told)

    def test_a_model_becomes_a_scene(self, program, tmp_path):
        path = tmp_path / "box.urdf"
        path.write_text(
            '<robot name="b"><link name="base"><inertial><mass value="1"/><inertia ixx="0.1" '
            'iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry>'
            '<box size="1 1 1"/></geometry></collision></link></robot>'
        )
        try:
            scene = perpend.Scene(path)
        except perpend.ProgramError as why:  # of a program without the command, or the reader
            assert "import" in str(why)
            return
        assert "base" in scene.bodies
        assert perpend.World(scene).positions.shape == (len(scene.bodies), 3)

    @pytest.mark.parametrize("name", ["limit.urdf", "box.sdf", "servo.xml", "world.bullet"])
    def test_models_of_every_kind_are_worlds(self, program, name):
        path = ROOT / "tests" / "model" / "data" / name
        try:
            world = perpend.World(path)
        except perpend.ProgramError as why:
            pytest.skip(str(why))
        told = json.loads(perpend.run("import", path, json=True).stdout)
        assert world.scene.imported["lost"] == told["lost"]
        world.step(5)
        assert world.report["status"] == "converged"
        assert ("lost" in repr(world.scene)) and np.isfinite(world.positions).all()
        if name == "limit.urdf":
            held = perpend.Scene(path, fixed_base=True, no_floor=True)
            assert told["lost"] and len(held.bodies) < len(world.scene.bodies)
            with pytest.raises(perpend.ProgramError, match="--fixd-base"):
                perpend.Scene(path, fixd_base=True)

    def test_names_win_over_files_as_on_the_command_line(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "wall").mkdir()
        assert perpend.Scene("wall").name == "wall"
        perpend.Scene("stack:2").write("own.json")
        assert perpend.Scene("own.json").name == "stack:2"
        for what, words in [
            ("robot.urdf", "no such file either"),
            ("./robot.urdf", "no such file"),
        ]:
            with pytest.raises(perpend.InputError, match=words):
                perpend.World(what)
        with pytest.raises(TypeError, match="only with a model"):
            perpend.Scene("stack:1", fixed_base=True)

    def test_a_solver_in_python_holds_a_box(self, blocks):
        from plugin_test import python_pgs

        ours = perpend.World("stack:1", solver=python_pgs(), tolerance=1e-6)
        theirs = perpend.World("stack:1", solver="box/pgs", tolerance=1e-6)
        ours.step(3)
        theirs.step(3)
        assert abs(ours.positions - theirs.positions).max() < 1e-9


class TestManyWorlds:
    names = ["pile-boxes:6", "stack:5", "pile-spheres:8", "stack:3"]

    def test_in_threads_they_have_the_serial_hashes(self):
        serial = {name: final_hash(name) for name in self.names}
        found = {}
        threads = [
            threading.Thread(target=lambda n=n: found.__setitem__(n, final_hash(n)))
            for n in self.names
        ]
        [t.start() for t in threads]
        [t.join() for t in threads]
        assert found == serial

    def test_in_processes_too(self):
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            found = dict(zip(self.names, pool.map(final_hash, self.names)))
        assert found == {name: final_hash(name) for name in self.names}


class TestExamples:
    def test_dart_is_recorded(self, tmp_path):
        pytest.importorskip("dartpy")
        out = tmp_path / "dart.h5"
        subprocess.run(
            [sys.executable, "-B", str(ROOT / "examples/python/record_dart.py"), str(out)],
            check=True,
            env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(perpend.__file__))},
        )
        frames = perpend.read(out)
        assert len(frames) == 100 and perpend.validate(str(out)) == []
        last = frames[-1]
        assert last.counts["contacts"] >= 3
        # It rests: what the contacts carry is the weight for one step.
        # DART lets a box sink by parts of a millimetre; the rigid law would push it out.
        assert last.contacts.gap.min() > -2e-3
        last.contacts.gap[:] = 0
        weight = 9.81 * last.bodies.masses.sum() * last.step
        result = perpend.solve(last, tolerance=1e-9)
        assert abs(result.contact_impulses[:, 0].sum() - weight) < 0.05 * weight

    def test_pybullet_s_signs_are_turned(self, tmp_path, monkeypatch):
        """PyBullet as its guide describes it: a ball that slides on a plane and is body A."""
        mass, h, friction = 2.0, 1 / 240, 0.5
        speed, spin = [3.0], [0.0]
        up, along = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
        load = 9.81 * mass

        def step():  # friction slows the sliding ball and turns it
            speed[0] -= friction * 9.81 * h
            spin[0] += friction * load * 0.5 / (0.4 * mass * 0.25) * h

        fake = types.ModuleType("pybullet")
        fake.getDynamicsInfo = lambda body, link: (
            (0.0, 1.0, (0.0,) * 3) if body == 0 else (mass, friction, (0.4 * mass * 0.25,) * 3)
        )
        fake.getBasePositionAndOrientation = lambda body: ((0, 0, 0.5 * body), (0, 0, 0, 1))
        fake.getMatrixFromQuaternion = lambda q: np.eye(3).ravel()
        fake.getBaseVelocity = lambda body: (
            ((speed[0], 0, 0), (0, spin[0], 0)) if body else ((0, 0, 0), (0, 0, 0))
        )
        contact = (0, 1, 0, -1, -1, (0, 0, 0), (0, 0, 0), up, 0.0, load)
        contact += (-friction * load, along, 0.0, (0.0, 1.0, 0.0))
        fake.getContactPoints = lambda: [contact]
        fake.stepSimulation = step
        fake.DIRECT = fake.GEOM_PLANE = 0
        fake.connect = fake.setTimeStep = fake.setGravity = lambda *_: None
        fake.changeDynamics = lambda *_, **__: None
        fake.createCollisionShape = fake.createMultiBody = lambda *_: 0
        fake.loadURDF = lambda *_: 1
        monkeypatch.setitem(sys.modules, "pybullet", fake)
        out = str(tmp_path / "p.h5")
        runpy.run_path(str(ROOT / "examples/python/record_pybullet.py"))["main"]("ball.urdf", out)
        assert perpend.validate(out) == []
        first = perpend.read(out)[0]
        assert first.contacts.normals[0].tolist() == [0, 0, -1]  # from the ball to the plane
        assert perpend.measure(first, first.solution.z)["velocity_error"] < 1e-12

    def test_the_page_on_recording_quotes_the_example(self):
        page = (ROOT / "docs" / "record.md").read_text()
        (block,) = [part.split("```")[0] for part in page.split("```python\n")[1:]]
        example = (ROOT / "examples" / "python" / "record_pybullet.py").read_text()
        assert textwrap.indent(block, "    ") in example

    @pytest.mark.parametrize("name", ["mujoco", "pybullet"])
    def test_what_was_not_run_says_so_first(self, name):
        first = (ROOT / f"examples/python/record_{name}.py").read_text().splitlines()[0]
        assert "not run" in first.lower()


class TestProgram:
    def test_a_command_s_error_is_its_line(self, program):
        with pytest.raises(perpend.ProgramError, match="unknown solver 'ncp/none'"):
            perpend.run("solve", "x.h5", "--solver", "ncp/none")

    def test_share_writes_a_page(self, program, tmp_path):
        run = str(tmp_path / "run.h5")
        perpend.run("simulate", "stack:2", "--steps", "5", "--out", run)
        if "share" not in perpend.run("view", "--help").stdout:
            pytest.skip("this build has no --share")
        try:
            page = perpend.share(run, str(tmp_path / "run.html"))
        except perpend.ProgramError as why:
            assert "built without" in str(why)
            pytest.skip(str(why))
        assert os.path.getsize(page) > 1e5
