#!/usr/bin/env python3
"""Writes the table of docs/porting-from-bullet.md from the list of settings in src/sim/settings.inc.

    scripts/settings.py [--check]

--check writes nothing and exits 1 when the table is not as it would be made.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "src/sim/settings.inc"
PAGE = ROOT / "docs/porting-from-bullet.md"
BEGIN, END = "<!-- settings -->\n", "<!-- -->\n"

TEXT = r'"([^"]*)"'
LINE = re.compile(
    rf"PERPEND_(?P<state>OBEYED|UNREAD|INTERNAL)\((?P<of>\w+), {TEXT}\)"
    rf"|PERPEND_IGNORED\((?P<ignored>\w+), {TEXT}, {TEXT}\)"
    rf"|PERPEND_NOTED\((?P<noted>\w+), {TEXT}, \w+, {TEXT}, .*\)"
    r"|(?://.*)?"
)


def settings(text):
    """The list: (class, names, state, words) of each line."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        if not match:
            raise SystemExit(f"{LIST.relative_to(ROOT)}:{number}: not understood: {line}")
        given = [group for group in match.groups() if group is not None]
        if match["state"]:
            out.append((match["of"], given[2].split(), match["state"].lower(), ""))
        elif given:
            state = "ignored" if match["ignored"] else "noted"
            out.append((given[0], given[1].split(), state, given[2]))
    return out


def table(listed):
    """A row for the classes with the same settings that Bullet obeys and we do not."""
    yield "| of | in `notes` | without effect |"
    yield "|---|---|---|"
    rows = {}
    for of, names, state, words in listed:
        if state not in ("noted", "ignored"):
            continue
        names = ", ".join(f"`{name}`" for name in names)
        cells = rows.setdefault(of, {"noted": [], "ignored": []})
        cells[state].append(names if state == "noted" else f"{names}: {words}")
    alike = {}  # classes by their cells
    for of, cells in rows.items():
        alike.setdefault((", ".join(cells["noted"]), "; ".join(cells["ignored"])), []).append(of)
    for (noted, ignored), classes in alike.items():
        yield f"| {', '.join(f'`{of}`' for of in classes)} | {noted} | {ignored} |"


def page(text, listed):
    before, rest = text.split(BEGIN)
    after = rest.split(END, 1)[1]
    return (
        before + BEGIN + "\n" + "".join(line + "\n" for line in table(listed)) + "\n" + END + after
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    made = page(text, settings(LIST.read_text(encoding="utf-8")))
    if not options.check:
        PAGE.write_text(made, encoding="utf-8")
    elif made != text:
        print(f"{PAGE.relative_to(ROOT)}: is not as scripts/settings.py makes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
