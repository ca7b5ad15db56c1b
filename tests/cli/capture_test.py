"""perpend capture: stock Bullet recorded, the same run as without recording, and wrong usage."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import PROGRAM, Case, run

FIELDS = [
    "format_version",
    "scene",
    "engine",
    "engine_version",
    "scalar_bytes",
    "solver",
    "max_iterations",
    "dt",
    "steps",
    "bodies",
    "contacts_max",
    "joint_rows",
    "answered",
    "fallbacks",
    "momentum_gap",
    "errors",
    "state_hash",
    "bytes",
    "seconds",
    "step_ms",
    "recorded_step_ms",
    "queue_bytes_max",
    "held_bytes_max",
]


def needs_recorder(engine, packages):
    helper = os.path.join(os.path.dirname(PROGRAM), "perpend-capture-" + engine)
    return unittest.skipUnless(
        os.access(helper, os.X_OK), f"the recorder of {engine} was not built: {packages}"
    )


class Recorded(Case):
    """Records scenes of the class's ENGINE."""

    def capture(self, scene, *arguments, name="recorded.h5"):
        path = self.path(name)
        return (
            path,
            self.succeeds(
                "capture", self.ENGINE, scene, *arguments, "--out", path, "--json"
            ).json(),
        )


class Capture(Recorded):
    ENGINE = "bullet"

    def test_a_recording_is_a_sound_file_of_all_steps(self):
        path, document = self.capture("stack:10", "--steps", "30")
        for field in FIELDS:
            self.assertIn(field, document)
        self.assertEqual(document["steps"], 30)
        self.assertEqual(document["contacts_max"], 40)
        self.assertEqual(document["max_iterations"], 10)
        self.assertEqual(document["answered"], {"sequential impulses": 30})
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)
        about = self.succeeds("info", path, "--json").json()
        self.assertEqual(about["engine"], "bullet")
        self.assertEqual(about["frames"], 30)
        self.assertEqual(about["scene"], "stack:10")

    def test_recording_changes_no_bit(self):
        for scene in ("stack:10", "ragdolls", "plate"):
            _, document = self.capture(scene, "--steps", "60")
            plain = self.succeeds(
                "simulate", scene, "--engine", "bullet", "--steps", "60", "--json"
            ).json()
            self.assertEqual(document["state_hash"], plain["state_hash"], scene)

    def test_compare_runs_the_engine_without_recording_beside_it(self):
        _, document = self.capture("ragdolls", "--steps", "60", "--compare")
        self.assertIs(document["same_without_recording"], True)
        self.assertGreater(document["plain_step_ms"]["p99"], 0)

    def test_errors_can_be_left_out(self):
        path, document = self.capture("stack:3", "--steps", "5", "--no-errors")
        self.assertEqual(document["errors"], {})
        self.succeeds("validate", path)

    def test_every_solver_of_bullet_is_recorded(self):
        for solver in ("si", "nncg", "dantzig", "lemke", "pgs"):
            path, document = self.capture("stack:3", "--steps", "20", "--solver", solver)
            self.assertEqual(sum(document["answered"].values()), 20, solver)
            self.assertLess(document["momentum_gap"], 1e-12, solver)
            self.succeeds("validate", path)

    def test_a_silent_fallback_is_told(self):
        path, document = self.capture("stack:10", "--solver", "dantzig", "--steps", "60")
        self.assertGreater(document["fallbacks"], 0)
        self.assertEqual(document["answered"]["sequential impulses"], document["fallbacks"])
        # Frame by frame in the file, and through JSON lines and back.
        lines, again = self.path("recorded.jsonl"), self.path("again.h5")
        self.succeeds("convert", path, lines)
        self.succeeds("convert", lines, again)
        for file in (path, lines, again):
            self.assertEqual(
                self.succeeds("info", file, "--json").json()["answered_by"], document["answered"]
            )

    def test_step_and_iterations_can_be_told(self):
        _, few = self.capture("mass-ratio:100", "--steps", "5", "--dt", "0.01")
        _, many = self.capture(
            "mass-ratio:100", "--steps", "5", "--dt", "0.01", "--max-iterations", "1000"
        )
        self.assertEqual((few["dt"], many["max_iterations"]), (0.01, 1000))
        self.assertLess(many["errors"]["own_error"], few["errors"]["own_error"] / 10)

    def test_a_scene_file_is_a_scene(self):
        mine = self.path("mine.json")
        with open(mine, "w", encoding="utf-8") as file:
            file.write(self.succeeds("scenes", "creep").out)
        _, document = self.capture(mine, "--steps", "5")
        self.assertEqual(document["scene"], "creep")

    def test_solvers_take_the_frames(self):
        path, _ = self.capture("stack:3", "--steps", "10")
        solved = self.succeeds(
            "solve", path, "--solver", "ncp/nncg", "--frames", "0", "--json"
        ).json()
        self.assertEqual({result["status"] for result in solved["results"]}, {"converged"})

    def test_ctrl_c_leaves_the_steps_made_so_far(self):
        path = self.path("long.h5")
        running = subprocess.Popen(
            [PROGRAM, "capture", "bullet", "wall", "--steps", "1000000", "--out", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        while not any(".part-" in name for name in os.listdir(self.folder)):
            time.sleep(0.02)
        time.sleep(0.5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130, err)
        self.assertIn("stopped by Ctrl-C", err)
        self.assertIn("momentum error", out)
        self.succeeds("validate", path)
        self.assertEqual(os.listdir(self.folder), ["long.h5"])


@needs_recorder("mujoco", "libmujoco-dev")
class CaptureMujoco(Recorded):
    ENGINE = "mujoco"
    GRIPPER = os.path.join(os.environ["PERPEND_SOURCE_DIR"], "examples", "capture", "gripper.xml")

    def test_a_scene_is_a_sound_file_of_all_steps(self):
        path, document = self.capture("ragdolls", "--steps", "60")
        self.assertEqual(document["engine"], "mujoco")
        self.assertEqual(document["answered"], {"Newton": 60})
        self.assertEqual(document["fallbacks"], 0)
        self.assertEqual(document["bodies"], 27)
        self.assertLess(document["momentum_gap"], 1e-9)
        self.assertLess(document["errors"]["own_error"], 1e-6)
        self.succeeds("validate", path)

    def test_mjcf_is_recorded_as_the_file_says(self):
        path, document = self.capture(self.GRIPPER, "--steps", "300")
        self.assertEqual(document["scene"], "gripper.xml")
        self.assertEqual(document["dt"], 0.004)
        self.assertEqual(document["answered"], {"Newton, elliptic cones": 300})
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)
        about = self.succeeds("info", path, "--json").json()
        self.assertEqual(about["frames"], 300)
        told = self.capture(
            self.GRIPPER,
            "--steps",
            "20",
            "--solver",
            "pgs",
            "--dt",
            "0.002",
            "--max-iterations",
            "7",
        )[1]
        self.assertEqual(
            (told["dt"], told["max_iterations"], told["solver"]), (0.002, 7, "PGS, elliptic cones")
        )

    def test_how_well_it_solves_its_own_problem_depends_on_scene_and_method(self):
        # What docs/tutorials/robots.md says in words.
        def worst(scene, solver):
            return self.capture(scene, "--steps", "100", "--solver", solver)[1]["errors"][
                "own_error"
            ]

        self.assertLess(worst(self.GRIPPER, "default"), 1e-13)
        elliptic = worst("ragdolls", "newton-elliptic")
        self.assertGreater(elliptic, 1e-9)
        self.assertGreater(worst("ragdolls", "cg-elliptic"), 10 * elliptic)
        self.assertGreater(worst("heavy-top", "pgs"), 1e-2)

    def test_what_mujoco_cannot_express_is_named(self):
        out = self.path("x.h5")
        self.refuses("capture", "mujoco", "plate", "--out", out, says="bodies 4/shape")
        self.refuses(
            "capture",
            "mujoco",
            "stack:2",
            "--solver",
            "si",
            "--out",
            out,
            says=["--solver", "newton-elliptic"],
        )
        bad = self.path("bad.xml")
        with open(bad, "w", encoding="utf-8") as file:
            file.write("<mujoco><worldbody><geom type='blob'/></worldbody></mujoco>")
        self.refuses("capture", "mujoco", bad, "--out", out, says=["bad.xml", "blob"])
        self.refuses("capture", "mujoco", self.path("none.xml"), "--out", out, says="none.xml")
        self.assertFalse(os.path.exists(out))


class Safety(Case):
    """The recorder by itself, which writes its file in place."""

    RECORDER = os.path.join(os.path.dirname(PROGRAM), "perpend-capture-bullet")

    def setUp(self):
        super().setUp()
        self.scene = self.path("scene.json")
        with open(self.scene, "w", encoding="utf-8") as file:
            file.write(self.succeeds("scenes", "stack:10").out)
        self.out = self.path("run.h5")

    def start(self, *arguments, **options):
        return subprocess.Popen(
            [self.RECORDER, self.scene, "--out", self.out, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )

    def frames(self):
        done = run("info", self.out, "--json")
        return done.json()["frames"] if done.code == 0 else 0

    def wait_for_frames(self):
        while self.frames() == 0:
            time.sleep(0.1)

    def test_a_killed_recording_is_readable_and_can_be_repaired(self):
        running = self.start("--steps", "100000000")
        self.wait_for_frames()
        safe = self.frames()
        running.kill()
        running.communicate()
        self.assertGreaterEqual(self.frames(), safe)
        self.succeeds("repair", self.out)
        self.succeeds("validate", self.out)

    def test_ctrl_c_closes_the_file(self):
        running = self.start("--steps", "100000000")
        self.wait_for_frames()
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate()
        self.assertEqual(running.returncode, 130)
        summary = json.loads(out.splitlines()[-1])["summary"]
        self.assertEqual(self.frames(), summary["steps"])
        self.succeeds("validate", self.out)

    def test_a_second_recorder_on_the_same_file_is_refused(self):
        first = self.start("--steps", "100000000")
        self.wait_for_frames()
        second = self.start("--steps", "5")
        out, _ = second.communicate()
        self.assertEqual(second.returncode, 2)
        self.assertEqual(
            json.loads(out)["error"],
            self.out + ": cannot be written: another program is writing or reading it",
        )
        first.send_signal(signal.SIGINT)
        out, _ = first.communicate()
        self.assertEqual(self.frames(), json.loads(out.splitlines()[-1])["summary"]["steps"])
        self.succeeds("validate", self.out)

    def test_a_full_disk_leaves_the_frames_of_the_last_flush(self):
        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000_000, resource.RLIM_INFINITY))

        running = self.start("--steps", "100000000", preexec_fn=small_disk)
        out, _ = running.communicate()
        self.assertEqual(running.returncode, 1)  # HDF5's own clean-up would have crashed
        self.assertEqual(
            json.loads(out.splitlines()[-1])["error"],
            self.out + ": cannot be written (File too large)",
        )
        self.succeeds("repair", self.out)
        self.succeeds("validate", self.out)

    def test_a_folder_that_cannot_be_written_is_one_line(self):
        self.out = "/nowhere/run.h5"
        running = self.start("--steps", "5")
        out, _ = running.communicate()
        self.assertEqual(running.returncode, 2)
        self.assertIn("/nowhere/run.h5", json.loads(out)["error"])


