"""perpend forces: forces by name as CSV, table, JSON and plot, of recordings and of solved frames."""

import csv
import io
import json
import os
import unittest

from program import GRAVITY, SOURCE, STEP, Case, frame, run

# A lamp of 3 kg hangs on a cable of 2 kg, each on a joint; a box of 1 kg stands beside it.
CEILING, CABLE, LAMP, FLOOR, BOX = 0, 1, 2, 3, 4
NAMES = ["ceiling", "cable", "lamp, green", "floor", "box"]


def scene():
    box = {"shape": {"type": "box", "half_extents": [0.1, 0.1, 0.1]}}
    return {
        "format": "perpend-scene",
        "name": "lamp",
        "steps": 5,
        "bodies": [
            {**box, "name": "ceiling", "position": [0, 0, 3]},
            {**box, "name": "cable", "mass": 2, "position": [0, 0, 2.5]},
            {**box, "name": "lamp, green", "mass": 3, "position": [0, 0, 2]},
            {"shape": {"type": "plane"}, "name": "floor"},
            {**box, "name": "box", "mass": 1, "position": [1, 0, 0.1]},
        ],
        "joints": [
            {"type": "point", "name": "hook", "first": 0, "second": 1, "position": [0, 0, 3]},
            {"type": "hinge", "name": "socket", "first": 1, "second": 2, "position": [0, 0, 2.25]},
        ],
    }


