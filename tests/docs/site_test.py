"""The site: it loads nothing from elsewhere, its links lead somewhere, and everything the program has
a name for can be found in it."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

sys.dont_write_bytecode = True
ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))
PROGRAM = os.environ["PERPEND"]
NEEDED = ("mkdocs", "doxygen")
SITE = ROOT / "build" / "site" / "html"
EXTERNAL = re.compile(r"\s*(?:https?:)?//([^/\s]*)", re.I)
# Where a reader may go by a click.
LINKED = {"keepachangelog.com", "semver.org", "www.doxygen.org"}


class Page(HTMLParser):
    """What a page loads, where it leads, and every address of elsewhere in it."""

    def __init__(self, text):
        super().__init__()
        self.loads, self.leads, self.text, self.external = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag in ("script", "img", "iframe", "source") and attributes.get("src"):
            self.loads.append(attributes["src"])
        if tag == "link":
            self.loads.append(attributes.get("href", ""))
        if tag == "a" and attributes.get("href"):
            self.leads.append(attributes["href"])
        for name, value in attrs:
            host = EXTERNAL.match(value or "")
            if host and not name.startswith("xmlns") and not (tag == "a" and host[1] in LINKED):
                self.external.append(f"<{tag} {name}={value}>")

    def handle_data(self, data):
        self.text.append(data)


def fields(document):
    """The names in a JSON document, of objects within objects as well. Names of solvers and methods
    that something is counted by (`paths`) are data."""
    if isinstance(document, list):
        return set().union(*map(fields, document))
    if not isinstance(document, dict):
        return set()
    found = set(document)
    for name, value in document.items():
        if name not in ("paths", "work", "answered", "answered_by"):
            found |= fields(value)
    return found


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
        # Words as the program writes them: --max-iterations, ncp/pgs-sm, stack:N, max_penetration.
        text = " ".join(
            "".join(page.text) for path, page in cls.pages.items() if path.name != "play.html"
        )
        cls.words = set(re.findall(r"[\w:/-]*\w", text)) | set(re.findall(r"\w+", text))

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
            self.assertEqual(page.external, [], path)
        for path in SITE.rglob("*.css"):
            self.assertNotRegex(
                path.read_text(encoding="utf-8"), r"(url\(|@import)\s*['\"]?(https?:)?//", path
            )
        # Scripts name the homes of their authors in comments; none may fetch from a server.
        for path in SITE.rglob("*.js"):
            self.assertNotRegex(
                path.read_text(encoding="utf-8"),
                r"unpkg\.com|api\.github\.com|jsdelivr|cdnjs|googleapis|gstatic",
                path,
            )

    def test_links_lead_somewhere(self):
        for path, page in self.pages.items():
            for address in page.leads + page.loads:
                name = unquote(address.split("#")[0].split("?")[0])
                if re.match(r"[a-z]+:", address) or not name or path.name == "404.html":
                    continue
                self.assertTrue((path.parent / name).exists(), f"{path}: {address}")

    def test_has_the_playground(self):
        made = os.path.join(tempfile.mkdtemp(), "play.html")
        done = subprocess.run(
            [PROGRAM, "playground", made, "--quiet"], capture_output=True, text=True
        )
        self.assertEqual(done.returncode == 0, (SITE / "play.html").exists(), done.stderr)
        if done.returncode != 0:
            self.skipTest(done.stderr.strip())
        self.assertIn("play.html", self.pages[SITE / "playground.html"].leads)
        self.assertEqual((SITE / "play.html").read_bytes(), Path(made).read_bytes())

    def has(self, names):
        """Every name is a word of the site."""
        names = sorted(names)
        self.assertEqual([name for name in names if name not in self.words], [])

    def json(self, *arguments):
        return json.loads(self.said(*arguments, "--json"))

    def test_has_every_command_and_option(self):
        help_text = self.said("--help")
        commands = re.findall(r"^  ([a-z-]+) {2,}\S", help_text.split("Subcommands:")[1], re.M)
        self.assertGreater(len(commands), 10)
        options = {
            option
            for command in commands
            for option in re.findall(r"--[a-z][a-z-]+", self.said(command, "--help"))
        }
        self.assertGreater(len(options), 50)
        self.has({*commands, *options})

    def test_has_every_solver_scene_measure_and_case(self):
        solvers = self.json("solvers")["solvers"]
        self.assertGreater(len(solvers), 35)
        self.has({solver["name"] for solver in solvers})
        for solver in solvers:
            for option in solver["options"]:
                self.has({option["name"], *option.get("choices", ())})
        self.has({scene["name"] for scene in self.json("scenes")["scenes"]})
        measures = re.search(r"--error NAME .*\[own_error\]: (.*)", self.said("solve", "--help"))
        self.has(measures.group(1).split(", "))
        cases = re.search(r"^Cases:\n(.*?)\n\n", self.said("verify", "--help"), re.M | re.S)
        self.has(re.findall(r"^  ([a-z-]+) ", cases.group(1), re.M))

    def test_has_every_field_that_the_program_prints(self):
        frames = str(ROOT / "examples" / "frames" / "single_contact.jsonl")
        with tempfile.TemporaryDirectory() as folder:
            recording = os.path.join(folder, "run.h5")
            run = self.json("simulate", "stack:3", "--steps", "2", "--out", recording)
            out = os.path.join(folder, "out")
            printed = [
                run,
                self.json("solve", recording, "--solver", "ncp/auto,box/pgs"),
                self.json("info", recording),
                self.json("validate", recording),
                self.json("solvers"),
                self.json("scenes"),
                self.json("verify", "projectile", "--refine", "1"),
                self.json("bench", frames, "--solvers", "ncp/pgs,ncp/nncg", "--out", out),
                json.loads(Path(out, "results.json").read_text(encoding="utf-8")),
                self.json("compare", out, out),
                self.json("report", out),
                self.json("merge", out, "--out", os.path.join(folder, "merged")),
                self.json("validate", "--rerun", recording),
                self.json("repair", recording),
                self.json("convert", recording, os.path.join(folder, "run.jsonl")),
                self.json("simulate", "stack:3", "--steps", "2", "--refine", "2"),
                self.json("check-solver", "ncp/nncg"),
                json.loads(self.said("scenes", "ragdolls")),
            ]
            if "bullet" in re.search(r"^recorders: (.*)$", self.said("--version"), re.M)[1]:
                recorded = os.path.join(folder, "bullet.h5")
                printed.append(
                    self.json("capture", "bullet", "stack:3", "--steps", "2", "--out", recorded)
                )
        self.has(fields(printed))


if __name__ == "__main__":
    unittest.main()
