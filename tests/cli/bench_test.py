"""perpend bench, merge and compare, as somebody types them."""

import csv
import json
import os
import shutil
import signal
import struct
import subprocess
import time
import unittest

from program import GRAVITY, PROGRAM, SOURCE, STEP, Case, frame, run, sliding, solver_names, tower

BLOCKS = os.path.join(SOURCE, "examples", "frames", "blocks.jsonl")
TIMES = ("seconds", "seconds_low", "seconds_high", "formulation_seconds", "transfer_seconds")


class BenchCase(Case):
    def results(self, folder):
        return json.loads(self.text(os.path.join(folder, "results.json")))

    def timeless(self, folder):
        """All that does not depend on a clock."""
        document = self.results(folder)
        for column in TIMES:
            del document["results"][column]
        for moments in document["results"]["first"].values():
            del moments["seconds"]
        del document["histories"]["seconds"]
        for name in ("machine", "machines", "campaign"):
            del document[name]
        for name in ("command", "jobs"):
            del document["settings"][name]
        return document

    def bench(self, *arguments):
        return self.succeeds("bench", *arguments)


class Bench(BenchCase):
    def test_the_three_files_tell_the_same(self):
        out = self.path("out")
        self.bench(BLOCKS, "--solvers", "ncp/nncg,box/pgs", "--frames", "0-2", "--out", out)
        document = self.results(out)
        with open(os.path.join(out, "results.csv"), newline="", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
        self.assertEqual(len(lines), 9)
        rows = document["results"]
        for i, line in enumerate(lines):
            self.assertEqual(line["solver"], document["solvers"][rows["solver"][i]]["name"])
            self.assertEqual(line["status"], rows["status"][i])
            if line["solver"] == "recorded":  # no time is
                self.assertEqual((line["seconds"], rows["seconds"][i]), ("", None))
                continue
            self.assertEqual(float(line["seconds"]), rows["seconds"][i])
            self.assertEqual(float(line["velocity_error"]), rows["errors"]["velocity_error"][i])
            self.assertEqual(line["message"], document["texts"][rows["message"][i]])
        self.assertEqual([line["frame"] for line in lines], ["0"] * 3 + ["1"] * 3 + ["2"] * 3)
        self.assertEqual(document["settings"]["repeat"], 3)
        self.assertEqual(document["settings"]["time_limit"], 10)
        self.assertIn("--solvers ncp/nncg,box/pgs", document["settings"]["command"])
        self.assertTrue(document["machine"]["cpu"])

    def test_every_row_agrees_with_perpend_solve(self):
        out = self.path("out")
        self.bench(BLOCKS, "--solvers", "all", "--frames", "2", "--repeat", "1", "--out", out)
        document = self.results(out)
        solved = run("solve", BLOCKS, "--solver", "all,recorded", "--frames", "2", "--json").json()
        rows = document["results"]
        self.assertEqual([s["name"] for s in document["solvers"]], [*solver_names(), "recorded"])
        answers = {r["solver"]: r for r in solved["results"]}
        for i, s in enumerate(rows["solver"]):
            answer = answers[document["solvers"][s]["name"]]
            for name in ("status", "iterations"):
                self.assertEqual(rows[name][i], answer[name])
            for name, value in answer["errors"].items():
                self.assertEqual(rows["errors"][name][i], value)

    def test_files_of_every_kind_in_one_campaign(self):
        lines = self.lines(sliding(), frame(joint=True))
        standard = self.standard(frame(), name="standard.h5")
        fclib = self.path("problem.fclib.h5")
        self.succeeds("convert", lines, fclib, "--frames", "0")
        out = self.path("out")
        answer = self.bench(
            lines,
            standard,
            fclib,
            "--solvers",
            "ncp/pgs,normal/simple",
            "--repeat",
            "1",
            "--out",
            out,
            "--json",
        ).json()
        self.assertEqual(answer["rows"], 8)
        document = self.results(out)
        self.assertEqual(
            [os.path.basename(p["file"]) for p in document["problems"]],
            ["frames.jsonl", "frames.jsonl", "standard.h5", "problem.fclib.h5"],
        )
        # A solver that takes no joints says so, and the campaign is complete all the same.
        self.assertEqual(document["results"]["status"][3], "invalid_input")
        self.assertEqual([answer["solvers"][1][key] for key in ("rows", "does_not_apply")], [4, 1])
        self.assertEqual(answer["solvers"][1]["not_solved"], {})

    def test_the_answer_in_the_file_is_a_row(self):
        """0.9 of its weight holds the point up: 0.1 g h m/s are left, in the recorded 2 ns."""
        file = self.lines(
            frame(mu=0, z=[[0.9 * GRAVITY * STEP, 0, 0]], timing={"solver": 2e-9}),
            frame(mu=0, z=[[GRAVITY * STEP, 0, 0]], timing={"solver": 4}),
            frame(),
        )
        out = self.path("out")
        said = self.bench(file, "--solvers", "ncp/nncg", "--out", out)
        self.assertRegex(said.out, r"recorded +engine +1 +1 +2 ")
        document = self.results(out)
        self.assertEqual([s["name"] for s in document["solvers"]], ["ncp/nncg", "recorded"])
        rows = document["results"]
        self.assertEqual(rows["status"][1::2], ["stalled", "converged", "invalid_input"])
        self.assertEqual(rows["seconds"][1::2], [2e-9, 4, 0])
        self.assertAlmostEqual(rows["errors"]["velocity_error"][1], 0.1 * GRAVITY * STEP, 15)
        # Quicker than anybody, and not the best: it does not reach the tolerance.
        summary = self.bench(file, "--solvers", "ncp/nncg", "--out", out, "--json").json()
        self.assertEqual(summary["solvers"][0]["time_relative_to_best"], 1)
        self.assertGreater(summary["solvers"][1]["time_relative_to_best"], 1000)
        again = self.bench(
            file, "--solvers", "recorded,ncp/nncg", "--out", self.path("order"), "--json"
        ).json()
        self.assertEqual([s["solver"] for s in again["solvers"]], ["recorded", "ncp/nncg"])
        without = self.bench(
            self.lines(frame(), name="none.jsonl"),
            "--solvers",
            "ncp/nncg",
            "--out",
            self.path("none"),
            "--json",
        ).json()
        self.assertEqual([s["solver"] for s in without["solvers"]], ["ncp/nncg"])
        self.assertIn("| recorded | engine | 1/2 |", self.text(os.path.join(out, "report.md")))

    def test_order_and_results_do_not_depend_on_jobs(self):
        one, three = self.path("one"), self.path("three")
        arguments = [BLOCKS, "--solvers", "all", "--repeat", "1"]
        self.bench(*arguments, "--out", one)
        self.bench(*arguments, "--jobs", "3", "--out", three)
        self.assertEqual(self.timeless(one), self.timeless(three))

    def test_limits_end_a_solve_and_the_row_says_so(self):
        out = self.path("out")
        self.bench(
            self.lines(tower(8)),
            "--solvers",
            "box/pgs",
            "--tolerance",
            "0",
            "--max-iterations",
            str(10**12),
            "--time-limit",
            "0.1",
            "--out",
            out,
        )
        rows = self.results(out)["results"]
        self.assertEqual(rows["status"], ["time_limit"])
        self.assertEqual(rows["reproducible"], [False])
        self.assertEqual(rows["seconds_low"], rows["seconds_high"])  # not repeated
        self.assertGreater(rows["seconds"][0], 0.09)

    def test_own_options_reach_the_solvers_that_know_them(self):
        out = self.path("out")
        self.bench(
            self.lines(tower(3)),
            "--solvers",
            "ncp/pgs,box/pgs",
            "--set",
            "bounds=lagged",
            "--repeat",
            "0",
            "--out",
            out,
        )
        document = self.results(out)
        self.assertEqual(document["settings"]["set"], {"bounds": "lagged"})
        lagged = run(
            "solve",
            self.path("frames.jsonl"),
            "--solver",
            "box/pgs",
            "--set",
            "bounds=lagged",
            "--json",
        ).json()["results"][0]
        self.assertEqual(document["results"]["iterations"][1], lagged["iterations"])

    def test_histories_hold_what_was_asked_for(self):
        out, usual = self.path("out"), self.path("usual")
        common = (self.lines(tower(4)), "--solvers", "box/nncg,box/pgs", "--repeat", "0")
        self.bench(*common, "--history-measures", "total_error,pgs_merit@iterate", "--out", out)
        self.bench(*common, "--out", usual)
        document, before = self.results(out), self.results(usual)
        asked = ["own_error", "velocity_error", "total_error", "pgs_merit@iterate"]
        self.assertEqual(document["settings"]["history_measures"], asked)
        self.assertEqual(
            list(document["histories"]), ["offset", "iteration", "seconds", *asked, "restart"]
        )
        always = (
            "offset iteration seconds own_error velocity_error normal_error friction_error restart"
        )
        self.assertEqual(list(before["histories"]), always.split())
        # The rest is the same.
        a, b = self.timeless(out), self.timeless(usual)
        self.assertEqual(a["results"], b["results"])
        self.assertEqual(a["histories"]["velocity_error"], b["histories"]["velocity_error"])
        # The journal has all of it.
        again = self.bench(
            *common, "--history-measures", "total_error,pgs_merit@iterate", "--out", out
        )
        self.assertIn("already done", again.err)
        self.assertEqual(self.results(out)["histories"], document["histories"])
        joined = self.path("joined")
        self.succeeds("merge", out, "--out", joined)
        self.assertEqual(self.results(joined)["histories"], document["histories"])
        self.refuses("merge", out, usual, "--out", self.path("no"), says="--history-measures was")
        self.refuses("bench", *common, "--out", out, says="--history-measures was")
        plot = self.path("plot.svg")
        self.succeeds("report", out, "--plot", plot, "--measure", "pgs_merit@iterate")
        self.assertIn("pgs_merit@iterate [(N s)", self.text(plot))
        self.refuses(
            *("report", out, "--plot", plot, "--measure", "pgs_merit"),
            says="choose one of: own_error, velocity_error, total_error, pgs_merit@iterate",
        )
        self.refuses("report", out, "--measure", "total_error", says="give --plot")

    def test_wrong_usage_is_one_line(self):
        out = self.path("out")
        file = self.lines(sliding())
        self.refuses(
            "bench",
            file,
            "--solvers",
            "ncp/pgz",
            "--out",
            out,
            says=["--solvers: unknown solver 'ncp/pgz'", "ncp/pgs"],
        )
        self.refuses(
            "bench",
            file,
            "--solvers",
            "all",
            "--shard",
            "4/3",
            "--out",
            out,
            says="--shard: '4/3' is not I/N",
        )
        self.refuses(
            "bench", file, "--solvers", "all", "--frames", "7", "--out", out, says="has 1 frame"
        )
        self.refuses(
            "bench",
            self.path("absent.h5"),
            "--solvers",
            "all",
            "--out",
            out,
            says="absent.h5: no such file",
        )
        self.refuses("bench", file, "--solvers", "all", says="--out")
        raw = self.raw(type="lcp", n=1, A=[[0, 0, 1]], b=[-1])
        self.refuses("bench", raw, "--solvers", "all", "--out", out, says="has no frames")
        self.refuses(
            "bench", file, "--solvers", "all", "--out", file, says="cannot make this folder"
        )
        self.assertFalse(os.path.exists(out))

    def test_a_bad_line_of_a_file_is_named_before_anything_runs(self):
        bad = frame()
        bad["bodies"]["masses"][1] = -1
        self.refuses(
            "bench",
            self.lines(frame(), bad, name="bad.jsonl"),
            "--solvers",
            "ncp/pgs",
            "--out",
            self.path("out"),
            says="bad.jsonl:2: bodies/masses row 1",
        )


class Resume(BenchCase):
    def setUp(self):
        super().setUp()
        # Each row takes a known number of iterations, long enough to be interrupted in.
        self.file = self.lines(*(tower(n) for n in (5, 6, 7, 8, 9, 10)))
        self.arguments = [
            "bench",
            self.file,
            "--solvers",
            "box/pgs,ncp/pgs",
            "--tolerance",
            "0",
            "--max-iterations",
            "4000",
            "--repeat",
            "1",
            "--jobs",
            "2",
            "--out",
        ]

    def start(self, out):
        return subprocess.Popen(
            [PROGRAM, *self.arguments, out],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    @staticmethod
    def alive(process):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
        except OSError:
            return False

    def wait_for_rows(self, out, process):
        """Until the journal has grown beyond the first rows."""
        journal = os.path.join(out, "results.journal")
        while not os.path.exists(journal) or os.path.getsize(journal) < 20000:
            self.assertIsNone(process.poll(), "it ended too early")
            time.sleep(0.005)

    def test_killed_it_goes_on_and_ends_with_the_same_results(self):
        whole, out = self.path("whole"), self.path("out")
        self.succeeds(*self.arguments, whole)
        process = self.start(out)
        self.wait_for_rows(out, process)
        workers = self.text(f"/proc/{process.pid}/task/{process.pid}/children").split()
        self.assertEqual(len(workers), 2)
        process.kill()
        process.communicate()
        for worker in workers:  # nobody is left behind to go on with a solve
            while self.alive(worker):
                time.sleep(0.005)
        self.assertFalse(os.path.exists(os.path.join(out, "results.json")))
        size = os.path.getsize(os.path.join(out, "results.journal"))
        answer = self.succeeds(*self.arguments, out)
        self.assertIn("rows are already done", answer.err)
        self.assertGreater(os.path.getsize(os.path.join(out, "results.journal")), size)
        self.assertEqual(self.timeless(out), self.timeless(whole))
        # Once more: nothing is left to do, and nothing is measured anew.
        before = self.results(out)
        answer = self.succeeds(*self.arguments, out)
        self.assertIn("12 of 12 rows", answer.err)
        self.assertEqual(self.results(out)["results"], before["results"])

    def test_ctrl_c_is_130_and_keeps_the_finished_rows(self):
        out = self.path("out")
        process = self.start(out)
        self.wait_for_rows(out, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("run the same command to continue", err)
        part = self.results(out)
        done = len(part["results"]["status"])
        self.assertGreater(done, 0)
        self.assertLess(done, part["rows_planned"])
        self.assertEqual(self.succeeds(*self.arguments, out).code, 0)
        document = self.results(out)
        self.assertEqual(len(document["results"]["status"]), 12)

    def test_another_command_in_the_same_folder_is_refused(self):
        out = self.path("out")
        file = self.lines(sliding(), name="one.jsonl")
        usual = ["bench", file, "--solvers", "ncp/pgs", "--repeat", "1", "--out", out]
        self.succeeds(*usual)
        self.refuses(
            *usual,
            "--tolerance",
            "1e-4",
            says=[
                "out: has results of another comparison: --tolerance was 1e-08, is 1e-04",
                "--overwrite",
            ],
        )
        self.lines(sliding(2.0), name="one.jsonl")
        self.refuses(*usual, says="content of " + file)
        self.succeeds(*usual, "--tolerance", "1e-4", "--overwrite")
        self.assertEqual(self.results(out)["settings"]["tolerance"], 1e-4)


class MergeAndCompare(BenchCase):
    def test_shards_merged_are_the_whole_run(self):
        whole, merged = self.path("whole"), self.path("merged")
        arguments = [BLOCKS, "--solvers", "ncp/nncg,box/nncg,lcp/lemke", "--repeat", "1"]
        self.bench(*arguments, "--out", whole)
        shards = []
        for i in (1, 2, 3):
            shards.append(self.path(f"shard{i}"))
            self.bench(*arguments, "--shard", f"{i}/3", "--out", shards[-1])
        self.succeeds("merge", *reversed(shards), "--out", merged)
        self.assertEqual(self.timeless(merged), self.timeless(whole))
        # An unfinished shard is told.
        answer = self.succeeds("merge", shards[0], "--out", self.path("part"))
        self.assertEqual(answer.err, "")
        self.succeeds("compare", whole, merged, "--no-time")

    def test_merge_refuses_what_does_not_belong_together(self):
        a, b = self.path("a"), self.path("b")
        file = self.lines(sliding())
        self.bench(file, "--solvers", "ncp/pgs", "--repeat", "1", "--out", a)
        self.bench(file, "--solvers", "ncp/pgs", "--repeat", "1", "--tolerance", "1e-4", "--out", b)
        self.refuses(
            "merge",
            a,
            b,
            "--out",
            self.path("c"),
            says="b: has other settings than " + a + ": --tolerance",
        )
        self.refuses("merge", a, "--out", b, says="has results of its own")
        self.refuses("merge", a, self.folder, "--out", self.path("c"), says="has no results.h5")
        self.refuses("compare", a, b, says="--tolerance")
        self.refuses("compare", a, self.path("nowhere"), says="no such file")

    def test_compare_finds_a_regression(self):
        a, b = self.path("a"), self.path("b")
        self.bench(self.lines(tower(6, ratio=100.0)), "--solvers", "box/pgs", "--out", a)
        shutil.copytree(a, b)
        answer = self.succeeds("compare", a, b)
        self.assertIn("1 rows compared, 0 worse, 0 better", answer.out)
        self.assertEqual(self.succeeds("compare", a, b, "--json").json()["changes"], [])
        # The solver gets worse: its error, wherever the file has it, a thousand times larger.
        error = self.results(a)["results"]["errors"]["own_error"][0]
        content = self.bytes(os.path.join(b, "results.h5"))
        worse = content.replace(struct.pack("<d", error), struct.pack("<d", 1000 * error))
        self.assertNotEqual(worse, content)
        with open(os.path.join(b, "results.h5"), "wb") as file:
            file.write(worse)
        answer = run("compare", a, b)
        self.assertEqual(answer.code, 1, answer.err)
        self.assertIn("1 rows compared, 1 worse, 0 better", answer.out)
        document = run("compare", a, b, "--json").json()
        self.assertEqual(
            [(c["what"], c["worse"], c["a"]) for c in document["changes"]],
            [("own_error", True, error)],
        )
        self.assertEqual(run("compare", b, a).code, 0)  # the other way round it got better


if __name__ == "__main__":
    unittest.main()
