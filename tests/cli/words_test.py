"""One word for one thing: names of options, and what is said about a wrong one."""

import json
import os
import subprocess
import unittest

from program import PROGRAM, SOURCE, Case, frame, run

COMMANDS = [
    "solvers",
    "scenes",
    "solve",
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
    "info",
    "validate",
    "repair",
    "convert",
    "new-solver",
    "check-solver",
]


def piped(text, *arguments):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


class Names(Case):
    def test_solver_and_solvers_are_the_same_word(self):
        frames = self.lines(frame(), frame(mu=0.3))
        for word in ["--solver", "--solvers"]:
            self.succeeds("solve", frames, word, "ncp/pgs")
            self.succeeds("simulate", "stack:1", "--steps", 1, word, "ncp/pgs")
            self.succeeds("verify", "slope", "--refine", 1, word, "ncp/auto")
            self.succeeds(
                "bench",
                frames,
                word,
                "ncp/pgs,box/pgs",
                "--repeat",
                0,
                "--out",
                self.path("results" + word),
            )

    def test_solvers_is_accepted_by_capture_too(self):
        if "bullet" not in run("--version").out:
            self.skipTest("no recorder")
        out = self.path("out.h5")
        document = self.succeeds(
            "capture",
            "bullet",
            "stack:1",
            "--steps",
            2,
            "--solvers",
            "pgs",
            "--max-iterations",
            7,
            "--out",
            out,
            "--json",
        ).json()
        self.assertEqual(document["max_iterations"], 7)
        old = self.succeeds(
            "capture",
            "bullet",
            "stack:1",
            "--steps",
            2,
            "--solver",
            "pgs",
            "--iterations",
            7,
            "--out",
            out,
            "--json",
        ).json()
        self.assertEqual(old["state_hash"], document["state_hash"])

    def test_contacts_has_three_choices_and_the_old_flags_mean_them(self):
        def hole(*words):
            return self.succeeds("simulate", "hole", "--steps", 30, "--json", *words).json()

        for choice, old in (
            ("one-direction", []),
            ("nonconvex", ["--nonconvex"]),
            ("conjunctive", ["--conjunctive"]),
        ):
            new = hole("--contacts", choice)
            self.assertEqual(new["contacts"], choice.replace("-", " "))
            self.assertEqual(new["state_hash"], hole(*old)["state_hash"])
        self.refuses(
            "simulate",
            "hole",
            "--contacts",
            "round",
            says=["--contacts", "'round'", "one-direction, nonconvex or conjunctive"],
        )
        self.refuses(
            "simulate",
            "hole",
            "--contacts",
            "nonconvex",
            "--conjunctive",
            says=["--contacts", "--conjunctive"],
        )

    def test_frames_selects_in_convert_as_in_solve(self):
        lines = self.lines(frame(name="a"), frame(name="b", contacts=3), frame(name="c"))
        out = self.path("out.jsonl")

        def names(*words):
            self.succeeds("convert", lines, out, *words)
            return [json.loads(line)["name"] for line in self.text(out).splitlines()]

        self.assertEqual(names(), ["a", "b", "c"])
        self.assertEqual(names("--frames", "1"), ["b"])
        self.assertEqual(names("--frame", "1"), ["b"])
        self.assertEqual(names("--frames", "1-2"), ["b", "c"])
        self.assertEqual(names("--frames", "most-contacts:1"), ["b"])
        self.refuses("convert", lines, out, "--frames", "3", says=["--frames 3", "has 3 frames"])
        self.refuses("convert", lines, out, "--frames", "x", says=["--frames x", "A-B"])

    def test_frames_of_a_standard_file_keep_their_solutions(self):
        path = self.standard(frame(), frame(mu=0.3), frame(mu=0.2, contacts=3))
        solved = self.path("solved.h5")
        self.succeeds("solve", path, "--solver", "ncp/pgs", "--out", solved)
        for layout in ["columns", "frames"]:
            part = self.path(layout + ".h5")
            self.succeeds("convert", solved, part, "--frames", "1-2", "--layout", layout)
            document = self.succeeds("info", part, "--json").json()
            self.assertEqual(document["frames"], 2)
            self.assertEqual(document["solutions"], ["ncp/pgs"])

    def test_check_solver_has_a_time_limit(self):
        for word in ["--time-limit", "--seconds"]:
            self.refuses(
                "check-solver",
                "normal/simple",
                word,
                "0",
                says=["--time-limit", "is not a positive number"],
            )

    def test_new_solver_is_told_where_by_out(self):
        for word in ["--out", "--folder"]:
            self.succeeds("new-solver", "ncp/mine", word, self.path("folder" + word))
            self.assertTrue(os.path.exists(self.path("folder" + word + "/mine.cpp")))

    def test_old_spellings_are_not_listed(self):
        old = ["--nonconvex", "--conjunctive", "--iterations", "--seconds", "--folder", "--frame"]
        for command in COMMANDS:
            words = self.succeeds(command, "--help").out.replace(",", " ").split()
            for word in old:
                self.assertNotIn(word, words, command)
            self.assertFalse(
                "--solver" in words and "--solvers" in words and command != "capture", command
            )
        self.assertIn("-h,--help", self.succeeds("solve", "--help").out)

    def test_the_recorder_knows_the_same_words(self):
        recorder = os.path.join(os.path.dirname(PROGRAM), "perpend-capture-bullet")
        if not os.path.exists(recorder):
            self.skipTest("no recorder")
        scene = self.succeeds("scenes", "stack:1").out

        def record(*words):
            done = subprocess.run(
                [recorder, "-", "--out", self.path("x.h5"), *words],
                input=scene,
                capture_output=True,
                text=True,
                check=False,
            )
            return json.loads(done.stdout.splitlines()[-1])

        listed = subprocess.run([recorder, "--help"], capture_output=True, text=True, check=True)
        self.assertIn("--max-iterations", listed.stdout)
        self.assertNotIn("--iterations", listed.stdout.split())
        self.assertNotIn("--solvers", listed.stdout)
        for word in ["--iterations", "--max-iterations"]:
            made = record("--steps", "2", "--solvers", "pgs", word, "7")
            self.assertEqual(made["summary"]["max_iterations"], 7)
        self.assertEqual(
            record("--steps", "-3")["error"], "--steps: '-3' is not a whole number >= 0"
        )
        self.assertIn("'0' is not a whole number from 1", record("--max-iterations", "0")["error"])


