"""The examples of the documents, run and compared; numbers may differ, words may not. The commands of
the README are run; those of all documents have the options that they name."""

import glob
import json
import os
import re
import shlex
import subprocess
import unittest

from program import PROGRAM, SOURCE, Case


def examples(text):
    """(command, what it printed) of every shell block, in order."""
    found = []
    for block in re.findall(r"^```\n(\$ .*?)^```$", text, re.S | re.M):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed))
    return found


def words(text):
    """The text without its numbers, dates and column widths."""
    text = re.sub(r"commit [0-9a-f]{12}( with local changes)?|commit unknown", "commit #", text)
    text = re.sub(r"state hash\s+[0-9a-f]{16}", "state hash #", text)
    text = re.sub(r"[-+]?\d[\d.:TZ-]*(e[-+]?\d+)?", "#", text)
    return [re.sub(r"\s+", " ", line).strip() for line in text.strip().splitlines()]


def version():
    return subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout


def recorders():
    """The engines that this build can record."""
    return re.search(r"^recorders: (.*)$", version(), re.M).group(1).split(", ")


def shares():
    """Whether this build writes pages to share."""
    return "pages to share: yes" in version()


class Documentation(Case):
    def follow(self, page, least):
        """Runs the examples of a page, in order, in one folder."""
        os.symlink(os.path.join(SOURCE, "examples"), self.path("examples"))
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        shown = examples(self.text(os.path.join(SOURCE, "docs", page)))
        self.assertGreaterEqual(len(shown), least)
        for command, printed in shown:
            if command.startswith("cat "):
                with open(self.path(command[4:]), "w", encoding="utf-8") as file:
                    file.write(printed)
                continue
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=self.folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            self.assertEqual(words(done.stdout), words(printed), command)

    def test_command_line(self):
        self.follow("cli.md", 10)

    def test_tutorial_for_bullet(self):
        self.follow("tutorials/bullet.md", 2)

    def test_tutorial_for_solvers(self):
        self.follow("tutorials/solvers.md", 2)

    def test_tutorial_for_robots(self):
        if "mujoco" not in recorders():
            self.skipTest("the recorder of MuJoCo is not built")
        self.follow("tutorials/robots.md", 2)

    def test_tutorial_for_teaching(self):
        self.follow("tutorials/teaching.md", 2)

    def runs(self, *command):
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
        return done.stdout

    def blocks(self, page, kind):
        text = self.text(os.path.join(SOURCE, "docs", page))
        return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.S | re.M)

    def test_commands_of_scene_snapshot_and_fclib(self):
        self.succeeds("simulate", "stack:3", "--steps", 20, "--out", self.path("recording.h5"))
        for page in ("scene.md", "snapshot.md", "fclib.md"):
            for block in self.blocks(page, "sh"):
                self.runs("bash", "-e", "-c", block)

    def test_python_reads_contact_forces_and_results(self):
        python = "/usr/bin/python3"
        if subprocess.run(
            [python, "-c", "import h5py"], capture_output=True, check=False
        ).returncode:
            self.skipTest("h5py is not installed")
        box = {"shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "mass": 3}
        scene = {
            "format": "perpend-scene",
            "name": "a box of 3 kg",
            "bodies": [
                {"id": 0, "shape": {"type": "plane"}},
                {"id": 1, **box, "position": [0, 0, 0.5]},
            ],
        }
        path = self.write("box.json", json.dumps(scene))
        self.succeeds("simulate", path, "--steps", 20, "--out", self.path("run.h5"))
        printed = self.runs(python, "-c", self.blocks("capture.md", "python")[0])
        x, y, z = map(float, printed.strip("[]\n").split())
        for force, expected in ((x, 0), (y, 0), (z, 29.43)):
            self.assertAlmostEqual(force, expected, places=6)
        frames = os.path.join(SOURCE, "examples", "frames", "single_contact.jsonl")
        self.succeeds("bench", frames, "--solvers", "ncp/pgs", "--out", self.path("results"))
        read = self.blocks("results.md", "python")[0] + "assert len(seconds) == len(solver) > 20"
        self.runs(python, "-c", read)


# A command in a document: up to a pipe, a redirection, a comment or the end of `code`.
COMMAND = re.compile(
    r"(?<![\w./:-])perpend (?:--quiet )?([a-z][a-z-]+)(?!\w)((?:\\\n|[^\n`|;&>#])*)"
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def code(text):
    """What is in blocks of code and in `code`, without JSON and programs."""
    blocks = re.findall(r"^```(?:sh)?\n(.*?)^```$", text, re.S | re.M)
    rest = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    return "\n".join(blocks + re.findall(r"`([^`\n]+)`", rest))


def wrong_commands(text, options):
    """Commands and options in a document that the program does not have."""
    wrong = []
    for match in COMMAND.finditer(code(text)):
        name = match[1]
        if name not in options:
            wrong.append(match[0])
            continue
        wrong += [
            f"{name} {option}" for option in OPTION.findall(match[2]) if option not in options[name]
        ]
    return wrong


class Commands(Case):
    # What is put for the names in the README's list, and what makes a command short.
    NAMES = {
        "ENGINE": "bullet",
        "FILE...": "run.h5",
        "FILE": "run.h5",
        "FILE.h5": "run.h5",
        "MODEL.xml": os.path.join(SOURCE, "examples", "capture", "gripper.xml"),
        "ROBOT.urdf": os.path.join(SOURCE, "examples", "robots", "arm.urdf"),
        "SERVOS.json": os.path.join(SOURCE, "examples", "robots", "arm.control.json"),
        "DIR": "out",
        "NAME": "ncp/my-method",
    }
    SHORT = {
        "simulate": "--steps 3",
        "capture": "--steps 3",
        "solve": "--frames 0",
        "bench": "--frames 0 --time-limit 0.5 --repeat 0",
        "verify": "projectile --refine 1",
        "view": "--steps 3",
        "convert": "run.jsonl",
    }

    def options(self):
        """{command: its options}, from --help."""
        told = self.succeeds("--help").out
        names = re.findall(r"^  ([a-z-]+) {2,}\S", told.split("Subcommands:")[1], re.M)
        return {
            name: set(OPTION.findall(told + self.succeeds(name, "--help").out)) for name in names
        }

    def test_of_the_documents_have_their_options(self):
        options = self.options()
        pages = [os.path.join(SOURCE, name) for name in ("README.md", "CONTRIBUTING.md")]
        pages += glob.glob(os.path.join(SOURCE, "docs", "**", "*.md"), recursive=True)
        self.assertGreater(len(pages), 30)
        found = 0
        for page in pages:
            text = self.text(page)
            found += len(COMMAND.findall(code(text)))
            self.assertEqual(wrong_commands(text, options), [], page)
        self.assertGreater(found, 100)

    def test_that_do_not_exist_are_found(self):
        options = {"solve": {"--solver"}}
        text = "`perpend solve x --solver y | perpend solv z`\n```\n$ perpend solve \\\n --slover y\n```\n"
        self.assertEqual(wrong_commands(text, options), ["solve --slover", "perpend solv z"])

    def test_of_the_readme_run(self):
        block = re.search(
            r"^## The command line\n\n```\n(.*?)^```",
            self.text(os.path.join(SOURCE, "README.md")),
            re.S | re.M,
        )
        commands, options = [], self.options()
        for line in block[1].splitlines():
            shown = re.split(r" {2,}", line)[0]
            if "your_program" in shown or ("MODEL.xml" in shown and "mujoco" not in recorders()):
                continue
            if " view " in shown and "view" not in options:  # built without Boost
                continue
            if "--share" in shown and not shares():  # built without emscripten
                continue
            several = re.fullmatch(r"perpend ((?:[a-z]+, )+[a-z]+) (\S+)", shown)
            if several and shown.count("perpend") == 1:
                commands += [f"perpend {name} {several[2]}" for name in several[1].split(", ")]
            else:
                commands += shown.split(", ")
        self.assertGreater(len(commands), 13)
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        for command in commands:
            words = [self.NAMES.get(word, word) for word in shlex.split(command)]
            if "--share" not in words:
                words += self.SHORT.get(words[1], "").split()
            done = subprocess.run(
                words,
                cwd=self.folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            if "built without emscripten" in done.stderr:
                continue
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