class Forces(Case):
    def recording(self):
        source = self.write("lamp.json", json.dumps(scene()))
        self.succeeds("simulate", source, "--out", self.path("lamp.h5"))
        return self.path("lamp.h5")

    def document(self, *arguments):
        return self.succeeds("forces", *arguments, "--json").json()

    @staticmethod
    def named(entries, name):
        return next(entry for entry in entries if entry["name"] == name)

    def rows(self, text, **where):
        rows = list(csv.DictReader(io.StringIO(text)))
        return [row for row in rows if all(row[key] == value for key, value in where.items())]

    def test_forces_at_rest_are_weights(self):
        told = self.document(self.recording())
        self.assertEqual(told["frames"], 5)
        for entries, name, mass in (
            (told["joints"], "hook", 5),
            (told["joints"], "socket", 3),
            (told["bodies"], "box", 1),
            (told["pairs"], "box by floor", 1),
        ):
            force = self.named(entries, name)["mean_force"]
            for found, expected in zip(force, (0, 0, mass * GRAVITY)):
                self.assertAlmostEqual(found, expected, delta=1e-8, msg=name)
        self.assertAlmostEqual(told["energy"]["kinetic"]["last"], 0, delta=1e-12)
        heights = 2 * 2.5 + 3 * 2 + 1 * 0.1
        self.assertAlmostEqual(told["energy"]["potential"]["first"], GRAVITY * heights, delta=1e-8)

    def test_csv_has_a_line_per_force_and_frame(self):
        file = self.recording()
        text = self.succeeds("forces", file, "--out", "-").out
        # The four corners of the box together carry it in every frame.
        for k in range(5):
            corners = self.rows(text, kind="contact", frame=str(k))
            self.assertEqual({row["second"] for row in corners}, {"box"})
            self.assertAlmostEqual(
                sum(float(row["force_z"]) for row in corners), GRAVITY, delta=1e-8
            )
        hooks = self.rows(text, kind="joint", name="hook")
        self.assertEqual(len(hooks), 5)
        self.assertEqual((hooks[0]["first"], hooks[0]["second"]), ("ceiling", "cable"))
        self.assertAlmostEqual(float(hooks[0]["z"]), 3, delta=1e-9)
        # A comma in a name is quoted.
        self.assertEqual(self.rows(text, kind="joint", name="socket")[0]["second"], "lamp, green")
        self.assertEqual(len(self.rows(text, kind="energy")), 5)

    def test_both_layouts_and_json_lines_tell_the_same(self):
        file = self.recording()
        self.succeeds("convert", file, self.path("f.h5"), "--layout", "frames")
        self.succeeds("convert", file, self.path("l.jsonl"))
        text = self.succeeds("forces", file, "--out", "-").out
        for other in ("f.h5", "l.jsonl"):
            told = self.succeeds("forces", self.path(other), "--out", "-").out
            # JSON lines do not say what gravity is; bodies feel it.
            self.assertEqual(
                [row["force_z"] for row in self.rows(told)],
                [row["force_z"] for row in self.rows(text)],
                other,
            )
            self.assertEqual(
                [row["name"] for row in self.rows(told)], [row["name"] for row in self.rows(text)]
            )

    def test_a_selection_tells_that_alone(self):
        file = self.recording()
        told = self.document(file, "--joint", "hook")
        self.assertEqual([one["name"] for one in told["joints"]], ["hook"])
        self.assertEqual((told["bodies"], told["pairs"]), ([], []))
        self.assertEqual(len(told["joints"][0]["force"]), 5)
        self.assertAlmostEqual(told["joints"][0]["force"][4][2], 5 * GRAVITY, delta=1e-8)
        # On the floor by the box, though the contacts have the box second.
        told = self.document(file, "--pair", "floor", "box")
        self.assertEqual([one["name"] for one in told["pairs"]], ["floor by box"])
        self.assertAlmostEqual(told["pairs"][0]["mean_force"][2], -GRAVITY, delta=1e-8)
        told = self.document(file, "--body", "floor")
        self.assertAlmostEqual(told["bodies"][0]["mean_force"][2], -GRAVITY, delta=1e-8)

    def test_a_solver_gives_the_forces_of_frames_without_an_answer(self):
        file = self.lines(frame(), frame(contacts=2, joint=True))
        self.refuses("forces", file, says=f"{file}: frame 0: /solution/z: is missing; --solver S")
        told = self.document(file, "--solver", "ncp/auto")
        force = self.named(told["bodies"], "body 7")["mean_force"]
        self.assertAlmostEqual(force[2], GRAVITY, delta=1e-6)

    def test_a_pair_is_told_one_way_round_in_all_frames(self):
        up, down = (frame(z=[[GRAVITY * STEP, 0, 0]]) for _ in range(2))
        down["contacts"].update(pairs=[[7, 0]], normals=[[0, 0, -1]])
        told = self.document(self.lines(up, down, up))
        (pair,) = told["pairs"]
        self.assertEqual(pair["frames"], 3)
        self.assertAlmostEqual(pair["mean_force"][2], GRAVITY)

    def test_a_missing_answer_of_joints_is_named(self):
        file = self.lines(frame(joint=True, z=[[GRAVITY * STEP, 0, 0]]))
        self.refuses("forces", file, says="frame 0: /solution/z_joints: is missing")

    def test_bodies_that_come_later_are_told(self):
        late = frame()
        late["bodies"]["ids"] = [0, 9]
        late["contacts"]["pairs"] = [[0, 9]]
        late["expected"] = {"z": [[GRAVITY * STEP, 0, 0]]}
        late["model"] = {
            "body_ids": [9],
            "body_names": ["late"],
        }
        file = self.lines(frame(z=[[GRAVITY * STEP, 0, 0]]), late)
        told = self.document(file)
        names = {one["name"]: one["frames"] for one in told["bodies"]}
        self.assertEqual(names, {"body 0": 2, "body 7": 1, "late": 1})

    def test_a_plot_has_a_curve_per_force_and_the_energies(self):
        file, plot = self.recording(), self.path("f.svg")
        self.succeeds("forces", file, "--joint", "hook", "--body", "box", "--plot", plot)
        text = self.text(plot)
        for label in ("hook", "box", "kinetic", "potential", "taken by contacts so far"):
            self.assertIn(f"<title>{label}</title>", text)

    def test_a_plot_ends_where_its_numbers_differ_by_rounding(self):
        frames, plot = os.path.join(SOURCE, "examples/frames/models.jsonl"), self.path("f.svg")
        answer = run("forces", frames, "--plot", plot, "--solver", "ncp/pgs")
        self.assertIn(answer.code, (0, 1), answer.err)
        self.assertLess(os.path.getsize(plot), 1e6)

    def test_usage(self):
        file = self.recording()
        self.refuses("forces", file, "--body", "bex", says="no body of " + file)
        self.refuses("forces", file, "--pair", "box", "nobody", says="'box' and 'nobody'")
        self.refuses("forces", file, "--joint", "knee", says="it has hook, socket")
        self.refuses("forces", file, "--along", "w", says="--along: 'w' is none of x, y, z")
        self.refuses("forces", file, "--plot", self.path("f.pdf"), says="does not end in .svg")
        self.refuses("forces", file, "--solver", "ncp/pgs,box/pgs", says="takes one solver")
        fclib = self.path("f.fclib.h5")
        self.succeeds("convert", self.lines(frame()), fclib)
        self.refuses("forces", fclib, says="an FCLIB problem has no bodies")
        self.assertFalse(os.path.exists(self.path("f.pdf")))


