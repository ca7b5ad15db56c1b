"""Tests of checks of the tree: it passes them, and each finds a mistake planted in a small tree."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("PERPEND_SOURCE_DIR", Path(__file__).resolve().parents[2]))


class Sound(unittest.TestCase):
    def quiet(self, complaints):
        self.assertEqual(complaints, [], "\n" + "\n".join(complaints))


class Planted(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="perpend_planted_"))
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def complains(self, check, words):
        complaints = check(self.root)
        self.assertEqual(len(complaints), 1, complaints)
        self.assertIn(words, complaints[0])

    def finds(self, check, mistakes):
        """Each of the mistakes {what: (file, text, words of the complaint)}, one at a time."""
        for what, (name, text, words) in mistakes.items():
            with self.subTest(what):
                path = self.root / name
                sound = path.read_bytes() if path.exists() else None
                self.write(name, text)
                self.complains(check, words)
                if sound is None:
                    path.unlink()
                else:
                    path.write_bytes(sound)
