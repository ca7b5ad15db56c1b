"""perpend solve: results, selection of frames, options, several solvers, raw and real problems."""

import glob
import os
import subprocess
import unittest

from program import GRAVITY, SHARED, STEP, Case, frame, run, sliding, solver_names, tower

# Weight times step: the normal impulse that carries 1 kg for one step.
CARRY = GRAVITY * STEP


class Results(Case):
    def test_json_has_the_fields_of_the_design(self):
        file = self.lines(frame(name="resting"), sliding())
        document = self.succeeds("solve", file, "--solver", "ncp/pgs", "--json").json()
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["file"], file)
        self.assertEqual(document["solver"], "ncp/pgs")
        self.assertEqual([r["frame"] for r in document["results"]], [0, 1])
        result = document["results"][0]
        self.assertEqual(result["name"], "resting")
        self.assertEqual((result["contacts"], result["joints"]), (1, 0))
        self.assertEqual(result["status"], "converged")
        self.assertNotEqual(result["message"], "")
        self.assertNotEqual(result["path"], "")
        self.assertIsInstance(result["iterations"], int)
        self.assertGreaterEqual(result["seconds"], 0)
        self.assertLessEqual(result["errors"]["own_error"], 1e-8)
        self.assertLessEqual(result["errors"]["velocity_error"], 1e-8)
        self.assertNotIn("history", result)

    def test_a_measure_that_cannot_be_computed_is_absent(self):
        # lcp_merit belongs to lcp and mlcp alone.
        errors = self.succeeds(
            "solve", self.lines(frame()), "--solver", "ncp/pgs", "--json"
        ).json()["results"][0]["errors"]
        self.assertNotIn("lcp_merit", errors)
        self.assertIn("max_penetration", errors)

    def test_history_has_a_point_per_iteration(self):
        document = self.succeeds(
            "solve", self.lines(sliding()), "--solver", "ncp/pgs", "--history", "--json"
        ).json()
        result = document["results"][0]
        # The start is iteration 0.
        self.assertEqual(
            [point["iteration"] for point in result["history"]],
            list(range(result["iterations"] + 1)),
        )
        for point in result["history"]:
            for field in ["iteration", "seconds", "own_error", "velocity_error"]:
                self.assertIn(field, point)

    def history(self, *arguments):
        document = run("solve", self.lines(tower(4)), *arguments, "--json").json()
        return document["results"][0]["history"]

    def test_history_has_the_measures_that_were_asked_for(self):
        options = ("--max-iterations", "40", "--tolerance", "0")
        points = self.history(
            *("--solver", "box/nncg", "--history-measures"),
            "total_error,pgs_merit,pgs_merit@iterate,total_error",
            *options,
        )
        self.assertEqual(len(points), 41)
        for point in points:
            point.pop("restart", None)
            self.assertEqual(
                list(point),
                ["iteration", "seconds", "total_error", "pgs_merit", "pgs_merit@iterate"],
            )
        # The method goes on from another point than the one that is judged.
        apart = [point for point in points if point["pgs_merit"] != point["pgs_merit@iterate"]]
        self.assertGreater(len(apart), 20)
        # PGS has one iterate.
        for point in self.history(
            "--solver", "box/pgs", "--history-measures", "pgs_merit,pgs_merit@iterate", *options
        ):
            self.assertEqual(point["pgs_merit"], point["pgs_merit@iterate"])
        every = self.history("--solver", "box/nncg", "--history", *options)
        self.assertEqual(
            [point["pgs_merit"] for point in every], [point["pgs_merit"] for point in points]
        )
        chosen = self.history("--solver", "box/nncg", "--history-measures", "all", *options)
        for with_clock in every + chosen:
            del with_clock["seconds"]
        self.assertEqual(every, chosen)

    def test_out_has_the_measures_that_were_asked_for(self):
        out = self.path("out.h5")
        run(
            *("solve", self.lines(tower(4)), "--solver", "box/nncg", "--out", out),
            *("--history-measures", "all,pgs_merit@iterate", "--max-iterations", "20"),
        )
        names = subprocess.run(
            ["h5ls", f"{out}/solutions/box/nncg/history"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        self.assertRegex(names, r"pgs_merit@iterate +Dataset \{21\}")
        self.assertRegex(names, r"pgs_merit +Dataset \{21\}")
        self.assertEqual(names.count("@"), 1)

    def test_an_unknown_measure_of_a_history_is_one_line_with_the_known_ones(self):
        for command in (("solve", "--solver"), ("bench", "--out", self.path("o"), "--solvers")):
            for wrong in ("pgs_merits", "pgs_merit,", "all@swept"):
                answer = self.refuses(
                    command[0],
                    self.lines(frame()),
                    *command[1:],
                    "box/nncg",
                    "--history-measures",
                    wrong,
                    says="--history-measures: unknown error '",
                )
                self.assertIn("own_error, velocity_error, rms_violation", answer.err)
                self.assertIn("energy_change, all, each also with @iterate", answer.err)
        self.assertFalse(os.path.exists(self.path("o")))

    def test_the_table_has_a_row_per_frame_and_names_both_errors(self):
        answer = self.succeeds(
            "solve", self.lines(frame(), sliding(), frame(contacts=3)), "--solver", "ncp/pgs"
        )
        rows = answer.out.splitlines()
        self.assertIn("own_error", rows[0])
        self.assertIn("velocity_error", rows[0])
        self.assertEqual(len(rows), 4)
        self.assertEqual(
            [row.split()[:4] for row in rows[1:]],
            [[str(i), str(c), "0", "converged"] for i, c in enumerate([1, 1, 3])],
        )
        self.assertEqual(answer.err, "")

    def test_an_unsolved_frame_is_exit_code_1_and_its_reason_is_shown(self):
        file = self.lines(frame(), tower(6))
        answer = run("solve", file, "--solver", "box/pgs", "--max-iterations", 2)
        self.assertEqual(answer.code, 1)
        self.assertIn("iteration_limit", answer.out)
        statuses = [
            r["status"]
            for r in run(
                "solve", file, "--solver", "box/pgs", "--max-iterations", 2, "--json"
            ).json()["results"]
        ]
        self.assertEqual(statuses, ["converged", "iteration_limit"])

    def test_a_frame_without_contacts_is_solved(self):
        result = self.succeeds(
            "solve", self.lines(frame(contacts=0)), "--solver", "ncp/pgs", "--json"
        ).json()["results"][0]
        self.assertEqual(result["contacts"], 0)
        self.assertEqual(result["errors"]["velocity_error"], 0)

    def test_joints_are_counted(self):
        result = self.succeeds(
            "solve", self.lines(sliding(joint=True)), "--solver", "ncp/pgs", "--json"
        ).json()["results"][0]
        self.assertEqual((result["joints"], result["joint_rows"]), (1, 1))

    def test_a_named_solver_that_refuses_the_frame_says_so(self):
        answer = run(
            "solve", self.lines(sliding(joint=True)), "--solver", "normal/simple", "--json"
        )
        self.assertEqual(answer.code, 1)
        result = answer.json()["results"][0]
        self.assertEqual(result["status"], "invalid_input")
        self.assertIn("joint", result["message"])

    def test_verbose_talks_on_stderr_only(self):
        file = self.lines(frame())
        loud = self.succeeds("solve", file, "--solver", "ncp/pgs", "--json", "--verbose")
        self.assertIn("ncp/pgs", loud.err)
        self.assertEqual(loud.json()["results"][0]["status"], "converged")

    def test_every_kind_of_file_gives_the_same_answer(self):
        lines = self.lines(sliding(contacts=2))
        for name in ["a.h5", "b.fclib.h5"]:
            self.succeeds("convert", lines, self.path(name))
        answers = [
            self.succeeds("solve", file, "--solver", "ncp/pgs", "--json").json()
            for file in [lines, self.path("a.h5"), self.path("b.fclib.h5")]
        ]
        self.assertEqual([a["format"] for a in answers], ["json-lines", "perpend", "fclib"])
        # A local FCLIB problem goes another way (explicit blocks): equal up to the tolerance.
        self.assertEqual(answers[0]["results"][0]["errors"], answers[1]["results"][0]["errors"])
        self.assertLessEqual(answers[2]["results"][0]["errors"]["velocity_error"], 1e-8)
        # What A and b cannot tell is absent.
        self.assertNotIn("max_penetration", answers[2]["results"][0]["errors"])


class Selection(Case):
    def frames(self, selection, *records):
        file = self.standard(*records)
        document = self.succeeds(
            "solve", file, "--solver", "ncp/pgs", "--frames", selection, "--json"
        ).json()
        return [result["frame"] for result in document["results"]]

    def test_one_frame_a_range_and_all(self):
        records = [frame() for _ in range(5)]
        self.assertEqual(self.frames("3", *records), [3])
        self.assertEqual(self.frames("1-3", *records), [1, 2, 3])
        self.assertEqual(self.frames("2-2", *records), [2])

    def test_most_contacts(self):
        records = [frame(contacts=n) for n in [1, 4, 0, 3, 4]]
        self.assertEqual(self.frames("most-contacts:2", *records), [1, 4])
        self.assertEqual(self.frames("most-contacts:3", *records), [1, 3, 4])
        self.assertEqual(self.frames("most-contacts:99", *records), [0, 1, 2, 3, 4])

    def test_worst_is_measured_from_the_recorded_impulses(self):
        # Carrying the weight is exact; half of it leaves the point falling; none of it is worst.
        records = [frame(z=[[CARRY * part, 0, 0]]) for part in [1, 0, 0.5]]
        # A file may claim what it likes.
        records[0]["expected"]["errors"] = {"velocity_error": 1e9}
        self.assertEqual(self.frames("worst:1", *records), [1])
        self.assertEqual(self.frames("worst:2", *records), [1, 2])

    def test_worst_needs_recorded_answers(self):
        self.refuses(
            "solve",
            self.standard(frame()),
            "--solver",
            "ncp/pgs",
            "--frames",
            "worst:1",
            says="no recorded answer",
        )

    def test_bad_selections(self):
        file = self.lines(frame(), frame())
        for selection in [
            "x",
            "1-",
            "-1",
            "1-0",
            "0-1-2",
            "most-contacts:0",
            "most-contacts:",
            "most-contacts:x",
            "worst:-1",
            "best:3",
            "0.5",
            " ",
        ]:
            self.refuses(
                "solve", file, "--solver", "ncp/pgs", "--frames=" + selection, says="--frames"
            )
        for selection in ["2", "0-2", "99999999999999999999"]:
            self.refuses(
                "solve",
                file,
                "--solver",
                "ncp/pgs",
                "--frames",
                selection,
                says="--frames " + selection,
            )

    def test_out_of_range_says_how_many_frames_there_are(self):
        self.refuses(
            "solve",
            self.lines(frame(), frame()),
            "--solver",
            "ncp/pgs",
            "--frames",
            "2",
            says="has 2 frames",
        )


class SolverOptions(Case):
    def test_a_misspelt_solver_gets_a_suggestion(self):
        self.refuses(
            "solve",
            self.lines(frame()),
            "--solver",
            "ncp/pgz",
            says=["did you mean ncp/pgs", "perpend solvers"],
        )
        self.refuses("solve", self.lines(frame()), "--solver", "nothing/*", says="nothing/*")

    def test_patterns_name_several(self):
        document = self.succeeds(
            "solve", self.lines(frame()), "--solver", "ncp/auto,box/*", "--json"
        ).json()
        self.assertEqual(
            document["solver"],
            ["ncp/auto"] + [e["name"] for e in run("solvers", "box/*", "--json").json()["solvers"]],
        )
        self.refuses("solve", self.lines(frame()), "--solver", "ncp/pgs,", says="unknown solver ''")

    def test_an_unknown_set_name_lists_the_known_ones(self):
        with_options = [s for s in run("solvers", "--json").json()["solvers"] if s["options"]]
        self.assertNotEqual(with_options, [])
        for solver in with_options:
            self.refuses(
                "solve",
                self.lines(frame()),
                "--solver",
                solver["name"],
                "--set",
                "no-such-option=1",
                says=["no-such-option", *[o["name"] for o in solver["options"]]],
            )

    def test_every_own_option_accepts_its_default_and_refuses_nonsense(self):
        file = self.lines(frame())
        for solver in run("solvers", "--json").json()["solvers"]:
            for option in solver["options"]:
                self.succeeds(
                    "solve",
                    file,
                    "--solver",
                    solver["name"],
                    "--set",
                    option["name"] + "=" + option["default"],
                )
                self.refuses(
                    "solve",
                    file,
                    "--solver",
                    solver["name"],
                    "--set",
                    option["name"] + "=nonsense",
                    says=option["name"],
                )

    def test_several_values_may_follow_one_set(self):
        file = self.lines(frame())
        chosen = [s for s in run("solvers", "--json").json()["solvers"] if len(s["options"]) >= 2]
        for solver in chosen[:1]:
            values = [o["name"] + "=" + o["default"] for o in solver["options"][:2]]
            # The file name after them is not taken for a third.
            document = self.succeeds(
                "solve", "--solver", solver["name"], "--json", "--set", *values, file
            ).json()
            self.assertEqual(len(document["options"]["set"]), 2)

    def test_set_wants_name_and_value(self):
        self.refuses(
            "solve", self.lines(frame()), "--solver", "ncp/pgs", "--set", "=1", says="--set"
        )

    def test_bad_values(self):
        file = self.lines(frame())
        for option, values in {
            "--tolerance": ["-1", "nan", "x", "", "inf"],
            "--error": ["no_such_error", "energy"],
            "--max-iterations": ["-1", "1.5", "x", "99999999999999999999"],
            "--time-limit": ["-1", "nan", "x"],
            "--memory-limit": ["-1", "nan", "1X", "k", "1kk"],
            "--facets": ["2", "-8", "x"],
        }.items():
            for value in values:
                self.refuses(
                    "solve", file, "--solver", "ncp/pgs", option + "=" + value, says=option[2:]
                )

    def test_unknown_error_lists_the_known_ones(self):
        self.refuses(
            "solve",
            self.lines(frame()),
            "--solver",
            "ncp/pgs",
            "--error",
            "speed",
            says=["own_error", "velocity_error", "natural_map_error"],
        )

    def test_a_signed_measure_takes_no_tolerance(self):
        self.refuses(
            "solve",
            self.lines(frame()),
            "--solver",
            "ncp/pgs",
            "--error",
            "energy_change",
            says="energy_change",
        )

    def test_tolerance_is_about_the_error_named(self):
        file = self.lines(tower(4))
        for error in ["velocity_error", "natural_map_error"]:
            result = self.succeeds(
                "solve",
                file,
                "--solver",
                "ncp/pgs",
                "--error",
                error,
                "--tolerance",
                "1e-5",
                "--json",
            ).json()["results"][0]
            self.assertLessEqual(result["errors"][error], 1e-5)

    def test_a_tighter_tolerance_takes_more_iterations(self):
        file = self.lines(tower(4))
        counts = [
            self.succeeds(
                "solve", file, "--solver", "ncp/pgs", "--tolerance", tolerance, "--json"
            ).json()["results"][0]["iterations"]
            for tolerance in ["1e-3", "1e-6"]
        ]
        self.assertLess(counts[0], counts[1])

    def test_facets_shape_the_pyramid(self):
        # Sliding along x, which is one of 4 directions: the pyramid is exact there, whatever its
        # other edges. Sliding between two of them, the friction of 4 facets points elsewhere.
        file = self.lines(frame(velocity=(1, 0.4142135623730951, 0)))
        errors = [
            self.succeeds(
                "solve", file, "--solver", "lcp/lemke", "--facets", facets, "--json"
            ).json()["results"][0]["errors"]["velocity_error"]
            for facets in [4, 64]
        ]
        self.assertLess(errors[1], errors[0] / 10)

    def test_memory_limit_is_obeyed(self):
        answer = run(
            "solve",
            self.lines(tower(20)),
            "--solver",
            "lcp/lemke",
            "--memory-limit",
            "1k",
            "--json",
        )
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["results"][0]["status"], "too_large")

    def test_time_limit_is_obeyed_and_marked_as_not_reproducible(self):
        answer = run(
            "solve",
            self.lines(tower(20)),
            "--solver",
            "box/pgs",
            "--tolerance",
            "0",
            "--max-iterations",
            10**9,
            "--time-limit",
            "0.05",
            "--json",
        )
        self.assertEqual(answer.code, 1)
        result = answer.json()["results"][0]
        self.assertEqual(result["status"], "time_limit")
        self.assertFalse(result["reproducible"])

    def test_limits_bind_the_formulation_too(self):
        # 1,200 contacts of one body: 10,800 rows of lcp that all meet each other.
        file = self.lines(frame(contacts=1200))
        answer = run("solve", file, "--solver", "lcp/pgs", "--memory-limit", "100M", "--json")
        self.assertEqual(answer.code, 1)
        result = answer.json()["results"][0]
        self.assertEqual(result["status"], "too_large")
        self.assertRegex(
            result["message"], r"needs [\d.]+e\+09 bytes, the memory limit is 1.05e\+08"
        )
        answer = run(
            "solve",
            file,
            "--solver",
            "lcp/pgs",
            "--memory-limit",
            "100G",
            "--time-limit",
            "0.3",
            "--json",
            timeout=30,
        )
        self.assertEqual(answer.code, 1)
        result = answer.json()["results"][0]
        self.assertEqual(result["status"], "time_limit")
        self.assertIn("limit of 0.3 s", result["message"])
        self.assertFalse(result["reproducible"])

    def test_a_hundred_thousand_facets_are_too_large_at_once(self):
        answer = run(
            "solve",
            self.lines(frame(contacts=4)),
            "--solver",
            "lcp/path",
            "--facets",
            "100000",
            "--memory-limit",
            "1G",
            "--json",
            timeout=30,
        )
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.json()["results"][0]["status"], "too_large")

    def test_the_recorded_answer_is_measured_like_a_solver(self):
        """0.9 of its weight holds the point up: 0.1 g h m/s are left."""
        file = self.standard(
            frame(mu=0, z=[[0.9 * GRAVITY * STEP, 0, 0]], timing={"solver": 0.25}),
            frame(mu=0, z=[[GRAVITY * STEP, 0, 0]]),
            frame(),
        )
        answer = run("solve", file, "--solver", "recorded", "--json")
        self.assertEqual(answer.code, 1)
        document = answer.json()
        first, second = document["results"]
        self.assertEqual([first["status"], second["status"]], ["stalled", "converged"])
        self.assertAlmostEqual(first["errors"]["velocity_error"], 0.1 * GRAVITY * STEP, 15)
        self.assertEqual(first["errors"]["own_error"], first["errors"]["velocity_error"])
        self.assertEqual([first["seconds"], second["seconds"]], [0.25, None])
        self.assertEqual([r["frame"] for r in document["refused"]], [2])
        self.assertIn("1 of 3 frames", answer.err)
        table = run("solve", file, "--solver", "ncp/nncg,recorded")
        self.assertRegex(table.out, r"(?m)^recorded +1/2 +0\.00981 ")
        self.succeeds(
            "solve",
            file,
            "--solver",
            "recorded,ncp/nncg",
            "--frames",
            "1",
            "--out",
            self.path("out.h5"),
        )
        kept = self.succeeds("info", self.path("out.h5"), "--json").json()["solutions"]
        self.assertEqual(kept, ["ncp/nncg"])
        self.refuses("simulate", "stack:2", "--solver", "recorded", says="unknown solver")

    def test_warm_start_from_the_recorded_answer(self):
        # The recorded impulses are the solution: nothing is left to do.
        file = self.standard(frame(z=[[CARRY, 0, 0]]))
        result = self.succeeds(
            "solve", file, "--solver", "ncp/pgs", "--warm-start", "--json"
        ).json()["results"][0]
        self.assertEqual(result["iterations"], 0)
        self.assertEqual(result["path"], "start")

    def test_warm_start_without_an_answer_is_cold_and_says_so(self):
        file = self.lines(frame(), frame(z=[[CARRY, 0, 0]]))
        answer = self.succeeds("solve", file, "--solver", "ncp/pgs", "--warm-start", "--json")
        self.assertIn("1 of 2 frames", answer.err)
        self.assertEqual([r["iterations"] > 0 for r in answer.json()["results"]], [True, False])
        self.assertEqual(
            self.succeeds(
                "solve", file, "--solver", "ncp/pgs", "--warm-start", "--quiet", "--json"
            ).err,
            "",
        )


