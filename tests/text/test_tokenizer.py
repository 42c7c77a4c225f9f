"""The tokenizer as users meet it: text in, CoNLL-U out, nothing lost, whatever the text."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import numpy as np
import pytest

import fastparse
from fastparse.corpus.surface import surface, to_text
from fastparse.text.tokenizer import Tokenizer
from tests.text import toy

TEXT = "Mr. Lund doesn't like the word \"yes\". Anna reads 3.5 apples, and Kim can't find it!\n\nIda sees books.\n"

ODD = {
    "empty lines": "Anna reads.\n\n\n \t\nBo sees it.",
    "spaces before": " \n Anna reads.",
    "spaces after": "Anna reads.   ",
    "one space after": "Anna reads. ",
    "carriage returns": "Anna reads.\r\n\r\nBo\r\nsees it.\r",
    "other line ends": "Anna\fsees\vit\x85now\u2028Bo\u2029Ida",
    "no-break and wide spaces": "Anna\xa0sees\u3000it \u2009now",
    "zero width": "An\u200bna\u200d sees\ufeff it\u200c",
    "byte order mark": "\ufeffAnna reads.",
    "combining": "A\u0301nna\u0301 \u0301 e\u0308\u0327.",
    "soft hyphen": "An\xadna sees.\xad It",
    "directions": "\u200fעברית\u200e (אב) \u202eabc\u202c",
    "joined emoji": "👩\u200d👩\u200d👧 👍🏽 ❤\ufe0f 🇩🇪🇫🇷🇩",
    "escapes": "a\\b|c \\ | d\t|\te\\s",
    "comment": "# text = Anna\n#\n1\tx\t_",
    "controls": "a\x00b \x1c\x1d \x1b[0m \x7f",
    "underscore": "_ __ _a_",
    "high characters": "\U0010ffff\ue000\ud7ff",
    "only marks": "...!?.,;)(\"''\"",
}


def forms(out: bytes) -> list[list[str]]:
    return [[token.text for token in sentence.tokens] for sentence in surface(out)]


def test_sentences_tokens_and_words():
    out = toy.tokenizer().tokenize(TEXT)
    assert forms(out) == [
        ["Mr.", "Lund", "doesn't", "like", "the", "word", '"', "yes", '"', "."],
        ["Anna", "reads", "3.5", "apples", ",", "and", "Kim", "can't", "find", "it", "!"],
        ["Ida", "sees", "books", "."],
    ]
    assert b"3-4\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_\n3\tdoes\t_\t_\t_\t_\t_\t_\t_\t_\n4\tn't\t_" in out
    assert out.startswith(b'# newpar\n# sent_id = 1\n# text = Mr. Lund doesn\'t like the word "yes".\n1\tMr.\t_')
    assert b"# newpar\n# sent_id = 3\n# text = Ida sees books.\n" in out
    assert out.count(b"# newpar") == 2
    assert b"\tSpacesAfter=\\n\\n\n" in out


def test_held_out_sentences_are_right():
    gold = toy.conllu(seed=8)
    found = toy.tokenizer().tokenize(to_text(gold))
    wanted, got = forms(gold), forms(found)
    right = sum(sentence in got for sentence in wanted)
    assert right >= 0.97 * len(wanted)


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("mode", ["text", "lines", "words"])
def test_text_comes_back(text: str, mode: str):
    out = toy.tokenizer().tokenize(text, input=mode, offsets=True)
    assert to_text(out) == text
    assert len(fastparse.read_conllu(out)) == len(forms(out))
    for line in out.decode().split("\n"):
        if "TokenRange=" in line and not line.startswith("#"):
            begin, end = map(int, line.rpartition("TokenRange=")[2].split(":"))
            assert text[begin:end] == line.split("\t")[1]
    tokens, sentences = toy.tokenizer().spans(text, input=mode)
    assert [text[begin:end] for begin, end in tokens] == [form for sentence in forms(out) for form in sentence]
    assert np.diff(sentences).tolist() == [len(sentence) for sentence in forms(out)]


@pytest.mark.parametrize("text", ["", " ", "\n\n \t"])
def test_white_space_alone_has_no_sentences(text: str):
    assert toy.tokenizer().tokenize(text) == b""
    assert toy.tokenizer().spans(text)[1].tolist() == [0]


def test_a_cluster_of_characters_is_never_parted():
    for cluster in ("e\u0301", "👩\u200d👩\u200d👧", "👍🏽", "❤\ufe0f", "🇩🇪"):
        tokens = [
            token for sentence in forms(toy.tokenizer().tokenize(f"x {cluster}{cluster} y.")) for token in sentence
        ]
        for token in tokens:
            assert cluster[1:] not in token or cluster in token


def test_lines_are_sentences():
    out = toy.tokenizer().tokenize("Anna reads. Bo sees it.\nIda\n\nKim buys", input="lines")
    assert [len(sentence) for sentence in forms(out)] == [7, 1, 2]
    assert out.count(b"# newpar") == 2


def test_words_are_between_spaces():
    out = toy.tokenizer().tokenize("Anna doesn't read , no.\nBo", input="words")
    assert forms(out) == [["Anna", "doesn't", "read", ",", "no."], ["Bo"]]
    assert b"2\tdoesn't\t" in out


def test_unknown_input_is_refused():
    with pytest.raises(fastparse.errors.UnknownNameError, match="'text', 'lines', 'words'"):
        toy.tokenizer().tokenize("x", input="html")


def test_pieces_of_any_size_give_the_same():
    text = (TEXT + "".join(ODD.values())) * 3
    data = text.encode()
    whole = toy.tokenizer().tokenize(text, offsets=True)
    for size in (1, 3, 50, 1000):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        for block in (1, 64, 1 << 20):
            assert b"".join(toy.tokenizer().stream(pieces, offsets=True, block=block)) == whole


def test_long_text_in_blocks_is_the_text_at_once():
    text = to_text(toy.conllu()).replace("\n\n", " ") * 20  # one paragraph of several units
    assert len(text) > 4 * 65536
    whole = toy.tokenizer().tokenize(text)
    assert b"".join(toy.tokenizer().stream([text], block=4096)) == whole
    assert to_text(whole) == text
    assert whole.count(b"# newpar") == 1
    wanted = forms(toy.tokenizer().tokenize(text[:30000]))[:-1]
    assert forms(whole)[: len(wanted)] == wanted


@pytest.mark.parametrize("character", ["a", "ä", ".", "漢"])
def test_a_token_without_end_is_cut(character: str):
    text = character * 140_000
    out = toy.tokenizer().tokenize(text)
    assert to_text(out) == text
    assert max(len(token) for sentence in forms(out) for token in sentence) <= 65536


def test_a_sentence_without_end_is_cut():
    text = "books " * 5000
    out = toy.tokenizer().tokenize(text)
    assert to_text(out) == text
    assert [len(sentence) for sentence in forms(out)] == [2000, 2000, 1000]


def test_much_white_space():
    for space in (" ", "\n", "\u3000", "\t"):
        text = f"Anna{space * 5000}reads.{space * 100_000}"
        for out in (toy.tokenizer().tokenize(text), b"".join(toy.tokenizer().stream([text], block=100))):
            assert to_text(out) == text
            assert len(forms(out)) == 2  # more than 4096 characters of white space end a paragraph


@pytest.mark.parametrize(
    ("data", "at"),
    [
        (b"abc\xff", 3),
        (b"\xc0\x80", 0),
        (b"a\xed\xa0\x80", 1),
        (b"ab\xe2\x82", 2),
        (b"\xf4\x90\x80\x80", 0),
        (b"x\x80", 1),
    ],
)
def test_broken_utf8_is_named(data: bytes, at: int):
    with pytest.raises(fastparse.Error, match=f"the text: byte {at} is not UTF-8"):
        toy.tokenizer().tokenize(data)
    with pytest.raises(fastparse.Error, match=f"the text: byte {at + 30000} is"):
        list(toy.tokenizer().stream([b"Anna. " * 5000, *(bytes([byte]) for byte in data)], block=10))


def test_lone_surrogates_are_named():
    with pytest.raises(fastparse.Error, match="byte 1 is not"):
        toy.tokenizer().tokenize("a\ud800")


def test_threads_share_a_tokenizer():
    texts = [to_text(toy.conllu(60, seed)) for seed in range(8)]
    wanted = [toy.tokenizer().tokenize(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(toy.tokenizer().tokenize, texts)) == wanted


def test_training_is_deterministic():
    one, two = (Tokenizer.train(toy.conllu(80), passes=2).to_arrays() for _ in range(2))
    assert all((one[name] == two[name]).all() for name in one)
    other = Tokenizer.train(toy.conllu(80), passes=2, seed=2).to_arrays()
    assert any(len(one[name]) != len(other[name]) or (one[name] != other[name]).any() for name in one)


def test_training_takes_treebanks_and_paths(tmp_path):
    path = tmp_path / "toy.conllu"
    path.write_bytes(toy.conllu(50))
    arrays = [
        Tokenizer.train(source, passes=1, variants=0).to_arrays()
        for source in (path, str(path), fastparse.read_conllu(path), toy.conllu(50))
    ]
    for one, two in pairwise(arrays):
        assert all((one[name] == two[name]).all() for name in one)


def test_nothing_to_learn_from():
    with pytest.raises(fastparse.Error, match="no sentences"):
        Tokenizer.train(b"")


def test_one_sentence_is_enough():
    tokenizer = Tokenizer.train(b"1\tHi\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    assert to_text(tokenizer.tokenize("Hi there, you.")) == "Hi there, you."


def test_a_language_without_spaces():
    random = Random(3)
    words = ["山", "川口", "大きい", "見る", "犬", "は", "が"]
    lines = []
    for _ in range(300):
        chosen = [*(random.choice(words) for _ in range(random.randrange(3, 9))), "。"]
        lines += toy.rows([(word, "") for word in chosen])
    tokenizer = Tokenizer.train("\n".join(lines).encode(), passes=4, variants=0)
    assert forms(tokenizer.tokenize("犬が山は見る。川口大きい。")) == [
        ["犬", "が", "山", "は", "見る", "。"],
        ["川口", "大きい", "。"],
    ]


def test_tokens_with_spaces_inside():
    random = Random(4)
    lines = []
    for _ in range(200):
        number = f"{random.randrange(1, 99)} {random.randrange(100, 999)}"
        lines += toy.rows([("Anna", " "), ("sees", " "), (number, " "), ("boats", ""), (".", " ")])
    tokenizer = Tokenizer.train("\n".join(lines).encode(), passes=4, variants=0)
    assert forms(tokenizer.tokenize("Anna sees 12 345 boats.")) == [["Anna", "sees", "12 345", "boats", "."]]
