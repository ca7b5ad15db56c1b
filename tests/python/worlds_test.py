"""Many worlds at once: the bits of one, whatever ends."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import perpend
from conftest import ROOT

PILE = "pile-boxes:4"


def alone(scene, seed, steps, **options):
    world = perpend.World(scene, seed=seed, **options)
    world.step(steps)
    return world.hash


def hinge():
    scene = perpend.Scene("chain:1").to_dict()
    scene["joints"][0]["name"] = "hinge"
    scene["gravity"] = [0, 0, 0]
    return scene


def gone(process, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


class TestBits:
    @pytest.mark.parametrize("processes", [1, 2, 3])
    def test_any_number_of_processes_has_the_serial_hashes(self, processes):
        serial = [alone(PILE, seed, 30) for seed in (1, 2, 3, 7)]
        assert len(set(serial)) == 4
        with perpend.Worlds(PILE, seeds=[1, 2, 3, 7], processes=processes) as worlds:
            assert worlds.processes == processes
            worlds.step(10)
            worlds.step(20)
            assert worlds.hashes == serial
            assert [world.hash for world in worlds] == serial

    def test_each_may_have_a_scene_of_its_own(self):
        scenes = []
        for mu in (0.1, 0.4, 0.7):
            scene = perpend.Scene("stack:2").to_dict()
            for body in scene["bodies"]:
                body["mu"] = mu
            scene["gravity"] = [3, 0, -9.81]
            scenes.append(scene)
        with perpend.Worlds(scenes, processes=2) as worlds:
            worlds.step(20)
            assert worlds.hashes == [alone(s, 1 + i, 20) for i, s in enumerate(scenes)]
            assert worlds.velocities[0, 1, 0] > worlds.velocities[1, 1, 0] + 0.1
        with pytest.raises(ValueError, match=r"different numbers of bodies: \[3, 4\]"):
            perpend.Worlds(["stack:2", "stack:3"])

    def test_options_are_those_of_a_world(self):
        with perpend.Worlds("stack:3", 2, h=0.005, solver="ncp/nncg", effort=5) as worlds:
            worlds.step(10)
            same = dict(h=0.005, solver="ncp/nncg", effort=5)
            assert worlds.hashes == [alone("stack:3", 1, 10, **same)] * 2
            assert worlds[1].h == 0.005 and worlds[0].effort == "5"
            worlds[0].effort = "exact"
            assert [world.effort for world in worlds] == ["exact", "5"]


class TestState:
    def test_arrays_follow_the_steps_and_are_not_for_writing(self):
        with perpend.Worlds(PILE, 3, processes=2) as worlds:
            rows = len(worlds.scenes[0].bodies)
            z, steps = worlds.positions, worlds.steps
            shapes = [a.shape for a in (z, worlds.quaternions, worlds.velocities, worlds.forces)]
            assert shapes == [(3, rows, 3), (3, rows, 4), (3, rows, 6), (3, rows, 6)]
            before = z.copy()
            worlds.step(8)
            assert z is worlds.positions and (z[:, -1, 2] < before[:, -1, 2]).all()
            assert steps.tolist() == [8, 8, 8]
            assert np.shares_memory(worlds[1].positions, z)
            with pytest.raises(ValueError, match="read-only"):
                z[0, 0, 0] = 1
            world = perpend.World(PILE)
            with pytest.raises(ValueError, match="read-only"):
                world.positions[0, 0] = 1
        assert np.isfinite(z).all()  # after close()

    def test_a_force_is_for_one_world_and_one_step(self):
        with perpend.Worlds("stack:1", 3, processes=2) as worlds:
            mass = worlds.scenes[0].to_dict()["bodies"][-1]["mass"]
            worlds.forces[1, -1, 2] = 50 * mass
            worlds.step(1)
            one = perpend.World("stack:1")
            one.forces[-1, 2] = 50 * mass
            one.step()
            assert (worlds.velocities[1] == one.velocities).all()
            assert worlds.velocities[1, -1, 2] > 0.5 > abs(worlds.velocities[[0, 2], -1, 2]).max()
            assert (worlds.forces == 0).all()

    def test_what_was_pushed_is_forgotten_by_a_reset(self):
        world = perpend.World("stack:1")
        world.forces[-1, 2] = 100
        world.reset()
        assert (world.forces == 0).all()

    def test_snapshots_bring_every_world_back(self, tmp_path):
        with perpend.Worlds(PILE, 3, processes=2) as worlds:
            worlds.step(5)
            saved = pickle.loads(pickle.dumps(worlds.save()))
            worlds.step(5)
            ahead = worlds.hashes
            worlds.restore(saved)
            assert worlds.steps.tolist() == [5, 5, 5]
            worlds[1].step(5)
            assert worlds.steps.tolist() == [5, 10, 5] and worlds[1].hash == ahead[1]
            worlds[1].restore(worlds[0].save())
            worlds.step(5)
            assert worlds.hashes == [ahead[0], ahead[0], ahead[2]]
            saved[0].write(str(tmp_path / "s.json"))
            assert perpend.read_snapshot(str(tmp_path / "s.json")).step == 5
            assert repr(saved[0]) == f"<Snapshot of {PILE}: step 5>"

    def test_a_reset_may_have_other_seeds(self):
        with perpend.Worlds(PILE, 2) as worlds:
            start = worlds.hashes
            worlds.step(5)
            worlds.reset()
            assert worlds.hashes == start and worlds.steps.tolist() == [0, 0]
            worlds[1].reset(seed=9)
            assert worlds.seeds == [1, 9]
            worlds.reset(seeds=[5, 6])
            worlds.step(5)
            assert worlds.hashes == [alone(PILE, 5, 5), alone(PILE, 6, 5)]

    def test_bodies_are_moved_by_arrays_over_the_worlds(self):
        with perpend.Worlds("stack:1", 2) as worlds:
            velocities = np.zeros_like(worlds.velocities)
            velocities[:, -1, 0] = [1, 2]
            worlds.set_state(velocities=velocities)
            assert worlds.velocities[:, -1, 0].tolist() == [1, 2]
            assert [world.index for world in worlds[:]] == [0, 1] and worlds[2:] == []
            worlds[:1][0].set_state(velocities=velocities[1])
            assert worlds.velocities[:, -1, 0].tolist() == [2, 2]

    def test_contacts_frames_and_reports_are_lists(self):
        with perpend.Worlds("stack:2", 2, contacts=True) as worlds:
            worlds.step(3)
            one = perpend.World("stack:2", contacts=True)
            one.step(3)
            for found in worlds.contacts:
                assert (found["forces"] == one.contacts["forces"]).all()
            assert [frame.counts for frame in worlds.frames] == [one.frame.counts] * 2
            assert worlds[1].report["errors"] == worlds.reports[0]["errors"]


class TestControllers:
    def test_they_see_all_worlds_before_each_step(self):
        seen = []

        def lift(worlds):
            seen.append(worlds.steps.tolist())
            worlds.forces[:, -1, 2] = [0, 2 * 9.81 * mass]

        with perpend.Worlds("stack:1", 2) as worlds:
            mass = worlds.scenes[0].to_dict()["bodies"][-1]["mass"]
            worlds.controllers.append(lift)
            worlds.step(4)
            assert seen == [[i, i] for i in range(4)]
            assert abs(worlds.velocities[1, -1, 2] - 4 * 9.81 * worlds[1].h) < 1e-9

    def test_drives_take_a_number_for_each_world(self):
        with perpend.Worlds(hinge(), 3, processes=2) as worlds:
            worlds.set_drive("hinge", stiffness=1e3, damping=1e2)
            worlds.set_drive("hinge", position=[0.1, 0.2, 0.3])
            worlds.step(120)
            assert np.allclose(worlds.joint("hinge")["coordinate"], [0.1, 0.2, 0.3], atol=1e-3)
            assert worlds[2].drive("hinge")["position"] == 0.3
            worlds[2].set_drive("hinge", position=0)
            assert worlds[2].drive("hinge")["position"] == 0


class TestErrors:
    def test_they_are_those_of_one_world(self):
        with perpend.Worlds(hinge(), 2, processes=2) as worlds:
            for call, kind, words in [
                (lambda: worlds.joint("knee"), KeyError, "has no joint 'knee'"),
                (lambda: worlds.set_drive("hinge", torque=1), TypeError, "choose one of"),
                (lambda: worlds.contacts, ValueError, "contacts=True"),
                (lambda: worlds.restore([None, None]), TypeError, r"takes \(snapshot: Snapshot\)"),
                (lambda: worlds.set_state(positions=np.zeros((2, 1))), ValueError, "expected"),
                (lambda: worlds.set_state(positions=np.zeros(3)), ValueError, "3 entries"),
                (lambda: worlds.reset(seeds=[1]), ValueError, "seeds has 1 entries, expected 2"),
                (lambda: worlds[1].nothing, AttributeError, "no 'nothing'"),
                (lambda: worlds[2], IndexError, ""),
            ]:
                with pytest.raises(kind, match=words):
                    call()
            with pytest.raises(ValueError) as caught:
                worlds[1].set_state(positions=np.zeros(1))
            assert caught.value.world == 1
            worlds.step(2)
            assert worlds.steps.tolist() == [2, 2]

    def test_wrong_arguments(self):
        for arguments, kind, words in [
            (("no-such", 2), perpend.InputError, "unknown scene"),
            (("stack:1", 2, [1, 2, 3]), ValueError, "3 seeds for 2 worlds"),
            ((["stack:1"], 2), ValueError, "1 scenes for 2 worlds"),
            (("stack:1", 0), ValueError, "count"),
            (("stack:1", 1, None, 0), ValueError, "processes"),
        ]:
            with pytest.raises(kind, match=words):
                perpend.Worlds(*arguments)
        with pytest.raises(TypeError, match="no option 'solvers'"):
            perpend.Worlds("stack:1", 2, solvers="box/pgs")

    def test_a_solver_in_python_comes_from_a_file(self, tmp_path):
        @perpend.solver("box/of-this-process")
        def here(problem):
            yield problem.start

        with pytest.raises(ValueError, match="load_plugin"):
            perpend.Worlds("stack:1", 2, solver="box/of-this-process")
        text = (ROOT / "examples/python/box_pgs.py").read_text()
        file = tmp_path / "pgs.py"
        file.write_text(text.replace("box/pgs-in-python", "box/pgs-of-a-file"))
        assert perpend.load_plugin(str(file)) == ["box/pgs-of-a-file"]
        with perpend.Worlds("stack:1", 2, solver="box/pgs-of-a-file", tolerance=1e-6) as worlds:
            worlds.step(2)
            assert {report["status"] for report in worlds.reports} == {"converged"}

    def test_closed_worlds_say_so(self):
        worlds = perpend.Worlds("stack:1", 2, processes=2)
        processes = [worker.process.pid for worker in worlds._workers]
        worlds.close()
        worlds.close()
        assert all(gone(process) for process in processes)
        assert "closed" in repr(worlds)
        with pytest.raises(ValueError, match="are closed"):
            worlds.step()

    @pytest.mark.parametrize("when", ["before", "during"])
    def test_a_dead_process_is_told_and_nobody_waits(self, when):
        worlds = perpend.Worlds("stack:1", 4, processes=2)
        first, second = (worker.process.pid for worker in worlds._workers)
        if when == "before":
            os.kill(second, signal.SIGKILL)
        else:
            threading.Timer(0.3, os.kill, (second, signal.SIGKILL)).start()
        with pytest.raises(perpend.WorkerError, match="worlds 2 to 3 was killed by SIGKILL"):
            worlds.step(10**9)
        assert gone(first)
        with pytest.raises(ValueError, match="worlds 2 to 3 was killed"):
            worlds.positions, worlds.hashes

    def test_processes_end_with_the_one_that_made_them(self):
        script = (
            "import perpend, os, signal\n"
            "worlds = perpend.Worlds('stack:1', 2, processes=2)\n"
            "print(*[w.process.pid for w in worlds._workers], flush=True)\n"
            "worlds.step(10**9)\n"
        )
        child = subprocess.Popen([sys.executable, "-B", "-c", script], stdout=subprocess.PIPE)
        processes = [int(word) for word in child.stdout.readline().split()]
        time.sleep(0.2)
        child.kill()
        child.wait()
        assert len(processes) == 2 and all(gone(process) for process in processes)


INTERRUPTED = """
import perpend
worlds = perpend.Worlds("pile-boxes:4", 3, processes=2)
print("begun", flush=True)
try:
    worlds.step(10**9)
