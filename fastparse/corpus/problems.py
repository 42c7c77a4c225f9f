"""What is wrong with a sentence, in words: where it stands, what it says, what was expected, what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["GO_ON", "SAY_ENCODING", "Problem", "describe", "number_of", "place", "sent_id_in", "visible"]

_SENT_ID = re.compile(rb"^#[ \t]*sent_id[ \t]*=([^\n]*)", re.MULTILINE)  # linear: no two parts can share a space
_LONGEST_QUOTE = 80  # characters of an offending text that are shown

SAY_ENCODING = "or say how it is encoded: encoding='latin-1', for instance"
GO_ON = "or go on without such sentences: on_error='skip' leaves them out, on_error='keep' copies them unparsed"


@dataclass(frozen=True)
class Problem:
    """One sentence that could not be read."""

    file: str
    line: int
    sent_id: str | None
    message: str

    def __str__(self) -> str:
        return self.message


# C0 and C1 controls, DEL, and what turns the direction of text around: a terminal would do as they say.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str, kept: str = "", longest: int = 0) -> str:
    """A text with its control characters spelt out, as `\\x1b`.

    Args:
        kept: control characters that stay.
        longest: how many characters of it are shown; 0 for all.
    """
    shown = text if not longest or len(text) <= longest else f"{text[:longest]}..."
    return _UNSEEN.sub(lambda found: found[0] if found[0] in kept else ascii(found[0])[1:-1], shown)


def sent_id_in(comments: bytes) -> str | None:
    """The last `# sent_id = ...` among the comments of a sentence, or None."""
    found = _SENT_ID.findall(comments)
    return found[-1].lstrip(b" \t").rstrip(b" \t\r").decode("utf-8", "replace") if found else None


def number_of(n: int, what: str) -> str:
    """`1 sentence`, `2,000 sentences`."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def quote(data: bytes) -> str:
    """An offending text as it can be shown: no control characters, not too long."""
    text = data[: 4 * _LONGEST_QUOTE].decode("utf-8", "backslashreplace")
    if len(text) > _LONGEST_QUOTE or len(data) > 4 * _LONGEST_QUOTE:
        return f"{text[:_LONGEST_QUOTE]!r}... ({len(data):,} bytes)"
    return repr(text)


def place(file: str, line: int | None, sent_id: str | None) -> str:
    """`dev.conllu:1841 (sent_id weblog-17)`, as far as it is known."""
    where = visible(file) if line is None else f"{visible(file)}:{line}"
    return where if sent_id is None else f"{where} (sent_id {visible(sent_id, longest=_LONGEST_QUOTE)})"


def describe(fault: str, file: str, line: int, text: bytes, detail: int, sentence: bytes, n_columns: int) -> Problem:
    """The problem the reader found in the line `text` of `sentence`.

    Args:
        fault: the reader's name for it.
        file: as messages name it.
        line: number of the line in the file.
        text: the line.
        detail: a number the message needs: columns found, id expected, offset of the invalid byte.
        sentence: the bytes of the whole sentence, its comments included.
        n_columns: columns per line of this file; 0 while unknown.
    """
    comments = re.match(rb"(?:#[^\n]*(?:\n|$))*", sentence)
    sent_id = sent_id_in(comments[0] if comments else b"")
    what, remedy = _explain(fault, text, detail, n_columns)
    return Problem(file, line, sent_id, f"{place(file, line, sent_id)}: {what}. {remedy}, {GO_ON}.")


def _explain(fault: str, text: bytes, detail: int, n_columns: int) -> tuple[str, str]:
    cells = text.split(b"\t", 9)
    identifier = quote(cells[0])
    if fault == "columns":
        expected = f"{n_columns} columns" if n_columns else "10 columns (CoNLL-U) or 8 (CoNLL-X)"
        if detail == 1 and len(text.split()) >= 8:
            remedy = "Columns are separated by tabs, not by spaces: convert the line"
        elif detail > 10 and b"\r" in text:
            remedy = "The lines end with carriage returns alone: convert them to line feeds"
        elif n_columns == 10 and detail == 8:
            remedy = "Read CoNLL-X with format='conllx', apart from CoNLL-U; else fill up the line with `_`"
        else:
            remedy = "Give the line its columns, with `_` where there is nothing to say"
        return f"expected {expected} separated by tabs, found {detail} in {quote(text)}", remedy
    if fault == "id":
        return (
            f"ID {identifier} is neither a number, nor a range like 2-3, nor an empty node like 8.1",
            "Number the words of each sentence 1, 2, 3 and so on",
        )
    if fault == "order":
        return (
            f"expected the word with ID {detail}, found ID {identifier} in {quote(text)}",
            "Number the words 1, 2, 3 and so on; end each sentence with a blank line",
        )
    if fault == "range":
        return (
            f"the multiword token {identifier} does not fit: a range begins with the next word, runs upwards, does "
            f"not overlap another and ends within the sentence",
            "Correct the range or delete its line",
        )
    if fault == "node":
        return (
            f"the empty node {identifier} does not follow word {cells[0].split(b'.')[0].decode()}: expected {detail}.1 "
            f"or the like here",
            "Renumber the node or delete its line",
        )
    if fault == "head":
        return (
            f"HEAD {quote(cells[6])} of word {cells[0].decode()} is not a number (nor `_` for none)",
            "Write the ID of the head, 0 for the root, without sign or leading zeros",
        )
    if fault == "head-range":
        return (
            f"HEAD {cells[6].decode()} of word {cells[0].decode()} is out of range: the sentence has {detail} words",
            "Correct the head",
        )
    if fault == "utf-8":
        hint = f"Save the file in UTF-8, {SAY_ENCODING}"
        if text[detail : detail + 2] in (b"\xff\xfe", b"\xfe\xff"):
            hint = f"The file looks like UTF-16: convert it to UTF-8, {SAY_ENCODING}"
        around = text[max(0, detail - 20) : detail + 20]
        return f"byte 0x{text[detail]:02x} at offset {detail} of the line is not UTF-8, in {quote(around)}", hint
    if fault == "no-words":
        return "the sentence has empty nodes but no words", "Add its words or delete it"
    if fault == "line":
        return f"the line has {len(text):,} bytes, more than 2,147,483,647", "Split it"
    return (
        "more than 2,147,483,646 words in one piece",
        "Read the file in batches with iter_conllu, which has no such limit",
    )
