"""The site: it loads nothing from elsewhere, its links lead somewhere, and everything the program has
a name for can be found in it."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
PROGRAM = os.environ["PERPEND"]
NEEDED = ("mkdocs", "doxygen")
SITE = ROOT / "build" / "site" / "html"


class Page(HTMLParser):
    """What a page loads, and where it leads."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.leads, self.text = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in ("script", "img", "iframe", "source") and attributes.get("src"):
            self.loads.append(attributes["src"])
        if tag == "link" and attributes.get("rel") in (
            "stylesheet",
            "icon",
            "preload",
            "preconnect",
        ):
            self.loads.append(attributes.get("href", ""))
        if tag == "a" and attributes.get("href"):
            self.leads.append(attributes["href"])

    def handle_data(self, data):
        self.text.append(data)


@unittest.skipUnless(
    all(shutil.which(name) for name in NEEDED) and Path("/usr/share/javascript/katex").exists(),
    "mkdocs, Doxygen or KaTeX is not installed: scripts/site.sh installs them",
)
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([ROOT / "scripts" / "site.sh", "--program", PROGRAM], check=True, cwd=ROOT)
        cls.pages = {
            path: Page(path.read_text(encoding="utf-8"))
            for path in SITE.rglob("*.html")
            if "headers" not in path.parts
        }
        cls.text = "".join("".join(page.text) for page in cls.pages.values())

    def said(self, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], check=True, capture_output=True, text=True
        ).stdout

    def test_loads_nothing_from_elsewhere(self):
        everything = {
            **self.pages,
            **{
                path: Page(path.read_text(encoding="utf-8", errors="replace"))
                for path in (SITE / "headers").rglob("*.html")
            },
        }
        self.assertGreater(len(everything), 50)
        for path, page in everything.items():
            for address in page.loads:
                self.assertNotRegex(address, r"^(https?:)?//", path)
        for path in SITE.rglob("*.css"):
            self.assertNotRegex(
                path.read_text(encoding="utf-8"), r"(url\(|@import)\s*['\"]?(https?:)?//", path
            )

    def test_links_lead_somewhere(self):
        for path, page in self.pages.items():
            for address in page.leads + page.loads:
                name = unquote(address.split("#")[0].split("?")[0])
                if re.match(r"[a-z]+:", address) or not name or path.name == "404.html":
                    continue
                self.assertTrue((path.parent / name).exists(), f"{path}: {address}")

    def test_has_every_command_and_option(self):
        help_text = self.said("--help")
        commands = re.findall(r"^  ([a-z-]+) {2,}\S", help_text.split("Subcommands:")[1], re.M)
        self.assertGreater(len(commands), 10)
        for command in commands:
            self.assertTrue(command in self.text, command)
            for option in re.findall(r"--[a-z][a-z-]+", self.said(command, "--help")):
                self.assertTrue(option in self.text, f"{command} {option}")

    def test_has_every_solver_scene_and_measure(self):
        for solver in json.loads(self.said("solvers", "--json"))["solvers"]:
            self.assertTrue(solver["name"] in self.text, solver["name"])
            for option in solver["options"]:
                self.assertTrue(option["name"] in self.text, solver["name"])
        for scene in json.loads(self.said("scenes", "--json"))["scenes"]:
            self.assertTrue(scene["name"] in self.text, scene["name"])
        measures = re.search(r"--error NAME .*\[own_error\]: (.*)", self.said("solve", "--help"))
        for measure in measures.group(1).split(", "):
            self.assertTrue(measure in self.text, measure)

    def test_has_every_field_that_a_run_prints(self):
        printed = json.loads(self.said("simulate", "stack:3", "--steps", "2", "--json"))
        missing = [field for field in printed if field not in self.text]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
