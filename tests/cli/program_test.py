"""The program itself: help, version, usage; and the list of solvers."""

import subprocess
import unittest

from program import PROGRAM, Case, run, solver_names

COMMANDS = [
    "solvers",
    "scenes",
    "doctor",
    "solve",
    "measure",
    "simulate",
    "view",
    "playground",
    "capture",
    "import",
    "bench",
    "merge",
    "compare",
    "report",
    "verify",
    "reproduce",
    "forces",
    "info",
    "validate",
    "repair",
    "convert",
    "new-solver",
    "check-solver",
]


class Program(Case):
    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            answer = self.succeeds(command, "--help")
            self.assertIn("Example:", answer.out)
            self.assertIn("perpend " + command, answer.out)
            self.assertEqual(answer.err, "")

    def test_help_lists_exactly_the_commands_that_exist(self):
        listing = self.succeeds("--help").out.split("Subcommands:")[1]
        listed = [
            line.split()[0]
            for line in listing.splitlines()
            if line.startswith("  ")
            and not line.startswith("   ")
            and not line.startswith("  perpend")
        ]
        self.assertEqual(listed, COMMANDS)

    def test_version_names_version_commit_and_libraries(self):
        answer = self.succeeds("--version")
        self.assertRegex(
            answer.out,
            r"^perpend \d+\.\d+\.\d+, \d{4}-\d\d-\d\d \(commit ([0-9a-f]{12}.*|unknown)\)\n",
        )
        self.assertRegex(answer.out, r"Eigen \d+\.\d+\.\d+")
        self.assertRegex(answer.out, r"HDF5 \d+\.\d+\.\d+")
        self.assertRegex(answer.out, r"\nrecorders: (none|[a-z]+(, [a-z]+)*)\n")
        self.assertRegex(answer.out, r"\nPython: (yes|no)\n")
        self.assertEqual(answer.err, "")

    def test_wrong_usage_is_one_line_and_exit_code_2(self):
        self.refuses(says="--help")
        self.refuses("nonsense", says="nonsense")
        self.refuses("solve", says="FILE")
        self.refuses("solve", "x.h5", says="--solver")
        self.refuses("solvers", "--nonsense", says="--nonsense")
        self.refuses("--threads", "0", "solvers", says="--threads")
        self.refuses("--threads", "many", "solvers", says="--threads")
        self.refuses("--seed", "-1", "solvers", says="--seed")
        self.refuses("convert", "only-one", says="OUT")

    def test_later_commands_are_not_there_yet(self):
        for command in ["certify"]:
            self.refuses(command, says=command)

    def test_global_options_stand_before_or_after_the_command(self):
        self.assertEqual(
            self.succeeds("--threads", "2", "--quiet", "solvers").out,
            self.succeeds("solvers", "--quiet", "--threads", "2").out,
        )

    def test_a_full_disk_is_not_a_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [PROGRAM, "solvers"], stdout=full, stderr=subprocess.PIPE, check=False
            )
        self.assertEqual(done.returncode, 2)


class Solvers(Case):
    def test_json_has_the_fields_of_the_design(self):
        document = self.succeeds("solvers", "--json").json()
        self.assertEqual(document["format_version"], 1)
        self.assertGreater(len(document["solvers"]), 0)
        for entry in document["solvers"]:
            self.assertEqual(entry["formulation"], entry["name"].split("/")[0])
            for field in ["title", "reference"]:
                self.assertNotEqual(entry[field], "")
            self.assertIsInstance(entry["joints"], bool)
            for option in entry["options"]:
                self.assertNotEqual(option["meaning"], "")
                self.assertIn("default", option)
                self.assertTrue("choices" in option or option["lowest"] <= option["highest"])

    def test_of_ours_only_normal_solvers_refuse_joints(self):
        """Siconos' friction contact problem has no bilateral rows: its solvers must refuse."""
        for entry in self.succeeds("solvers", "all", "--json").json()["solvers"]:
            self.assertEqual(entry["joints"], entry["formulation"] != "normal", entry["name"])

    def test_the_table_names_every_solver(self):
        table = self.succeeds("solvers").out
        for name in solver_names():
            self.assertIn("\n" + name + " ", "\n" + table)

    def test_stderr_stays_empty(self):
        self.assertEqual(run("solvers").err, "")


if __name__ == "__main__":
    unittest.main()
