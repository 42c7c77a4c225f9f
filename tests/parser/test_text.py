"""From running text to trees: the same for any threads and batches, from file to file as from a string."""

import gzip
import io

import pytest

import fastparse
from fastparse import ConlluError, Error, UnknownNameError
from fastparse.trees import classify
from tests.parser.models import TEXT, splitting, whole
from tests.text.toy import conllu

LONG = fastparse.read_conllu(conllu()).to_text()


def test_text_to_trees():
    parsed = splitting().parse_text(TEXT)
    assert parsed.to_text() == TEXT
    assert [sentence.text for sentence in parsed] == [
        "Bo doesn't like books.",
        "Dr. Moe sees\nthe U.S. market?",
        "It is  so.",
    ]
    assert parsed[0].forms == ["Bo", "does", "n't", "like", "books", "."]
    assert [sentence.sent_id for sentence in parsed] == ["1", "2", "3"]
    for sentence in parsed:
        assert sentence.heads.count(0) == 1
        classify(sentence.heads)


def test_tokens_have_their_places():
    for treebank in (splitting().parse_text(TEXT), splitting().tokenize(TEXT, offsets=True)):
        for sentence in treebank:
            assert [number for token in sentence.tokens for number in token.words] == list(range(1, len(sentence) + 1))
            for token in sentence.tokens:
                assert TEXT[token.start : token.end] == token.form


def test_tokens_alone():
    treebank = splitting().tokenize(TEXT)
    assert treebank[0].forms == splitting().parse_text(TEXT)[0].forms
    assert set(treebank.heads.tolist()) == {-1}
    assert set(treebank[0].upos) == {"_"}


@pytest.mark.parametrize("text", ["", " \n ", "BZh is a word.", "\ufeffIt is so.", "a", "é" * 200_000])
def test_odd_texts(text):
    parsed = splitting().parse_text(text)
    assert parsed.to_text() == (text if text.strip() else "")


def test_documents_come_one_by_one():
    read = []

    def documents():
        for text in (TEXT, "", "It is so."):
            read.append(text)
            yield text

    found = splitting().parse_text(documents())
    assert not read
    assert next(found).to_text() == TEXT
    assert read == [TEXT]
    assert [treebank.to_text() for treebank in found] == ["", "It is so."]


@pytest.mark.parametrize("source", ["text", "lines", "words"])
@pytest.mark.parametrize(
    "options", [{"batch_words": 40}, {"batch_words": 40, "threads": 3}, {"batch_words": 1}, {"threads": 2}]
)
def test_threads_and_batches_do_not_show(source, options):
    """The outcome is that of the whole text tokenized at once and then parsed."""
    text = f"{LONG}\n{LONG[:2000]}\r\n\r\n{LONG[:900]}\n \n\u2029{LONG}".encode()
    model = splitting()
    tokens = model._annotator.need_tokenizer().tokenize(text, input=source, offsets=True)
    out = io.BytesIO()
    report = model.tokenize_file(text, out, source=source, offsets=True, **options)
    assert out.getvalue() == tokens
    whole_bank = fastparse.read_conllu(tokens)
    assert (report.sentences, report.words, report.bytes_read) == (len(whole_bank), whole_bank.n_words, len(text))
    out = io.BytesIO()
    model.parse_file(text, out, source=source, offsets=True, **options)
    assert out.getvalue() == model.parse(whole_bank).to_bytes()


def test_long_texts_are_cut_at_empty_lines_and_without_them():
    """Parts are cut where units end for certain, or where the tokenizer says; both ways nothing changes."""
    model = splitting()
    for text in (f"{LONG}\n\n" * 40, LONG.replace("\n", " ") * 40, ("x" * 70_000 + "\n\nIt is so. " * 5) * 12):
        expected = model._annotator.need_tokenizer().tokenize(text)
        for threads in (1, 2):
            out = io.BytesIO()
            model.tokenize_file(text.encode(), out, threads, source="text")
            assert out.getvalue() == expected


def test_sources_by_suffix(tmp_path):
    model = splitting()
    expected = model.parse_text(TEXT).to_bytes()
    (tmp_path / "a.txt").write_bytes(TEXT.encode())
    (tmp_path / "b.TXT.gz").write_bytes(gzip.compress(TEXT.encode()))
    (tmp_path / "c").write_bytes(TEXT.encode())
    (tmp_path / "d.conllu").write_bytes(expected)
    for name, options in (("a.txt", {}), ("b.TXT.gz", {}), ("c", {}), ("d.conllu", {}), ("c", {"source": "text"})):
        model.parse_file(tmp_path / name, tmp_path / "out", **options)
        assert (tmp_path / "out").read_bytes() == expected
    (tmp_path / "e").write_bytes(b"A\ttext.\n")
    with pytest.raises(ConlluError, match=r"e:1: .*source=.text"):
        model.parse_file(tmp_path / "e", tmp_path / "out")
    with pytest.raises(Error, match=r"several kinds.*a.txt is text.*d.conllu is conllu"):
        model.parse_file([tmp_path / "a.txt", tmp_path / "d.conllu"], tmp_path / "out")
    with pytest.raises(UnknownNameError, match="source='texts'"):
        model.parse_file(tmp_path / "c", tmp_path / "out", source="texts")
    with pytest.raises(Error, match=r"this is CoNLL-U.*source="):
        model.tokenize_file(tmp_path / "d.conllu", tmp_path / "out")


