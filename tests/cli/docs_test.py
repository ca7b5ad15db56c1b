"""The examples of docs/cli.md, run and compared; numbers may differ, words may not."""

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


class Documentation(Case):
    def test_every_example_prints_what_the_page_shows(self):
        os.symlink(os.path.join(SOURCE, "examples"), self.path("examples"))
        environment = dict(os.environ)
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        shown = examples(self.text(os.path.join(SOURCE, "docs", "cli.md")))
        self.assertGreater(len(shown), 10)
        for command, printed in shown:
            if command.startswith("cat "):
                with open(self.path(command[4:]), "w", encoding="utf-8") as file:
                    file.write(printed)
                continue
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  check=False)
            self.assertEqual(words(done.stdout), words(printed), command)


if __name__ == "__main__":
    unittest.main()
