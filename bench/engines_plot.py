"""The picture of docs/engines.md: for each scene and engine, whether it solved its own problem (left)
and how far its answer is from Coulomb's law (right). A dot is the median frame, the line from it
ends at the worst one; both axes are logarithmic, in m/s."""

import math

COLOURS = {
    "bullet": "#d1495b",
    "ode": "#edae49",
    "dart": "#00798c",
    "mujoco": "#5b5ea6",
    "siconos": "#66a182",
}
LEAST, MOST = -16, 2  # powers of ten; smaller values are drawn at the left edge
WIDTH, LABELS, GAP, ROW, LINE = 960, 120, 36, 15, 12
FONT = 'font-family="Helvetica, Arial, sans-serif" font-size="12"'


def place(value, left, width):
    power = math.log10(value) if value and value > 0 else LEAST
    return left + width * (min(max(power, LEAST), MOST) - LEAST) / (MOST - LEAST)


def panel(out, left, width, top, bottom, title):
    out.append(
        f'<text x="{left + width / 2:.0f}" y="{top - 24}" text-anchor="middle" {FONT} '
        f'font-weight="bold" fill="#222">{title}</text>'
    )
    for power in range(LEAST, MOST + 1, 2):
        x = place(10.0**power, left, width)
        out.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}" '
            f'stroke="{"#999" if power == 0 else "#e4e4e4"}"/>'
        )
        if power % 4 == 0 or power == MOST:
            out.append(
                f'<text x="{x:.1f}" y="{top - 7}" text-anchor="middle" {FONT} '
                f'fill="#666">1e{power}</text>'
            )


def draw(scenes, engines, found):
    """SVG text. found: {(engine, scene): summary of `perpend capture`}."""
    width = (WIDTH - LABELS - GAP - 12) / 2
    lefts = {"own_error": LABELS, "velocity_error": LABELS + width + GAP}
    top = 92
    height = len(scenes) * (len(engines) * LINE + ROW)
    bottom = top + height
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 14}" '
        f'width="{WIDTH}" height="{bottom + 14}">',
        f'<rect width="{WIDTH}" height="{bottom + 14}" fill="#ffffff"/>',
    ]
    x = LABELS
    for engine in engines:
        out.append(
            f'<circle cx="{x}" cy="22" r="5" fill="{COLOURS[engine]}"/>'
            f'<text x="{x + 10}" y="26" {FONT} fill="#222">{engine}</text>'
        )
        x += 34 + 8 * len(engine)
    out.append(
        f'<text x="{x + 16}" y="26" {FONT} fill="#666">dot: median frame; end of the line: '
        "worst frame; m/s</text>"
    )
    panel(out, lefts["own_error"], width, top, bottom, "own_error: did it solve its own problem")
    panel(out, lefts["velocity_error"], width, top, bottom, "velocity_error: is it Coulomb")
    y = top
    for index, scene in enumerate(scenes):
        band = len(engines) * LINE + ROW
        if index % 2 == 0:
            out.append(
                f'<rect x="0" y="{y}" width="{WIDTH}" height="{band}" fill="#000" '
                'opacity="0.035"/>'
            )
        out.append(
            f'<text x="{LABELS - 10}" y="{y + band / 2 + 4:.0f}" text-anchor="end" {FONT} '
            f'fill="#222">{scene}</text>'
        )
        for place_of, engine in enumerate(engines):
            at = y + ROW / 2 + LINE * (place_of + 0.5)
            summary = found.get((engine, scene))
            for error, left in lefts.items():
                if not summary or error not in summary["errors"]:
                    continue
                ends = [
                    place(summary[kind][error], left, width) for kind in ("errors_median", "errors")
                ]
                out.append(
                    f'<line x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{at:.1f}" '
                    f'y2="{at:.1f}" stroke="{COLOURS[engine]}" stroke-width="2" '
                    'opacity="0.55"/>'
                    f'<circle cx="{ends[0]:.1f}" cy="{at:.1f}" r="4" '
                    f'fill="{COLOURS[engine]}"/>'
                )
        y += band
    out.append("</svg>")
    return "\n".join(out) + "\n"
