"""Text on the command line: parse, tokenize, train and info."""

import pytest

import fastparse
from tests.commands import run
from tests.parser.models import TEXT, splitting, whole
from tests.toy import TOY, toy


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    splitting().save(path)
    return str(path)


def test_a_text_is_parsed(model, tmp_path):
    path = tmp_path / "book.txt"
    path.write_bytes(TEXT.encode())
    expected = splitting().parse_text(TEXT).to_bytes()
    done = run("parse", path, "-m", model, "--threads", "2")
    assert (done.returncode, done.stdout) == (0, expected)
    assert b"3 sentences, 17 words" in done.stderr
    assert run("parse", "-", "-m", model, "--from", "text", data=TEXT.encode()).stdout == expected
    assert run("parse", path, path, "-m", model, "-o", f"{tmp_path}/out/", "-q").returncode == 1
    assert run("parse", path, "-m", model, "-o", f"{tmp_path}/out/", "-q").returncode == 0
    assert (tmp_path / "out" / "book.conllu").read_bytes() == expected


def test_a_text_is_tokenized(model):
    done = run("tokenize", "-", "-m", model, "--offsets", "-q", data=TEXT.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == splitting().tokenize(TEXT, offsets=True).to_bytes()
    assert b"TokenRange=0:2" in done.stdout
    words = run("tokenize", "-", "-m", model, "--from", "words", "-q", data=b"doesn't it\n").stdout
    assert fastparse.read_conllu(words)[0].forms == ["doesn't", "it"]


def test_what_is_wrong_is_said(model, tmp_path):
    done = run("parse", "-", "-m", model, data=b"A\ttext.\n")
    assert done.returncode == 1
    assert b"--from text" in done.stderr
    done = run("tokenize", "-", "-m", model, "-o", tmp_path / "out", data=b"It is \xff so.")
    assert done.returncode == 1
    assert b"<stdin>: byte 6 is not UTF-8" in done.stderr
    assert not (tmp_path / "out").exists()


def test_components_are_trained_and_shown(tmp_path):
    path = tmp_path / "m.fp"
    done = run(
        "train",
        TOY,
        "-o",
        path,
        "--encoder",
        "none",
        "--dev",
        TOY,
        "--system",
        "arc-eager",
        "--beam",
        "2",
        "--iterations",
        "2",
    )
    assert done.returncode == 0, done.stderr
    assert fastparse.load(path).sha256 == whole().sha256
    for line in (b"tokenizer: ", b"dev tokens ", b"lemmatizer: ", b"dev lemmas ", b"round 2 of 2"):
        assert line in done.stderr
    text = run("info", path).stdout.decode()
    assert "tokenizer, lemmatizer, parser" in text
    assert "arc-eager" in text
    done = run("train", TOY, "-o", path, "--components", "lemmatizer", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    info = run("info", path).stdout.decode()
    assert f"{len(toy()):,} sentences" in info
    assert "system" not in info
    done = run("parse", TOY, "-m", path)
    assert done.returncode == 1
    assert b"parsing needs a parser" in done.stderr
    assert run("info", path, "--templates").returncode == 1
    done = run("train", TOY, "-o", path, "--components", "reader")
    assert done.returncode == 1
    assert b"'reader' is unknown" in done.stderr


def test_lemmas_are_replaced_when_asked_for(tmp_path):
    path = tmp_path / "m.fp"
    whole().save(path)
    odd = b"1\tcats\todd\tNOUN\tNNS\tNumber=Plur\t_\t_\t_\t_\n\n"
    assert b"\todd\t" in run("parse", "-", "-m", path, data=odd).stdout
    assert b"\todd\t" not in run("parse", "-", "-m", path, "--retag", data=odd).stdout


def test_tag_and_train_with_a_tagger(tmp_path):
    path = tmp_path / "m.fp"
    done = run(
        "train", TOY, "-o", path, "--encoder", "none", "--dev", TOY, "--system", "arc-eager",
        "--beam", "1", "--iterations", "1",
        "--components", "tagger,lemmatizer,parser", "--folds", "2", "--tags", "predicted",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for line in (b"tagger: ", b"dev upos ", b"tags for the parser: ", b"right upos ", b"lemmatizer: "):
        assert line in done.stderr
    model = fastparse.load(path)
    words = "\n".join(" ".join(sentence.forms) for sentence in toy())
    (tmp_path / "words.txt").write_text(words, encoding="utf-8")
    done = run("tag", TOY, "-m", path, "--retag", "-q")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == model.tag(toy(), retag=True).to_bytes()
    assert "tagger" in run("info", path).stdout.decode()
    done = run("tag", tmp_path / "words.txt", "-m", path)
    assert done.returncode == 1
    assert b"needs a tokenizer" in done.stderr
