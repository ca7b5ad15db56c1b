"""perpend simulate --refine: the table, the document, the plot, and wrong usage."""

import os
import unittest
import xml.etree.ElementTree as ElementTree

from program import Case

SVG = "{http://www.w3.org/2000/svg}"


class Refine(Case):
    def test_a_falling_tower_converges_with_first_order(self):
        # Free fall for 1 s: runs with h and h/2 are g t h/4 apart, 9.81 / 240 m at first.
        document = self.succeeds(
            "simulate", "tower", "--steps", "60", "--refine", "4", "--json"
        ).json()
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["verdict"], "converges")
        self.assertAlmostEqual(document["order"], 1, delta=0.01)
        self.assertEqual([level["steps"] for level in document["levels"]], [60, 120, 240, 480, 960])
        self.assertEqual(len(document["times"]), 61)
        first, finest = document["levels"][0], document["levels"][-1]
        self.assertAlmostEqual(first["to_next"]["position"], 9.81 / 240, delta=1e-9)
        self.assertAlmostEqual(first["ratio"], 2, delta=1e-6)
        self.assertNotIn("to_next", finest)

    def test_the_table_ends_with_a_sentence(self):
        table = self.succeeds("simulate", "tower", "--steps", "30", "--refine", "2").out
        self.assertIn("distance to h/2 [m]", table)
        self.assertIn("the distance falls with the step: order 1.00", table)
        resting = self.succeeds("simulate", "stack:2", "--steps", "30", "--refine", "1").out
        self.assertIn("nothing is left to converge", resting)

    def test_stock_bullet_is_refined_too(self):
        document = self.succeeds(
            "simulate", "tower", "--engine", "bullet", "--steps", "30", "--refine", "2", "--json"
        ).json()
        self.assertEqual(document["engine"], "bullet")
        self.assertAlmostEqual(document["order"], 1, delta=0.1)

    def test_the_plot_shows_what_the_document_says(self):
        path = self.path("tower.svg")
        document = self.succeeds(
            "simulate", "tower", "--steps", "20", "--refine", "3", "--plot", path, "--json"
        ).json()
        root = ElementTree.parse(path).getroot()
        curves = [p for p in root.iter(SVG + "path") if p.get("class") == "curve"]
        guides = [p for p in root.iter(SVG + "path") if p.get("class") == "guide"]
        pairs = len(document["levels"]) - 1
        self.assertEqual(len(guides), 2)  # slopes 1 and 2
        # Distance and distance to the finest with a mark per level, then one curve per pair.
        self.assertEqual(len(curves), 2 + pairs)
        self.assertEqual(len(list(root.iter(SVG + "circle"))), 2 * pairs)
        for curve, level in zip(curves[2:], document["levels"]):
            drawn = curve.get("d").count("M") + curve.get("d").count("L")
            self.assertEqual(drawn, sum(d > 0 for d in level["distance_to_next"]))
        # On log axes marks of an exact first-order fall are equally far apart.
        marks = [float(c.get("cy")) for c in root.iter(SVG + "circle")][:pairs]
        self.assertAlmostEqual(marks[1] - marks[0], marks[2] - marks[1], delta=0.1)
        before = self.bytes(path)
        self.succeeds("simulate", "tower", "--steps", "20", "--refine", "3", "--plot", path)
        self.assertEqual(self.bytes(path), before)

    def test_wrong_usage_is_one_line_and_leaves_no_file(self):
        for arguments, word in [
            (["--refine", "0"], "--refine"),
            (["--refine", "2", "--plot", self.path("plot.pdf")], ".svg"),
            (["--refine", "2", "--plot", "/nowhere/plot.svg"], "/nowhere"),
            (["--plot", self.path("plot.svg")], "--refine"),
            (["--refine", "2", "--steps", "0"], "without steps"),
            (["--refine", "2", "--out", self.path("x.h5")], "--out"),
        ]:
            self.refuses("simulate", "stack:2", *arguments, says=word)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
