"""What is made from results/: the plots, the page of the site, the table in docs/measured.md."""

import csv
import html
import json
import re
from pathlib import Path

import plots
from measurements import MEASUREMENTS, QUOTED

PICTURES = ("pareto-wall.svg", "pareto-pile-boxes-100.svg", "engines.svg")  # in docs/pictures
MADE = re.compile(r"(<!-- made by scripts/measure.sh --update -->\n).*?(<!-- end -->)", re.S)


def machines(root):
    return sorted(path.parent.name for path in Path(root, "results").glob("*/machine.json"))


def about(root, machine):
    path = Path(root, "results", machine, "machine.json")
    return json.loads(path.read_text(encoding="utf-8"))


def rows_of(root, machine, name):
    path = Path(root, "results", machine, f"{name}.csv")
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def drawn(m, rows):
    """{file name: SVG} of a measurement."""
    pictures = {}
    for name, kind, options, only in m.plots:
        chosen = [row for row in rows if all(row[c] == value for c, value in only.items())]
        if chosen:
            pictures[name] = getattr(plots, kind)(chosen, **options)
    return pictures


def plain(command):
    """A command as somebody would type it."""
    return command.format(bin="build/release/bin", fclib="FCLIB", tmp="out")


def table(m, rows):
    """HTML, with an anchor at each row."""
    out = ['<div style="overflow-x: auto"><table>', "<thead><tr>"]
    for column in m.header():
        unit, meaning = m.columns.get(column, ("", "names the row"))
        title = html.escape(meaning + (f", {unit}" if unit else ""))
        out.append(f'<th title="{title}">{html.escape(column)}</th>')
    out.append("</tr></thead><tbody>")
    for row in rows:
        anchor = html.escape(",".join([m.name, *(row[name] for name in m.key)]))
        cells = "".join(f"<td>{html.escape(row[column])}</td>" for column in m.header())
        out.append(f'<tr id="{anchor}">{cells}</tr>')
    return "\n".join([*out, "</tbody></table></div>"])


def section(m, machine, of, newest, rows):
    pictures = drawn(m, rows)
    made = of["measurements"][m.name]
    out = [f"## {m.title} {{: #{m.name} }}", "", f"{m.shows} It does not show: {m.hides}", ""]
    out += [f"![{m.title}: {name}](measurements/{machine}/{name})\n" for name in pictures]
    out += ["```text", *made["commands"], "```", ""]
    words = f"Measured {made['date'][:10]} with the program of commit `{made['commit']}`"
    if made["commit"] != newest:
        words += ", **which is older than that of the newest table here**"
    if "load" in made:
        words += f", load of the machine {made['load'][0]}"
    if "left_out" in made:
        words += ". Left out, because a program was missing: "
        words += ", ".join(f"`{text}`" for text in made["left_out"])
    out += [words + ". " + made.get("note", ""), ""]
    out += [f"[{m.name}.csv](../results/{machine}/{m.name}.csv); what the columns mean:", ""]
    for column, (unit, meaning) in m.columns.items():
        out.append(f"- `{column}`{f' [{unit}]' if unit else ''}: {meaning}")
    return "\n".join([*out, "", table(m, rows), ""]), pictures


def page(root):
    """The page of the site, and the pictures beside it {path: SVG}."""
    out = ["# Every measurement", "", "The tables of `results/`, made by `scripts/measure.sh`.", ""]
    pictures = {}
    for machine in machines(root):
        of = about(root, machine)
        what, made = of["machine"], of["measurements"]
        newest = max(made.values(), key=lambda one: one["date"])["commit"]
        out += [
            f"Machine `{machine}`: {what['cpu']}, {what['cores']} cores, {what['memory_GB']} GB, "
            f"{what['system']}. Iterations, counts and errors are the same on every run of the same "
            "program. Times are not: compare the rows of one table.",
            "",
        ]
        for m in MEASUREMENTS:
            rows = rows_of(root, machine, m.name)
            if rows:
                text, svgs = section(m, machine, of, newest, rows)
                out.append(text)
                pictures.update({f"{machine}/{name}": svg for name, svg in svgs.items()})
    return "\n".join(out), pictures


def site_link(table_path, place):
    """Where a link to a cell of results/ leads in the site: the row in the page above. `place` is
    what the link has after #, or None."""
    name = Path(table_path).stem
    m = next(m for m in MEASUREMENTS if m.name == name)
    row = place.split(",")[: len(m.key)] if place else []
    if not row or any(re.search(r"[*?]", part) for part in row):
        return f"reference/measurements.md#{name}"
    return f"reference/measurements.md#{','.join([name, *row])}"


def documents_table():
    """The table in docs/measured.md."""
    lines = ["| table | what it shows | minutes |", "| --- | --- | ---: |"]
    for m in MEASUREMENTS:
        link = f"[{m.name}](../results/{QUOTED}/{m.name}.csv)"
        lines.append(f"| {link} | {m.title} | {m.minutes:g} |")
    return "\n".join(lines)


def made(root):
    """{path: text} of what is made from results/ and from the list, and is in the repository."""
    root = Path(root)
    measured = root / "docs" / "measured.md"
    text = MADE.sub(
        lambda match: f"{match[1]}{documents_table()}\n{match[2]}",
        measured.read_text(encoding="utf-8"),
    )
    out = {measured: text}
    for m in MEASUREMENTS:
        for name, svg in drawn(m, rows_of(root, QUOTED, m.name)).items():
            if name in PICTURES:
                out[root / "docs" / "pictures" / name] = svg
    return out


def update(root):
    changed = []
    for path, text in made(root).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(str(path.relative_to(root)))
    return changed
