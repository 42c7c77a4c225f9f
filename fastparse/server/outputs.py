"""What UDPipe's service writes: the formats that its `output` names."""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from fastparse.server.failures import Refused

if TYPE_CHECKING:
    from fastparse.corpus.sentence import Sentence
    from fastparse.corpus.treebank import Treebank

__all__ = ["writer_of"]

_NO_BREAK_SPACE = "\u00a0"


def writer_of(name: str) -> Callable[[Treebank], str]:
    """What writes treebanks in a format, with options after "=" as UDPipe has them.

    Raises:
        Refused: for another format.
    """
    kind, _, options = name.partition("=")
    wanted = {option.strip() for option in options.split(";")}
    writers: dict[str, Callable[[Treebank], str]] = {
        "conllu": _old_conllu if "v1" in wanted else _conllu,
        "horizontal": lambda treebank: _lines(treebank, " ", "\n", "paragraphs" in wanted),
        "vertical": lambda treebank: _lines(treebank, "\n", "\n\n", "paragraphs" in wanted),
        "plaintext": _sentence_a_line if "normalized_spaces" in wanted else lambda treebank: treebank.to_text(),
        "matxin": _matxin,
        "epe": _epe,
    }
    if kind not in writers:
        raise Refused(400, f"unknown output format {name!r:.200}: there are {', '.join(writers)}")
    return writers[kind]


def _conllu(treebank: Treebank) -> str:
    return treebank.to_bytes().decode("utf-8", "replace")


def _old_conllu(treebank: Treebank) -> str:
    """The first version of the format: no empty nodes, no spaces in forms and lemmas."""
    lines = []
    for line in _conllu(treebank).split("\n"):
        number, tab, rest = line.partition("\t")
        if not tab or line.startswith("#"):
            lines.append(line)
        elif "." not in number:
            form, lemma, others = rest.split("\t", 2)
            lines.append("\t".join((number, form.replace(" ", "_"), lemma.replace(" ", "_"), others)))
    return "\n".join(lines)


def _begins_paragraph(sentence: Sentence) -> bool:
    return any(comment.startswith(("newpar", "newdoc")) for comment in _comments(sentence))


def _comments(sentence: Sentence) -> list[str]:
    return [comment.lstrip("# ") for comment in sentence.comments]


def _lines(treebank: Treebank, between: str, after: str, paragraphs: bool) -> str:
    """Words, with something between them and after sentences."""
    pieces = []
    for n, sentence in enumerate(treebank):
        if paragraphs and n and _begins_paragraph(sentence):
            pieces.append("\n")
        forms = sentence.forms if between == "\n" else [form.replace(" ", _NO_BREAK_SPACE) for form in sentence.forms]
        pieces.append(between.join(forms) + after)
    return "".join(pieces)


def _sentence_a_line(treebank: Treebank) -> str:
    pieces = []
    for n, sentence in enumerate(treebank):
        if n and _begins_paragraph(sentence):
            pieces.append("\n")
        pieces.append(f"{' '.join(sentence.text.split())}\n")
    return "".join(pieces)


def _children(sentence: Sentence) -> list[list[int]]:
    """The dependents of the root and of every word, in their order."""
    found: list[list[int]] = [[] for _ in range(len(sentence) + 1)]
    for word, head in enumerate(sentence.heads, 1):
        if 0 <= head < len(found):
            found[head].append(word)
    return found


def _matxin(treebank: Treebank) -> str:
    pieces = ["<corpus>"]
    for n, sentence in enumerate(treebank, 1):
        pieces.append(f'\n<SENTENCE ord="{n}" alloc="0">\n')
        pieces += _nodes(sentence)
        pieces.append("</SENTENCE>\n")
    return "".join([*pieces, "</corpus>\n"])


def _nodes(sentence: Sentence) -> list[str]:
    """The words as elements, each around those of its dependents, without recursion: trees may be deep."""
    children = _children(sentence)
    columns = list(zip(sentence.forms, sentence.lemmas, sentence.feats, sentence.deprels, strict=True))
    lines: list[str] = []
    waiting = [(word, 1) for word in reversed(children[0])]  # 0 stands for the end of an element
    while waiting:
        word, depth = waiting.pop()
        pad = " " * depth
        if not word:
            lines.append(f"{pad}</NODE>\n")
            continue
        cells = zip(("form", "lem", "mi", "si"), columns[word - 1], strict=True)
        said = "".join(f' {name}="{escape("" if cell == "_" else cell)}"' for name, cell in cells)
        lines.append(f'{pad}<NODE ord="{word}" alloc="0"{said}{">" if children[word] else "/>"}\n')
        if children[word]:
            waiting.append((0, depth))
            waiting += [(child, depth + 1) for child in reversed(children[word])]
    return lines


def _epe(treebank: Treebank) -> str:
    """A JSON object per sentence, a line each: nodes with their properties and edges."""
    lines = []
    for n, sentence in enumerate(treebank, 1):
        children = _children(sentence)
        nodes = []
        for word, row in enumerate(sentence, 1):
            node: dict[str, Any] = {"id": word, "form": row.form}
            if row.head == 0:
                node["top"] = True
            properties = {"lemma": row.lemma, "upos": row.upos, "xpos": row.xpos}
            properties |= dict(feat.split("=", 1) for feat in row.feats.split("|") if "=" in feat)
            node["properties"] = {name: "" if value == "_" else value for name, value in properties.items()}
            if children[word]:
                node["edges"] = [{"label": sentence.deprels[child - 1], "target": child} for child in children[word]]
            nodes.append(node)
        lines.append(json.dumps({"id": n, "nodes": nodes}, ensure_ascii=False) + "\n")
    return "".join(lines)
