"""Feature templates: parsing their text and compiling it to plans.

A template file has two sections, ``[moves]`` (what scores the next move) and ``[labels]`` (what scores the label of an
arc, seen from its head H and dependent D). Sets of the three-step system have two more, ``[put]`` and ``[dist]``: what
its passes decide by (fastparse/search/three_step.pyx says what stands at which position). Each line is one
template: terms that are read together. A term is

    POSITION[.RELATION].ATTRIBUTE    S0.form   B0.l1.upos   S0.head.deprel   S0.next.upos   B0.feats[Case]
    S0.lset S0.llabels S0.lval       labels of the children on the left, 32 or 128 of them told apart, and their number
    dist(A,B) arc(A,B) dir(A,B)      binned distance, arc already drawn between two positions, which comes first
    between(A,B,TAG)                 words tagged TAG strictly between, up to 3
    path(A,B) ahead(A,B)             how heads lead from one to the other; whether what A has in the tree lies behind B
    S0.heads                         how many heads a graph has given the word

``{A,B}`` in a line stands for several lines, one for each choice; ``#`` starts a comment.
"""

import hashlib
import re
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from typing import Any

from fastparse.errors import Error, UnknownNameError
from fastparse.features.plan import CELL_FIELDS, PAIR_KINDS, POSITION_NAMES, WORD_FIELDS, Plan

BUFFER = ("B0", "B1", "B2", "B3")
# Empty most of the time: a template that reads an empty one of these says nothing.
OPTIONAL = frozenset({"R1", "R2", "R3", "T0"})
_ATTRIBUTE = re.compile(r"(form|lemma|upos|xpos|tag|feats|pre[1-4]|suf[1-4])|(feats|misc)\[[^\]\s]+\]")
_PAIR = re.compile(r"(\w+)\((\w+),(\w+)(?:,([^)\s]+))?\)")
LONGEST_LINE = 1000
MOST_TEMPLATES = 4096  # of a model; those that come with fastparse have some hundred
_NEIGHBOURS = {"prev": -1, "next": 1, "prev2": -2, "next2": 2}


@dataclass(frozen=True)
class TemplateSet:
    """The text of a template file and its lines, expanded."""

    text: str
    moves: tuple[str, ...]
    labels: tuple[str, ...]
    put: tuple[str, ...] = ()
    dist: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """Those of all sections."""
        return (*self.moves, *self.labels, *self.put, *self.dist)


def read_templates(text: str, where: str = "<templates>") -> TemplateSet:
    """Parse the text of a template file.

    Raises:
        Error: naming the line that cannot be read.
    """
    # Insertion order counts; a repeated template is no second one.
    sections: dict[str, dict[str, None]] = {"moves": {}, "labels": {}, "put": {}, "dist": {}}
    section = None
    left = MOST_TEMPLATES
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        if line.startswith("["):
            section = line.strip("[]")
            if section not in sections:
                raise Error(
                    f"{where}:{number}: unknown section {line!r}; there are [moves] and [labels], and for three-step "
                    f"[put] and [dist]"
                )
            continue
        if section is None:
            raise Error(f"{where}:{number}: a template before the first section; start with [moves]")
        if len(line) > LONGEST_LINE:
            raise Error(f"{where}:{number}: the line has {len(line):,} characters, more than {LONGEST_LINE:,}")
        templates = _expand(line, left)
        left -= len(templates)
        if left < 0:
            raise Error(f"{where}:{number}: with this line there are more than {MOST_TEMPLATES:,} templates")
        for template in templates:
            for term in template.split():
                try:
                    _check_term(term)
                    if section == "labels" and not _read_by(term) <= {"H", "D"}:
                        raise UnknownNameError(f"a label is chosen from H and D alone, not from {term!r}")
                except UnknownNameError as error:
                    raise UnknownNameError(f"{where}:{number}: {error}") from None
            sections[section][template] = None
    return TemplateSet(text, **{name: tuple(lines) for name, lines in sections.items()})


def load_templates(name_or_path: str | Path) -> TemplateSet:
    """A template set that comes with fastparse, by name, or a file of the user's."""
    path = Path(name_or_path)
    known = Path(__file__).parent / "sets"
    if not path.is_file():
        path = known / f"{name_or_path}.txt"
    if not path.is_file():
        names = ", ".join(sorted(p.stem for p in known.glob("*.txt")))
        raise UnknownNameError(f"no template file {str(name_or_path)!r}; the sets that come with fastparse are {names}")
    return read_templates(_include(path.read_text(encoding="utf-8"), known), str(path))


def with_passes(templates: TemplateSet) -> TemplateSet:
    """The set, with what it lacks of the sections of the three-step system taken from the set of that name."""
    own = load_templates("three-step")
    text = templates.text.rstrip("\n") + "\n"
    for section in ("put", "dist"):
        if not getattr(templates, section):
            text += "\n".join(["", f"[{section}]", *getattr(own, section), ""])
    return read_templates(text)


