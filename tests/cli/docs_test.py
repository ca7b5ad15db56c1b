"""The examples of the documents, run and compared; numbers may differ, words may not."""

import os
import re
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


def recorders():
    """The engines that this build can record."""
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^recorders: (.*)$", said, re.M).group(1).split(", ")


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


if __name__ == "__main__":
    unittest.main()
