"""Where treebanks come from and where they go: paths, streams, compression, damage, and files that appear whole."""

import bz2
import gzip
import importlib
import io
import itertools
import lzma
import os
import re
import sys
import threading
import time
from types import SimpleNamespace

import pytest

import fastparse
from fastparse.corpus import writing as writing
from fastparse.corpus.files import compression
from fastparse.corpus.files.output import open_output
from fastparse.corpus.files.sources import Input, Meter, opened
from fastparse.extras import how_to_install
from tests.corpus.cases import GOOD, lines, word

DATA = GOOD * 300


def zstd():
    try:
        return compression.zstd_module()
    except fastparse.Error:
        pytest.skip("no zstd module")


COMPRESSORS = {
    "gz": lambda data: gzip.compress(data),
    "xz": lambda data: lzma.compress(data),
    "bz2": lambda data: bz2.compress(data),
    "zst": lambda data: zstd().compress(data, options={zstd().CompressionParameter.checksum_flag: 1}),
}


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_compressed_by_content_not_by_name(kind, tmp_path):
    path = tmp_path / "treebank.txt"
    packed = COMPRESSORS[kind](DATA)
    path.write_bytes(packed)
    assert fastparse.read_conllu(path).to_bytes() == DATA
    assert fastparse.read_conllu(packed).to_bytes() == DATA
    assert fastparse.read_conllu(io.BytesIO(packed)).to_bytes() == DATA
    assert b"".join(b.to_bytes() for b in fastparse.iter_conllu(path, batch_words=7)) == DATA
    path.write_bytes(packed + COMPRESSORS[kind](DATA))
    assert fastparse.read_conllu(path).to_bytes() == DATA * 2


@pytest.mark.parametrize("on_error", ["stop", "skip", "keep"])
@pytest.mark.parametrize("kind", COMPRESSORS)
def test_truncated_is_refused_in_every_mode(kind, on_error, tmp_path):
    path = tmp_path / "cut"
    packed = COMPRESSORS[kind](DATA)
    for size in (8, len(packed) // 2, len(packed) - 1):
        path.write_bytes(packed[:size])
        with pytest.raises(
            fastparse.ConlluError, match=r"cut: the compressed file is .*fetch or compress the file again"
        ):
            fastparse.read_conllu(path, on_error=on_error)
        with pytest.raises(fastparse.ConlluError, match="the compressed file is"):
            list(fastparse.iter_conllu(path, batch_words=5, on_error=on_error))


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_damaged_is_refused(kind, tmp_path):
    packed = bytearray(COMPRESSORS[kind](os.urandom(3000).hex().encode()))
    packed[len(packed) // 2] ^= 0xFF
    path = tmp_path / "damaged"
    path.write_bytes(packed)
    with pytest.raises(fastparse.ConlluError, match="the compressed file is damaged"):
        fastparse.read_conllu(path)


def test_zstd_without_its_module_says_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    command = re.escape(how_to_install("zstd"))
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(fastparse.Error, match=command):
        fastparse.read_conllu(b"\x28\xb5\x2f\xfd and so on")


class Trickle:
    """A stream that gives a byte or two at a time."""

    def __init__(self, data):
        self._stream = io.BytesIO(data)

    def read(self, size=-1):
        return self._stream.read(min(size, 2) if size > 0 else 1)


def test_streams(tmp_path):
    assert fastparse.read_conllu(io.BytesIO(DATA)).to_bytes() == DATA
    assert fastparse.read_conllu(io.StringIO(DATA.decode())).to_bytes() == DATA
    assert fastparse.read_conllu(Trickle(DATA)).to_bytes() == DATA
    for packed in (gzip.compress(DATA), bz2.compress(DATA), lzma.compress(DATA)):
        assert fastparse.read_conllu(Trickle(packed)).to_bytes() == DATA
    assert fastparse.read_conllu(bytearray(DATA)).to_bytes() == DATA
    path = tmp_path / "named.conllu"
    path.write_bytes(DATA)
    with open(path, "rb") as stream:
        assert fastparse.read_conllu(stream)[0].file == str(path)
    with open(path, encoding="utf-8") as text:
        assert fastparse.read_conllu(text).n_words == 300


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DATA)))
    treebank = fastparse.read_conllu("-")
    assert treebank.to_bytes() == DATA
    assert treebank[0].file == "<stdin>"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_named_pipe(tmp_path):
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(gzip.compress(DATA)))
    writer.start()
    assert fastparse.read_conllu(path).to_bytes() == DATA
    writer.join()


