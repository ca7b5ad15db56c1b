"""Verification as a user types it: the table, the document, the page, and wrong usage."""

import unittest

from program import Case, run


class Verify(Case):
    def test_the_table_shows_errors_and_orders(self):
        table = self.succeeds("verify", "slope", "sliding-block", "--refine", "3").out
        for word in ["slope", "sliding-block", "h/8", "order 1", "met"]:
            self.assertIn(word, table)
        self.assertNotIn("MISSED", table)
        self.assertNotIn("projectile", table)

    def test_the_document_has_every_number(self):
        document = self.succeeds("verify", "sliding-block", "--refine", "2", "--json").json()
        self.assertEqual(document["format_version"], 1)
        self.assertEqual(document["solver"], "ncp/auto")
        case = document["cases"][0]
        self.assertEqual(case["case"], "sliding-block")
        self.assertEqual(len(case["dt"]), 3)
        self.assertAlmostEqual(case["dt"][0], 4 * case["dt"][2])
        way, speed = case["rows"]
        self.assertEqual(way["expected_order"], 1)
        self.assertAlmostEqual(way["order"], 1, delta=0.05)
        self.assertEqual(len(way["errors"]), 3)
        self.assertLessEqual(max(speed["errors"]), speed["bound"])
        self.assertTrue(case["met"])

    def test_a_pyramid_misses_and_the_exit_code_says_so(self):
        answer = run("verify", "yaw", "--refine", "1", "--solver", "box/nncg")
        self.assertEqual(answer.code, 1)
        self.assertIn("MISSED", answer.out)

    def test_both_steppers_and_the_bare_scheme_can_be_asked_for(self):
        for more in [("--stepper", "ap"), ("--correct", "0")]:
            document = self.succeeds(
                "verify", "sliding-block", "--refine", "2", "--json", *more
            ).json()
            self.assertTrue(document["cases"][0]["met"], more)

    def test_the_page_has_the_table_and_the_derivation(self):
        page = self.succeeds("verify", "sliding-block", "--refine", "1", "--markdown").out
        table = page[page.index("## The table") : page.index("### sliding-block")]
        self.assertIn("| [`sliding-block`](#sliding-block) | way, m |", table)
        self.assertIn("| way | v₀²/(2 μ g) |", page[page.index("### sliding-block") :])


class VerifyUsage(Case):
    def test_wrong_usage_is_one_line(self):
        for arguments, word in [
            (("verify", "perpetuum-mobile"), "perpetuum-mobile"),
            (("verify", "slope", "--stepper", "rk4"), "rk4"),
            (("verify", "slope", "--solver", "none/such"), "none/such"),
            (("verify", "slope", "--refine", "0"), "refine"),
            (("verify", "slope", "--json", "--markdown"), "markdown"),
        ]:
            self.refuses(*arguments, says=word)


if __name__ == "__main__":
    unittest.main()
