"""perpend report, and the report at the end of perpend bench."""

import os
import unittest

from program import SOURCE, Case, run

BLOCKS = os.path.join(SOURCE, "examples", "frames", "blocks.jsonl")


class Report(Case):
    def bench(self):
        out = self.path("out")
        self.succeeds(
            "bench",
            BLOCKS,
            "--solvers",
            "ncp/nncg,box/pgs",
            "--frames",
            "0-2",
            "--repeat",
            "1",
            "--title",
            "Three <blocks>",
            "--out",
            out,
        )
        return out

    def test_bench_ends_with_a_report_and_report_writes_it_anew(self):
        out = self.bench()
        first = self.text(os.path.join(out, "report.md"))
        self.assertIn("# Three &lt;blocks&gt;", first)
        self.assertIn("| ncp/nncg | cone | 3/3 | 3/3 |", first)
        page = os.path.join(out, "report.html")
        os.remove(page)
        os.remove(os.path.join(out, "report.md"))
        again = run("report", out)
        self.assertEqual(again.code, 0)
        self.assertEqual(again.out, f"{out}/report.html\n{out}/report.md\n")
        self.assertEqual(self.text(os.path.join(out, "report.md")), first)
        self.assertIn("<title>Three &lt;blocks&gt;</title>", self.text(page))

    def test_json_names_the_files(self):
        out = self.bench()
        document = run("report", out, "--json").json()
        self.assertEqual(document["markdown"], f"{out}/report.md")
        self.assertEqual(document["rows"], 9)

    def test_plot_has_a_curve_for_every_solver(self):
        out, plot = self.bench(), self.path("plot.svg")
        run("report", out, "--plot", plot, "--problem", "2")
        drawn = self.text(plot)
        for name in ("ncp/nncg", "box/pgs"):
            self.assertEqual(drawn.count(f"<title>{name}</title>"), 2)
        self.assertEqual(drawn.count('<path class="curve"'), 4)
        self.refuses("report", out, "--plot", plot, "--problem", "3", says="has 3 problems")
        self.refuses("report", out, "--plot", self.path("plot.png"), says=".svg")

    def test_what_is_no_folder_of_results_is_refused(self):
        self.refuses("report", self.path("absent"), says="no such folder")
        os.mkdir(self.path("empty"))
        self.refuses("report", self.path("empty"), says="empty")


if __name__ == "__main__":
    unittest.main()