except KeyboardInterrupt:
    steps = worlds.steps.tolist()
    same = True
    for i, made in enumerate(steps):
        one = perpend.World("pile-boxes:4", seed=1 + i)
        one.step(made)
        same = same and one.hash == worlds[i].hash
    worlds.step(2)
    print(same, min(steps[0], steps[2]) > 0, (worlds.steps - steps).tolist(), flush=True)
"""


class TestInterrupts:
    def test_control_c_leaves_worlds_that_go_on(self):
        # To the whole group, as a terminal does.
        child = subprocess.Popen(
            [sys.executable, "-B", "-c", INTERRUPTED],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.5)
        os.killpg(child.pid, signal.SIGINT)
        out, _ = child.communicate(timeout=120)
        assert out == "True True [2, 2, 2]\n"

    def test_a_handler_s_exception_too(self):
        class Alarm(Exception):
            pass

        def ring(*_):
            raise Alarm

        before = signal.signal(signal.SIGALRM, ring)
        try:
            with perpend.Worlds("stack:1", 2) as worlds:
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                with pytest.raises(Alarm):
                    worlds.step(10**9)
                worlds.reset()
                worlds.step(3)
                assert worlds.hashes == [alone("stack:1", 1, 3)] * 2
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_control_c_between_many_short_steps_loses_nothing(self):
        before = signal.getsignal(signal.SIGINT)
        with perpend.Worlds("stack:1", 2, processes=2) as worlds:
            for _ in range(5):
                timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
                with pytest.raises(KeyboardInterrupt):
                    timer.start()
                    while True:
                        worlds.step()
                timer.join()
            steps = worlds.steps.tolist()
            assert worlds.hashes == [alone("stack:1", 1, made) for made in steps]
        assert signal.getsignal(signal.SIGINT) is before

    def test_threads_take_turns(self):
        with perpend.Worlds("stack:2", 2, processes=2) as worlds:
            threads = [threading.Thread(target=lambda: worlds.step(5)) for _ in range(4)]
            [t.start() for t in threads]
            [t.join() for t in threads]
            assert worlds.hashes == [alone("stack:2", 1, 20)] * 2


ELSEWHERE = """
import os, sys, perpend
os.chdir(sys.argv[1])
with perpend.Worlds("stack:1", 2, processes=1, **({"solver": sys.argv[2]} if sys.argv[2] else {})) as worlds:
    worlds.step(2)
    print(worlds.steps.tolist())
