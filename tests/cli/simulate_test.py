"""Simulating: the summary, the recording, what differs from stock Bullet, and wrong usage."""

import unittest

from program import Case

FIELDS = ["scene", "solver", "stepper", "dt", "steps", "bodies", "contacts_max", "joint_rows",
          "drift", "sag", "turn", "creep", "max_penetration", "max_penetration_last_second",
          "max_joint_violation", "errors", "kinetic_energy", "fell", "state_hash", "seconds"]


class Simulate(Case):
    def test_json_has_the_fields_of_the_design(self):
        document = self.succeeds("simulate", "stack:3", "--steps", "60", "--json").json()
        for field in FIELDS:
            self.assertIn(field, document)
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["scene"], "stack:3")
        self.assertEqual(document["solver"], "ncp/auto")
        self.assertEqual(document["contacts_max"], 12)
        self.assertEqual(set(document["seconds"]), {"collision", "formulation", "solver", "total"})
        self.assertEqual(document["unconverged"], 0)
        self.assertLessEqual(document["errors"]["velocity_error"], 1e-10)

    def test_a_stack_stands_here_and_drifts_in_stock_bullet(self):
        ours = self.succeeds("simulate", "stack:10", "--steps", "300", "--json").json()
        theirs = self.succeeds("simulate", "stack:10", "--steps", "300", "--engine", "bullet",
                               "--json").json()
        self.assertLess(ours["drift"] + ours["sag"], 1e-8)
        self.assertLess(ours["max_penetration"], 1e-8)
        self.assertGreater(theirs["drift"], 1e-3)
        self.assertGreater(theirs["max_penetration"], 1e-4)

    def test_the_same_command_gives_the_same_bits(self):
        hashes = {self.succeeds("simulate", "pile-boxes:5", "--steps", "80", "--json")
                  .json()["state_hash"] for _ in range(2)}
        self.assertEqual(len(hashes), 1)

    def test_the_table_says_what_matters(self):
        table = self.succeeds("simulate", "heavy-top", "--steps", "30").out
        for word in ["drift", "penetration", "ms per step", "islands, by what answered",
                     "state hash"]:
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
        ap = self.succeeds("simulate", "stack:2", "--steps", "30", "--stepper", "ap", "--correct",
                           "0", "--max-push", "1", "--solver", "ncp/nncg", "--tolerance", "1e-8",
                           "--json").json()
        self.assertEqual((st["stepper"], ap["stepper"]), ("st", "ap"))
        self.assertEqual(ap["solver"], "ncp/nncg")
        self.assertEqual(ap["corrected"], 0)
        self.assertGreater(ap["work"]["sweeps"], 0)

    def test_contact_models_can_be_chosen(self):
        ends = {}
        for flags in ([], ["--nonconvex"], ["--conjunctive"]):
            document = self.succeeds("simulate", "hole", *flags, "--json").json()
            ends[document["contacts"]] = document
        self.assertEqual(list(ends), ["one direction", "nonconvex", "conjunctive"])
        self.assertLess(ends["nonconvex"]["kinetic_energy"], 1e-9)    # stands on the floor
        self.assertGreater(ends["conjunctive"]["kinetic_energy"], 1)  # was held up at the rim

    def test_alternatives_are_recorded_as_groups_that_every_solver_takes(self):
        path = self.path("hole.h5")
        self.succeeds("simulate", "hole", "--nonconvex", "--out", path)
        self.succeeds("validate", path)
        for solver in ("ncp/auto", "lcp/lemke", "box/nncg"):
            solved = self.succeeds("solve", path, "--solver", solver, "--frames", "80-110",
                                   "--json").json()
            for result in solved["results"]:
                self.assertEqual(result["status"], "converged")
                self.assertLess(result["errors"]["max_penetration"], 1e-8)

    def test_dt_is_the_step(self):
        document = self.succeeds("simulate", "creep", "--dt", "0.005", "--steps", "10",
                                 "--json").json()
        self.assertEqual(document["dt"], 0.005)


class Recording(Case):
    def test_every_step_is_recorded_and_solves_to_what_was_answered(self):
        path = self.path("stack.h5")
        self.succeeds("simulate", "heavy-top", "--steps", "12", "--out", path)
        info = self.succeeds("info", path, "--json").json()
        self.assertEqual((info["frames"], info["engine"], info["scene"]),
                         (12, "perpend", "heavy-top"))
        self.succeeds("validate", path)
        solved = self.succeeds("solve", path, "--solver", "ncp/auto", "--warm-start", "--tolerance",
                               "1e-9", "--json").json()
        self.assertEqual(len(solved["results"]), 12)
        for result in solved["results"]:
            self.assertEqual(result["path"], "start")  # the recorded answer meets the tolerance
            self.assertEqual(result["contacts"], 56)

    def test_joints_are_recorded_with_contacts(self):
        path = self.path("arch.h5")
        self.succeeds("simulate", "arch", "--steps", "3", "--out", path)
        solved = self.succeeds("solve", path, "--solver", "ncp/nncg", "--warm-start", "--tolerance",
                               "1e-9", "--json").json()
        self.assertEqual([r["joints"] for r in solved["results"]], [5, 5, 5])
        self.assertEqual({r["path"] for r in solved["results"]}, {"start"})

    def test_an_unwritable_file_is_named_and_nothing_runs(self):
        self.refuses("simulate", "stack:2", "--out", "/nowhere/at/all.h5",
                     says="/nowhere/at/all.h5")


class SimulateUsage(Case):
    def test_wrong_usage_is_one_line(self):
        for arguments, word in [(["nothing-like-it"], "nothing-like-it"),
                                (["stack:2", "--engine", "jolt"], "jolt"),
                                (["stack:2", "--stepper", "euler"], "euler"),
                                (["stack:2", "--solver", "ncp/atuo"], "ncp/auto"),
                                (["stack:2", "--solver", "all"], "one solver"),
                                (["snake", "--solver", "normal/simple"], "normal/simple"),
                                (["stack:2", "--steps", "-3"], "--steps"),
                                (["stack:2", "--dt", "0"], "--dt"),
                                (["hole", "--nonconvex", "--conjunctive"], "--conjunctive"),
                                (["stack:2", "--engine", "bullet", "--out", "x.h5"], "--out")]:
            self.refuses("simulate", *arguments, says=word)


if __name__ == "__main__":
    unittest.main()
