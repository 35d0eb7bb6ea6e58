"""The figures as a table, as SVG and as a page. The SVG follows the reader's light or dark setting; lines differ in colour,
dashes and the shape of their points, so that they can be told apart without colour."""

from html import escape

from joining import BINS

# Okabe & Ito (2008), darkened on white and lightened on black until the contrast is at least 3:1
LOOKS = [
    ("#c24a00", "#ff9a5c", "none", "M-5 -5H5V5H-5z"),
    ("#0067a8", "#6cb8ff", "none", "M-5.5 0A5.5 5.5 0 0 0 5.5 0A5.5 5.5 0 0 0 -5.5 0z"),
    ("#007a58", "#4fd6a8", "8 4", "M0 -6.5L6 5H-6z"),
    ("#a3457f", "#f2a0d2", "2 4", "M0 -7L7 0L0 7L-7 0z"),
    ("#8a6100", "#f2c14e", "10 4 2 4", "M0 6.5L6 -5H-6z"),
    ("#4b4b4b", "#d0d0d0", "5 3", "M-6 -2H-2V-6H2V-2H6V2H2V6H-2V2H-6z"),
    ("#5b4fc4", "#b9b0ff", "12 4", "M-6.5 -3H6.5V3H-6.5z"),
    ("#7a4a2a", "#d9ae8a", "3 3 8 3", "M-3 -6.5H3V6.5H-3z"),
]


class Figures:
    """Of each bin how many sources there are (0: nothing else is known of it) and their mean length; `series` has for each
    scorer its BLEU of all and a (BLEU, lower, upper) for each bin."""

    def __init__(self, unit, counts, means):
        self.unit, self.counts, self.means = unit, counts, means
        self.series = {}  # name: (bleu, points)

    def bins(self):
        return [place for place, count in enumerate(self.counts) if count]


def table(figures):
    rows = [["length", "sources", *figures.series]]
    for place in figures.bins():
        points = [points[place] for _, points in figures.series.values()]
        rows.append([BINS[place], f"{figures.counts[place]:7}", *("%5.1f [%.1f, %.1f]" % point for point in points)])
    rows.append(["all", f"{sum(figures.counts):7}", *(f"{bleu:5.1f}" for bleu, _ in figures.series.values())])
    lines = ["".join(cell.ljust(width) for cell, width in zip(row, [8, 10] + [24] * len(row))).rstrip() for row in rows]
    return f"BLEU by the length of the source in {figures.unit}; in brackets 95 % confidence\n\n" + "\n".join(lines) + "\n"


def style(count):
    def variables(shade):
        return "".join(f" --line{i}: {LOOKS[i][shade]};" for i in range(count))

    rules = "".join(
        f".bottleneck .line{i} {{ stroke: var(--line{i}); }}\n.bottleneck .dashed{i} {{ stroke-dasharray: {LOOKS[i][2]}; }}\n"
        f".bottleneck .point{i} {{ fill: var(--line{i}); stroke: var(--paper); }}\n"
        for i in range(count)
    )
    return (
        f"<style>\n.bottleneck {{ --paper: #ffffff; --ink: #1d2430; --soft: #5a6474; --grid: #dfe3e9;{variables(0)} }}\n"
        "@media (prefers-color-scheme: dark) { .bottleneck "
        f"{{ --paper: #12161d; --ink: #e6eaf0; --soft: #a2adbd; --grid: #2c3440;{variables(1)} }} }}\n"
        '.bottleneck text { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }\n'
        ".bottleneck .title { font-size: 17px; font-weight: 600; }\n"
        ".bottleneck .soft { fill: var(--soft); font-size: 13px; }\n"
        ".bottleneck .grid { stroke: var(--grid); }\n.bottleneck .axis { stroke: var(--soft); }\n"
        ".bottleneck .line { fill: none; stroke-width: 2.2; }\n"
        f".bottleneck .interval {{ stroke-width: 1.4; opacity: .6; }}\n{rules}</style>\n"
    )