def _include(text: str, folder: Path) -> str:
    """Put the lines of other files of the folder in the place of ``include NAME``, so that a text stands alone."""
    return re.sub(
        r"^include (\S+)$",
        lambda match: (folder / f"{match[1]}.txt").read_text(encoding="utf-8").rstrip(),
        text,
        flags=re.MULTILINE,
    )


def _expand(line: str, most: int) -> list[str]:
    """The lines it stands for, but not more than one above `most`."""
    parts = re.split(r"\{([^}]*)\}", line)
    choices = [[part] if i % 2 == 0 else part.split(",") for i, part in enumerate(parts)]
    return ["".join(choice) for choice in islice(product(*choices), most + 1)]


def _check_term(term: str) -> None:
    pair = _PAIR.fullmatch(term)
    if pair:
        kind, a, b, which = pair.groups()
        if kind not in PAIR_KINDS or (kind == "between") != (which is not None):
            raise UnknownNameError(
                f"unknown term {term!r}; there are dist(A,B), arc(A,B), dir(A,B), path(A,B), ahead(A,B), "
                "between(A,B,TAG)"
            )
        for position in (a, b):
            _check_position(position, term)
        return
    position, relation, attribute = _split(term)
    _check_position(position, term)
    if (relation, attribute) in CELL_FIELDS:
        return
    if relation not in WORD_FIELDS and relation not in _NEIGHBOURS:
        known = ", ".join(sorted(filter(None, [*WORD_FIELDS, *_NEIGHBOURS])))
        raise UnknownNameError(f"unknown relation {relation!r} in {term!r}; there are {known}")
    if not _ATTRIBUTE.fullmatch(attribute):
        raise UnknownNameError(f"unknown attribute {attribute!r} in {term!r}")


def _check_position(position: str, term: str) -> None:
    if position not in POSITION_NAMES:
        raise UnknownNameError(f"unknown position {position!r} in {term!r}; there are {', '.join(POSITION_NAMES)}")


def _read_by(term: str) -> set[str]:
    """The positions of a term."""
    pair = _PAIR.fullmatch(term)
    return {pair[2], pair[3]} if pair else {_split(term)[0]}


def _split(term: str) -> tuple[str, str, str]:
    head, _, attribute = term.partition("[")
    parts = head.split(".")
    if len(parts) not in (2, 3):
        raise UnknownNameError(f"unknown term {term!r}; a term is POSITION.ATTRIBUTE or POSITION.RELATION.ATTRIBUTE")
    attribute = parts[-1] + (f"[{attribute}" if attribute else "")
    return parts[0], parts[1] if len(parts) == 3 else "", attribute


# ── what templates ask of the columns ──


def attributes_of(templates: TemplateSet) -> set[str]:
    """Word attributes a template set reads, e.g. {"form", "upos", "feats[Case]"}."""
    found = set()
    for line in templates.lines:
        for term in line.split():
            if not _PAIR.fullmatch(term):
                _, relation, attribute = _split(term)
                if (relation, attribute) not in CELL_FIELDS:
                    found.add(attribute)
    return found


def without(templates: tuple[str, ...], missing: set[str]) -> tuple[str, ...]:
    """The templates with terms over missing attributes left out; lines that repeat others afterwards disappear."""
    kept: dict[frozenset[str], str] = {}
    for line in templates:
        terms = [term for term in line.split() if _PAIR.fullmatch(term) or _split(term)[2] not in missing]
        if any(not _PAIR.fullmatch(term) for term in terms):
            kept.setdefault(frozenset(terms), " ".join(terms))
    return tuple(kept.values())


# ── compiling ──


class AttributeLayout:
    """The word attributes (fused where a template reads several of one word) and counted classes of a model."""

    def __init__(self) -> None:
        self.attributes: list[tuple[str, ...]] = []
        self.counted: list[str] = []

    def attribute(self, names: tuple[str, ...]) -> int:
        if names not in self.attributes:
            self.attributes.append(names)
        return self.attributes.index(names)

    def count(self, tag: str) -> int:
        if tag not in self.counted:
            self.counted.append(tag)
        return self.counted.index(tag)


Term = tuple[Any, ...]  # of a template: its kind, then what the kind needs


def plan_of(templates: tuple[str, ...], layout: AttributeLayout, share: bool) -> Plan:
    """Compile templates; with share, into a group per set of positions read, else per set of optional positions."""
    by_positions: dict[frozenset[str], list[tuple[str, list[Term]]]] = {}
    for line in templates:
        terms = _parse(line)
        signature = _signature(terms)
        if not share:
            signature = frozenset(_reads(terms).keys() & OPTIONAL)
        by_positions.setdefault(signature, []).append((line, terms))
    if share:
        _merge_small(by_positions)
    ordered = sorted(by_positions, key=lambda s: (len(s), sorted(s)))
    return Plan([_group(by_positions[positions], layout) for positions in ordered])