class EngineFiles(Case):
    FILES = (
        (
            "robot.txt",
            "<?xml version='1.0'?>\n<!-- <sdf> -->\n<robot name='r'/>",
            "URDF",
            "perpend capture dart",
        ),
        (
            "world.sdf",
            "<sdf version='1.6'><world name='w'/></sdf>",
            "SDF",
            "perpend capture gazebo",
        ),
        (
            "model.xml",
            "\ufeff<!DOCTYPE mujoco>\n <mujoco>\n</mujoco>",
            "MJCF",
            "perpend capture mujoco",
        ),
        ("saved.bullet", "BULLETd_v285", "a saved world of Bullet", "docs/capture.md"),
        ("page.xml", "<html><body/></html>", "XML", "<html>"),
    )

    def test_they_are_recognized_by_their_content_and_the_way_to_record_them_is_told(self):
        for name, content, what, advice in self.FILES:
            path = self.path(name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            says = [name + ": this is " + what, advice]
            # These two take models: they say what is wrong with this one, or that it is none.
            self.refuses("simulate", path, says=name)
            self.refuses("scenes", path, says=name)
            self.refuses("info", path, says=says)
            self.refuses("validate", path, says=says)
            self.refuses("repair", path, says=says)
            self.refuses("solve", path, "--solver", "ncp/pgs", says=says)
            self.refuses("bench", path, "--solvers", "ncp/pgs", "--out", self.path("o"), says=says)
            self.refuses("convert", path, self.path("o.jsonl"), says=says)
            self.refuses("simulate", "stack:1", "--restore", path, says=says)
            if "bullet" in run("--version").out:
                self.refuses("capture", "bullet", path, "--out", self.path("o.h5"), says=name)

    def test_on_standard_input_too(self):
        for command in (
            ["simulate", "-"],
            ["scenes", "-"],
            ["info", "-"],
            ["solve", "-", "--solver", "ncp/pgs"],
        ):
            done = piped("<robot name='r'/>", *command)
            self.assertEqual(done.returncode, 2)
            self.assertIn("standard input: this is URDF: perpend capture dart FILE", done.stderr)

    def test_a_file_of_the_engine_needs_no_ending(self):
        for engine, name in (
            ("dart", "walker.urdf"),
            ("mujoco", "gripper.xml"),
            ("gazebo", "cart.sdf"),
        ):
            if engine not in run("--version").out:
                continue
            with self.subTest(engine=engine):
                with open(os.path.join(SOURCE, "examples", "capture", name), encoding="utf-8") as f:
                    text = f.read()
                path = self.path("robot.txt")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                document = self.succeeds(
                    "capture", engine, path, "--steps", 2, "--out", self.path("o.h5"), "--json"
                ).json()
                self.assertEqual(document["steps"], 2)


class Numbers(Case):
    def test_whole_numbers_out_of_range_are_told_with_the_option(self):
        out = ["--out", self.path("o.h5")]
        for words, option in (
            (["simulate", "stack:1"], "--steps"),
            (["simulate", "stack:1"], "--save-at"),
            (["simulate", "stack:1"], "--max-iterations"),
            (["capture", "bullet", "stack:1", *out], "--steps"),
            (["report", self.folder], "--problem"),
            (["solvers"], "--seed"),
        ):
            for value in ["-3", "2.5", "x", "", "1e3"]:
                self.refuses(
                    *words, option, value, says=f"{option}: '{value}' is not a whole number >= 0"
                )

    def test_a_range_is_told(self):
        for words, option, lowest, highest in (
            (["simulate", "stack:1"], "--correct", 0, 100),
            (["simulate", "stack:1"], "--refine", 1, 20),
            (["verify"], "--refine", 1, 10),
            (["bench", "x", "--solvers", "all", "--out", "o"], "--repeat", 0, 10000),
            (["bench", "x", "--solvers", "all", "--out", "o"], "--jobs", 1, 1024),
            (["capture", "bullet", "stack:1", "--out", "o"], "--max-iterations", 1, 1000000),
            (["solvers"], "--threads", 1, 1024),
        ):
            for value in [lowest - 1, highest + 1, "many"]:
                self.refuses(
                    *words,
                    option,
                    value,
                    says=f"{option}: '{value}' is not a whole "
                    f"number from {lowest} to {highest}",
                )
        self.refuses(
            "simulate",
            "stack:1",
            "--hash-every",
            0,
            says="--hash-every: '0' is not a whole number >= 1",
        )
        self.refuses(
            "solve",
            "x",
            "--solver",
            "ncp/pgs",
            "--facets",
            2,
            says="--facets: '2' is not a whole number >= 3",
        )

    def test_a_number_too_large_is_not_taken_for_the_largest(self):
        self.refuses(
            "simulate",
            "stack:1",
            "--steps",
            "99999999999999999999",
            says=["--steps", "99999999999999999999"],
        )

    def test_a_number_is_decimal(self):
        document = self.succeeds("simulate", "stack:1", "--steps", "010", "--json").json()
        self.assertEqual(document["steps"], 10)


class Mistakes(Case):
    def test_an_unknown_option_is_named_before_a_missing_one(self):
        for command in COMMANDS:
            if command == "verify":
                continue
            self.refuses(command, "--nonsense", says="unknown option --nonsense")
            self.refuses(command, "--nonsense=3", says="unknown option --nonsense")
        self.refuses("verify", "--nonsense", says="unknown option --nonsense")
        self.refuses("--nonsense", says="unknown option --nonsense")
        self.refuses("solve", "-x", says="unknown option -x")
        self.refuses("solve", "x.h5", says="--solver is required")

    def test_a_near_name_is_proposed(self):
        self.refuses("simulate", "stack:1", "--step", "3", says="did you mean --steps?")
        self.refuses("solve", "x.h5", "--sovler", "all", says="did you mean --solver?")
        self.refuses("simulate", "stack:1", "--thread", "3", says="did you mean --threads?")

    def test_parse_errors_have_line_and_column(self):
        for name, content, words in (
            ("scene.json", '{"format": "perpend-scene",\n "name": oops}', [["scenes"]]),
            ("raw.json", '{"type": "lcp",\n "n": oops}', [["solve", "--solver", "all"]]),
            ("umlaut.json", '{"format": "perpend-scene", "name":\n "\u00fc",oops}', [["scenes"]]),
        ):
            path = self.path(name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
            column = content.splitlines()[1].index("oops") + 1
            for command, *more in words + [["info"]]:
                self.refuses(command, path, *more, says=f"{name}:2:{column}: ")
        self.refuses(
            "simulate", "stack:1", "--restore", self.path("raw.json"), says="raw.json:2:7: "
        )
        path = self.path("frames.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(frame()) + "\n# a note\n" + '{"step": oops}\n')
        answer = self.refuses("info", path, says="frames.jsonl:3:10: ")
        self.assertNotIn("line 1", answer.err)
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"step": 1e999}\n')
        self.refuses("info", path, says="frames.jsonl:1:")

    def test_verify_help_lists_the_cases(self):
        text = self.succeeds("verify", "--help").out
        known = run("verify", "nonsense").err.split("choose one of: ")[1].strip().split(", ")
        self.assertGreater(len(known), 5)
        for name in known:
            self.assertRegex(text, r"\n  " + name + r" +\S.*")


class Dash(Case):
    def test_standard_input_is_read_once(self):
        scene = self.succeeds("scenes", "stack:1").out
        done = piped(scene, "simulate", "-", "--restore", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("standard input can be read only once", done.stderr)

    def test_commands_that_need_a_named_file_say_so(self):
        self.refuses("repair", "-", says=["-", "give the name of a file"])
        self.refuses(
            "bench",
            "-",
            "--solvers",
            "all",
            "--out",
            self.path("o"),
            says="give the name of a file",
        )

    def test_help_says_where_it_is_taken(self):
        for command in ["solve", "simulate", "scenes", "capture", "info", "validate", "convert"]:
            self.assertIn("-: standard input", self.succeeds(command, "--help").out, command)

    def test_a_saved_state_goes_through_a_pipe(self):
        state = run("simulate", "stack:2", "--steps", 3, "--save", "-").out
        done = piped(state, "simulate", "stack:2", "--steps", 5, "--restore", "-", "--json")
        whole = self.succeeds("simulate", "stack:2", "--steps", 5, "--json").json()
        self.assertEqual(json.loads(done.stdout)["state_hash"], whole["state_hash"])


if __name__ == "__main__":
    unittest.main()
