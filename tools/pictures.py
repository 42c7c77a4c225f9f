"""Draw the pictures of README.md: a tree, and accuracy against speed.

    python tools/pictures.py            # write docs/tree.svg and docs/front.svg
    python tools/pictures.py --check    # exit status 1 if they are not what the sources give

The tree is drawn by fastparse itself. The figures are those of benchmarks/results/front.json.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from fastparse import Treebank
from fastparse.drawing.svg import to_svg

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "benchmarks" / "results" / "front.json"

SENTENCE = Treebank.from_columns(
    forms=["A", "hearing", "is", "scheduled", "on", "the", "issue", "today"],
    upos=["DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "NOUN"],
    heads=[2, 4, 4, 0, 7, 7, 2, 4],
    deprels=["det", "nsubj:pass", "aux:pass", "root", "case", "det", "nmod", "obl:unmarked"],
)[0]
_DARK_TREE = """
@media (prefers-color-scheme: dark) {
.fastparse-tree .background { fill: none; }
.fastparse-tree .arc { stroke: #94a3b8; }
.fastparse-tree .head { fill: #94a3b8; }
.fastparse-tree .label { fill: #cbd5e1; }
.fastparse-tree .form { fill: #f1f5f9; }
.fastparse-tree .tag { fill: #5eead4; }
.fastparse-tree .crossing .arc { stroke: #f87171; }
.fastparse-tree .crossing .head, .fastparse-tree .crossing .label { fill: #f87171; }
}
</style>"""

_STYLE = """
.front { font-family: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; font-size: 13px; }
.front text { fill: #334155; }
.front .name { font-size: 14px; fill: #0f172a; }
.front .line { stroke: #cbd5e1; stroke-width: 1; }
.front .other { fill: #64748b; }
.front .ours { fill: #0f766e; }
@media (prefers-color-scheme: dark) {
.front text { fill: #cbd5e1; }
.front .name { fill: #f1f5f9; }
.front .line { stroke: #475569; }
.front .other { fill: #94a3b8; }
.front .ours { fill: #2dd4bf; }
}"""
_WIDTH, _HEIGHT = 760, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 30, 20, 50


def tree() -> str:
    """The tree of a sentence with crossing arcs."""
    return to_svg(SENTENCE, tags=True).replace("\n</style>", _DARK_TREE, 1)


def front() -> str:
    """LAS against words per second on a logarithmic scale, a point per row of the record."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["rows"]
    decades = range(int(math.log10(min(row["words/s"] for row in rows))), 7)
    scores = range(76, 93, 4)

    def x(speed: float) -> float:
        share = (math.log10(speed) - decades[0]) / (decades[-1] - decades[0])
        return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)

    def y(score: float) -> float:
        return round(_HEIGHT - _BOTTOM - (score - scores[0]) / (scores[-1] - scores[0]) * (_HEIGHT - _TOP - _BOTTOM), 1)

    said = ", ".join(f"{row['name'].replace('`', '')}: {row['LAS']:.1f} at {row['words/s']:,}" for row in rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="front" role="img" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-labelledby="front-title">',
        f'<title id="front-title">LAS against words per second: {said}</title>',
        f"<style>{_STYLE}\n</style>",
    ]
    for decade in decades:
        at, name = x(10**decade), f"{10**decade:,}"
        parts.append(f'<line class="line" x1="{at}" x2="{at}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>')
        parts.append(f'<text x="{at}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{name}</text>')
    for score in scores:
        at = y(score)
        parts.append(f'<line class="line" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at}" y2="{at}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{at + 4}" text-anchor="end">{score}</text>')
    parts.append(f'<text x="{_WIDTH - _RIGHT}" y="{_HEIGHT - 8}" text-anchor="end">words per second, one core</text>')
    parts.append(f'<text x="{_LEFT - 8}" y="12" text-anchor="end">LAS</text>')
    for row in rows:
        name, ours = row["name"].replace("`", ""), row["name"].startswith("fastparse")
        at, up = x(row["words/s"]), y(row["LAS"])
        left = at > _WIDTH / 2
        shape = (
            f'<circle class="ours" cx="{at}" cy="{up}" r="7"/>'
            if ours
            else f'<rect class="other" x="{at - 5}" y="{up - 5}" width="10" height="10"/>'
        )
        end = ' text-anchor="end"' if left else ""
        parts.append(f'{shape}<text class="name" x="{at + (-12 if left else 12)}" y="{up + 5}"{end}>{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    """Write the pictures, or compare them; returns the exit status."""
    status = 0
    for name, draw in (("tree.svg", tree), ("front.svg", front)):
        path, drawn = ROOT / "docs" / name, draw()
        if "--check" not in sys.argv:
            path.write_text(drawn, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != drawn:
            print(f"pictures: docs/{name} is out of date: run python tools/pictures.py", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