"""


class TestCurrentFolder:
    """What lies there may be called like this package, or like a module that it needs."""

    def run(self, folder, solver="", inside=""):
        told = subprocess.run(
            [sys.executable, "-B", "-c", inside + ELSEWHERE, folder, solver],
            capture_output=True,
            text=True,
            timeout=60,
            env=dict(os.environ, TRAP=str(folder / "trap")),
        )
        assert told.stdout == "[2, 2]\n", told.stderr
        assert not (folder / "trap").exists()

    def test_a_library_called_like_an_origin_is_not_loaded(self, tmp_path):
        for name in ("perpend", "Python"):
            (tmp_path / name).write_bytes(b"\x7fELF nonsense")
        self.run(tmp_path)
        self.run(tmp_path, "ncp/nncg")

    def test_modules_there_are_not_imported(self, tmp_path):
        trap = "import os; open(os.environ['TRAP'], 'w'); raise RuntimeError('imported')\n"
        for name in ("perpend", "numpy", "signal", "pickle", "importlib"):
            (tmp_path / (name + ".py")).write_text(trap)
        (tmp_path / "perpend").mkdir()
        (tmp_path / "perpend" / "__init__.py").write_text(trap)
        self.run(tmp_path)
        self.run(tmp_path, inside="import sys, perpend; sys.path.insert(0, '')\n")
        self.run(tmp_path, inside="import sys, perpend; sys.path.insert(0, sys.argv[1])\n")

    def test_a_solver_of_a_file_is_found_after_the_folder_was_left(self, tmp_path):
        (tmp_path / "mine.py").write_text(MINE)
        load = f"import os, perpend; os.chdir({str(tmp_path)!r}); perpend.load_plugin('mine.py')\n"
        (tmp_path / "other").mkdir()
        self.run(tmp_path / "other", "box/mine", load)


MINE = """
import perpend
@perpend.solver("box/mine")
def mine(problem):
    yield problem.start
    return "enough"
"""

BUILDING = """
import sys, threading, perpend
sys.path.insert(0, sys.argv[1])
from plugin_test import python_pgs
solver = python_pgs()
def run():
    world = perpend.World("stack:2", solver=solver, tolerance=1e-4, max_iterations=200)
    world.step(3)
threads = [threading.Thread(target=run) for _ in range(3)]
[t.start() for t in threads]
while any(t.is_alive() for t in threads):
    perpend.World("stack:1").reset()
print("done")
"""


class TestThreads:
    def test_a_world_is_made_while_another_waits_for_python(self):
        done = subprocess.run(
            [sys.executable, "-B", "-c", BUILDING, os.path.dirname(__file__)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.stdout == "done\n", done.stderr

    def test_a_solver_cannot_change_the_world_whose_step_it_solves(self):
        @perpend.solver("box/meddles")
        def meddles(problem):
            with pytest.raises(ValueError, match="in the middle of a step"):
                world.reset()
            with pytest.raises(ValueError, match="in the middle of a step"):
                world.step()
            perpend.World("stack:1").step()
            yield problem.start
            return "enough"

        world = perpend.World("stack:1", solver="box/meddles")
        world.step()
        assert world.steps == 1
