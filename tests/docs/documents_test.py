"""Links resolve, named files exist, the README's example is code that is compiled and run."""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import documents  # noqa: E402

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


class Documents(unittest.TestCase):
    def quiet(self, complaints):
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))

    def test_links_resolve(self):
        self.quiet(documents.check_links(ROOT))

    def test_mentioned_files_exist(self):
        self.quiet(documents.check_mentioned_files(ROOT))

    def test_index_links_every_document(self):
        self.quiet(documents.check_index(ROOT))

    def test_readme_shows_the_consumers_code(self):
        shown, compiled = documents.example_in_readme(ROOT)
        self.assertIsNotNone(shown)
        self.assertEqual([line for line in shown if line and not line.startswith("#include")], compiled)

    @unittest.skipUnless("PERPEND" in os.environ, "PERPEND does not name the program")
    def test_every_solver_is_described_with_its_options(self):
        self.quiet(documents.check_solvers(ROOT, os.environ["PERPEND"]))

    def test_documents_are_found(self):
        names = {p.name for p in documents.documents(ROOT)}
        self.assertLessEqual({"README.md", "CHANGELOG.md", "index.md", "architecture.md"}, names)

    def test_citation_names_the_five_papers(self):
        text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        for code in ("000", "001", "002", "003", "004"):
            self.assertIn(f"Cited in the code as {code}", text)


class PlantedMistake(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="perpend_docs_"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "docs").mkdir()
        (self.root / "docs" / "page.md").write_text("# A page\n## The `two` parts, and more\n")
        self.write("[page](docs/page.md)")
        (self.root / "docs" / "index.md").write_text("[page](page.md)")

    def write(self, text):
        (self.root / "README.md").write_text(text + "\n", encoding="utf-8")

    def complains(self, check, words):
        complaints = check(self.root)
        self.assertEqual(len(complaints), 1, complaints)
        self.assertIn(words, complaints[0])

    def test_sound_documents_are_left_alone(self):
        self.write("[p](docs/page.md#the-two-parts-and-more) `docs/page.md` `docs/*.md` "
                   "[x](https://example.org/nothing) `src/solve/NAME.cpp`\n```\n[a](nowhere.md)\n```")
        for check in (documents.check_links, documents.check_mentioned_files,
                      documents.check_index):
            self.assertEqual(check(self.root), [])

    def test_broken_link(self):
        self.write("\n[gone](docs/gone.md)")
        self.complains(documents.check_links, "README.md:2: docs/gone.md: there is no such file")

    def test_broken_picture(self):
        self.write("![gone](docs/gone.svg)")
        self.complains(documents.check_links, "docs/gone.svg")

    def test_broken_anchor(self):
        self.write("[part](docs/page.md#third-part)")
        self.complains(documents.check_links, "no such heading")

    def test_missing_file_in_code(self):
        self.write("see `src/system/shed.cpp`")
        self.complains(documents.check_mentioned_files, "README.md:1: there is no src/system/shed")

    def test_missing_file_in_a_command(self):
        self.write("run `scripts/dmo.sh --quick`")
        self.complains(documents.check_mentioned_files, "there is no scripts/dmo.sh")

    def test_empty_pattern(self):
        self.write("`examples/frames/*.jsonl`")
        self.complains(documents.check_mentioned_files, "examples/frames/*.jsonl")

    def test_document_missing_from_the_index(self):
        (self.root / "docs" / "orphan.md").write_text("# Orphan\n")
        self.complains(documents.check_index, "does not link orphan.md")


if __name__ == "__main__":
    unittest.main()