def test_several_files_become_one(tmp_path):
    bom = b"\xef\xbb\xbf"
    pieces = [bom + GOOD[:-2], bom + lines(word(1, "b")), b"", lines("# c"), lines(word(1, "d"), "")]
    paths = []
    for i, piece in enumerate(pieces):
        paths.append(tmp_path / f"{i}.conllu")
        paths[-1].write_bytes(piece)
    expected = bom + GOOD + lines(word(1, "b"), "") + lines("# c", "") + lines(word(1, "d"), "")
    whole = fastparse.read_conllu(paths)
    assert whole.to_bytes() == expected
    assert [(s.file, s.line, s.forms) for s in whole] == [
        (str(paths[0]), 1, ["Go"]), (str(paths[1]), 1, ["b"]), (str(paths[4]), 1, ["d"])]  # fmt: skip
    for batch_words in (1, 100):
        batches = list(fastparse.iter_conllu(paths, batch_words=batch_words))
        assert b"".join(b.to_bytes() for b in batches) == expected
        assert [(s.file, s.line) for b in batches for s in b] == [(s.file, s.line) for s in whole]
    paths[4].write_bytes(lines("# x", word(1, "d", 7), ""))
    with pytest.raises(fastparse.ConlluError, match=r"4\.conllu:2: HEAD 7"):
        fastparse.read_conllu(paths)
    with pytest.raises(fastparse.ConlluError, match=r"4\.conllu:2: HEAD 7"):
        list(fastparse.iter_conllu(paths, batch_words=1))


def test_lines_are_counted_through_batches(tmp_path):
    data = DATA + lines("# sent_id = bad", word(1, "a", 9), "")
    for batch_words in (1, 13, 299, 1000):
        with pytest.raises(fastparse.ConlluError, match=r"<bytes>:902 \(sent_id bad\)"):
            list(fastparse.iter_conllu(data, batch_words=batch_words))


def test_unknown_names_and_sources():
    with pytest.raises(fastparse.UnknownNameError, match="format='xml' is unknown: write 'auto'"):
        fastparse.read_conllu(DATA, format="xml")
    with pytest.raises(fastparse.UnknownNameError, match="on_error='raise' is unknown: write 'stop'"):
        fastparse.read_conllu(DATA, on_error="raise")
    with pytest.raises(fastparse.UnknownNameError, match="batch_words=0"):
        fastparse.iter_conllu(DATA, batch_words=0)
    with pytest.raises(fastparse.Error, match="cannot read 7: give a path"):
        fastparse.read_conllu(7)
    with pytest.raises(fastparse.Error, match="cannot read None: give paths"):
        fastparse.read_conllu([None])
    with pytest.raises(FileNotFoundError, match="nowhere"):
        fastparse.read_conllu("nowhere.conllu")


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".bz2", ".zst"])
def test_written_files_read_back_and_are_the_same_every_time(suffix, tmp_path):
    if suffix == ".zst":
        zstd()
    path = tmp_path / f"out.conllu{suffix}"
    treebank = fastparse.read_conllu(DATA)
    treebank.write(path)
    first = path.read_bytes()
    assert fastparse.read_conllu(path).to_bytes() == DATA
    assert (first == DATA) == (suffix == "")
    treebank.write(path)
    assert path.read_bytes() == first
    assert os.listdir(tmp_path) == [path.name]


def interrupted(path):
    with open_output(path) as stream:
        stream.write(DATA)
        raise KeyboardInterrupt


def test_files_appear_whole_or_not_at_all(tmp_path):
    path = tmp_path / "out.conllu"
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert os.listdir(tmp_path) == []
    path.write_bytes(b"before")
    treebank = fastparse.read_conllu(DATA)
    treebank.heads[-1] = 9
    with pytest.raises(fastparse.Error, match="the head 9"):
        treebank.write(path)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out.conllu"]


