#!/usr/bin/env python3
"""Writes web/view/src/messages.ts from the list of messages in src/view/messages.inc.

    scripts/messages.py [--check]

--check writes nothing and exits 1 when the file is not as it would be made.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "src/view/messages.inc"
MADE = ROOT / "web/view/src/messages.ts"

TYPES = {
    "flag": "boolean",
    "count": "number",
    "number": "number",
    "vector": "[number, number, number]",
    "text": "string",
    "bytes": "Uint8Array",
    "counts": "Uint32Array",
    "floats": "Float32Array",
}
LINE = re.compile(
    r"PERPEND_MESSAGE\(\w+, (?P<message>\w+), (?P<number>\d+), (?P<from>\w+), \"(?P<about>.*)\"\)"
    r"|PERPEND_FIELD\((?P<type>\w+), (?P<field>\w+), \"(?P<meaning>.*)\"\)"
    r"|PERPEND_END\(\w+\)"
    r"|(?://.*)?"
)


def messages(text):
    """The list: dictionaries with name, number, from, about and fields (type, name, meaning)."""
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        match = LINE.fullmatch(line)
        if not match or (match["type"] and match["type"] not in TYPES):
            raise SystemExit(f"{LIST.relative_to(ROOT)}:{number}: not understood: {line}")
        if match["message"]:
            names = ("message", "number", "from", "about")
            out.append({name: match[name] for name in names} | {"fields": []})
        elif match["field"]:
            out[-1]["fields"].append((match["type"], match["field"], match["meaning"]))
    return out


def interface(message):
    """A message as TypeScript's interface."""
    if message["about"]:
        yield f"// {message['about'][0].upper()}{message['about'][1:]}."
    name = "".join(word.capitalize() for word in message["message"].split("_"))
    if not message["fields"]:
        yield f"export interface {name} {{ kind: '{message['message']}' }}"
        return
    yield f"export interface {name} {{"
    yield f"  kind: '{message['message']}';"
    for kind, field, meaning in message["fields"]:
        yield f"  {field}: {TYPES[kind]};" + (f"  // {meaning}" if meaning else "")
    yield "}"


def made(text):
    """The TypeScript file."""
    every = messages(text)
    lines = [
        "// Made by scripts/messages.py from src/view/messages.inc: change that one.",
        "",
        f"export type FieldType = {' | '.join(repr(t) for t in TYPES)};",
        "",
    ]
    for message in every:
        lines += [*interface(message), ""]
    name = lambda m: "".join(word.capitalize() for word in m["message"].split("_"))
    for title, senders in (("FromProgram", ["program"]), ("ToProgram", ["page", "hand"])):
        names = [name(m) for m in every if m["from"] in senders]
        lines.append(f"export type {title} = {' | '.join(names)};")
    lines += ["", "// Numbers and fields on the wire, in order."]
    lines.append(
        "export const MESSAGES: Record<string, {number: number; fields: [string, FieldType][]}> = {"
    )
    for message in every:
        fields = ", ".join(f"['{field}', '{kind}']" for kind, field, _ in message["fields"])
        lines.append(
            f"  {message['message']}: {{number: {message['number']}, fields: [{fields}]}},"
        )
    lines.append("};")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = made(LIST.read_text(encoding="utf-8"))
    if not options.check:
        MADE.write_text(text, encoding="utf-8")
    elif not MADE.is_file() or MADE.read_text(encoding="utf-8") != text:
        print(f"{MADE.relative_to(ROOT)}: is not as scripts/messages.py makes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
