"""Simulating: the summary, the recording, what differs from stock Bullet, and wrong usage."""

import json
import signal
import subprocess
import time
import unittest

from program import PROGRAM, Case, run

FIELDS = [
    "scene",
    "solver",
    "stepper",
    "dt",
    "steps",
    "bodies",
    "contacts_max",
    "joint_rows",
    "drift",
    "sag",
    "turn",
    "creep",
    "max_penetration",
    "max_penetration_last_second",
    "max_joint_violation",
    "errors",
    "kinetic_energy",
    "fell",
    "state_hash",
    "seconds",
    "step_ms",
    "step_cpu_ms",
]

BODY = {
    "shape": {"type": "sphere", "radius": 0.5},
    "mass": 1.0,
    "mu": 0.5,
    "restitution": 0.0,
    "orientation": [1, 0, 0, 0],
    "velocity": [0, 0, 0, 0, 0, 0],
}


class Simulate(Case):
    def scene_file(self, scene, name="scene.json"):
        return self.write(name, json.dumps(scene))

    def flying(self, gravity, velocity=(0, 0, 0, 0, 0, 0)):
        return self.scene_file(
            {
                "format": "perpend-scene",
                "format_version": 1,
                "name": "flying",
                "gravity": [0, 0, gravity],
                "step": 0.01,
                "steps": 100,
                "bodies": [
                    dict(BODY, mass=1e-7, name="stone", position=[9, 0, 0]),
                    dict(
                        BODY, mass=1e-7, name="comet", position=[0, 0, 0], velocity=list(velocity)
                    ),
                ],
            }
        )

    def wide_hose(self):
        """One piece of the hose as thick as the table is high, and a joint far off: no motion keeps
        its gaps and joints, and no projection of positions does."""
        scene = json.loads(self.succeeds("scenes", "hose").out)
        body = [b for b in scene["bodies"] if b["name"] == "hose 5"][0]
        body["shape"]["radius"] = 0.77
        joint = [j for j in scene["joints"] if j["name"] == "hose joint 10"][0]
        joint["position"][2] = 0.02
        return self.scene_file(scene, "wide.json")

    def test_a_recording_says_which_law_of_friction_was_solved(self):
        recording = self.path("law.h5")
        for solver, law in [
            ("ncp/auto", "coulomb"),
            ("mncp/newton", "coulomb"),
            ("box/nncg", "box"),
            ("lcp/lemke", "pyramid, 6 facets"),
            ("mlcp/path", "pyramid, 6 facets"),
            ("normal/pcg", "frictionless"),
        ]:
            options = ("--solver", solver, "--facets", "6", "--steps", "2", "--out", recording)
            self.succeeds("simulate", "stack:2", *options)
            self.assertEqual(
                self.succeeds("info", recording, "--json").json()["friction_model"], law
            )

    def test_a_speed_of_a_billion_ends_the_run_with_one_line(self):
        # 1e8 m/s more in each step: the tenth would reach 1e9.
        recording = self.path("flying.h5")
        answer = run("simulate", self.flying(-1e10), "--out", recording, "--json", timeout=60)
        self.assertEqual(answer.code, 1)
        self.assertIn(
            "stone would move at 1e+09 m/s in step 10: the run ends before it", answer.err
        )
        self.assertEqual(len(answer.err.splitlines()), 1)
        document = answer.json()
        self.assertEqual(document["steps"], 9)
        self.assertEqual(self.succeeds("info", recording, "--json").json()["frames"], 9)
        self.succeeds("validate", recording, "--rerun")

    def test_a_speed_of_a_billion_at_the_start_ends_it_too_in_either_engine(self):
        scene = self.flying(0, (0, 3e9, 0, 0, 0, 0))
        answer = run("simulate", scene, timeout=60)
        self.assertEqual(answer.code, 1)
        self.assertIn("comet would move at 3e+09 m/s in step 1", answer.err)
        answer = run("simulate", scene, "--engine", "bullet", timeout=60)
        self.assertEqual(answer.code, 1)
        self.assertIn("comet moves at 3e+09 m/s after step 1", answer.err)
        answer = run("simulate", scene, "--refine", "2", timeout=60)
        self.assertEqual(answer.code, 1)
        self.assertIn("s failed; perpend simulate --dt", answer.err)

    def test_the_time_limit_is_that_of_a_step_with_its_correction(self):
        answer = run(
            "simulate",
            self.wide_hose(),
            "--steps",
            "2",
            "--time-limit",
            "0.2",
            "--json",
            timeout=60,
        )
        self.assertEqual(answer.code, 1)
        document = answer.json()
        self.assertEqual(document["steps"], 2)
        self.assertEqual(document["unconverged_steps"], 2)
        self.assertEqual(document["message"], "limit of 0.2 s for a step")
        # Far above what two steps may take, far below the minutes that they take without a limit.
        self.assertLess(document["seconds"]["total"], 20)

    def test_ctrl_c_is_heard_within_a_step_and_undoes_it(self):
        recording, snapshot = self.path("wide.h5"), self.path("wide-state.json")
        process = subprocess.Popen(
            [
                PROGRAM,
                "simulate",
                self.wide_hose(),
                "--out",
                recording,
                "--save",
                snapshot,
                "--json",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 130, err)
        steps = json.loads(out)["steps"]
        self.assertIn(f"stopped by Ctrl-C after {steps} steps", err)
        if steps:
            self.assertEqual(self.succeeds("info", recording, "--json").json()["frames"], steps)
        else:  # a busy machine: nothing was recorded yet
            self.assertIn("no frame was recorded", err)
        with open(snapshot) as file:
            self.assertEqual(json.load(file)["step"], steps)

    def test_json_has_the_fields_of_the_design(self):
        document = self.succeeds("simulate", "stack:3", "--steps", "60", "--json").json()
        for field in FIELDS:
            self.assertIn(field, document)
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["scene"], "stack:3")
        self.assertEqual(document["solver"], "ncp/auto")
        self.assertEqual(document["contacts_max"], 12)
        self.assertEqual(
            set(document["seconds"]), {"collision", "formulation", "solver", "correction", "total"}
        )
        self.assertEqual(document["unconverged"], 0)
        self.assertLessEqual(document["errors"]["velocity_error"], 1e-10)

    def test_boxes_that_start_in_each_other_are_told_and_not_thrown(self):
        cube = {"shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "mass": 1}
        scene = self.scene_file(
            {
                "format": "perpend-scene",
                "name": "overlap",
                "steps": 120,
                "bodies": [
                    {
                        "name": "floor",
                        "shape": {"type": "box", "half_extents": [9, 9, 0.5]},
                        "position": [0, 0, -0.5],
                    }
                ]
                + [dict(cube, name=f"box {i}", position=[0, 0, 0.5 + 0.8 * i]) for i in range(3)],
            }
        )
        top = []
        for options in [[], ["--max-push", "1e9"]]:
            highest = 0
            for step in range(1, 121, 20):
                end = self.path("end.json")
                self.succeeds("simulate", scene, *options, "--steps", str(step), "--save", end)
                with open(end) as file:
                    highest = max(highest, json.load(file)["bodies"][3]["pose"][2])
            top.append(highest)
        # Each pair opens at 1 m/s: the highest box has 2 m/s at most, and rises by 0.2 m in the air.
        self.assertLess(top[0], 2.1 + 0.4 + 0.21)
        self.assertGreater(top[1], 20)
        answer = self.succeeds("simulate", scene, "--json")
        note = "overlap at the start: box 0 and box 1 by 0.2 m, box 1 and box 2 by 0.2 m"
        self.assertEqual(answer.json()["notes"], [note])
        self.assertEqual(answer.err.count("overlap at the start"), 1)
        self.assertNotIn("notes", self.succeeds("simulate", "stack:3", "--json").json())

    def test_the_worst_step_and_which_it_was_are_told(self):
        for engine in ["perpend", "bullet"]:
            document = self.succeeds(
                "simulate", "stack:3", "--steps", "60", "--engine", engine, "--json"
            ).json()
            for times in [document["step_ms"], document["step_cpu_ms"]]:
                self.assertEqual(set(times), {"median", "p99", "worst", "worst_step"})
                self.assertLess(0, times["median"])
                self.assertLessEqual(times["median"], times["p99"])
                self.assertLessEqual(times["p99"], times["worst"])
                self.assertIn(times["worst_step"], range(1, 61))
            self.assertLessEqual(document["step_ms"]["worst"], 1e3 * document["seconds"]["total"])

    def test_a_stack_stands_here_and_drifts_in_stock_bullet(self):
        ours = self.succeeds("simulate", "stack:10", "--steps", "300", "--json").json()
        theirs = self.succeeds(
            "simulate", "stack:10", "--steps", "300", "--engine", "bullet", "--json"
        ).json()
        self.assertLess(ours["drift"] + ours["sag"], 1e-8)
        self.assertLess(ours["max_penetration"], 1e-8)
        self.assertGreater(theirs["drift"], 1e-3)
        self.assertGreater(theirs["max_penetration"], 1e-4)

    def test_the_same_command_gives_the_same_bits(self):
        hashes = {
            self.succeeds("simulate", "pile-boxes:5", "--steps", "80", "--json").json()[
                "state_hash"
            ]
            for _ in range(2)
        }
        self.assertEqual(len(hashes), 1)

    def test_the_table_says_what_matters(self):
        table = self.succeeds("simulate", "heavy-top", "--steps", "30").out
        for word in ["drift", "penetration", "ms per step", "islands solved by", "state hash"]:
            self.assertIn(word, table)

    def test_a_scene_file_is_a_scene(self):
        path = self.path("mine.json")
        with open(path, "w") as file:
            file.write(self.succeeds("scenes", "creep").out)
        document = self.succeeds("simulate", path, "--steps", "60", "--json").json()
        self.assertEqual(document["scene"], "creep")
        self.assertLess(document["creep"], 1e-9)

    def test_steppers_corrections_and_solvers_can_be_chosen(self):
        st = self.succeeds("simulate", "stack:2", "--steps", "30", "--json").json()
        ap = self.succeeds(
            "simulate",
            "stack:2",
            "--steps",
            "30",
            "--stepper",
            "ap",
            "--correct",
            "0",
            "--max-push",
            "1",
            "--solver",
            "ncp/nncg",
            "--tolerance",
            "1e-8",
            "--json",
        ).json()
        self.assertEqual((st["stepper"], ap["stepper"]), ("st", "ap"))
        self.assertEqual(ap["solver"], "ncp/nncg")
        self.assertEqual(ap["corrected"], 0)
        self.assertGreater(ap["work"]["sweeps"], 0)

    def test_contact_models_can_be_chosen(self):
        ends = {}
        for flags in ([], ["--contacts", "nonconvex"], ["--contacts", "conjunctive"]):
            document = self.succeeds("simulate", "hole", *flags, "--json").json()
            ends[document["contacts"]] = document
        self.assertEqual(list(ends), ["one direction", "nonconvex", "conjunctive"])
        self.assertLess(ends["nonconvex"]["kinetic_energy"], 1e-9)  # stands on the floor
        self.assertGreater(ends["conjunctive"]["kinetic_energy"], 1)  # was held up at the rim

    def test_alternatives_are_recorded_as_groups_that_every_solver_takes(self):
        path = self.path("hole.h5")
        self.succeeds("simulate", "hole", "--contacts", "nonconvex", "--out", path)
        self.succeeds("validate", path)
        for solver in ("ncp/auto", "lcp/lemke", "box/nncg"):
            solved = self.succeeds(
                "solve", path, "--solver", solver, "--frames", "80-110", "--json"
            ).json()
            for result in solved["results"]:
                self.assertEqual(result["status"], "converged")
                self.assertLess(result["errors"]["max_penetration"], 1e-8)

    def test_dt_is_the_step(self):
        document = self.succeeds(
            "simulate", "creep", "--dt", "0.005", "--steps", "10", "--json"
        ).json()
        self.assertEqual(document["dt"], 0.005)


class Recording(Case):
    def test_every_step_is_recorded_and_solves_to_what_was_answered(self):
        path = self.path("stack.h5")
        self.succeeds("simulate", "heavy-top", "--steps", "12", "--out", path)
        info = self.succeeds("info", path, "--json").json()
        self.assertEqual(
            (info["frames"], info["engine"], info["scene"]), (12, "perpend", "heavy-top")
        )
        self.succeeds("validate", path)
        solved = self.succeeds(
            "solve", path, "--solver", "ncp/auto", "--warm-start", "--tolerance", "1e-9", "--json"
        ).json()
        self.assertEqual(len(solved["results"]), 12)
        for result in solved["results"]:
            self.assertEqual(result["path"], "start")  # the recorded answer meets the tolerance
            self.assertEqual(result["contacts"], 56)

    def test_joints_are_recorded_with_contacts(self):
        path = self.path("arch.h5")
        self.succeeds("simulate", "arch", "--steps", "3", "--out", path)
        solved = self.succeeds(
            "solve", path, "--solver", "ncp/nncg", "--warm-start", "--tolerance", "1e-9", "--json"
        ).json()
        self.assertEqual([r["joints"] for r in solved["results"]], [5, 5, 5])
        self.assertEqual({r["path"] for r in solved["results"]}, {"start"})

    def test_an_unwritable_file_is_named_and_nothing_runs(self):
        self.refuses(
            "simulate", "stack:2", "--out", "/nowhere/at/all.h5", says="/nowhere/at/all.h5"
        )


class SimulateUsage(Case):
    def test_wrong_usage_is_one_line(self):
        for arguments, word in [
            (["nothing-like-it"], "nothing-like-it"),
            (["stack:2", "--engine", "jolt"], "jolt"),
            (["stack:2", "--stepper", "euler"], "euler"),
            (["stack:2", "--solver", "ncp/atuo"], "ncp/auto"),
            (["stack:2", "--solver", "all"], "one solver"),
            (["snake", "--solver", "normal/simple"], "normal/simple"),
            (["stack:2", "--steps", "-3"], "--steps"),
            (["stack:2", "--dt", "0"], "--dt"),
            (["hole", "--nonconvex", "--conjunctive"], "--conjunctive"),
            (["stack:2", "--engine", "bullet", "--out", "x.h5"], "--out"),
        ]:
            self.refuses("simulate", *arguments, says=word)


if __name__ == "__main__":
    unittest.main()