@pytest.mark.skipif(os.name != "posix", reason="file modes and links")
def test_modes_links_and_devices(tmp_path):
    path, link = tmp_path / "out.conllu", tmp_path / "link"
    treebank = fastparse.read_conllu(DATA)
    mask = os.umask(0o027)
    try:
        treebank.write(path)
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o600)
    link.symlink_to(path)
    treebank.write(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.read_bytes() == DATA
    treebank.write("/dev/null")
    assert not os.path.isfile("/dev/null")


def test_writing_to_streams_and_standard_output(monkeypatch):
    treebank = fastparse.read_conllu(DATA)
    stream = io.BytesIO()
    treebank.write(stream)
    assert stream.getvalue() == DATA
    out = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    treebank.write("-")
    assert out.buffer.getvalue() == DATA


def test_large_treebanks_are_written_in_pieces(monkeypatch):
    monkeypatch.setattr(writing, "WORDS_PER_PIECE", 3)
    data = b"\xef\xbb\xbf\n# a\n\n" + GOOD * 7 + b"\n\n# z\n\nbroken\n\n" + GOOD * 3 + b"# end"
    treebank = fastparse.read_conllu(data, on_error="keep")
    assert len(list(writing.pieces(treebank, "keep", treebank._layout))) == 4
    assert treebank.to_bytes() == data
    assert fastparse.read_conllu(data, on_error="skip").to_bytes() == data.replace(b"broken\n\n", b"")
    assert treebank[2:9].to_bytes() == GOOD * 7


@pytest.mark.parametrize("kind", ["plain", *COMPRESSORS])
def test_a_meter_says_how_much_has_been_read(tmp_path, kind):
    data = b"".join(b"%d bytes of some kind\n" % i for i in range(60_000))
    paths = [tmp_path / "a", tmp_path / "b"]
    for path in paths:
        path.write_bytes(COMPRESSORS.get(kind, bytes)(data))
    meter = Meter(paths)
    shares, done = [], 0
    for path in paths:
        with opened(path, meter) as stream:
            while piece := stream.read(100_000):
                done += len(piece)
                shares.append((meter.share(done), done / (2 * len(data))))
    assert shares[-1][0] == 1
    assert all(a[0] <= b[0] for a, b in itertools.pairwise(shares))
    assert all(abs(said - true) < 0.35 for said, true in shares), "packed bytes are read ahead by the block"
    assert meter.share(len(data)) == pytest.approx(0.5), "what has been read and is not done does not count"
    assert Meter([paths[0], "-"]).share(1) is None or kind != "plain"


def test_a_meter_of_pipes_says_nothing():
    reading, writing = os.pipe()
    os.write(writing, b"abc")
    os.close(writing)
    with open(reading, "rb") as pipe:
        meter = Meter(pipe)
        with opened(pipe, meter) as stream:
            assert stream.read() == b"abc"
        assert meter.share(3) is None


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_no_file_can_have(name, tmp_path):
    """They ended in a ValueError of Python's."""
    path = os.path.join(tmp_path, name)
    treebank = fastparse.read_conllu(b"1\ta\t_\t_\t_\t_\t0\tr\t_\t_\n\n")
    for use in (fastparse.read_conllu, treebank.write, fastparse.load, lambda p: next(fastparse.iter_conllu([p]))):
        with pytest.raises(fastparse.Error, match=r"no file can be called so|there is no model"):
            use(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes that say what they have")
def test_what_a_pipe_has_is_read_before_it_ends():
    reading, writing = os.pipe()
    os.write(writing, GOOD + b"\n")
    late = threading.Timer(20, os.close, [writing])  # for code that would wait for ever
    late.start()
    with open(reading, "rb") as stream:
        begun = time.monotonic()
        batches = fastparse.iter_conllu(stream)
        assert next(batches).n_words
        assert time.monotonic() - begun < 15
        late.cancel()
        late.join()
        os.close(writing)
        assert not list(batches)


@pytest.mark.parametrize("most", [1, 3])
def test_streams_that_give_less_than_they_are_asked_for(most):
    data = b"abcdefgh" * 3
    short = io.BytesIO(data)
    stream = Input(SimpleNamespace(read=lambda size=-1: short.read(min(size, most))), "short")
    assert [stream.read(10), stream.read(7), stream.read(100)] == [data[:10], data[10:17], data[17:]]