def svg(figures, caption="", wide=True):
    """One <svg> element, 720 units wide, or 360 for phones: letters as large on half the width."""
    width, legend, columns = (720 if wide else 360), (70 if caption else 54), (5 if wide else 2)
    left, right = 44, width - 16
    top = legend + 22 + 24 * -(-len(figures.series) // columns)
    bottom = top + (300 if wide else 260)
    height = bottom + 54
    longest = max([70] + [figures.means[place] for place in figures.bins()]) + 2
    greatest = max([0] + [points[place][2] for _, points in figures.series.values() for place in figures.bins()])
    highest = 20 * max(1, -int(-greatest // 20))

    def x_of(length):
        return left + (right - left) * length / longest

    def y_of(bleu):
        return bottom - (bottom - top) * bleu / highest

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bottleneck" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="BLEU by the number of {figures.unit} in the source">\n'
        f'{style(len(figures.series))}<rect width="{width}" height="{height}" rx="10" style="fill: var(--paper)"/>\n'
        '<text class="title" x="16" y="28">BLEU by source length</text>\n'
    ]
    if caption:
        out.append(f'<text class="soft" x="16" y="48">{escape(caption)}</text>\n')
    for bleu in range(0, highest + 1, 20):
        out.append(
            f'<path class="{"grid" if bleu else "axis"}" d="M{left:.1f} {y_of(bleu):.1f}H{right:.1f}"/>\n'
            f'<text class="soft" x="{left - 8:.1f}" y="{y_of(bleu) + 4.5:.1f}" text-anchor="end">{bleu}</text>\n'
        )
    for length in range(0, int(longest) + 1, 10):
        out.append(
            f'<path class="axis" d="M{x_of(length):.1f} {bottom:.1f}v5"/>\n'
            f'<text class="soft" x="{x_of(length):.1f}" y="{bottom + 20:.1f}" text-anchor="middle">{length}</text>\n'
        )
    out.append(
        f'<text x="16.0" y="{top - 16:.1f}">BLEU</text>\n'
        f'<text x="{(left + right) / 2:.1f}" y="{bottom + 42:.1f}" text-anchor="middle">{figures.unit} in the source</text>\n'
    )
    for i, name in enumerate(figures.series):
        x, y = 16 + (width - 32) / columns * (i % columns), legend + 24 * (i // columns)
        out.append(
            f'<path class="line line{i} dashed{i}" d="M{x:.1f} {y:.1f}h34"/>'
            f'<path class="point{i}" transform="translate({x + 17:.1f} {y:.1f})" d="{LOOKS[i][3]}"/>'
            f'<text x="{x + 42:.1f}" y="{y + 5:.1f}">{escape(name)}</text>\n'
        )
    for i, (name, (_, points)) in enumerate(figures.series.items()):
        # a line is broken where a bin is empty
        path = "".join(
            f"{'L' if place and figures.counts[place - 1] else 'M'}{x_of(figures.means[place]):.1f} {y_of(points[place][0]):.1f}"
            for place in figures.bins()
        )
        out.append(f'<path class="line line{i} dashed{i}" d="{path}"/>\n' if path else "")
        for place in figures.bins():
            x, (bleu, lower, upper) = x_of(figures.means[place]), points[place]
            out.append(
                f'<path class="interval line{i}" d="M{x:.1f} {y_of(lower):.1f}V{y_of(upper):.1f}"/>'
                f'<path class="point{i}" transform="translate({x:.1f} {y_of(bleu):.1f})" d="{LOOKS[i][3]}"><title>{escape(name)}, '
                f"{BINS[place]} {figures.unit}: {bleu:.1f} BLEU ({lower:.1f} to {upper:.1f})</title></path>\n"
            )
    return "".join(out) + "</svg>\n"


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>The bottleneck that attention removes</title>
<style>
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1d2430; --soft: #5a6474; --rule: #dfe3e9; }
@media (prefers-color-scheme: dark) { :root { --paper: #12161d; --ink: #e6eaf0; --soft: #a2adbd; --rule: #2c3440; } }
body { margin: 0 auto; padding: 16px; max-width: 752px; box-sizing: border-box; background: var(--paper); color: var(--ink);
    font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2rem; }
svg { max-width: 100%; height: auto; display: block; margin: 0 auto; }
.narrow { display: none; }
@media (max-width: 600px) { .narrow { display: block; } .wide { display: none; } }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .35em .8em; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child { text-align: left; padding-left: 0; }
@media (max-width: 600px) { th, td { padding: .35em .45em; } td:last-child { padding-right: 0; } }
td small, dt { color: var(--soft); } td small { display: block; line-height: 1.2; }
dt { margin-top: .7em; } dd { margin: 0; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>The bottleneck that attention removes</h1>
<p>Without attention the decoder sees one vector, however long the source is; with attention it looks at the source again for
every word. The models, sentences, batches and their order are the same; only the context differs.</p>
<div class="wide">
{wide}</div>
<div class="narrow">
{narrow}</div>
<p>A point is the BLEU of all sources of a length bin, drawn at their mean length; its bar is the 95&#160;% interval of 1,000
bootstrap resamples. After figure 2 of Bahdanau, Cho and Bengio (2014), <i>Neural machine translation by jointly learning to
align and translate</i>.</p>
<h2>The figures</h2>
<div class="scroll"><table>
<thead><tr><th>{unit}</th><th>sources</th>{names}</tr></thead>
<tbody>
{rows}<tr><th>all</th><td>{total}</td>{all}</tr>
</tbody></table></div>
<h2>How it was made</h2>
<dl>
{notes}</dl>
</body>
</html>
"""


def page(figures, caption, notes):
    """`notes` are pairs of texts: how it was made."""
    rows = ""
    for place in figures.bins():
        cells = [f"<td>{bleu:.1f} <small>{lower:.1f}–{upper:.1f}</small></td>"
                 for bleu, lower, upper in (points[place] for _, points in figures.series.values())]
        rows += f"<tr><th>{BINS[place]}</th><td>{figures.counts[place]}</td>{''.join(cells)}</tr>\n"
    parts = {
        "wide": svg(figures, caption),
        "narrow": svg(figures, wide=False),
        "unit": figures.unit,
        "names": "".join(f"<th>{escape(name)}</th>" for name in figures.series),
        "rows": rows,
        "total": str(sum(figures.counts)),
        "all": "".join(f"<td>{bleu:.1f}</td>" for bleu, _ in figures.series.values()),
        "notes": "".join(f"<dt>{escape(label)}</dt><dd>{escape(text)}</dd>\n" for label, text in notes),
    }
    text = PAGE
    for key, value in parts.items():
        text = text.replace("{" + key + "}", value)
    return text
