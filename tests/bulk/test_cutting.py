"""Compressed inputs in shards, and compressed shards: merged they are what one run gives."""

import bz2
import gzip
import lzma
import os
import random

import pytest

import fastparse
from fastparse import Error
from fastparse.bulk import shards
from fastparse.bulk.cutting import cuts_of
from fastparse.bulk.plans import Folder
from fastparse.corpus.files import compression
from fastparse.corpus.surface import to_text
from tests.commands import run
from tests.parser.models import splitting
from tests.text import toy
from tests.toy import TOY, toy_parser


def zstd_or_skip():
    try:
        return compression.zstd_module()
    except Error:
        pytest.skip("needs zstd")


def pack(data, kind):
    if kind == "zst":
        return zstd_or_skip().compress(data)
    return {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}[kind](data)


def in_streams(data, kind, size, seed=1):
    """Compressed in pieces of about that size, some of them empty."""
    chance, pieces = random.Random(seed), [b""]
    while data:
        taken = chance.choice([0, size // 2, size, 2 * size])
        pieces.append(data[:taken])
        data = data[taken:]
    return b"".join(pack(piece, kind) for piece in pieces)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy.fp"
    toy_parser().save(path)
    return path


@pytest.fixture(scope="module")
def text_model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "text.fp"
    splitting().save(path)
    return path


def parsed_alike(files, folder, model, whole, **options):
    """Run all shards, and look whether they are what one run gives."""
    for _ in shards.run_free(folder):
        pass
    shards.merge(folder, folder / "merged")
    report = fastparse.load(model).parse_file(files, whole, **options)
    assert (folder / "merged").read_bytes() == whole.read_bytes()
    assert shards.status(folder).report.words == report.words


@pytest.mark.parametrize("kind", ["gz", "xz", "bz2", "zst"])
def test_a_file_is_cut_where_its_streams_begin(tmp_path, model, kind):
    files = [tmp_path / f"a.conllu.{kind}", tmp_path / f"b.conllu.{kind}"]
    contents = [TOY.read_bytes(), b"\xef\xbb\xbf" + TOY.read_bytes()[:-1].replace(b"\n", b"\r\n")]
    for file, content, size in zip(files, contents, (900, 400), strict=True):
        file.write_bytes(in_streams(content, kind, size))
    folder = tmp_path / "shards"
    n = shards.plan(files, folder, model, shard_bytes=3000)
    plan = Folder(folder).plan()
    sizes = [shard.size for shard in plan.shards]
    assert n > 10
    assert sum(sizes) == len(contents[0]) + len(contents[1])
    assert max(sizes) < 6000  # a shard, a stream, a sentence
    assert max(shard.end - shard.begin for shard in plan.shards) < files[0].stat().st_size / 3
    assert shards.unsplit(folder, 3000) == []
    parsed_alike(files, folder, model, tmp_path / "whole")


@pytest.mark.parametrize("source", ["text", "lines"])
def test_texts_are_cut_so_as_well(tmp_path, text_model, source):
    text = to_text(toy.conllu(60)).encode()
    files = [tmp_path / "a.txt.gz", tmp_path / "b.txt.gz"]
    files[0].write_bytes(in_streams(text.replace(b"\n\n", b"\n \n\xe3\x80\x80x\n\n\xe2\x80\x9c"), "gz", 200))
    files[1].write_bytes(in_streams(b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n") + b"  ", "gz", 100))
    folder = tmp_path / "shards"
    assert shards.plan(files, folder, text_model, shard_bytes=500, source=source) > 5
    parsed_alike(files, folder, text_model, tmp_path / "whole", source=source)


@pytest.mark.parametrize("seed", range(4))
def test_places_do_not_depend_on_how_a_file_is_packed(tmp_path, seed):
    """Each shard unpacks to sentences that are whole, and all of them to all."""
    chance = random.Random(seed)
    data = b"".join(b"%d\t" % i + bytes([97 + i % 26]) * chance.randrange(60) + b"\n" * chance.choice([1, 2, 2, 3])
                    for i in range(400))  # fmt: skip
    data = data.replace(b"\n\n", b"\n\n\xef\xbb\xbf", 3)
    path = tmp_path / "a.gz"
    path.write_bytes(in_streams(data, "gz", 1 + chance.randrange(300), seed) + b"\0" * 7)
    packed, unpacked = path.read_bytes(), b""
    cuts = list(cuts_of(str(path), 700, "conllu", first=True))
    assert len(cuts) > 8
    for cut in cuts:
        held = gzip.decompress(packed[cut.begin : cut.end])
        own = held[cut.skip : cut.skip + cut.size]
        assert len(own) == cut.size > 0
        if unpacked:
            assert unpacked.endswith(b"\n\n")
            assert not own.startswith(b"\xef\xbb\xbf")
        unpacked += own
    assert unpacked == data


def test_streams_as_large_as_a_shard_are_one_each(tmp_path):
    data = TOY.read_bytes() * 3
    pieces = [data[at : at + 6000] for at in range(0, len(data), 6000)]
    path = tmp_path / "a.gz"
    path.write_bytes(b"".join(map(gzip.compress, pieces)))
    assert len(list(cuts_of(str(path), 6000, "conllu", first=True))) == len(pieces)


def test_what_is_one_stream_is_one_shard(tmp_path, model):
    one, many = tmp_path / "one.conllu.gz", tmp_path / "many.conllu.gz"
    one.write_bytes(gzip.compress(TOY.read_bytes()))
    many.write_bytes(in_streams(TOY.read_bytes(), "gz", 900))
    said = run("shard", "plan", one, many, "-o", tmp_path / "work", "-m", model).stdout.decode()
    assert said.startswith("2 shards, numbered from 0")
    assert "compressed stream" not in said  # they are small
    n = shards.plan([one, many], tmp_path / "shards", model, shard_bytes=2000)
    assert n > 8
    assert shards.unsplit(tmp_path / "shards", 2000) == [str(one)]
    first = Folder(tmp_path / "shards").plan().shards[0]
    assert (first.begin, first.end, first.skip, first.size) == (0, one.stat().st_size, 0, len(TOY.read_bytes()))
    parsed_alike([one, many], tmp_path / "shards", model, tmp_path / "whole")


def test_a_damaged_end_is_the_business_of_the_last_shard(tmp_path, model):
    damaged, folder = tmp_path / "a.conllu.gz", tmp_path / "shards"
    damaged.write_bytes(in_streams(TOY.read_bytes(), "gz", 900)[:-1500])
    n = shards.plan([damaged], folder, model, shard_bytes=3000, format="conllu")
    for number in range(n - 1):
        assert shards.run(folder, number).words > 0
    with pytest.raises(Error, match="truncated"):
        shards.run(folder, n - 1)
    with pytest.raises(Error, match=f"not finished: {n - 1}"):
        shards.merge(folder, tmp_path / "merged")


@pytest.mark.parametrize("compress", ["gz", "zst"])
def test_shards_are_kept_compressed(tmp_path, model, compress):
    source, folder = tmp_path / "in.conllu", tmp_path / "shards"
    # A plain shard may begin like a compressed one, and is none; a packed one is unpacked once.
    source.write_bytes(TOY.read_bytes() + b"\x1f\x8b" + TOY.read_bytes())
    if compress == "zst":
        zstd_or_skip()
    n = shards.plan([source], folder, model, shard_bytes=len(TOY.read_bytes()) - 1, compress=compress, on_error="keep")
    parsed_alike([source], folder, model, tmp_path / "whole", on_error="keep")
    names = {f"{number:05}.conllu.{compress}" for number in range(n)}
    assert {path.name for path in folder.glob("*.conllu*")} == names
    assert os.path.getsize(folder / f"00000.conllu.{compress}") < len(TOY.read_bytes()) / 3
    (folder / "00000.conllu").write_bytes(b"of an earlier plan")
    assert [path.name for path in shards.clean(folder)] == ["00000.conllu"]
    shards.clean(folder, everything=True)
    assert [path.name for path in folder.iterdir()] == ["merged"]


def test_large_corpora_are_kept_by_zstd(tmp_path, model, monkeypatch):
    zstd_or_skip()
    source = tmp_path / "in.conllu"
    source.write_bytes(TOY.read_bytes())
    monkeypatch.setattr(compression, "_LARGE", {"conllu": len(TOY.read_bytes()), "text": 1})
    shards.plan([source], tmp_path / "large", model)
    assert Folder(tmp_path / "large").plan().suffix == ".zst"
    shards.plan([source], tmp_path / "plain", model, compress="none")
    monkeypatch.setattr(compression, "_LARGE", {"conllu": len(TOY.read_bytes()) + 1, "text": 1})
    shards.plan([source], tmp_path / "small", model)
    assert [Folder(tmp_path / name).plan().suffix for name in ("plain", "small")] == ["", ""]

    def missing():
        raise Error("zstd is missing")

    monkeypatch.setattr(compression, "zstd_module", missing)
    monkeypatch.setattr(compression, "_LARGE", {"conllu": 1, "text": 1})
    shards.plan([source], tmp_path / "without", model)
    assert Folder(tmp_path / "without").plan().suffix == ""
    with pytest.raises(Error, match="missing"):
        shards.plan([source], tmp_path / "asked", model, compress="zst")


def test_frames_that_decoders_leave_out_begin_a_file_of_zstd(tmp_path):
    data = b"\x50\x2a\x4d\x18\x04\0\0\0abcd" + zstd_or_skip().compress(TOY.read_bytes())
    assert compression.is_compressed(data)
    assert fastparse.read_conllu(data).to_bytes() == TOY.read_bytes()