@needs_recorder("dart", "libdart-dev, libdart-utils-urdf-dev")
class CaptureDart(Recorded):
    ENGINE = "dart"
    WALKER = os.path.join(os.environ["PERPEND_SOURCE_DIR"], "examples", "capture", "walker.urdf")

    def test_a_scene_is_a_sound_file_of_all_steps(self):
        path, document = self.capture("arch", "--steps", "30")
        self.assertEqual(document["engine"], "dart")
        self.assertEqual(document["answered"], {"Dantzig": 30})
        self.assertLess(document["momentum_gap"], 1e-12)
        self.assertLess(document["errors"]["own_error"], 1e-9)
        self.succeeds("validate", path)

    def test_steps_that_the_second_solver_answered_are_fallbacks(self):
        _, document = self.capture("stack:10", "--steps", "60")
        self.assertEqual(sum(document["answered"].values()), 60)
        self.assertEqual(document["fallbacks"], 60 - document["answered"]["Dantzig"])
        self.assertGreater(document["fallbacks"], 0)

    def test_a_robot_is_recorded_on_a_floor(self):
        path, document = self.capture(self.WALKER, "--steps", "200")
        self.assertEqual(document["scene"], "walker.urdf")
        self.assertEqual(document["dt"], 0.001)
        self.assertEqual(document["bodies"], 7)
        self.assertGreater(document["contacts_max"], 0)
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)
        self.assertEqual(self.capture(self.WALKER, "--steps", "2", "--dt", "0.01")[1]["dt"], 0.01)

    def test_a_robot_on_standard_input_is_the_robot_of_the_file(self):
        named, _ = self.capture(self.WALKER, "--steps", "20")
        out = self.path("piped.h5")

        def piped(text):
            return subprocess.run(
                [PROGRAM, "capture", "dart", "-", "--steps", "20", "--out", out, "--json"],
                input=text,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )

        done = piped(self.text(self.WALKER))
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["scene"], "standard input")
        self.assertEqual(document["bodies"], 7)
        self.succeeds("validate", out)
        lines = [self.path("named.jsonl"), self.path("piped.jsonl")]
        for file, line in zip([named, out], lines):
            self.succeeds("convert", file, line)
        first, second = (
            [{**json.loads(line), "timing": None} for line in self.text(file).splitlines()]
            for file in lines
        )
        self.assertEqual(first, second)
        for wrong in ["<robot name='r'>", "<mujoco/>", "{}", ""]:
            done = piped(wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn("standard input", done.stderr)

    def test_what_dart_cannot_express_is_named(self):
        out = self.path("x.h5")
        self.refuses("capture", "dart", "gears-small", "--out", out, says=["body", "hull"])
        # Meshes before the hull, about which FCL has much to say.
        self.refuses("capture", "dart", "plate", "--out", out, says=["body 6", "hull"])
        self.refuses(
            "capture",
            "dart",
            "stack:2",
            "--solver",
            "si",
            "--out",
            out,
            says=["--solver", "dantzig"],
        )
        self.refuses("capture", "dart", self.path("no.urdf"), "--out", out, says="no.urdf")


@needs_recorder("ode", "libode-dev")
class CaptureOde(Recorded):
    ENGINE = "ode"

    def test_quickstep_is_recorded_with_its_joints(self):
        path, document = self.capture("ragdolls", "--steps", "60", "--max-iterations", "50")
        self.assertEqual((document["engine"], document["engine_version"]), ("ode", "0.16.2"))
        self.assertEqual(document["answered"], {"QuickStep": 60})
        self.assertEqual(document["max_iterations"], 50)
        self.assertGreater(document["joint_rows"], 90)
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)

    def test_solves_that_dworldstep_broke_off_are_told(self):
        path, document = self.capture("stack:10", "--steps", "60", "--solver", "worldstep")
        self.assertIsNone(document["max_iterations"])
        self.assertEqual(sum(document["answered"].values()), 60)
        self.assertGreater(document["answered"]["dWorldStep, broken off"], 0)
        self.assertEqual(document["fallbacks"], document["answered"]["dWorldStep, broken off"])
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)

    def test_what_ode_cannot_express_is_named(self):
        out = self.path("absent.h5")
        self.refuses(
            "capture", "ode", "plate", "--out", out, says="body 4 (cone 0): ODE has no cones"
        )
        self.refuses("capture", "ode", "stack:2", "--solver", "si", "--out", out, says="quickstep")
        self.assertFalse(os.path.exists(out))