class SeveralSolvers(Case):
    def test_every_registered_solver_is_reachable(self):
        file = self.lines(frame(mu=0))
        for name in solver_names():
            document = self.succeeds("solve", file, "--solver", name, "--json").json()
            self.assertEqual(document["solver"], name)

    def test_all_asks_every_solver_that_accepts_the_frame(self):
        document = self.succeeds(
            "solve", self.lines(frame(mu=0)), "--solver", "all", "--json"
        ).json()
        self.assertEqual(document["solver"], solver_names())
        self.assertEqual([r["solver"] for r in document["results"]], solver_names())

    def test_all_leaves_out_those_that_refuse_joints(self):
        document = self.succeeds(
            "solve", self.lines(sliding(joint=True)), "--solver", "all", "--json"
        ).json()
        answered = [r["solver"] for r in document["results"]]
        self.assertEqual(answered, [n for n in solver_names() if not n.startswith("normal/")])
        self.assertEqual(
            {r["solver"] for r in document["refused"]},
            {n for n in solver_names() if n.startswith("normal/")},
        )

    def test_a_list_keeps_its_order_and_gives_one_row_per_solver(self):
        file = self.lines(frame(), sliding())
        names = ["ncp/pgs", "box/pgs"]
        document = self.succeeds("solve", file, "--solver", ",".join(names), "--json").json()
        self.assertEqual(
            [(r["frame"], r["solver"]) for r in document["results"]],
            [(f, s) for f in (0, 1) for s in names],
        )
        rows = self.succeeds("solve", file, "--solver", ",".join(names)).out.splitlines()
        self.assertEqual([row.split()[:2] for row in rows[1:]], [[n, "2/2"] for n in names])

    def test_the_two_columns_tell_own_problem_from_coulomb(self):
        # Sliding across the axes: a box solver solves its box, and the box is not Coulomb's cone.
        file = self.lines(frame(velocity=(1, 0.5, 0)))
        results = self.succeeds("solve", file, "--solver", "box/pgs,ncp/pgs", "--json").json()[
            "results"
        ]
        box, cone = (r["errors"] for r in results)
        self.assertLessEqual(box["own_error"], 1e-8)
        self.assertGreater(box["velocity_error"], 1e-3)
        self.assertLessEqual(cone["velocity_error"], 1e-8)

    def test_one_unsolved_result_is_exit_code_1(self):
        answer = run(
            "solve", self.lines(tower(6)), "--solver", "box/pgs,ncp/pgs", "--max-iterations", 1
        )
        self.assertEqual(answer.code, 1)
        self.assertIn("0/1", answer.out)


