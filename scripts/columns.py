#!/usr/bin/env python3
"""Writes what is made from the list of columns in src/io/columns.cpp.

    scripts/columns.py [--check] [--into DIR] [PROGRAM]

These are the tables of docs/format.md, the struct of include/perpend_record.h, the rows of
include/perpend/record/columns.h and the lists of examples/matlab/read_frame.m. PROGRAM prints the
list (build/release/bin/perpend_columns, a target of the build). --check writes nothing and exits 1
if one of them is out of date. --into writes into another tree.
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

C_TYPES = {"float64": "double", "int64": "int64_t", "int8": "int8_t", "text": "char* const"}
C_LETTERS = {"float64": "d", "int64": "i", "int8": "b", "text": "s"}
# What the rows of a column are counted by: in comments of the struct, in the rows of columns.h.
C_COUNTS = {
    "body": ("n", "BODY"),
    "joint": ("k", "JOINT"),
    "joint_row": ("r", "JOINT_ROW"),
    "contact": ("m", "CONTACT"),
    "coordinate": ("coordinates", "COORDINATE"),
    "system_row": ("3 contacts + joint_rows", "SYSTEM_ROW"),
    "system_contact": ("contacts", "SYSTEM_CONTACT"),
    "system_joint_row": ("joint_rows", "SYSTEM_JOINT_ROW"),
    "mass_entry": ("M_entries", "M_ENTRY"),
    "jacobian_entry": ("J_entries", "J_ENTRY"),
    "matrix_entry": ("A_entries", "A_ENTRY"),
    "frame": ("1", "FRAME"),
    "model_body": ("body_count", "MODEL_BODY"),
    "shape": ("shape_count", "SHAPE"),
    "vertex": ("vertex_count", "VERTEX"),
    "triangle": ("triangle_count", "TRIANGLE"),
    "model_joint": ("joint_count", "MODEL_JOINT"),
}
C_VALUES = {"finite": "FINITE", "size": "SIZE", "share": "SHARE", "bound": "BOUND"}  # else ANY
# The groups of the struct: what stands at their head, and the members that count rows.
C_GROUPS = {
    "bodies": ("", {"count": "n"}),
    "contacts": ("", {"count": "m"}),
    "constraints": ("", {"count": "k joints", "row_count": "r rows of all of them"}),
    "solution": ("optional: what the engine answered", {}),
    "timing": ("optional; 0: unknown", {}),
    "system": (
        "optional, in place of bodies and contacts: generalized coordinates; or A, b, mu",
        {
            "coordinates": "",
            "contacts": "",
            "joint_rows": "",
            "M_entries": "",
            "J_entries": "",
            "A_entries": "",
        },
    ),
    "model": (
        "optional: names and shapes of bodies and joints; given again, they are left out",
        {
            "body_count": "",
            "shape_count": "",
            "vertex_count": "",
            "triangle_count": "",
            "joint_count": "",
        },
    ),
}


def table(columns):
    """The rows of docs/format.md: required names are bold, numbers are float64 unless it says so."""
    yield "| dataset | shape | unit | meaning |"
    yield "| --- | --- | --- | --- |"
    for c in columns:
        name = f"`/{c['name']}`" if c["optional"] else f"**`/{c['name']}`**"
        shape = c["shape"] + ("" if c["type"] == "float64" else " " + c["type"])
        unit = c["unit"] + " " if c["unit"] else ""
        yield f"| {name} | {shape} | {unit}| {c['meaning']} |"


def is_value(column):
    """A number in the struct itself, not a pointer to numbers."""
    return column["type"] == "float64" and column["count"] == "frame"


def members(columns, indent, counts=()):
    """Members of a struct with their comments beside them, or above them where those are long."""
    lines = [(f"int64_t {name};", words) for name, words in dict(counts).items()]
    for c in columns:
        star = "" if is_value(c) else "*"
        const = "" if is_value(c) else "const "
        shape = ", ".join([C_COUNTS[c["count"]][0], *(str(w) for w in c["width"] if w)])
        words = ", ".join(([] if is_value(c) else [f"({shape})"]) + [c["unit"]] * bool(c["unit"]))
        words = words.replace("), ", ") ")
        separator = ", " if c["unit"] else " " if words else ""
        lines.append(
            (f"{const}{C_TYPES[c['type']]}{star} {c['last']};", words + separator + c["meaning"])
        )
    fits = lambda words: len(f"{indent}{'':<{margin}} /* {words} */") <= 100
    margin = max(len(declaration) for declaration, _ in lines)
    margin = max(len(declaration) for declaration, words in lines if fits(words))
    for declaration, words in lines:
        if fits(words):
            yield (
                f"{indent}{declaration:<{margin}} /* {words} */" if words else indent + declaration
            )
            continue
        wrapped = textwrap.wrap(words, 100 - len(indent) - 6)
        wrapped = [f"{indent}{'/* ' if i == 0 else ' * '}{w}" for i, w in enumerate(wrapped)]
        wrapped[-1] += " */"
        yield from wrapped
        yield indent + declaration


def by_place(columns):
    return sorted(columns, key=lambda c: c["c_place"] or 1000)


def struct(columns):
    """The members of perpend_record_frame."""
    yield from members([c for c in columns if not c["group"]], "  ")
    for group, (head, counts) in C_GROUPS.items():
        own = by_place(c for c in columns if c["group"] == group)
        yield "  struct {" + (f" /* {head} */" if head else "")
        needed = [c for c in own if not c["optional"]]
        if needed:
            yield from members(needed, "    ", counts)
            yield "    /* optional */"
            counts = {}
        yield from members([c for c in own if c["optional"]], "    ", counts)
        yield f"  }} {group};"


def rows(columns):
    """The rows of perpend_record_columns."""
    for c in columns:
        needed = "o" if c["optional"] else "m"
        if is_value(c):
            needed = "t" if c["optional"] else "v"
        macro = f"PART({c['group']}, " if c["group"] else "ROW("
        yield (
            f"    PERPEND_RECORD_{macro}{c['last']}, '{C_LETTERS[c['type']]}', '{needed}', "
            f"{C_COUNTS[c['count']][1]}, {c['width'][0]}, {c['width'][1]}, "
            f"{C_VALUES.get(c['values'], 'ANY')}),"
        )


def lists(columns):
    """The lists of read_frame.m: a frame's own columns, by group and by what counts their rows."""
    for group in ("", "bodies", "contacts", "constraints", "solution", "timing"):
        for count in ("body", "contact", "joint", "joint_row", "frame"):
            names = [
                f"'{c['last']}'"
                for c in by_place(columns)
                if c["group"] == group and c["count"] == count
            ]
            if not names:
                continue
            text = f"'{group}', '{count}', {{{', '.join(names)}}};"
            wrapped = textwrap.wrap(text, 96, subsequent_indent="      ", initial_indent="    ")
            yield from (line + " ..." for line in wrapped[:-1])
            yield wrapped[-1]


