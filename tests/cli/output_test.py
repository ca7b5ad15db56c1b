"""Where outputs go and where inputs come from: links, pipes, devices, standard streams; and what of
the text of others reaches a terminal."""

import csv
import json
import os
import re
import stat
import subprocess
import threading
import unittest

from program import PROGRAM, SHARED, Case, frame, run, sliding

WEDGE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

# To be followed by the file of an SVG.
PLOT = ["simulate", "stack:2", "--steps", "2", "--refine", "1", "--plot"]


def pipe_through(*arguments, given=b"", timeout=120):
    """The program with bytes on its standard input: exit code, stdout, stderr, as bytes."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], input=given, capture_output=True, timeout=timeout
    )
    return done.returncode, done.stdout, done.stderr


class Outputs(Case):
    # Every way to have a file written, with its ending.
    def writers(self):
        lines, solved = self.lines(frame()), self.standard(frame())
        return {
            ".jsonl": lambda out: ["convert", solved, out],
            ".h5": lambda out: ["convert", lines, out],
            ".fclib.h5": lambda out: ["convert", lines, out],
            "-solved.h5": lambda out: ["solve", solved, "--solver", "ncp/pgs", "--out", out],
            ".png": lambda out: ["simulate", "stack:2", "--steps", 2, "--at", 0, "--picture", out],
            ".svg": lambda out: [*PLOT, out],
            ".json": lambda out: ["simulate", "stack:2", "--steps", 2, "--save", out],
        }

    def test_links_stay_links_and_their_targets_get_the_content(self):
        os.mkdir(self.path("far"))
        for ending, writer in self.writers().items():
            link, target = self.path("link" + ending), self.path("far/target" + ending)
            os.symlink("far/target" + ending, link)
            for _ in range(2):  # a link that leads nowhere, then one that leads to a file
                answer = run(*writer(link))
                self.assertIn(answer.code, (0, 1), answer.err)
                self.assertTrue(os.path.islink(link), ending)
                self.assertTrue(stat.S_ISREG(os.lstat(target).st_mode), ending)
                self.assertGreater(os.path.getsize(target), 0)
        self.assertEqual(
            [n for n in os.listdir(self.path("far")) if not n.startswith("target")], []
        )
        self.assertEqual([n for n in os.listdir(self.folder) if ".new-" in n], [])

    def test_pipes_and_devices_are_written_into(self):
        for ending, writer in self.writers().items():
            pipe = self.path("pipe" + ending)
            os.mkfifo(pipe)
            if ending.endswith(".h5"):
                self.refuses(*writer(pipe), says="HDF5 cannot be written to pipes")
            else:
                heard = []
                reader = threading.Thread(target=lambda p=pipe: heard.append(self.bytes(p)))
                reader.start()
                self.succeeds(*writer(pipe))
                reader.join(60)
                self.assertGreater(len(heard[0]), 100, ending)
            self.assertTrue(stat.S_ISFIFO(os.lstat(pipe).st_mode), ending)
        self.succeeds(*PLOT, "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_a_recording_into_a_pipe_is_refused_before_any_work(self):
        os.mkfifo(self.path("pipe.h5"))
        for out in [self.path("pipe.h5"), "/dev/null", "-", "/dev/stdout"]:
            self.refuses("simulate", "stack:2", "--steps", 1000000, "--out", out, says="HDF5")
            self.refuses(
                "solve", self.lines(frame()), "--solver", "ncp/pgs", "--out", out, says="HDF5"
            )

    def test_a_descriptor_is_appended_to_never_replaced(self):
        out = self.path("out.svg")
        with open(out, "wb") as file:
            file.write(b"before\n")
            file.flush()
            done = subprocess.run(
                [PROGRAM, *PLOT, f"/dev/fd/{file.fileno()}"],
                pass_fds=[file.fileno()],
                capture_output=True,
                timeout=120,
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.bytes(out).startswith(b"before\n<svg"))

    def test_nothing_is_left_where_the_disk_is_full(self):
        self.refuses(*PLOT, "/dev/full", says="No space left")
        self.refuses("convert", self.standard(frame()), "/dev/full", says="No space left")

    def test_two_that_add_to_one_file_at_once_lose_nothing(self):
        file = self.standard(*[sliding(contacts=4) for _ in range(40)])
        solvers = ["ncp/pgs", "box/pgs", "ncp/nncg", "box/nncg"]
        started = [
            subprocess.Popen(
                [PROGRAM, "--quiet", "solve", file, "--solver", name, "--out", file],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            for name in solvers
        ]
        for process in started:
            _, said = process.communicate(timeout=120)
            self.assertIn(process.returncode, (0, 1), said)
        self.assertEqual(
            sorted(self.succeeds("info", file, "--json").json()["solutions"]), sorted(solvers)
        )

    def test_rights_follow_the_umask_or_the_file_that_was_there(self):
        out = self.path("out.svg")
        before = os.umask(0o027)
        try:
            self.succeeds(*PLOT, out)
        finally:
            os.umask(before)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o640)
        os.chmod(out, 0o604)
        self.succeeds(*PLOT, out)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o604)


class Inputs(Case):
    """No output replaces an input of its command, by whatever name."""

    KEPT = "is the input file; no output replaces an input"

    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", run("scenes", "stack:2").out)
        self.file = self.path("run.h5")
        self.succeeds("simulate", self.scene, "--steps", 2, "--out", self.file)

    def commands(self):
        """Every option that writes, by command: arguments before the output, and an input."""
        campaign = self.path("campaign")
        self.succeeds("bench", self.file, "--solvers", "ncp/pgs", "--out", campaign)
        merged = self.path("merged")
        self.succeeds("merge", campaign, "--out", merged)
        state, hand = self.path("state.json"), self.path("hand.json")
        self.write("hand.json", '{"format": "perpend-hand", "events": []}')
        run_two = ["simulate", self.scene, "--steps", 2]
        self.succeeds(*run_two, "--save", state)
        shown = self.path("shown.svg")
        os.link(self.scene, shown)
        model = self.write("ball.obj", WEDGE)
        return {
            ("simulate", "--out"): ([*run_two, "--out"], self.scene),
            ("simulate", "--save"): ([*run_two, "--restore", state, "--save"], state),
            ("simulate", "--picture"): ([*run_two, "--at", "0", "--picture"], shown),
            ("simulate", "--plot"): ([*run_two, "--refine", 1, "--plot"], shown),
            ("simulate", "--share"): ([*run_two, "--share"], self.scene),
            ("view", "--out"): (["view", self.scene, "--steps", 2, "--hand", hand, "--out"], hand),
            ("view", "--share"): (["view", self.file, "--share"], self.file),
            ("capture", "--out"): (["capture", "bullet", self.scene, "--out"], self.scene),
            ("import", "--out"): (["import", model, "--out"], model),
            ("doctor", "--page"): (["doctor", self.file, "--page"], self.file),
            ("forces", "--out"): (["forces", self.file, "--out"], self.file),
            ("convert", "OUT"): (["convert", self.file, "--to", "jsonl"], self.file),
            ("solve", "--out"): (
                ["solve", self.lines(frame()), "--solver", "ncp/pgs", "--out"],
                self.path("frames.jsonl"),
            ),
            ("merge", "--out"): (["merge", merged, "--out"], merged),
            ("forces", "--plot"): (["forces", self.linked(self.file, "f.svg"), "--plot"], "f.svg"),
            ("report", "--plot"): (["report", merged, "--plot"], None),
        }

    def linked(self, file, name):
        os.link(file, self.path(name))
        return self.path(name)

    def test_no_output_replaces_an_input(self):
        for (command, option), (words, given) in self.commands().items():
            if given is None:
                continue
            given = self.path(given)
            inside = os.path.join(given, "results.h5") if os.path.isdir(given) else given
            before = self.bytes(inside)
            with self.subTest(command=command, option=option):
                self.refuses(*words, given, says=self.KEPT)
                self.assertEqual(self.bytes(inside), before)

    def test_an_input_is_known_by_every_name(self):
        os.symlink("scene.json", self.path("a.png"))
        os.symlink(self.path("a.png"), self.path("b.png"))
        os.link(self.scene, self.path("c.png"))
        os.mkdir(self.path("d"))
        words = ["simulate", self.scene, "--steps", 2, "--at", "0", "--picture"]
        before = self.bytes(self.scene)
        for name in ["a.png", "b.png", "c.png", "./d/../a.png"]:
            self.refuses(*words, self.folder + "/" + name, says=self.KEPT)
        relative = run("simulate", "./d/../scene.json", "--steps", 2, "--out", "scene.json",
                       folder=self.folder)  # fmt: skip
        self.assertEqual((relative.code, self.KEPT in relative.err), (2, True), relative.err)
        with open(self.scene, "rb") as given:
            done = subprocess.run(
                [PROGRAM, "simulate", "-", "--steps", "2", "--save", self.scene],
                stdin=given,
                capture_output=True,
                text=True,
            )
        self.assertEqual((done.returncode, self.KEPT in done.stderr), (2, True), done.stderr)
        with open(self.lines(frame()), "ab") as end:  # a file that is read while it grows
            done = subprocess.run(
                [PROGRAM, "convert", self.path("frames.jsonl"), "-"],
                stdout=end,
                stderr=subprocess.PIPE,
                text=True,
                timeout=60,
            )
        self.assertEqual((done.returncode, self.KEPT in done.stderr), (2, True), done.stderr)
        self.assertEqual(self.bytes(self.scene), before)

    def test_a_page_in_a_folder_replaces_no_recording(self):
        index = self.linked(self.file, "index.html")
        self.refuses("doctor", index, "--out", self.folder, says=self.KEPT)

    def test_a_campaign_forgets_no_input(self):
        folder = self.path("campaign")
        os.mkdir(folder)
        given = self.linked(self.file, "campaign/results.h5")
        bench = ["bench", given, "--solvers", "ncp/pgs", "--out", folder, "--overwrite"]
        self.refuses(*bench, says=self.KEPT)
        self.succeeds("info", given)

    def test_what_a_model_names_is_an_input(self):
        self.write("ball.obj", WEDGE)
        robot = self.write(
            "robot.urdf",
            "<robot name='r'><link name='l'><collision><geometry><mesh filename='ball.obj'/>"
            "</geometry></collision></link></robot>",
        )
        self.refuses("import", robot, "--out", self.path("ball.obj"), says=self.KEPT)
        out = ["simulate", robot, "--quiet", "--steps", 1, "--out", self.path("ball.obj")]
        self.refuses(*out, says=self.KEPT)
        self.assertEqual(self.text(self.path("ball.obj")), WEDGE)
        self.assertNotIn("files", self.succeeds("import", robot, "--json").json())

    def test_the_recorders_themselves_replace_no_scene(self):
        recorder = os.path.join(os.path.dirname(PROGRAM), "perpend-capture-bullet")
        before = self.bytes(self.scene)
        done = subprocess.run(
            [recorder, self.scene, "--out", self.scene], capture_output=True, text=True
        )
        self.assertEqual((done.returncode, self.KEPT in done.stdout), (2, True), done.stdout)
        self.assertEqual(self.bytes(self.scene), before)

    def test_a_solution_is_added_to_its_recording(self):
        self.succeeds("solve", self.file, "--solver", "ncp/pgs", "--out", self.file)
        self.assertIn("ncp/pgs", self.succeeds("info", self.file, "--json").json()["solutions"])

    def test_every_option_that_names_a_file_is_known_here(self):
        reads = {"--hand", "--restore", "--control", "--mesh-path", "--plugin", "--impulses"}
        writes = {"--out", "--page", "--plot", "--picture", "--animate", "--share", "--save"}
        for command in re.findall(r"^  ([a-z-]+) {2,}", run("--help").out, re.M):
            text = run(command, "--help").out
            for option, kind in re.findall(r"(--[a-z-]+)[^\n]*? ((?:FILE|DIR|SCENE\.)[^ ]*)", text):
                self.assertIn(option, reads | writes, f"{command} {kind}")


class StandardStreams(Case):
    def test_standard_input_is_a_file_of_any_kind(self):
        for file in [self.lines(frame(), sliding()), self.standard(frame(), sliding())]:
            given = self.bytes(file)
            for command in [
                ["info", "-"],
                ["validate", "-"],
                ["solve", "-", "--solver", "ncp/pgs"],
                ["convert", "-", self.path("out.jsonl")],
            ]:
                code, _, said = pipe_through(*command, given=given)
                self.assertEqual(code, 0, said)
            self.assertEqual(len(self.text(self.path("out.jsonl")).splitlines()), 2)
        raw = self.raw(type="lcp", n=1, A=[[0, 0, 1]], b=[-1])
        self.assertEqual(
            pipe_through("solve", "-", "--solver", "lcp/lemke", given=self.bytes(raw))[0], 0
        )
        scene = pipe_through("scenes", "stack:2")[1]
        self.assertEqual(pipe_through("scenes", "-", given=scene)[1], scene)
        self.assertEqual(pipe_through("simulate", "-", "--steps", 2, given=scene)[0], 0)

    def test_a_saved_state_comes_from_standard_input(self):
        code, state, said = pipe_through("simulate", "stack:2", "--steps", 2, "--save", "-")
        self.assertEqual(code, 0, said)
        self.assertEqual(json.loads(state)["step"], 2)
        self.assertIn(b"state hash", said)
        code, out, said = pipe_through(
            "simulate", "stack:2", "--steps", 3, "--restore", "-", given=state
        )
        self.assertEqual(code, 0, said)
        self.assertIn(b"restored at 2", out)

    def test_standard_output_carries_the_text_alone(self):
        file = self.standard(frame(), sliding())
        code, out, _ = pipe_through("convert", file, "-")
        self.assertEqual(code, 0)
        self.assertEqual([json.loads(line)["step"] for line in out.splitlines()], [0.01, 0.01])
        for place in ["-", "/dev/stdout"]:
            code, out, said = pipe_through(*PLOT, place, "--json")
            self.assertEqual(code, 0, said)
            self.assertTrue(out.startswith(b"<svg"), out[:80])
            self.assertTrue(out.rstrip().endswith(b"</svg>"), out[-80:])
            self.assertEqual(json.loads(said)["scene"], "stack:2")
        self.refuses(
            "simulate", "stack:2", "--steps", 2, "--picture", "-", "--save", "-", says="only one"
        )

    def test_hdf5_is_not_written_to_it(self):
        self.refuses("convert", self.lines(frame()), "-", "--to", "standard", says="HDF5")

    def test_what_is_wrong_in_it_is_told_about_it(self):
        for given in [b"nonsense", b"", b"{}", b"\x89HDF\r\n\x1a\n" + b"0" * 500]:
            code, out, said = pipe_through("solve", "-", "--solver", "ncp/pgs", given=given)
            self.assertEqual((code, out), (2, b""), said)
            self.assertTrue(said.startswith(b"perpend: standard input:"), said)
            self.assertEqual(said.count(b"\n"), 1)
            self.assertNotIn(b"/tmp", said)

    def test_nothing_stays_in_the_temporary_folder(self):
        os.mkdir(self.path("tmp"))
        done = subprocess.run(
            [PROGRAM, "info", "-"],
            input=self.bytes(self.standard(frame())),
            capture_output=True,
            timeout=60,
            env=dict(os.environ, TMPDIR=self.path("tmp")),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(os.listdir(self.path("tmp")), [])


class TooLarge(Case):
    def hole(self, name, beginning=b'{"step": 0.01'):
        """A file of 2 GiB that takes no room."""
        with open(self.path(name), "wb") as file:
            file.write(beginning)
            file.truncate(2 << 30)
        return self.path(name)

    def test_texts_of_two_gigabytes_are_refused_by_their_size(self):
        file = self.hole("large.json")
        for command in [
            ["info"],
            ["validate"],
            ["solve", "--solver", "ncp/pgs"],
            ["simulate"],
            ["simulate", "stack:2", "--restore"],
        ]:
            self.refuses(*command, file, says="2048 MiB")
        self.refuses("convert", file, self.path("out.h5"), says="2048 MiB")

    def test_a_pipe_or_a_device_is_no_input(self):
        os.mkfifo(self.path("pipe"))
        for path, what in [
            (self.path("pipe"), "a pipe"),
            ("/dev/zero", "a device"),
            (self.folder, "directory"),
        ]:
            for command in [
                ["info"],
                ["validate"],
                ["validate", "--rerun"],
                ["solve", "--solver", "ncp/pgs"],
                ["simulate"],
                ["simulate", "stack:2", "--restore"],
            ]:
                self.refuses(*command, path, says=what)
            self.refuses("convert", path, self.path("out.h5"), says=what)
            for command in ["repair", "report", "check-solver"]:
                self.refuses(command, path, says=path)
            self.refuses("compare", path, path, says=path)
            self.refuses("merge", path, "--out", self.path("merged"), says=path)
            self.refuses("bench", path, "--solvers", "ncp/pgs", "--out", self.path("b"), says=what)


HOSTILE = "\x1b]0;owned\x07\x1b[31m\x9b\x7f\u202eevil\nsecond\r<img src=x>|`"


class Escapes(Case):
    def assert_harmless(self, said):
        for letter in said.decode("utf-8"):
            code = ord(letter)
            self.assertFalse(
                (code < 32 and letter != "\n") or 127 <= code < 160 or code in (0x202E, 0x2066),
                repr(said),
            )

    def everything_said(self, *arguments, given=b""):
        code, out, said = pipe_through(*arguments, given=given)
        self.assert_harmless(out)
        self.assert_harmless(said)
        return code, out, said

    def test_names_in_files_do_not_reach_the_terminal_as_they_are(self):
        lines = self.lines(frame(name=HOSTILE), frame(name="plain"))
        standard = self.path("out.h5")
        self.succeeds("convert", lines, standard)
        for file in [lines, standard]:
            for command in [["info"], ["validate"], ["--verbose", "solve", "--solver", "ncp/pgs"]]:
                for more in [[], ["--json"]]:
                    code, out, said = self.everything_said(*command, file, *more)
                    self.assertIn(code, (0, 1), said)
        # JSON keeps the text, exactly.
        answer = self.everything_said("info", lines, "--json")[1]
        self.assertEqual(json.loads(answer)["names"], [HOSTILE, "plain"])
        # A row is a row.
        table = self.everything_said("solve", lines, "--solver", "ncp/pgs")[1].decode().splitlines()
        self.assertEqual(len(table), 3, table)
        self.assertIn("\\x1b]0;owned", "\n".join(table))

    def test_a_name_is_no_formula_of_a_spreadsheet(self):
        scene = json.loads(self.succeeds("scenes", "stack:2").out)
        scene["bodies"][1]["name"], scene["bodies"][2]["name"] = '=cmd|"/c calc"!A0', "@b"
        path, run_file = self.write("scene.json", json.dumps(scene)), self.path("run.h5")
        self.succeeds("simulate", path, "--steps", 2, "--out", run_file)
        self.succeeds("forces", run_file, "--out", self.path("forces.csv"))
        with open(self.path("forces.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        cells = {cell for row in rows for cell in row if cell and cell[0] in "=+-@"}
        self.assertTrue(cells)  # numbers
        for cell in cells:
            float(cell)
        self.assertTrue(any("'=cmd" in cell for row in rows for cell in row))

    def test_every_page_says_what_it_may_do_and_quotes_no_markup(self):
        bad = "<img src=x onerror=alert(1)>"
        lines, out = self.standard(frame()), self.path("bench")
        self.succeeds("simulate", "stack:1", "--steps", 2, "--out", self.path("run.h5"))
        self.succeeds(
            "bench", lines, "--solvers", "ncp/nncg", "--repeat", 0, "--out", out, "--title", bad
        )
        self.succeeds("doctor", self.path("run.h5"), "--page", self.path("doctor.html"))
        pages = [os.path.join(out, "report.html"), self.path("doctor.html")]
        for name, command in (
            ("share.html", ["simulate", "stack:1", "--steps", 2, "--share"]),
            ("playground.html", ["playground"]),
        ):
            answer = run(*command, self.path(name))
            if answer.code == 0:  # else this program makes no such pages
                pages.append(self.path(name))
        for page in pages:
            head = self.text(page).split("<title>")[0]
            self.assertIn("Content-Security-Policy\" content=\"default-src 'none'; ", head, page)
        self.assertNotIn(bad, self.text(os.path.join(out, "report.md")))
        self.assertNotIn(bad, self.text(os.path.join(out, "report.html")))

    def test_a_file_made_to_do_harm(self):
        file = os.path.join(SHARED, "data", "hostile", "escape.h5")
        if not os.path.exists(file):
            self.skipTest("no ../shared/data/hostile/escape.h5")
        for command in [
            ["info"],
            ["validate"],
            ["validate", "--rerun"],
            ["--verbose", "solve", "--solver", "ncp/pgs"],
        ]:
            self.everything_said(*command, file)

    def test_scenes_solutions_and_file_names(self):
        code, out, _ = pipe_through("scenes", "stack:2")
        scene = json.loads(out)
        scene["name"] = scene["title"] = HOSTILE
        path = self.path("a\x1b[31m\nb.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene, file)
        for command in [
            ["info"],
            ["validate"],
            ["scenes"],
            ["simulate", "--steps", "2"],
            ["simulate", "--steps", "2", "--refine", "1"],
            ["simulate", "--steps", "2", "--json"],
            ["capture", "bullet", "--steps", "2", "--out", self.path("c.h5")],
        ]:
            code, _, said = self.everything_said(*command, path)
            self.assertEqual(code, 0, said)
        self.everything_said("info", self.path("c.h5"))
        self.everything_said("validate", "--rerun", self.path("c.h5"))
        code, out, _ = self.everything_said("scenes", path)
        self.assertEqual(json.loads(out)["title"], HOSTILE)
        for bad in ["no\x1b[2Jfile.h5", b"no\xff\x9bfile.h5", "-\x1b[2J"]:
            for command in ["info", "solve", "repair", "report", "simulate", "check-solver"]:
                code, _, said = self.everything_said(command, bad)
                self.assertEqual(code, 2)
                self.assertEqual(said.count(b"\n"), 1, said)
        self.everything_said("solve", path, "--solver", "\x1b[2J")
        self.everything_said("\x1b[2J")

    def test_a_report_shows_names_as_they_are(self):
        lines = self.lines(frame(name=HOSTILE), sliding(name="</script><script>alert(1)</script>"))
        out = self.path("results")
        code, _, said = self.everything_said(
            "bench",
            lines,
            "--solvers",
            "ncp/pgs,box/pgs",
            "--repeat",
            "0",
            "--title",
            "<img src=x onerror=alert(1)> `" + HOSTILE,
            "--out",
            out,
        )
        self.assertEqual(code, 0, said)
        self.everything_said("report", out)
        self.everything_said("compare", out, out)
        text = self.text(out + "/report.md")
        for line in text.splitlines():
            if not line.startswith("- `` perpend bench"):  # within backticks all is text
                self.assertNotIn("<img", line)
        self.assertIn("&lt;img src=x onerror=alert(1)&gt; \\`", text.splitlines()[0])
        self.assert_harmless(text.encode())
        if os.path.exists(out + "/report.html"):
            page = self.text(out + "/report.html")
            self.assertNotIn("<img src=x", page)
            self.assertNotIn("<script>alert", page)


if __name__ == "__main__":
    unittest.main()
