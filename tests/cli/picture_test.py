"""perpend simulate --picture: files that other programs read, and wrong usage."""

import os
import re
import struct
import unittest
import xml.etree.ElementTree as ElementTree
import zlib

from program import Case


def read_png(data):
    """(width, height, its rows unpacked, each behind the number of its filter)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, kinds = 8, b"", set()
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        kinds.add(kind)
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">IIBBBBB", body)
            assert rest == [8, 2, 0, 0, 0], rest  # eight bits, RGB
        if kind == b"IDAT":
            packed += body
        at += 12 + size
    assert kinds == {b"IHDR", b"sRGB", b"IDAT", b"IEND"}, kinds  # no date, no program name
    return width, height, zlib.decompress(packed)


class Picture(Case):
    def draw(self, *arguments, name="picture.png"):
        path = self.path(name)
        self.succeeds("simulate", *arguments, "--picture", path)
        return self.bytes(path)

    def test_the_png_is_whole_and_something_is_drawn(self):
        data = self.draw("stack:3", "--steps", "6")
        width, height, rows = read_png(data)
        self.assertEqual(width, 1200)
        self.assertEqual(len(rows), height * (3 * width + 1))
        # Rows are differences of neighbours: on empty ground all are zero, here one in twelve is not.
        self.assertGreater(len(rows) - rows.count(0), 0.04 * len(rows))
        self.assertLess(len(data), 300_000)

    def test_the_same_command_draws_the_same_bytes(self):
        for name in ["one.png", "one.svg"]:
            self.assertEqual(
                self.draw("stack:2", "--steps", "3", name=name),
                self.draw("stack:2", "--steps", "3", name=name),
            )

    def test_the_svg_says_the_moments_asked_for(self):
        text = self.draw(
            "stack:2", "--steps", "60", "--at", "0.5,0,0.25", "--view", "30,10", name="p.svg"
        ).decode()
        ElementTree.fromstring(text)
        self.assertEqual(re.findall(r">(t = [^<]*)<", text), ["t = 0 s", "t = 0.25 s", "t = 0.5 s"])

    def test_six_moments_unless_told_otherwise(self):
        text = self.draw("stack:2", "--steps", "60", name="p.svg").decode()
        self.assertEqual(
            re.findall(r">t = ([^<]*) s<", text), ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        )

    def test_a_stroboscope_is_one_panel(self):
        text = self.draw(
            "tower", "--steps", "60", "--at", "0,0.5,1", "--strobe", name="p.svg"
        ).decode()
        self.assertEqual(re.findall(r">(t = [^<]*)<", text), ["t = 0, 0.5, 1 s"])

    def test_two_runs_stand_in_two_rows(self):
        text = self.draw(
            "stack:2", "--steps", "6", "--at", "0,0.1", "--beside", "bullet", name="p.svg"
        ).decode()
        words = re.findall(r"<text [^>]*>([^<]*)<", text)
        self.assertEqual(
            [re.sub(r" [\d.]+$", "", w) for w in words],
            ["stock Bullet", "t = 0 s", "t = 0.1 s", "Perpend", "t = 0 s", "t = 0.1 s"],
        )

    def test_stock_bullet_is_drawn_too(self):
        theirs = self.draw("stack:3", "--steps", "60", "--engine", "bullet", name="theirs.png")
        self.assertNotEqual(theirs, self.draw("stack:3", "--steps", "60", name="ours.png"))

    def test_the_summary_is_printed_as_without_a_picture(self):
        document = self.succeeds(
            "simulate", "stack:2", "--steps", "6", "--picture", self.path("p.png"), "--json"
        ).json()
        self.assertEqual(document["steps"], 6)

    def test_wrong_usage_is_one_line_and_leaves_no_file(self):
        file = self.path("p.png")
        for arguments, word in [
            (["--picture", self.path("p.jpg")], ".png or .svg"),
            (["--picture", "/nowhere/p.png"], "/nowhere"),
            (["--picture", self.folder + "/"], ".png"),
            (["--picture", file, "--at", "0,99"], "99 s"),
            (["--picture", file, "--at", "-1"], "-1"),
            (["--picture", file, "--at", "1,soon"], "soon"),
            (["--picture", file, "--view", "1"], "AZIMUTH,ELEVATION"),
            (["--picture", file, "--view", "0,100"], "100"),
            (["--picture", file, "--beside", "jolt"], "jolt"),
            (["--at", "1"], "--picture"),
            (["--picture", file, "--refine", "2"], "--refine"),
        ]:
            self.refuses("simulate", "stack:2", "--steps", "60", *arguments, says=word)
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    unittest.main()
