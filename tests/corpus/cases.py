"""Odd treebanks, and what becomes of each: read as it is, or refused with a message that names the place."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """One input.

    Attributes:
        name: what is odd about it.
        data: the file.
        forms: the words of each sentence that is read, in the modes that go on.
        line: where the first problem is reported, 0 if there is none.
        says: pieces of the message: the offending text and the remedy.
        sent_id: of the sentence with the problem.
        format: what is passed to read_conllu.
    """

    name: str
    data: bytes
    forms: list[list[str]] = field(default_factory=list)
    line: int = 0
    says: tuple[str, ...] = ()
    sent_id: str | None = None
    format: str = "auto"


def word(i: int | str, form: str = "w", head: int | str = 0, deprel: str = "dep", misc: str = "_") -> bytes:
    """A line of CoNLL-U without its end."""
    return f"{i}\t{form}\t_\tX\t_\t_\t{head}\t{deprel}\t_\t{misc}".encode()


def lines(*items: bytes | str, end: bytes = b"\n") -> bytes:
    return b"".join((item.encode() if isinstance(item, str) else item) + end for item in items)


GOOD = lines("# sent_id = good", word(1, "Go", 0, "root"), "")
BAD_LINES = ("# sent_id = bad", "# text = a b")


def bad(*items: bytes | str) -> bytes:
    """The items as a sentence `bad` between two good ones; its first line is line 4, its first word line 6."""
    return GOOD + lines(*BAD_LINES, *items, "") + GOOD


def refused(
    name: str,
    data: bytes,
    line: int,
    *says: str,
    sent_id: str | None = "bad",
    forms: list[list[str]] | None = None,
    format: str = "auto",
) -> Case:
    return Case(name, data, [["Go"], ["Go"]] if forms is None else forms, line, says, sent_id, format)


READ = [
    Case("nothing", b""),
    Case("blank lines only", b"\n \n\t\n\r\n"),
    Case("comments only", lines("# a", "#", "", "# b")),
    Case("missing final newline", GOOD[:-2], [["Go"]]),
    Case("missing final blank line", GOOD[:-1], [["Go"]]),
    Case("several blank lines", b"\n\n" + GOOD + b"\n\n" + GOOD + b"\n", [["Go"], ["Go"]]),
    Case("blank lines of spaces and tabs", lines(word(1, "a"), " \t ", word(1, "b"), "\t"), [["a"], ["b"]]),
    Case("CRLF", GOOD.replace(b"\n", b"\r\n"), [["Go"]]),
    Case("CR CR LF", GOOD.replace(b"\n", b"\r\r\n"), [["Go"]]),
    Case("CoNLL-X of 8 columns with CR CR LF", lines("1\ta\t_\tN\tNN\t_\t0\tROOT", "", end=b"\r\r\n"), [["a"]]),
    Case("CRLF without the last line feed", lines(word(1, "a"), end=b"\r\n")[:-1], [["a"]]),
    Case("mixed line ends", lines(word(1, "a")) + lines(word(2, "b"), "", end=b"\r\n"), [["a", "b"]]),
    Case("byte order mark", b"\xef\xbb\xbf" + GOOD, [["Go"]]),
    Case("byte order mark before a word", b"\xef\xbb\xbf" + lines(word(1, "a"), ""), [["a"]]),
    Case("byte order mark alone", b"\xef\xbb\xbf"),
    Case("U+FEFF inside a form", lines(word(1, "a\ufeffb"), ""), [["a\ufeffb"]]),
    Case("multiword token", lines(word("1-2", "del", "_", "_"), word(1, "de"), word(2, "el", 1), ""), [["de", "el"]]),
    Case("multiword token of one word", lines(word("1-1", "x", "_", "_"), word(1, "x"), ""), [["x"]]),
    Case(
        "two multiword tokens in a row",
        lines(
            word("1-2", "ab", "_", "_"),
            word(1, "a"),
            word(2, "b"),
            word("3-4", "cd", "_", "_"),
            word(3, "c"),
            word(4, "d"),
            "",
        ),
        [["a", "b", "c", "d"]],
    ),
    Case("empty node", lines(word(1, "a"), word("1.1", "e", "_", "_"), word(2, "b"), ""), [["a", "b"]]),
    Case(
        "empty nodes 1.1 and 1.2",
        lines(word(1, "a"), word("1.1", "e", "_", "_"), word("1.2", "e", "_", "_"), ""),
        [["a"]],
    ),
    Case("empty node 0.1", lines(word("0.1", "e", "_", "_"), word(1, "a"), ""), [["a"]]),
    Case(
        "empty node inside a multiword token",
        lines(word("1-2", "ab", "_", "_"), word(1, "a"), word("1.1", "e", "_", "_"), word(2, "b"), ""),
        [["a", "b"]],
    ),
    Case("HEAD of none", lines(word(1, "a", "_", "_"), ""), [["a"]]),
    Case("a word its own head", lines(word(1, "a", 1), ""), [["a"]]),
    Case("a cycle", lines(word(1, "a", 2), word(2, "b", 1), ""), [["a", "b"]]),
    Case("several roots", lines(word(1, "a", 0), word(2, "b", 0), ""), [["a", "b"]]),
    Case("spaces in a form", lines(word(1, "10 000"), ""), [["10 000"]]),
    Case("no-break space and ideographic space", lines(word(1, "\u00a0\u3000"), ""), [["\u00a0\u3000"]]),
    Case("U+2028 in MISC", lines(word(1, "a", misc="SpacesAfter=\u2028"), ""), [["a"]]),
    Case("U+0085 in a form", lines(word(1, "a\u0085b"), ""), [["a\u0085b"]]),
    Case("form feed and vertical tab in a form", lines(word(1, "a\x0b\x0cb"), ""), [["a\x0b\x0cb"]]),
    Case("carriage return inside a form", lines(word(1, "a\rb"), ""), [["a\rb"]]),
    Case("NUL in a form", lines(word(1, "a\0b"), ""), [["a\0b"]]),
    Case("U+10FFFF and combining marks", lines(word(1, "\U0010ffffe\u0301"), ""), [["\U0010ffffe\u0301"]]),
    Case("a form of one number sign", lines(word(1, "#"), ""), [["#"]]),
    Case("empty cells", lines(b"1\t\t\t\t\t\t0\t\t\t", ""), [[""]]),
    Case("a cell of spaces at the end", lines(word(1, "a", misc=" "), ""), [["a"]]),
    Case("bare number sign as comment", lines("#", word(1, "a"), ""), [["a"]]),
    Case("comment with tabs", lines("# a\tb\tc", word(1, "a"), ""), [["a"]]),
    Case("comment between words", lines(word(1, "a"), "# here", word(2, "b"), ""), [["a", "b"]]),
    Case("comment after the last word", lines(word(1, "a"), "# here", ""), [["a"]]),
    Case("comments apart from a sentence", lines("# far", "", "# near", word(1, "a"), "", "# end"), [["a"]]),
    Case("the same comment twice", lines("# k = 1", "# k = 2", word(1, "a"), ""), [["a"]]),
    Case("MISC that libraries re-sort", lines(word(1, "a", misc="Z=1|A=2|Ref=b,a|A=3|Gloss=x=y"), ""), [["a"]]),
    Case("odd bytes in DEPREL", lines(word(1, "a", 0, "obl:de_la_\u00e9"), ""), [["a"]]),
    Case(
        "a deprel of nine bytes and one of eight",
        lines(word(1, "a", 0, "ninebytes"), word(2, "b", 1, "eight_by"), ""),
        [["a", "b"]],
    ),
    Case("CoNLL-X of 8 columns", lines("1\ta\t_\tN\tNN\t_\t0\tROOT", "2\tb\t_\tN\tNN\t_\t1\tx", ""), [["a", "b"]]),
    Case("CoNLL-X of 8 columns with CRLF", lines("1\ta\t_\tN\tNN\t_\t0\tROOT", "", end=b"\r\n"), [["a"]]),
    Case("CoNLL-X of 8 columns, no final newline", b"1\ta\t_\tN\tNN\t_\t0\tROOT", [["a"]]),
    Case("CoNLL-X of 10 columns", lines(word(1, "a"), ""), [["a"]], format="conllx"),
]

REFUSED = [
    refused(
        "9 columns", bad("1\ta\t_\tX\t_\t_\t0\tdep\t_"), 6, "expected 10 columns", "found 9", "'1\\ta", "its columns"
    ),
    refused("11 columns", bad(word(1, "a") + b"\t_"), 6, "found 11"),
    refused("a tab at the end of the line", bad(word(1, "a") + b"\t"), 6, "found 11"),
    refused("one column", bad("hello"), 6, "found 1 in 'hello'"),
    refused("spaces for tabs", bad(word(1, "a").replace(b"\t", b" ")), 6, "tabs, not by spaces"),
    refused(
        "8 columns where 10 are the format",
        lines("# sent_id = x", "1\ta\t_\tN\tNN\t_\t0\tROOT", ""),
        2,
        "expected 10 columns",
        "format='conllx'",
        sent_id="x",
        forms=[],
        format="conllu",
    ),
    refused(
        "10 columns after 8",
        lines("1\ta\t_\tN\tNN\t_\t0\tROOT", "") + GOOD,
        4,
        "expected 8 columns",
        "found 10",
        sent_id="good",
        forms=[["a"]],
    ),
    refused(
        "9 columns at first",
        lines("# sent_id = x", "1\ta\t_\tX\t_\t_\t0\tdep\t_", ""),
        2,
        "expected 10 columns (CoNLL-U) or 8 (CoNLL-X)",
        sent_id="x",
        forms=[],
    ),
    refused("ID that is a word", bad(word("one")), 6, "ID 'one' is neither", "Number the words"),
    refused("empty ID", bad(word("")), 6, "ID '' is neither"),
    refused("negative ID", bad(word("-1")), 6, "ID '-1' is neither"),
    refused("ID 0", bad(word(0)), 6, "ID '0' is neither"),
    refused("ID with a leading zero", bad(word("01")), 6, "ID '01' is neither"),
    refused("ID with spaces", bad(word(" 1")), 6, "ID ' 1' is neither"),
    refused("ID of twenty digits", bad(word("1" * 20)), 6, "neither"),
    refused("ID in other digits", bad(word("\u0661")), 6, "neither"),
    refused("ID that starts at 2", bad(word(2)), 6, "expected the word with ID 1, found ID '2'", "blank line"),
    refused("ID left out", bad(word(1), word(3)), 7, "expected the word with ID 2, found ID '3'"),
    refused("ID twice", bad(word(1), word(1)), 7, "expected the word with ID 2, found ID '1'"),
    refused("two sentences without a blank line", bad(word(1), word(2), word(1)), 8, "expected the word with ID 3"),
    refused("range that falls", bad(word(1), word("2-1"), word(2)), 7, "multiword token '2-1' does not fit", "Correct"),
    refused("range behind its words", bad(word(1), word(2), word("1-2")), 8, "multiword token '1-2'"),
    refused("range beyond the sentence", bad(word("1-3"), word(1), word(2)), 6, "multiword token '1-3'"),
    refused("ranges that overlap", bad(word("1-3"), word(1), word("2-3"), word(2), word(3)), 8, "'2-3'", "overlap"),
    refused(
        "ranges that share a word", bad(word("1-2"), word(1), word("2-3"), word(2), word(3)), 8, "'2-3'", "overlap"
    ),
    refused("range without an end", bad(word("1-"), word(1)), 6, "ID '1-' is neither"),
    refused("range of three", bad(word("1-2-3"), word(1)), 6, "ID '1-2-3' is neither"),
    refused("empty node elsewhere", bad(word(1), word("2.1"), word(2)), 7, "empty node '2.1'", "expected 1.1"),
    refused("empty node 1.0", bad(word(1), word("1.0")), 7, "ID '1.0' is neither"),
    refused("empty node 1.x", bad(word(1), word("1.x")), 7, "ID '1.x' is neither"),
    refused("a sentence of empty nodes", bad(word("0.1")), 4, "no words", "Add its words or delete it"),
    refused(
        "HEAD that is a word", bad(word(1, "a", "root")), 6, "HEAD 'root' of word 1 is not a number", "0 for the root"
    ),
    refused("empty HEAD", bad(word(1, "a", "")), 6, "HEAD '' of word 1"),
    refused("negative HEAD", bad(word(1, "a", -1)), 6, "HEAD '-1'"),
    refused("HEAD with a sign", bad(word(1, "a", "+1")), 6, "HEAD '+1'"),
    refused("HEAD with a leading zero", bad(word(1, "a", "00")), 6, "HEAD '00'", "leading zeros"),
    refused("HEAD of an empty node", bad(word(1, "a", "1.1")), 6, "HEAD '1.1'"),
    refused("HEAD of ten digits", bad(word(1, "a", 4294967296)), 6, "HEAD '4294967296'"),
    refused(
        "HEAD out of range",
        bad(word(1, "a"), word(2, "b", 3)),
        7,
        "HEAD 3 of word 2 is out of range",
        "the sentence has 2 words",
        "Correct the head",
    ),
    refused(
        "invalid UTF-8",
        bad(b"1\ta\xffb\t_\tX\t_\t_\t0\tdep\t_\t_"),
        6,
        "byte 0xff at offset 3",
        "Save the file in UTF-8",
    ),
    refused("UTF-8 cut short", bad(b"1\ta\t_\tX\t_\t_\t0\tdep\t_\t\xe2\x82"), 6, "byte 0xe2"),
    refused("overlong UTF-8", bad(b"1\t\xc0\xaf\t_\tX\t_\t_\t0\tdep\t_\t_"), 6, "byte 0xc0"),
    refused("a surrogate in UTF-8", bad(b"1\t\xed\xa0\x80\t_\tX\t_\t_\t0\tdep\t_\t_"), 6, "byte 0xed"),
    refused("beyond U+10FFFF", bad(b"1\t\xf4\x90\x80\x80\t_\tX\t_\t_\t0\tdep\t_\t_"), 6, "byte 0xf4"),
    refused("Latin-1 in a comment", bad(b"# text = \xe9t\xe9", word(1)), 6, "byte 0xe9 at offset 9"),
    refused("a byte order mark inside the file", bad(b"\xef\xbb\xbf" + word(1)), 6, "neither"),
    refused(
        "line ends of old Macs",
        lines(word(1), word(2), "", end=b"\r"),
        1,
        "found 19",
        "carriage returns alone",
        sent_id=None,
        forms=[],
    ),
    refused("a problem at the end without newline", GOOD + b"# sent_id = bad\n1\ta", 5, "found 2", forms=[["Go"]]),
    refused("two problems, the first is named", bad(word(1, "a", "x"), "b"), 6, "HEAD 'x'"),
    refused("HTML", b"<html>\n<body>\n</html>\n", 1, "'<html>'", sent_id=None, forms=[]),
]
