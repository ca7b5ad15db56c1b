"""SVG plots of result tables. A table is a list of rows {column: text}; empty cells are not drawn.

dots: a row of the picture for each label, a dot for each series, panels beside each other. scatter:
y against x, a curve for each series. Zero has no place on a logarithmic axis: 1e-16 stands for it.
"""

import math
from xml.sax.saxutils import escape

PALETTE = ["#d1495b", "#edae49", "#00798c", "#5b5ea6", "#66a182", "#8d5b4c", "#2e4057", "#b56576"]
COLOURS = {
    "perpend": "#1b1b1b",
    "bullet": "#d1495b",
    "bullet nncg": "#f08a96",
    "ode": "#edae49",
    "dart": "#00798c",
    "mujoco": "#5b5ea6",
    "siconos": "#66a182",
}
ZERO = 1e-16
FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="12"'


def value(row, column):
    """The number in a cell; None if there is none."""
    try:
        number = float(row.get(column) or "nan")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def distinct(values):
    return list(dict.fromkeys(values))


def colours(names):
    """A colour for each series; an engine has its own everywhere, with any solver (`dart:pgs`)."""
    free = [colour for colour in PALETTE if colour not in COLOURS.values()] + PALETTE
    taken = {}
    for name in names:
        engine = name.partition(":")[0]
        taken[name] = COLOURS.get(engine) or free[len(taken) % len(free)]
    return taken


class Axis:
    """Numbers to places between two ends, logarithmic or from zero."""

    def __init__(self, numbers, log, ends):
        self.log, self.ends = log, ends
        numbers = [self.power(n) for n in numbers] or [0.0, 1.0]
        low, high = min(numbers), max(numbers)
        if log:
            self.low, self.high = math.floor(low), max(math.ceil(high), math.floor(low) + 1)
            step = max(1, math.ceil((self.high - self.low) / 6))
            self.ticks = [10.0**k for k in range(self.low, self.high + 1, step)]
        else:
            top = max(high, 1e-300)
            unit = 10.0 ** math.floor(math.log10(top))
            step = next(s * unit for s in (0.2, 0.5, 1, 2, 5) if top / (s * unit) <= 6)
            self.low, self.high = 0.0, step * math.ceil(top / step - 1e-9)
            self.ticks = [step * k for k in range(round(self.high / step) + 1)]

    def power(self, number):
        return math.log10(max(number, ZERO)) if self.log else number

    def place(self, number):
        share = (self.power(number) - self.low) / (self.high - self.low)
        return self.ends[0] + (self.ends[1] - self.ends[0]) * share


def text(x, y, words, anchor="start", colour="#222", extra=""):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT} fill="{colour}"{extra}>'
        f"{escape(str(words))}</text>"
    )


def line(x1, y1, x2, y2, colour, extra=""):
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{extra}/>'
    )


def dot(x, y, colour):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'


def legend(out, names, x, y):
    for name, colour in names.items():
        out.append(dot(x, y - 4, colour) + text(x + 9, y, name))
        x += 30 + 7 * len(name)
    return x


