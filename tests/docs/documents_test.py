"""Links resolve, named files exist, the README's example is code that is compiled and run."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import documents  # noqa: E402
from planted import ROOT, Planted, Sound  # noqa: E402

WORDS = 30_000  # in docs/; the reference is printed by the program


class Documents(Sound):
    def test_links_resolve(self):
        self.quiet(documents.check_links(ROOT))

    def test_mentioned_files_exist(self):
        self.quiet(documents.check_mentioned_files(ROOT))

    def test_index_links_every_document(self):
        self.quiet(documents.check_index(ROOT))

    def test_readme_shows_the_consumers_code(self):
        shown, compiled = documents.example_in_readme(ROOT)
        self.assertIsNotNone(shown)
        self.assertEqual(
            [line for line in shown if line and not line.startswith("#include")], compiled
        )

    @unittest.skipUnless("PERPEND" in os.environ, "PERPEND does not name the program")
    def test_every_solver_is_described_with_its_options(self):
        self.quiet(documents.check_solvers(ROOT, os.environ["PERPEND"]))

    def test_docs_are_short(self):
        self.assertLessEqual(documents.words(ROOT), WORDS)

    def test_pictures_are_shown_with_the_command_that_draws_them(self):
        self.quiet(documents.check_pictures(ROOT))

    def test_code_is_that_of_the_examples(self):
        self.quiet(documents.check_snippets(ROOT))

    def test_documents_are_found(self):
        names = {p.name for p in documents.documents(ROOT)}
        self.assertLessEqual({"README.md", "CHANGELOG.md", "index.md", "architecture.md"}, names)

    def test_citation_names_the_five_papers(self):
        text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        for author in ("Silcowitz-Hansen", "Silcowitz", "Lu", "Preda", "Nguyen"):
            self.assertIn(f"- family-names: {author}\n", text)

    def test_version_and_date_are_the_same_everywhere(self):
        cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        version = re.search(r"project\(perpend VERSION ([\d.]+)", cmake).group(1)
        date = re.search(r"set\(PERPEND_DATE ([\d-]+)\)", cmake).group(1)
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        self.assertIn(f"version: {version}\ndate-released: {date}\n", citation)
        changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        released = re.findall(r"^## \[(\d[^]]*)\] - (\S+)$", changes, re.M)
        self.assertEqual(released[0], (version, date))

    def test_papers_are_cited_by_author_and_year(self):
        self.quiet(documents.check_citations(ROOT))


class PlantedMistake(Planted):
    def setUp(self):
        super().setUp()
        self.write("docs/page.md", "# A page\n## The `two` parts, and more\n")
        self.write("README.md", "[page](docs/page.md)\n")
        self.write("docs/index.md", "[page](page.md)")

    def test_a_paper_cited_by_a_number_is_found(self):
        self.write("src/a.cpp", "// The box model (" + "000, eq. 7).\nint x = 1'000;\n")
        self.assertEqual(len(documents.check_citations(self.root)), 1)

    def test_sound_documents_are_left_alone(self):
        self.write(
            "README.md",
            "[p](docs/page.md#the-two-parts-and-more) `docs/page.md` `docs/*.md` "
            "[x](https://example.org/nothing) `src/solve/NAME.cpp`\n"
            "```\n[a](nowhere.md)\n```\n",
        )
        for check in (
            documents.check_links,
            documents.check_mentioned_files,
            documents.check_index,
        ):
            self.assertEqual(check(self.root), [])

    def test_broken_links(self):
        self.finds(
            documents.check_links,
            {
                "a file": (
                    "README.md",
                    "\n[gone](docs/gone.md)\n",
                    "README.md:2: docs/gone.md: there is no such file",
                ),
                "a picture": ("README.md", "![gone](docs/gone.svg)\n", "docs/gone.svg"),
                "an anchor": ("README.md", "[part](docs/page.md#third-part)\n", "no such heading"),
            },
        )

    def test_files_that_are_mentioned_and_missing(self):
        self.finds(
            documents.check_mentioned_files,
            {
                "in code": (
                    "README.md",
                    "see `src/system/shed.cpp`\n",
                    "README.md:1: there is no src/system/shed",
                ),
                "in a command": (
                    "README.md",
                    "run `scripts/dmo.sh --quick`\n",
                    "there is no scripts/dmo.sh",
                ),
                "a pattern without any": (
                    "README.md",
                    "`examples/frames/*.jsonl`\n",
                    "examples/frames/*.jsonl",
                ),
            },
        )

    def test_pictures_without_their_command(self):
        self.write("docs/pictures/a.png", "")
        self.complains(documents.check_pictures, "docs/pictures/a.png is in no document")
        self.write(
            "docs/gallery.md", "![a](pictures/a.png)\n\n`perpend simulate x --picture a.png`\n"
        )
        self.assertEqual(documents.check_pictures(self.root), [])
        self.write("README.md", "```\nperpend simulate y --picture a.png\n```\n")
        self.complains(
            documents.check_pictures, "README.md: perpend simulate y --picture a.png: not"
        )

    def test_code_that_is_in_no_example(self):
        self.write("examples/a.cpp", "int main() {\n  return f(1,\n           2);  // why\n}\n")
        self.write("README.md", "```cpp\nreturn f(1, 2);  // here\n...\n```\n")
        self.assertEqual(documents.check_snippets(self.root), [])
        self.write("README.md", "```diff\n-return f(1, 2);\n+return f(2, 1);\n```\n")
        self.complains(documents.check_snippets, "README.md: not in examples/: +return f(2, 1);")

    def test_words_are_counted(self):
        self.write("docs/tutorials/page.md", "one two\n\nthree | four\n")
        self.assertEqual(documents.words(self.root), 9 + 1 + 5)

    def test_document_missing_from_the_index(self):
        self.write("docs/orphan.md", "# Orphan\n")
        self.complains(documents.check_index, "does not link orphan.md")


if __name__ == "__main__":
    unittest.main()