class RawProblems(Case):
    # z = (4/3, 7/3): A z + b = 0 with A = [2 1; 1 2], b = (-5, -6), both positive.
    LCP = {"type": "lcp", "n": 2, "A": [[0, 0, 2], [0, 1, 1], [1, 0, 1], [1, 1, 2]], "b": [-5, -6]}

    def test_an_lcp_gives_z_and_residual(self):
        file = self.raw(**self.LCP)
        document = self.succeeds("solve", file, "--solver", "lcp/lemke", "--json").json()
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["n"], 2)
        result = document["results"][0]
        # Two pivots on a 2x2 matrix of condition 3: a few units in the last place.
        self.assertAlmostEqual(result["z"][0], 4 / 3, delta=1e-14)
        self.assertAlmostEqual(result["z"][1], 7 / 3, delta=1e-14)
        self.assertLessEqual(result["residual"], 1e-14)

    def test_a_history_has_what_was_asked_for_and_can_be_measured(self):
        points = self.succeeds(
            *("solve", self.raw(**self.LCP), "--solver", "lcp/pgs", "--json"),
            *("--history-measures", "lcp_merit,total_error"),
        ).json()["results"][0]["history"]
        self.assertGreater(len(points), 2)
        for point in points:
            self.assertEqual(list(point), ["iteration", "seconds", "lcp_merit"])

    def test_all_asks_those_that_can_hold_it(self):
        document = self.succeeds("solve", self.raw(**self.LCP), "--solver", "all", "--json").json()
        self.assertEqual(
            [r["solver"] for r in document["results"]],
            [n for n in solver_names() if n.split("/")[0] in ("lcp", "mlcp")],
        )

    def test_the_table_shows_status_residual_and_z(self):
        out = self.succeeds("solve", self.raw(**self.LCP), "--solver", "lcp/lemke").out
        self.assertIn("residual", out)
        self.assertIn("z = 1.33333 2.33333", out)

    def test_an_mlcp_with_bounds_of_an_lcp_is_one(self):
        file = self.raw(**{**self.LCP, "type": "mlcp", "lower": [0, 0], "upper": [None, None]})
        result = self.succeeds("solve", file, "--solver", "lcp/lemke", "--json").json()["results"][
            0
        ]
        self.assertLessEqual(result["residual"], 1e-14)

    def test_an_mlcp_with_free_variables_is_no_lcp(self):
        file = self.raw(**{**self.LCP, "type": "mlcp", "lower": [None, 0], "upper": [None, None]})
        answer = run("solve", file, "--solver", "lcp/lemke", "--json")
        self.assertEqual(answer.code, 1)
        result = answer.json()["results"][0]
        self.assertEqual(result["status"], "invalid_input")
        self.assertNotIn("z", result)

    def test_an_lcp_without_solution_is_exit_code_1(self):
        # w = -1 whatever z is.
        file = self.raw(type="lcp", n=1, A=[], b=[-1])
        answer = run("solve", file, "--solver", "lcp/lemke", "--json")
        self.assertEqual(answer.code, 1)
        self.assertNotEqual(answer.json()["results"][0]["status"], "converged")

    def test_a_contact_solver_does_not_take_it(self):
        self.assertEqual(run("solve", self.raw(**self.LCP), "--solver", "ncp/pgs").code, 1)

    def test_bad_raw_problems_name_the_field(self):
        for change, field in [
            ({"b": [1]}, "b"),
            ({"A": [[0, 5, 1]]}, "A"),
            ({"n": 0}, "n"),
            ({"n": 10**15}, "b"),
            ({"A": [[0, 0, "x"]]}, "A"),
        ]:
            self.refuses(
                "solve", self.raw(**{**self.LCP, **change}), "--solver", "lcp/lemke", says=field
            )

    def test_frames_and_out_make_no_sense(self):
        file = self.raw(**self.LCP)
        self.refuses("solve", file, "--solver", "lcp/lemke", "--frames", "1", says="--frames")
        self.refuses(
            "solve", file, "--solver", "lcp/lemke", "--out", self.path("o.h5"), says="--out"
        )


class RealProblems(Case):
    def test_all_fclib_files_are_read_and_measured(self):
        files = sorted(glob.glob(os.path.join(SHARED, "data", "fclib", "*.hdf5")))
        if not files:
            self.skipTest("no ../shared/data/fclib")
        for file in files:
            answer = run("solve", file, "--solver", "ncp/pgs", "--max-iterations", 20, "--json")
            self.assertIn(answer.code, (0, 1), answer.err)
            result = answer.json()["results"][0]
            self.assertGreater(result["contacts"], 0)
            self.assertIn("natural_map_error", result["errors"])


if __name__ == "__main__":
    unittest.main()