@needs_recorder("siconos", "libsiconos-mechanics-dev")
class CaptureSiconos(Case):
    def test_its_problem_is_recorded_and_can_be_solved_again(self):
        path = self.path("recorded.h5")
        document = self.succeeds(
            "capture", "siconos", "creep", "--steps", "20", "--out", path, "--json"
        ).json()
        self.assertEqual(document["engine"], "siconos")
        self.assertEqual(document["answered"], {"FC3D_NSGS": 20})
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)
        solved = self.succeeds("solve", path, "--solver", "ncp/auto", "--json").json()["results"]
        self.assertEqual({frame["status"] for frame in solved}, {"converged"})

    def test_joints_are_recorded_and_can_be_solved_again(self):
        path = self.path("recorded.h5")
        document = self.succeeds(
            "capture", "siconos", "arch", "--steps", "5", "--out", path, "--json"
        ).json()
        self.assertEqual(document["answered"], {"GMP_NSGS": 5})
        self.assertLess(document["momentum_gap"], 1e-12)
        self.succeeds("validate", path)
        solved = self.succeeds("solve", path, "--solver", "ncp/auto", "--json").json()["results"]
        self.assertEqual({frame["status"] for frame in solved}, {"converged"})
        self.assertGreater(solved[-1]["joints"], 0)

    def test_what_siconos_cannot_express_is_named(self):
        out = self.path("absent.h5")
        self.refuses(
            "capture",
            "siconos",
            "ragdolls",
            "--solver",
            "prox",
            "--out",
            out,
            says="joint 'first waist'",
        )
        self.refuses(
            "capture", "siconos", "stack:2", "--solver", "si", "--out", out, says="--solver"
        )
        self.assertFalse(os.path.exists(out))


