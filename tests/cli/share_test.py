"""--share: pages that carry recordings are whole or not there, and the same for the same input."""

import json
import os
import subprocess
import unittest

from program import PROGRAM, Case, frame


class Share(Case):
    def setUp(self):
        super().setUp()
        self.file = self.path("run.h5")
        self.succeeds("simulate", "stack:2", "--steps", 5, "--out", self.file, "--quiet")

    def page(self, *arguments, name="page.html"):
        path = self.path(name)
        self.succeeds("view", *arguments, "--share", path)
        return self.text(path)

    def test_the_same_input_gives_the_same_page(self):
        first = self.page(self.file)
        self.assertEqual(first.count('class="perpend-recording"'), 1)
        self.assertEqual(self.page(self.file), first)
        self.assertEqual(self.page(self.file, "--threads", 3), first)
        self.assertLess(len(self.page(self.file, "--trajectory")), len(first))
        self.assertLess(len(self.page(self.file, "--frames", "worst:1")), len(first))
        both = self.page(self.file, self.file)
        self.assertEqual(both.count('class="perpend-recording"'), 2)

    def test_a_run_is_shared_as_its_recording(self):
        share = ("simulate", "stack:2", "--steps", 5, "--share")
        self.succeeds(*share, self.path("a.html"))
        answer = self.succeeds(*share, self.path("b.html"), "--out", self.path("b.h5"))
        self.assertIn("b.html: ", answer.err)
        # The recorded times differ, and little else.
        sizes = [os.path.getsize(self.path(name)) for name in ("a.html", "b.html")]
        self.assertAlmostEqual(*sizes, delta=3000)
        self.assertEqual(self.succeeds(*share, "-", "--quiet").out.count("<!doctype html>"), 1)

    def test_nothing_is_replaced_but_plain_files(self):
        target, link = self.path("target.html"), self.path("link.html")
        os.symlink(target, link)
        self.succeeds("view", self.file, "--share", link)
        self.assertTrue(os.path.islink(link) and os.path.getsize(target) > 1e6)
        self.succeeds("view", self.file, "--share", "/dev/null")
        piped = subprocess.run(
            [PROGRAM, "view", self.file, "--share", "/dev/stdout", "--quiet"], capture_output=True
        )
        self.assertEqual(piped.stdout, self.bytes(target))

    def test_what_cannot_be_shared_is_told_in_one_line(self):
        lines = self.lines(frame())
        self.page(lines)
        fclib = self.path("one.hdf5")
        self.succeeds("convert", lines, fclib, "--to", "fclib")
        page = self.path("none.html")
        for says, *arguments in (
            ("is fclib", "view", fclib),
            ("is no recording", "view", "wall"),
            ("give the recording", "view"),
            ("is no recording", "view", self.path("no.h5")),
            ("are for scenes", "view", self.file, "--steps", "3"),
            ("--frames 9", "view", self.file, "--frames", "9"),
            ("perpend capture bullet", "simulate", "stack:2", "--engine", "bullet"),
            ("--refine", "simulate", "stack:2", "--refine", "2"),
        ):
            self.refuses(*arguments, "--share", page, says=says)
        self.refuses("view", self.file, "--trajectory", says="--share")
        self.assertEqual([name for name in os.listdir(self.folder) if "none.html" in name], [])

    def test_bench_makes_a_page_for_each_file_and_the_report_knows_them(self):
        lines = self.lines(frame(), name="a b<script>.jsonl")
        fclib, out = self.path("one.hdf5"), self.path("results")
        self.succeeds("convert", lines, fclib, "--to", "fclib")
        bench = ("bench", self.file, lines, fclib, "--solvers", "ncp/pgs", "--repeat", 0)
        answer = self.succeeds(*bench, "--frames", "0", "--share", "--out", out)
        self.assertIn("no page for " + fclib, answer.err)
        pages = json.loads(self.text(os.path.join(out, "share", "pages.json")))
        self.assertEqual(pages, {self.file: "share/run.html", lines: "share/a_b_script_.html"})
        for page in pages.values():
            self.assertGreater(os.path.getsize(os.path.join(out, page)), 1e6)
        report = os.path.join(out, "report.html")
        before = self.bytes(report)
        self.succeeds("report", out)
        self.assertEqual(self.bytes(report), before)


if __name__ == "__main__":
    unittest.main()