def picture(width, height, parts):
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def dots(rows, label, panels, series=None, note=""):
    """label: the column (or columns) that names a row of the picture. A panel is {"title", "log",
    "columns"}: one column and a dot for each value of `series`, or several columns that are the series
    themselves. "to": a column where a line from the dot ends."""
    label = [label] if isinstance(label, str) else label
    named = [" ".join(row[part] for part in label) for row in rows]
    labels = distinct(named)
    group = lambda row: row[series].partition(":")[0]
    # A single panel with several columns: a series each.
    names = distinct(group(row) for row in rows) if series else []
    if not series:
        names = distinct(column for panel in panels for column in panel["columns"])
    paint = colours(names)
    lines = 1 if not series and len(panels) > 1 else len(names)
    pitch, margin, band_gap, top = 12, 12 + 7 * max(len(name) for name in labels), 8, 78
    band = lines * pitch + band_gap
    width = max(960, margin + 240 * len(panels))
    panel_width = (width - margin - 24 - 36 * (len(panels) - 1)) / len(panels)
    bottom = top + band * len(labels)
    out = []
    x = legend(out, paint if series or len(panels) == 1 else {}, 16, 22)
    out.append(text(x, 22, note, colour="#666"))
    for index, name in enumerate(labels):
        y = top + band * index
        if index % 2 == 0:
            out.append(
                f'<rect y="{y}" width="{width}" height="{band}" fill="#000" opacity=".035"/>'
            )
        out.append(text(margin - 8, y + band / 2 + 4, name, "end"))
    for number, panel in enumerate(panels):
        left = margin + number * (panel_width + 36)
        drawn = [*panel["columns"], *([panel["to"]] if "to" in panel else [])]
        found = [value(row, column) for row in rows for column in drawn]
        axis = Axis(
            [n for n in found if n is not None], panel.get("log"), (left, left + panel_width)
        )
        out.append(
            text(left + panel_width / 2, 46, panel["title"], "middle", extra=' font-weight="bold"')
        )
        for tick in axis.ticks:
            at = axis.place(tick)
            out.append(line(at, top, at, bottom, "#ddd"))
            out.append(text(at, top - 7, f"{tick:g}", "middle", "#666"))
        for row, name in zip(rows, named):
            for column in panel["columns"]:
                place = names.index(group(row) if series else column)
                number_there, end = value(row, column), value(row, panel.get("to"))
                if number_there is None:
                    continue
                y = top + band * labels.index(name) + band_gap / 2
                y += pitch * ((place if lines > 1 else 0) + 0.5)
                colour = paint[names[place]]
                if end is not None:
                    out.append(
                        line(
                            axis.place(number_there),
                            y,
                            axis.place(end),
                            y,
                            colour,
                            ' stroke-width="2" opacity=".55"',
                        )
                    )
                out.append(dot(axis.place(number_there), y, colour))
    return picture(width, math.ceil(bottom + 14), out)


def scatter(rows, x, ys, series, title):
    """Both axes logarithmic. x: (column, title); ys: a panel for each (column, title) that has a
    number above zero, two in a line."""
    ys = [y for y in ys if any((value(row, y[0]) or 0) > 0 for row in rows)]
    names = colours(distinct(row[series] for row in rows))
    panel_width, panel_height, left = 430, 330, 62
    width = max(560, 20 + panel_width * min(len(ys), 2))
    height = 70 + panel_height * math.ceil(len(ys) / 2)
    out = [text(16, 22, title, extra=' font-weight="bold"')]
    legend(out, names, 16, 44)
    for number, (column, words) in enumerate(ys):
        begin = number % 2 * panel_width + left
        top = 78 + number // 2 * panel_height
        bottom = top + 260
        points = [
            (row[series], value(row, x[0]), value(row, column))
            for row in rows
            if value(row, x[0]) is not None and value(row, column) is not None
        ]
        across = Axis([p[1] for p in points], True, (begin, begin + panel_width - left - 16))
        up = Axis([p[2] for p in points], True, (bottom, top))
        for tick in across.ticks:
            at = across.place(tick)
            out.append(line(at, top, at, bottom, "#ddd"))
            out.append(text(at, bottom + 18, f"{tick:g}", "middle", "#666"))
        for tick in up.ticks:
            at = up.place(tick)
            out.append(line(across.ends[0], at, across.ends[1], at, "#ddd"))
            out.append(text(begin - 6, at + 4, f"{tick:g}", "end", "#666"))
        out.append(text(sum(across.ends) / 2, bottom + 38, x[1], "middle"))
        out.append(text(begin, top - 10, words))
        for name, colour in names.items():
            mine = sorted((px, py) for of, px, py in points if of == name)
            places = [(across.place(px), up.place(py)) for px, py in mine]
            for (x1, y1), (x2, y2) in zip(places, places[1:]):
                out.append(line(x1, y1, x2, y2, colour, ' opacity=".6"'))
            out += [dot(px, py, colour) for px, py in places]
    return picture(width, height, out)