@needs_recorder("gazebo", "libignition-physics-dev")
class CaptureGazebo(Case):
    WORLD = os.path.join(os.environ["PERPEND_SOURCE_DIR"], "examples", "capture", "cart.sdf")

    def test_a_world_is_recorded_and_can_be_solved_again(self):
        path = self.path("recorded.h5")
        document = self.succeeds(
            "capture", "gazebo", self.WORLD, "--steps", "1000", "--out", path, "--json"
        ).json()
        self.assertEqual((document["engine"], document["scene"]), ("gazebo", "cart.sdf"))
        self.assertRegex(document["engine_version"], r"^5\..*, dart 6\.")
        self.assertEqual(document["answered"], {"Dantzig": 1000})
        self.assertEqual(document["dt"], 0.002)
        self.assertLess(document["momentum_gap"], 1e-12)
        self.assertLess(document["errors"]["own_error"], 1e-8)
        self.succeeds("validate", path)
        solved = self.succeeds(
            "solve", path, "--solver", "ncp/auto", "--frames", "900-905", "--json"
        ).json()["results"]
        self.assertEqual({frame["status"] for frame in solved}, {"converged"})

    def test_a_world_may_be_called_as_libsdformats_own_file(self):
        self.write("world.sdf", self.text(self.WORLD))
        out = self.path("recorded.h5")
        answer = run(
            "capture", "gazebo", "world.sdf", "--steps", 2, "--out", out, folder=self.folder
        )
        self.assertEqual(answer.code, 0, answer.err)

    def test_what_is_no_world_is_named(self):
        out = self.path("absent.h5")
        self.refuses("capture", "gazebo", "stack:2", "--out", out, says=[".sdf", "stack:2"])
        self.refuses("capture", "gazebo", "nowhere.sdf", "--out", out, says="nowhere.sdf")
        torn = self.path("torn.sdf")
        with open(torn, "w", encoding="utf-8") as file:
            file.write("<sdf version='1.9'><world")
        self.refuses("capture", "gazebo", torn, "--out", out, says="torn.sdf")
        self.refuses(
            "capture",
            "gazebo",
            self.WORLD,
            "--solver",
            "si",
            "--out",
            out,
            says=["--solver", "pgs"],
        )
        self.assertFalse(os.path.exists(out))


