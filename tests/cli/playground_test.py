"""perpend playground: one page, the same every time, or one line that says why not."""

import base64
import gzip
import json
import os
import re
import unittest

from program import Case, run


def carried(page, name):
    """What an element of the page holds."""
    return gzip.decompress(
        base64.b64decode(re.search(rf'<script [^>]*id="{name}"[^>]*>([^<]*)</script>', page)[1])
    )


class Playground(Case):
    def page(self, name="class.html"):
        answer = run("playground", self.path(name))
        if "emscripten" in answer.err:
            self.assertEqual(answer.code, 2)
            self.assertEqual(os.listdir(self.folder), [])
            raise unittest.SkipTest("the program was built without emscripten")
        self.assertEqual(answer.code, 0, answer.err)
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_page_carries_solvers_and_examples_and_loads_nothing(self):
        page = self.page()
        self.assertEqual(carried(page, "perpend-module")[:4], b"\0asm")
        self.assertIn(b"perpend_program", carried(page, "perpend-worker"))
        examples = json.loads(carried(page, "perpend-playground"))["examples"]
        self.assertGreater(len(examples), 50)
        for example in examples:
            self.assertIn("step", json.loads(example["text"]))
        self.assertNotRegex(page, r"<(script|link|img)[^>]*(src|href)=\"(?!data:)")
        self.assertLess(len(page), 4_000_000)

    def test_two_pages_are_the_same(self):
        self.assertEqual(self.page("one.html"), self.page("two.html"))

    def test_what_cannot_be_written_is_refused(self):
        self.page()
        self.refuses("playground", says="FILE.html")
        self.refuses("playground", self.path("class.pdf"), says="does not end in .html")
        self.refuses("playground", self.path("no/such/class.html"), says="no/such")
        self.refuses("playground", self.path("a.html"), self.path("b.html"), says="b.html")
        self.assertEqual(os.listdir(self.folder), ["class.html"])


if __name__ == "__main__":
    unittest.main()
