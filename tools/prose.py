"""Find habits of prose that docs/style.md advises against, in all pages but records of the past.

python tools/prose.py [FILE ...]        # exit status 1 if there are any
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "benchmarks", "research", "examples", "models")
LEFT_OUT = ("CHANGELOG.md", "docs/style.md", "docs/results.md")
HABITS = {
    r"\b[Ww]hat (is|are) (said|there|asked|given|left)\b": "name the thing",
    r"\b[Ww]hat (there|it|they) (is|are|has|have)\b(?! worth)": "name the thing",
    r"\b[Ww]hoever\b": "name who: users, the caller, every request",
    r"\bis no business of\b": "say what does not happen",
    r"\b(is|are|was|were) said\b": "let somebody or something say it",
    r"\bby chance\b": "at random",
    r"\bin place of\b": "instead of",
    r"\b(is|are) packed\b": "compressed, or packaged",
    r"\bhas been asked for\b": "the user asked for",
}
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def habits(text: str) -> list[tuple[int, str, str]]:
    """The line, the words and the advice for each habit of a text; code does not count."""
    prose = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    found = [
        (prose.count("\n", 0, match.start()) + 1, match[0], advice)
        for habit, advice in HABITS.items()
        for match in re.finditer(habit, prose)
    ]
    return sorted(found)


def main(names: list[str]) -> int:
    """Print the habits of the files, or of all pages; returns the exit status."""
    if not names:
        pages = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
        names = sorted({page.relative_to(ROOT).as_posix() for page in pages} - set(LEFT_OUT))
    status = 0
    for name in names:
        for line, words, advice in habits((ROOT / name).read_text(encoding="utf-8")):
            print(f"{name}:{line}: {words!r}: {advice}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