class CaptureUsage(Case):
    def test_a_recorder_that_is_not_there_names_what_it_needs(self):
        out = self.path("x.h5")
        alone = os.path.join(self.folder, "bin", "perpend")  # no recorder beside it
        os.mkdir(os.path.dirname(alone))
        shutil.copy(PROGRAM, alone)
        packages = {
            "bullet": "libbullet-dev",
            "ode": "libode-dev",
            "dart": "libdart-dev",
            "gazebo": "libignition-physics-dev",
            "mujoco": "libmujoco-dev",
            "siconos": "libsiconos-mechanics-dev",
        }
        for engine, package in packages.items():
            done = subprocess.run(
                [alone, "capture", engine, "stack:2", "--out", out],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            for word in ("was not built", "perpend-capture-" + engine, package):
                self.assertIn(word, done.stderr)
        self.refuses("capture", "havok", "stack:2", "--out", out, says=["havok", "choose one of"])

    def test_wrong_usage_is_one_line(self):
        out = self.path("x.h5")
        self.refuses("capture", "bullet", "stack:2", says="--out")
        self.refuses("capture", "bullet", "stak", "--out", out, says="stack")
        self.refuses(
            "capture",
            "bullet",
            "stack:2",
            "--solver",
            "path",
            "--out",
            out,
            says=["--solver", "dantzig"],
        )
        self.refuses(
            "capture",
            "bullet",
            "stack:2",
            "--max-iterations",
            "0",
            "--out",
            out,
            says="--max-iterations",
        )
        self.refuses("capture", "bullet", "stack:2", "--dt", "-1", "--out", out, says="--dt")
        self.refuses("capture", "bullet", "stack:2", "--out", "/nowhere/x.h5", says="/nowhere")
        self.assertFalse(os.path.exists(out))

    def test_simulate_says_who_records_stock_bullet(self):
        self.refuses(
            "simulate",
            "stack:2",
            "--engine",
            "bullet",
            "--out",
            self.path("x.h5"),
            says="perpend capture bullet",
        )

    def test_the_table_says_what_matters(self):
        table = run("capture", "bullet", "stack:2", "--steps", "5", "--out", self.path("x.h5")).out
        for word in [
            "bullet 3.",
            "sequential impulses, 10 iterations",
            "momentum error",
            "steps solved by",
            "state hash",
        ]:
            self.assertIn(word, table)


if __name__ == "__main__":
    unittest.main()