def test_several_texts_are_numbered_through():
    out = io.BytesIO()
    splitting().parse_file([TEXT.encode(), TEXT.encode()], out, source="text")
    found = fastparse.read_conllu(out.getvalue())
    assert [sentence.sent_id for sentence in found] == list("123456")
    assert found[4].heads == found[1].heads


@pytest.mark.parametrize("at", [0, 5, 300_000, 1_000_001])
def test_bytes_that_are_no_text_are_named(tmp_path, at):
    text = (b"It is so. " * 100_001)[: at + 5]
    path = tmp_path / "a.txt"
    path.write_bytes(text[:at] + b"\xff" + text[at:])
    for threads in (1, 2):
        with pytest.raises(Error, match=rf"a\.txt: byte {at} is not UTF-8 \(0xFF\)"):
            splitting().parse_file(path, tmp_path / "out", 1, threads)
    assert not (tmp_path / "out").exists()
    path.write_bytes("é".encode()[:1])
    with pytest.raises(Error, match="byte 0 is not UTF-8"):
        splitting().tokenize_file(path, tmp_path / "out")


def test_lines_of_json_that_cannot_be_read(tmp_path):
    path, out = tmp_path / "a.ndjson", tmp_path / "out.ndjson"
    path.write_text('{"text": "It is so."}\n\n[]\n{"forms": ["Bo", "sees"], "id": "b"}\n')
    with pytest.raises(Error, match=r"a\.ndjson:3 is no object"):
        splitting().parse_file(path, out)
    report = splitting().parse_file(path, out, on_error="skip")
    assert (report.sentences, report.words, report.skipped, report.kept) == (2, 6, 1, 0)
    assert [str(problem) for problem in report.problems] == [f'{path}:3 is no object with "text" or "forms"']
    with pytest.raises(Error, match="stop or are skipped"):
        splitting().parse_file(path, out, on_error="keep")


def test_half_a_character_of_a_stream_of_text_is_named():
    with pytest.raises(Error, match="byte 3 is not UTF-8"):
        splitting().tokenize_file(io.StringIO("Go \ud800 on."), io.BytesIO())


def test_only_text_is_text():
    with pytest.raises(Error, match="expected a text"):
        splitting().tokenize(b"It is so.")
    for texts in (b"It is so.", [b"It is so."], 3):
        with pytest.raises(Error, match="expected a text"):
            list(splitting().parse_text(texts))


def test_stats_and_progress(tmp_path):
    seen = []
    report = splitting().parse_file(
        LONG.encode(), tmp_path / "out", source="text", batch_words=100, progress=lambda r: seen.append(r.bytes_read),
        stats=tmp_path / "stats",
    )  # fmt: skip
    assert seen == sorted(seen)
    assert seen[-1] == len(LONG.encode()) == report.bytes_read
    assert (tmp_path / "stats").exists()


def test_a_model_with_every_component():
    parsed = whole().parse_text("He reads.")
    assert parsed.to_text() == "He reads."
    assert set(parsed[0].lemmas) == {"_"}  # nothing tags the words yet


def test_a_damaged_file_is_left_out_among_others_only(tmp_path):
    whole_file, damaged = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    whole_file.write_text("He reads.\n", encoding="utf-8")
    damaged.write_bytes(gzip.compress(b"She reads books.\n\n" * 5000)[:-20])
    out = tmp_path / "out.conllu"
    for inputs, on_error in (([damaged], "skip"), ([whole_file, damaged], "stop")):
        with pytest.raises(ConlluError, match="truncated"):
            splitting().parse_file(inputs, out, on_error=on_error)
        assert not out.exists()
    report = splitting().parse_file([damaged, whole_file], out, on_error="skip")
    assert report.skipped == 1
    assert "The rest of it is left out" in str(report.problems[0])
    assert fastparse.read_conllu(out)[-1].forms[0] == "He"


def test_the_name_of_a_file_is_parsed_with_a_warning(tmp_path, recwarn):
    parser = fastparse.load("en-fast")
    parser.parse_text(str(tmp_path / "book.txt"))
    assert not recwarn.list  # there is no such file
    (tmp_path / "book.txt").write_text("She reads.")
    with pytest.warns(fastparse.FastparseWarning, match="parse_file parses what is in it"):
        found = parser.parse_text(str(tmp_path / "book.txt"))
    assert found.to_text() == str(tmp_path / "book.txt")