class WorstByName(Case):
    """solve, simulate and validate say where."""

    def hanging(self, **more):
        one = frame(joint=True, **more)
        one["constraints"]["ids"] = [3]
        one["model"] = {
            "body_ids": [0, 7],
            "body_names": ["ground", "crate"],
            "joint_ids": [3],
            "joint_names": ["rail"],
        }
        return one

    def test_solve_names_the_worst_row(self):
        # The rail is pulled apart at 0.25 m/s, and nobody does anything about it.
        still = self.hanging(velocity=(0.25, 0, 0))
        still["expected"] = {"z": [[GRAVITY * STEP, 0, 0]], "z_joints": [0]}
        file = self.lines(still)
        answer = run("solve", file, "--solver", "recorded", "--json")
        result = answer.json()["results"][0]
        self.assertEqual(result["worst"]["where"], "rail, row 1 of 1 (x)")
        self.assertEqual((result["worst"]["joint_row"], result["worst"]["unit"]), (0, "m/s"))
        self.assertAlmostEqual(result["worst"]["residual"], 0.25, delta=1e-12)
        self.assertAlmostEqual(result["errors"]["joint_error"], 0.25, delta=1e-12)
        self.assertEqual(result["errors"]["joint_turn_error"], 0)
        told = run("solve", file, "--solver", "recorded").out
        self.assertIn("0.25 m/s: rail, row 1 of 1 (x)", told)
        self.assertIn("joint_error [m/s]", told)
        told = run("solve", file, "--solver", "recorded,ncp/auto").out
        self.assertIn("0.25 m/s: rail, row 1 of 1 (x), frame 0", told)

    def test_solve_names_the_worst_contact(self):
        sinking = self.hanging()
        sinking["expected"] = {"z": [[0, 0, 0]], "z_joints": [0]}
        result = run("solve", self.lines(sinking), "--solver", "recorded", "--json").json()
        worst = result["results"][0]["worst"]
        self.assertEqual(worst["where"], "contact 0 of ground and crate")
        self.assertEqual(worst["contact"], 0)
        self.assertAlmostEqual(worst["residual"], GRAVITY * STEP, delta=1e-12)

    def test_simulate_names_the_worst_of_the_run(self):
        told = self.succeeds("simulate", "ragdolls", "--steps", 20, "--json").json()
        self.assertLessEqual(1, told["worst"]["step"])
        self.assertLessEqual(told["worst"]["step"], 20)
        self.assertEqual(
            told["worst"]["residual"], told["errors"]["velocity_error"], told["worst"]["where"]
        )
        self.assertIn("joint_turn_error", told["errors"])

    def test_validate_names_what_is_wrong(self):
        bad = self.hanging()
        bad["contacts"]["mu"] = [-1]
        told = run("validate", self.lines(bad))
        self.assertEqual(told.code, 1)
        self.assertIn("contacts/mu row 0 is negative", told.out)


if __name__ == "__main__":
    unittest.main()
