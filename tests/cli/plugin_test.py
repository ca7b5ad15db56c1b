"""A solver of one's own: new-solver, its build, check-solver, and --plugin in the other commands."""

import json
import os
import subprocess
import unittest

from program import Case, run, sliding

PLUGINS = os.environ["PERPEND_PLUGINS"]
SOLVERS = os.path.join(PLUGINS, "solvers.so")


class NewSolver(Case):
    def build(self, folder):
        for command in (
            ["cmake", "-S", folder, "-B", folder + "/build"],
            ["cmake", "--build", folder + "/build"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_is_written_builds_passes_and_solves(self):
        frames = self.lines(sliding())
        for name in ("ncp/my-method", "box/my-box", "normal/my-normal"):
            method = name.split("/")[1].replace("-", "_")
            folder = self.path(method)
            answer = self.succeeds("new-solver", name, "--out", folder)
            self.assertIn("check-solver", answer.out)
            self.assertEqual(
                sorted(os.listdir(folder)),
                sorted(["CMakeLists.txt", "perpend_plugin.h", method + ".cpp"]),
            )
            self.build(folder)
            library = os.path.join(folder, "build", method + ".so")
            checked = self.succeeds("check-solver", library)
            self.assertIn("The solver passes all checks.", checked.out)
            result = self.succeeds(
                "solve", frames, "--plugin", library, "--solver", name, "--json"
            ).json()["results"][0]
            self.assertEqual(result["status"], "converged")
            self.assertIn(name, self.succeeds("--plugin", library, "solvers").out)

    def test_bad_names_and_taken_folders_are_refused(self):
        self.refuses("new-solver", "mlcp/mine", says="normal, box and ncp")
        self.refuses("new-solver", "ncp/My Method", says="lower-case")
        self.refuses("new-solver", "ncp/pgs", says="there is already a solver called ncp/pgs")
        self.refuses("new-solver", "ncp/mine", "--out", self.path(""), says="already exists")
        self.refuses("new-solver", "ncp/mine", "--out", "/proc/mine", says="/proc/mine")


class Plugins(Case):
    def test_a_missing_or_foreign_library_is_one_line(self):
        frames = self.lines(sliding())
        for library, says in (
            (self.path("no.so"), "no.so: no such plugin"),
            (os.path.join(PLUGINS, "newer_abi.so"), "has ABI 2"),
            (frames, "cannot be loaded"),
        ):
            self.refuses("solve", frames, "--solver", "ncp/pgs", "--plugin", library, says=says)
            self.refuses("check-solver", library, says=says)

    def test_check_solver_says_what_is_wrong(self):
        answer = run(
            "check-solver", SOLVERS, "--time-limit", "1", "--max-iterations", "20000", "--json"
        )
        self.assertEqual(answer.code, 1, answer.err)
        solvers = {entry["solver"]: entry for entry in answer.json()["solvers"]}
        self.assertTrue(solvers["box/test-good"]["passed"])
        for wrong in ("crashes", "hangs", "not-finite", "leaves-early", "says-stalled"):
            self.assertFalse(solvers["box/test-" + wrong]["passed"], wrong)
        words = [
            c["words"]
            for check in solvers["box/test-crashes"]["checks"]
            for c in check["complaints"]
        ]
        self.assertIn("crashed", words[0])

    def test_check_solver_takes_names_too(self):
        self.assertIn("good", self.succeeds("check-solver", "normal/simple").out)
        self.refuses("check-solver", "ncp/none", says="ncp/none")

    def test_bench_goes_on_when_a_plugin_crashes_and_tells_where_it_comes_from(self):
        out, frames = self.path("out"), self.lines(sliding(), sliding(2.0))
        arguments = (
            "bench",
            frames,
            "--plugin",
            SOLVERS,
            "--solvers",
            "box/test-good,box/test-crashes,box/pgs",
            "--repeat",
            "1",
            "--out",
            out,
        )
        self.succeeds(*arguments)
        document = json.loads(self.text(os.path.join(out, "results.json")))
        names = [s["name"] for s in document["solvers"]]
        statuses = [
            (names[s], status)
            for s, status in zip(document["results"]["solver"], document["results"]["status"])
        ]
        self.assertEqual(statuses.count(("box/test-good", "converged")), 2)
        self.assertEqual(statuses.count(("box/test-crashes", "crashed")), 2)
        self.assertEqual([s["origin"] for s in document["solvers"]], [SOLVERS, SOLVERS, "perpend"])

    def test_a_plugin_built_anew_is_another_solver(self):
        out, frames, library = self.path("out"), self.lines(sliding()), self.path("mine.so")
        with open(SOLVERS, "rb") as file:
            content = file.read()
        arguments = (
            "bench",
            frames,
            "--plugin",
            library,
            "--solvers",
            "box/test-good",
            "--out",
            out,
        )
        with open(library, "wb") as file:
            file.write(content)
        self.succeeds(*arguments)
        self.succeeds(*arguments)
        with open(library, "wb") as file:
            file.write(content + b"\0")
        self.refuses(*arguments, says="mine.so")


if __name__ == "__main__":
    unittest.main()
