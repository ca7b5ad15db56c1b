"""Numbers that documents quote from results/. The number is a link that names its cell:

    drifts by [0.38 m](../results/epyc-2/simulator.csv#stack:10,bullet,drift_m)

After the # are the cells of the key columns and the column, separated by commas. A cell may be a
pattern, and the column then begins with max:, min:, sum: or count: (count:end=fell). "less than N" and
"more than N" in the link compare; otherwise the number must be the cell's, rounded as it is written.
Units are converted. A link without a column names a row, one without # a table.
"""

import csv
import fnmatch
import re
from pathlib import Path
from urllib.parse import unquote

from measurements import MEASUREMENTS

LINK = re.compile(r"\[([^\]\n]+)\]\((?:\.\./)*(results/[^)#\s]+\.csv)(?:#([^)\s]+))?\)")
NUMBER = re.compile(r"(?P<number>-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?)(?: ?(?P<unit>[a-zµ%/]+))?")
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
UNITS = (
    {"m": 1, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6, "nm": 1e-9},
    {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "minutes": 60},
)


def documents(root):
    root = Path(root)
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def quoted(root):
    """(document, line number, text of the link, table, what is after #)."""
    for path in documents(root):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for match in LINK.finditer(line):
                yield path, number, match[1], match[2], unquote(match[3] or "")


def cell(root, table, place):
    """The value named by the link and its unit: (number or text, unit); None if it names a row or a
    table. Raises ValueError with what is wrong."""
    path = Path(root) / table
    found = [m for m in MEASUREMENTS if m.name == path.stem]
    if not path.exists() or not found:
        raise ValueError(f"there is no {table}")
    m = found[0]
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        if reader.fieldnames != m.header():
            raise ValueError(f"{table}: its columns are not those of bench/measurements.py")
    if not place:
        return None
    parts = place.split(",")
    if len(parts) not in (len(m.key), len(m.key) + 1):
        raise ValueError(f"{table}: a row is named by {', '.join(m.key)}, not by {place}")
    chosen = [
        row
        for row in rows
        if all(fnmatch.fnmatchcase(row[name], part) for name, part in zip(m.key, parts))
    ]
    if not chosen:
        raise ValueError(f"{table}: there is no row {','.join(parts[: len(m.key)])}")
    if len(parts) == len(m.key):
        return None
    how, _, column = parts[-1].rpartition(":")
    column, _, wanted = column.partition("=")
    if column not in m.header():
        raise ValueError(f"{table}: there is no column {column}")
    unit = m.columns[column][0] if column in m.columns else ""
    cells = [row[column] for row in chosen]
    if how == "count":
        return cells.count(wanted), ""
    if not how:
        if len(cells) > 1:
            raise ValueError(f"{table}: {len(cells)} rows are {place}")
        try:
            return float(cells[0]), unit
        except ValueError:
            return cells[0], unit
    numbers = [float(text) for text in cells if text]
    if how not in ("max", "min", "sum") or not numbers:
        raise ValueError(f"{table}: {place} has no number")
    return {"max": max, "min": min, "sum": sum}[how](numbers), unit


def factor(unit, of):
    """What a number in `unit` is multiplied by to be one in `of`."""
    if not unit or unit == of:
        return 1
    for family in UNITS:
        if unit in family and of in family:
            return family[unit] / family[of]
    raise ValueError(f"{unit} cannot be compared with {of or 'a number without unit'}")


def as_written(number, like):
    """The number with the decimals of `like`."""
    if "e" in like:
        digits = like.partition("e")[0].lstrip("-")
        return re.sub(
            r"e([+-])0*(\d)",
            lambda m: "e" + m[1].strip("+") + m[2],
            f"{number:.{len(digits.partition('.')[2])}e}",
        )
    text = f"{number:.{len(like.partition('.')[2])}f}"
    return f"{int(text):,}" if "," in like else text


def mistaken(root, text, table, place):
    """What is wrong with a quotation, and the text it should have (None: unknown); ("", text) if it
    is right."""
    try:
        found = cell(root, table, place)
        if found is None:
            return "", text
        value, unit = found
        if isinstance(value, str):
            right = value.lower() in text.lower()
            return ("" if right else f"{table}#{place} is {value}"), text if right else None
        if text.lower() in WORDS:
            right = WORDS.index(text.lower()) == value
            return ("" if right else f"{table}#{place} is {value:g}"), text if right else None
        match = NUMBER.search(text)
        if not match:
            return f"there is no number in the link to {table}#{place}", None
        scale = factor(match["unit"], unit)
    except ValueError as error:
        return str(error), None
    shown = float(match["number"].replace(",", ""))
    if "less than" in text or "more than" in text:
        right = abs(value) < shown * scale if "less than" in text else value > shown * scale
        return ("" if right else f"{table}#{place} is {value:g} {unit}"), text if right else None
    wanted = as_written(abs(value) / scale if shown > 0 else value / scale, match["number"])
    if wanted == match["number"]:
        return "", text
    return (
        f"{match['number']} is {wanted} in {table}#{place}",
        text[: match.start("number")] + wanted + text[match.end("number") :],
    )


def check(root):
    root = Path(root)
    complaints = []
    for path, number, text, table, place in quoted(root):
        why, _ = mistaken(root, text, table, place)
        if why:
            complaints.append(f"{path.relative_to(root)}:{number}: {why}")
    return complaints


def update(root):
    """Writes the numbers of results/ into the documents; returns what must be changed by hand."""
    root = Path(root)
    told = []

    def renewed(path, match):
        why, text = mistaken(root, match[1], match[2], unquote(match[3] or ""))
        if not why:
            return match[0]
        told.append(f"{path.relative_to(root)}: {why}{'' if text else ' (change it by hand)'}")
        return match[0].replace(f"[{match[1]}]", f"[{text}]", 1) if text else match[0]

    for path in documents(root):
        before = path.read_text(encoding="utf-8")
        after = LINK.sub(lambda match, path=path: renewed(path, match), before)
        if after != before:
            path.write_text(after, encoding="utf-8")
    return told