def replaced(text, begin, end, lines):
    """The text with these lines between the first line that is `begin` and the next `end`."""
    pattern = re.compile(rf"(^[ ]*{re.escape(begin)}\n)(.*?)(^[ ]*{re.escape(end)}$)", re.M | re.S)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"columns.py: '{begin}' is not there once")
    return pattern.sub(lambda m: m[1] + "".join(line + "\n" for line in lines) + m[3], text)


def place(column):
    """The table of docs/format.md that a column stands in."""
    return "model" if column["about"] == "file" else column["group"]


def made(columns):
    """{file: text} of everything that is made from the list."""
    page = "docs/format.md"
    texts = {page: (ROOT / page).read_text(encoding="utf-8")}
    for groups in (
        ["bodies"],
        ["constraints"],
        ["contacts"],
        ["solution"],
        ["timing", ""],
        ["system"],
        ["model"],
    ):
        texts[page] = replaced(
            texts[page],
            f"<!-- columns: {groups[0]} -->",
            "<!-- -->",
            ["", *table(c for c in columns if place(c) in groups), ""],
        )
    # An engine gives neither our errors, nor a stepper for each frame, nor what hands did.
    given = [c for c in columns if c["about"] != "error" and c["name"] not in ("stepper", "events")]
    for name, lines in (
        ("include/perpend_record.h", struct(given)),
        ("include/perpend/record/columns.h", rows(given)),
    ):
        texts[name] = replaced(
            (ROOT / name).read_text(encoding="utf-8"),
            "/* clang-format off */",
            "/* clang-format on */",
            lines,
        )
    example = "examples/matlab/read_frame.m"
    texts[example] = replaced(
        (ROOT / example).read_text(encoding="utf-8"),
        "% made by scripts/columns.py",
        "% until here",
        lists(columns),
    )
    return texts


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--into", type=Path, default=ROOT)
    parser.add_argument("program", nargs="?", default=ROOT / "build/release/bin/perpend_columns")
    options = parser.parse_args()
    columns = json.loads(subprocess.run([options.program], capture_output=True, check=True).stdout)
    wrong = 0
    for name, text in made(columns).items():
        path = options.into / name
        if options.check:
            if path.read_text(encoding="utf-8") != text:
                print(f"{name}: is not as scripts/columns.py makes it")
                wrong = 1
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
