"""The papers again as a user types it: the page and its files, verdicts that turn, wrong usage,
Ctrl-C."""

import csv
import glob
import html.parser
import os
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as xml

from kills import PATIENCE, alive, built
from program import PROGRAM, Case, run

VERDICTS = {"agrees", "differs", "cannot be compared"}


class Page(html.parser.HTMLParser):
    """Counts what is opened and closed, and collects links and ids."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.ids, self.plots = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        self.plots += tag == "svg"
        if tag not in ("meta", "rect", "line", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_startendtag(self, tag, attrs):
        pass


class Reproduce(Case):
    def test_the_folder_has_page_plots_and_tables_that_can_be_read(self):
        folder = self.path("papers")
        done = self.succeeds("reproduce", "simple-lcp", "growth", "--quick", "--out", folder)
        self.assertIn("claims:", done.out)
        self.assertIn("index.html", done.out)
        files = os.listdir(folder)
        for name in ["index.html", "index.md", "simple-lcp.svg", "simple-lcp.csv", "growth.csv"]:
            self.assertIn(name, files)
        page = Page(self.text(os.path.join(folder, "index.html")))
        self.assertEqual(page.open, [])
        self.assertEqual(page.plots, 2)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
            else:
                self.assertIn(link, files)
        for name in files:
            path = os.path.join(folder, name)
            if name.endswith(".svg"):
                root = xml.fromstring(self.text(path))
                self.assertTrue(root.tag.endswith("svg"))
            if name.endswith(".csv"):
                with open(path, newline="", encoding="utf-8") as file:
                    rows = list(csv.reader(file))
                self.assertGreater(len(rows), 1, name)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])}, name)

    def test_the_document_has_both_values_and_the_verdict(self):
        document = self.succeeds("reproduce", "configurations", "--quick", "--json").json()
        self.assertEqual(document["format_version"], 1)
        claims = document["experiments"][0]["claims"]
        self.assertEqual(len(claims), 28)
        for claim in claims:
            self.assertIn(claim["verdict"], VERDICTS)
            within = claim["paper_lowest"] <= claim["ours"] <= claim["paper_highest"]
            if claim["verdict"] == "cannot be compared":
                self.assertIn("The paper does not tell", claim["reason"])
            else:
                self.assertEqual(claim["verdict"], "agrees" if within else "differs")
        rows = {c["quantity"]: c for c in claims if c["where"] == "Table 1 (c)"}
        self.assertEqual(rows["stack: constraints (rows of A)"]["ours"], 156)
        total = document["agrees"] + document["differs"] + document["cannot_be_compared"]
        self.assertEqual(total, len(claims))

    def test_any_number_of_threads_writes_the_same_page(self):
        pages = []
        for threads in ["1", "3"]:
            folder = self.path("papers" + threads)
            self.succeeds(
                "reproduce", "simple-lcp", "--quick", "--threads", threads, "--out", folder
            )
            pages.append(self.text(os.path.join(folder, "index.html")))
        self.assertEqual(pages[0], pages[1])

    def test_a_verdict_turns_with_the_solver(self):
        def verdicts(*more):
            document = self.succeeds("reproduce", "simple-lcp", "--quick", "--json", *more).json()
            return {c["quantity"]: c["verdict"] for c in document["experiments"][0]["claims"]}

        honest = verdicts()
        other = verdicts("--replace", "normal/simple=normal/pcg")
        self.assertEqual(honest["iterations, median over scenes"], "agrees")
        self.assertEqual(honest["iterations, the most over scenes"], "differs")
        self.assertNotEqual(honest, other)

    def test_the_list_names_paper_and_figure(self):
        table = self.succeeds("reproduce", "--list").out
        self.assertRegex(table, r"(?m)^nncg-convergence +Silcowitz-Hansen et al. 2010 +Figs. 5, 6")
        document = self.succeeds("reproduce", "--list", "--json").json()
        names = [one["name"] for one in document["experiments"]]
        self.assertIn("simple-lcp", names)
        self.assertEqual(len(names), len(set(names)))
        for one in document["experiments"]:
            self.assertRegex(one["paper"], r" (20\d\d)")
            self.assertRegex(one["figure"], r"Fig|Table|Section")


class ReproduceUsage(Case):
    def test_wrong_usage_is_one_line(self):
        for arguments, word in [
            (("reproduce", "fig-99"), "nncg-convergence"),
            (("reproduce", "growth", "--replace", "box/nncg"), "NAME=OTHER"),
            (("reproduce", "growth", "--replace", "box/nncg=box/none"), "box/none"),
            (("reproduce", "growth", "--replace", "box/nncg=ncp/pgs"), "formulation"),
            (("reproduce", "growth", "--out", "/dev/null/papers"), "/dev/null"),
        ]:
            self.refuses(*arguments, says=word)

    def test_nothing_is_written_for_an_unknown_experiment(self):
        folder = self.path("papers")
        self.assertEqual(run("reproduce", "fig-99", "--out", folder).code, 2)
        self.assertFalse(os.path.exists(folder))

    def test_a_folder_in_the_place_of_the_page_is_not_replaced(self):
        folder = self.path("papers")
        os.mkdir(folder)
        os.mkdir(os.path.join(folder, "index.html"))
        answer = run("reproduce", "configurations", "--quick", "--out", folder)
        self.assertEqual(answer.code, 2)
        self.assertIn("index.html", answer.err)


class ReproduceStops(Case):
    """Nothing is left: no folder, no temporary file, no engine."""

    def setUp(self):
        super().setUp()
        self.out = self.path("papers/again")
        self.temporary = self.path("temporary")
        os.mkdir(self.temporary)

    def start(self, *what):
        running = subprocess.Popen(
            [PROGRAM, "reproduce", *what, "--threads", "2", "--out", self.out],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": self.temporary},
            start_new_session=True,  # a process group of its own, as a terminal makes it
        )
        self.addCleanup(running.communicate)
        self.addCleanup(running.kill)
        return running

    def wait_for(self, running, what):
        """What what() returns as soon as that is something."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and running.poll() is None:
            if found := what():
                return found
            time.sleep(0.01)
        running.kill()
        raise AssertionError("it never came: " + "".join(running.communicate()))

    def recording(self):
        """What is recorded now; an experiment is at work."""
        return os.listdir(self.temporary)

    @staticmethod
    def engines(running):
        found = []
        for path in glob.glob(f"/proc/{running.pid}/task/*/children"):
            try:
                with open(path, encoding="utf-8") as file:
                    found += map(int, file.read().split())
            except (FileNotFoundError, ProcessLookupError):
                pass
        return found

    def is_stopped(self, running, code, name):
        out, err = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, code, err)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        self.assertIn(f"stopped by {name} after 0 of 1 experiments; nothing was written", err)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_a_signal_leaves_no_folder(self):
        for number, code, name in [
            (signal.SIGINT, 130, "Ctrl-C"),
            (signal.SIGTERM, 143, "SIGTERM"),
            (signal.SIGHUP, 129, "SIGHUP"),
        ]:
            running = self.start("wall")
            self.wait_for(running, self.recording)
            running.send_signal(number)
            self.is_stopped(running, code, name)
            self.assertEqual(os.listdir(self.folder), ["temporary"])

    def test_ctrl_c_leaves_an_older_page(self):
        os.makedirs(self.out)
        page = os.path.join(self.out, "index.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write("older")
        running = self.start("wall")
        self.wait_for(running, self.recording)
        running.send_signal(signal.SIGINT)
        self.is_stopped(running, 130, "Ctrl-C")
        self.assertEqual(os.listdir(self.out), ["index.html"])
        self.assertEqual(self.text(page), "older")

    @unittest.skipUnless(built("ode"), "no recorder of ODE")
    def test_ctrl_c_ends_the_engines(self):
        for send in (os.kill, os.killpg):  # to the program alone; as a terminal does
            running = self.start("hose-engines")
            engines = self.wait_for(running, lambda: self.engines(running))
            send(running.pid, signal.SIGINT)
            self.is_stopped(running, 130, "Ctrl-C")
            self.assertEqual([one for one in engines if alive(one)], [])
            self.assertEqual(os.listdir(self.folder), ["temporary"])

    def test_a_folder_that_is_refused_is_not_left(self):
        self.write("file", "")
        self.refuses("reproduce", "growth", "--out", self.path("file/papers"), says="file/papers")
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "temporary"])


if __name__ == "__main__":
    unittest.main()