def _merge_small(groups: dict[frozenset[str], list[tuple[str, list[Term]]]]) -> None:
    """Few templates are cheaper inside a group that depends on more than in a table of their own."""
    for signature in sorted(groups, key=lambda s: (len(s), sorted(s))):
        if len(groups[signature]) >= 4:
            continue
        larger = [other for other in groups if other != signature and _covers(other, signature)]
        if larger:
            target = min(larger, key=lambda s: (len(s), sum("~" not in position for position in s), sorted(s)))
            groups[target] = groups[target] + groups.pop(signature)


def _covers(larger: frozenset[str], smaller: frozenset[str]) -> bool:
    """Whether a group depends on all another does, and is silent in the same states."""
    bare = {position.rstrip("~") for position in larger}
    if bare & OPTIONAL != {position.rstrip("~") for position in smaller} & OPTIONAL:
        return False
    return all(position in larger or position.rstrip("~") in larger for position in smaller)


def _parse(line: str) -> list[Term]:
    """Terms as ("word", position, relation, (attributes...)), ("cell", ...) and ("pair", ...), words fused."""
    words: dict[tuple[str, str], list[str]] = {}
    rest: list[Term] = []
    for term in line.split():
        pair = _PAIR.fullmatch(term)
        if pair:
            rest.append(("pair", *pair.groups()))
            continue
        position, relation, attribute = _split(term)
        if (relation, attribute) in CELL_FIELDS:
            rest.append(("cell", position, relation, attribute))
        else:
            words.setdefault((position, relation), []).append(attribute)
    return [("word", p, r, tuple(sorted(names))) for (p, r), names in words.items()] + rest


def _reads(terms: list[Term]) -> dict[str, bool]:
    """The positions terms read -> whether they read more of them than which word stands there.

    What is said of the words of the buffer alone is kept together: the first determines the others nearly always.
    """
    found: dict[str, bool] = {}
    for term in terms:
        if term[0] == "pair":
            more = term[1] in ("arc", "path", "ahead")
            found[term[2]] = found.get(term[2], False) or more
            found[term[3]] = found.get(term[3], False) or more
        else:
            more = term[0] == "cell" or (term[2] != "" and term[2] not in _NEIGHBOURS)
            found[term[1]] = found.get(term[1], False) or more
    return found


def _signature(terms: list[Term]) -> frozenset[str]:
    """What a template's value depends on: "S0" for a cell, "S0~" for a word alone."""
    return frozenset(
        ("B0" if position in BUFFER else position) + ("" if more else "~") for position, more in _reads(terms).items()
    )


def _group(parsed: list[tuple[str, list[Term]]], layout: AttributeLayout) -> dict[str, Any]:
    slots: list[tuple[int, int, int]] = []
    words: list[tuple[int, int]] = []
    cells: list[tuple[int, int, int]] = []
    pairs: list[tuple[int, int, int, int]] = []
    resolved = []
    for line, terms in parsed:
        refs = []
        for term in terms:
            if term[0] == "word":
                _, position, relation, names = term
                delta = _NEIGHBOURS.get(relation, 0)
                offset = WORD_FIELDS["" if delta else relation]
                slot = _index(slots, (POSITION_NAMES.index(position), offset, delta))
                refs.append(("word", _index(words, (slot, layout.attribute(names)))))
            elif term[0] == "cell":
                _, position, relation, attribute = term
                refs.append(
                    ("cell", _index(cells, (POSITION_NAMES.index(position), *CELL_FIELDS[relation, attribute])))
                )
            else:
                _, kind, a, b, which = term
                where = layout.count(which) if which else 0
                key = (PAIR_KINDS[kind], POSITION_NAMES.index(a), POSITION_NAMES.index(b), where)
                refs.append(("pair", _index(pairs, key)))
        resolved.append((line, refs))
    start = {"word": 0, "cell": len(words), "pair": len(words) + len(cells)}
    templates = [([start[kind] + index for kind, index in refs], _seed(line)) for line, refs in resolved]
    templates.sort(key=lambda template: len(template[0]))
    whole = {position for _, terms in parsed for position, more in _reads(terms).items() if more}
    return {"whole": sorted(POSITION_NAMES.index(position) for position in whole),
            "slots": slots, "words": words, "cells": cells, "pairs": pairs, "templates": templates}  # fmt: skip


def _index(items: list[Any], item: tuple[Any, ...]) -> int:
    if item not in items:
        items.append(item)
    return items.index(item)


def _seed(line: str) -> int:
    """A template's seed depends on its text alone, so that plans grouped differently give the same keys."""
    return int.from_bytes(hashlib.sha256(line.encode()).digest()[:8], "little")
