"""Folders in and out: mirrored, gone on with after a stop, never written over an input, not stopped by a bad file."""

import gzip
import os
import re

import pytest

from fastparse import Error, read_conllu
from fastparse.cli import files as cli_files
from fastparse.cli.finished import RECORD
from fastparse.cli.folders import refuse_overwriting
from fastparse.cli.main import run
from fastparse.corpus.files import compression
from tests.parser.models import TEXT, splitting
from tests.toy import TOY


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "in"
    for name in ("a.conllu", "deep/b.conll", "deep/er/c.conllu.gz"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(TOY.read_bytes()) if name.endswith(".gz") else TOY.read_bytes())
    (folder / "notes.md").write_text("not a treebank")
    (folder / ".hidden.conllu").write_text("not a treebank")
    return folder


def files(folder):
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {name: path for name, path in found.items() if not os.path.basename(name).startswith(".")}


def content(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.mark.parametrize("output", ["out/", "out", "in/out"])
def test_a_folder_is_mirrored(model, parsed, corpus, tmp_path, output, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # what lies in the folder of outputs is no input of the next run
        assert run(["parse", "-r", "in", "-m", model, "-o", output]) == 0
        made = files(tmp_path / output)
        assert sorted(made) == ["a.conllu", "deep/b.conll", "deep/er/c.conllu.gz"]
        assert all(content(path) == parsed for path in made.values())
    said = capsys.readouterr().err.splitlines()
    assert said[0] == said[5] == "fastparse: 1 file left out, by the suffix: .md"
    assert [line.split(": ")[1] for line in said[1:4]] == ["in/a.conllu", "in/deep/b.conll", "in/deep/er/c.conllu.gz"]
    assert re.match(r"fastparse: 3 files: 183 sentences, 1,344 words in ", said[4])
    assert re.match(r"fastparse: 3 files, 3 finished before .*: 183 sentences, 1,344 words in all", said[6])


def test_of_many_files_there_is_a_line_a_minute(model, corpus, tmp_path, capsys, monkeypatch):
    for name in ("d.html", "e.html", "f"):
        (corpus / name).write_text("<p>Hi.</p>")
    for number in range(25):
        (corpus / f"{number}.conllu").write_bytes(b"")
    command = ["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/"]
    assert run(command) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "fastparse: 4 files left out, by the suffix: .html (2), .md (1), no suffix (1)"
    assert said[1].startswith("fastparse: 28 files: 183 sentences")
    assert len(said) == 2
    clock = iter(range(0, 10_000, 25))
    monkeypatch.setattr(cli_files, "perf_counter", lambda: next(clock))
    assert run([*command, "--force"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[1] == "fastparse: 2 of 28 files done"
    assert 8 < len(said) < 15


def test_an_interrupted_run_says_how_to_go_on(model, corpus, tmp_path, capsys, monkeypatch):
    made = cli_files._Folder._made

    def interrupted(folder, job, *others):
        if job.source.endswith("b.conll"):
            raise KeyboardInterrupt
        return made(folder, job, *others)

    monkeypatch.setattr(cli_files._Folder, "_made", interrupted)
    command = ["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/"]
    assert run(command) == 130
    assert capsys.readouterr().err.splitlines()[-1] == "fastparse: 1 of 3 files done; the same command goes on"
    monkeypatch.undo()
    assert run(command) == 0
    assert "3 files, 1 finished before" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--offsets", "--encoding=latin-1"])
def test_what_one_input_cannot_use_is_refused_before_work_starts(option, corpus, tmp_path, capsys):
    (corpus / "0.txt").write_text(TEXT, encoding="utf-8")
    (corpus / "x.parquet").write_bytes(b"")
    assert run(["parse", "-r", str(corpus), "-o", f"{tmp_path}/out/", option]) == 1
    said = capsys.readouterr().err
    assert f"{option.partition('=')[0]} " in said
    assert "does nothing for" in said
    assert not (tmp_path / "out").exists()


def test_what_an_output_is_shows_in_its_name(model, corpus, tmp_path, capsys):
    assert run(["parse", "-r", str(corpus), "-m", model, "-o", str(tmp_path / "out"), "--to", "ndjson", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert sorted(files(tmp_path / "out")) == ["a.ndjson", "deep/b.ndjson", "deep/er/c.ndjson.gz"]


@pytest.mark.parametrize("record", ["", "nothing", '{"name": "a.conllu"}'])
def test_a_record_that_says_nothing_is_begun_anew(model, parsed, corpus, tmp_path, record):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / RECORD).write_text(record)
    assert run(["parse", "-r", str(corpus), "-m", model, "-o", str(tmp_path / "out"), "-q"]) == 0
    assert (tmp_path / "out" / "a.conllu").read_bytes() == parsed
    assert "options" in (tmp_path / "out" / RECORD).read_text().splitlines()[0]


def test_standard_input_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").write_bytes(b"")
    refuse_overwriting(["-"], [tmp_path / "-"])
    refuse_overwriting([str(tmp_path / "-")], ["-"])
    with pytest.raises(Error, match="written over the input"):
        refuse_overwriting([str(tmp_path / "-")], ["./-"])


def test_a_folder_into_one_file(model, parsed, corpus, tmp_path):
    assert run(["parse", "-r", str(corpus), "-m", model, "-o", str(tmp_path / "all.conllu"), "-q"]) == 0
    assert (tmp_path / "all.conllu").read_bytes() == parsed * 3


def test_a_folder_needs_to_be_asked_for(model, corpus, tmp_path, capsys):
    for output in ("out/", "out.conllu"):
        assert run(["parse", str(corpus), "-m", model, "-o", str(tmp_path / output)]) == 1
        assert "this is a folder: -r takes the files in it" in capsys.readouterr().err


def test_several_folders_keep_their_names(model, corpus, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.conllu").write_bytes(TOY.read_bytes())
    assert run(["parse", "-r", str(corpus), str(other), "-m", model, "-o", f"{tmp_path}/out/", "-q"]) == 0
    assert {"in/a.conllu", "other/a.conllu"} <= set(files(tmp_path / "out"))


def test_an_existing_folder_needs_no_slash(model, corpus, tmp_path):
    (tmp_path / "out").mkdir()
    assert run(["parse", str(corpus / "a.conllu"), "-m", model, "-o", str(tmp_path / "out"), "-q"]) == 0
    assert list(files(tmp_path / "out")) == ["a.conllu"]


def test_a_run_goes_on_where_it_was_stopped(model, corpus, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["parse", "-r", str(corpus), "-m", model, "-o", str(out)]
    assert run(arguments) == 0
    (out / "deep" / "b.conll").unlink()  # was never made
    (corpus / "a.conllu").write_bytes(TOY.read_bytes() * 2)  # has changed since
    left = (out / "deep" / "er" / "c.conllu.gz").stat().st_mtime_ns
    with open(out / ".fastparse.jsonl", "a") as record:
        record.write('{"name": "cut o')  # by a kill
    capsys.readouterr()
    assert run(arguments) == 0
    assert "3 files, 1 finished before" in capsys.readouterr().err
    assert (out / "deep" / "er" / "c.conllu.gz").stat().st_mtime_ns == left
    assert content(out / "a.conllu").count(b"\n\n") == 2 * content(out / "deep" / "b.conll").count(b"\n\n")
    assert run([*arguments, "--force"]) == 0
    assert (out / "deep" / "er" / "c.conllu.gz").stat().st_mtime_ns > left
    assert run(arguments) == 0, "the record is readable after all that"


def test_other_options_do_not_go_on(model, corpus, tmp_path, capsys):
    arguments = ["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/", "-q"]
    assert run(arguments) == 0
    assert run([*arguments, "--beam", "1"]) == 1
    assert "made with other options (beam none, now 1): --force makes it again" in capsys.readouterr().err
    assert run([*arguments, "--threads", "2"]) == 0, "the output does not depend on it"
    assert run([*arguments, "--beam", "1", "--force"]) == 0


def test_an_input_is_never_written_over(model, corpus, tmp_path, capsys, monkeypatch):
    before = {name: path.read_bytes() for name, path in files(corpus).items()}
    (tmp_path / "link").symlink_to(corpus)
    for arguments in (
        ["-r", corpus, "-o", corpus],
        ["-r", corpus, "-o", f"{tmp_path}/link/"],
        [corpus / "a.conllu", "-o", f"{corpus}/"],
        [corpus / "a.conllu", "-o", corpus / "a.conllu"],
        [TOY, corpus / "a.conllu", "-o", tmp_path / "link" / "a.conllu", "--on-error", "skip"],
    ):
        assert run(["parse", *map(str, arguments), "-m", model]) == 1
        assert "would be written over the input" in capsys.readouterr().err
    assert {name: path.read_bytes() for name, path in files(corpus).items()} == before


def test_equal_names_are_refused_with_advice(model, corpus, tmp_path, capsys):
    other = tmp_path / "a.conllu"
    other.write_bytes(TOY.read_bytes())
    assert run(["parse", str(corpus / "a.conllu"), str(other), "-m", model, "-o", f"{tmp_path}/out/"]) == 1
    said = capsys.readouterr().err
    assert "would both become" in said
    assert "-r" in said


@pytest.mark.parametrize("mode", ["stop", "skip", "keep"])
def test_a_bad_file_does_not_stop_the_others(model, parsed, corpus, tmp_path, capsys, mode):
    (corpus / "b.conllu.gz").write_bytes(gzip.compress(TOY.read_bytes())[:-20])
    (corpus / "b2.conllu").write_bytes(TOY.read_bytes() + b"1\tGo\n\n")
    status = run(["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/", "--on-error", mode])
    said = capsys.readouterr().err
    assert re.search(r"b\.conllu\.gz: the compressed file is truncated", said)
    if mode == "stop":
        assert status == 1
        return
    assert status == 3
    assert "5 files, 1 failed: 244 sentences" in said
    made = files(tmp_path / "out")
    assert sorted(made) == ["a.conllu", "b2.conllu", "deep/b.conll", "deep/er/c.conllu.gz"]
    assert content(made["b2.conllu"]) == parsed + (b"1\tGo\n\n" if mode == "keep" else b"")
    # The next run knows what was lost in the last one.
    assert run(["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/", "--on-error", mode, "-q"]) == 3


def test_a_bad_file_alone_is_told_by_the_status(model, corpus, tmp_path):
    (corpus / "b.conllu.gz").write_bytes(gzip.compress(TOY.read_bytes())[:-20])
    arguments = ["parse", "-r", str(corpus), "-m", model, "-o", f"{tmp_path}/out/", "--on-error", "skip", "-q"]
    assert [run(arguments), run(arguments)] == [3, 3]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_bad_file_among_others_of_one_output(model, parsed, corpus, tmp_path, capsys, threads):
    bad = corpus / "b.conllu.gz"
    bad.write_bytes(gzip.compress(TOY.read_bytes())[:-20])
    arguments = ["parse", str(TOY), str(bad), str(TOY), "-m", model, "-o", str(tmp_path / "all.conllu"),
                 "--threads", threads]  # fmt: skip
    assert run(arguments) == 1
    assert run([*arguments, "--on-error", "skip"]) == 3
    said = capsys.readouterr().err
    assert re.search(r"b\.conllu\.gz: the compressed file is truncated.* The rest of it is left out", said)
    made = (tmp_path / "all.conllu").read_bytes()
    assert made.startswith(parsed)
    assert made.endswith(parsed)


def test_force_is_for_folders(model, tmp_path, capsys):
    assert run(["parse", str(TOY), "-m", model, "-o", str(tmp_path / "x.conllu"), "--force"]) == 1
    assert "--force is for folders" in capsys.readouterr().err


def test_a_folder_without_inputs(model, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "readme.md").write_text("nothing")
    assert run(["parse", "-r", str(tmp_path / "in"), "-m", model, "-o", f"{tmp_path}/out/"]) == 1
    assert "no file in this folder is an input" in capsys.readouterr().err


def test_outputs_of_texts_are_named_as_what_they_are(tmp_path):
    splitting().save(tmp_path / "m.fp")
    corpus = tmp_path / "texts"
    (corpus / "deep").mkdir(parents=True)
    (corpus / "a.txt").write_text(TEXT, encoding="utf-8")
    (corpus / "deep" / "b.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    assert run(["parse", "-r", str(corpus), "-m", str(tmp_path / "m.fp"), "-o", f"{tmp_path}/out/", "-q"]) == 0
    made = files(tmp_path / "out")
    assert sorted(made) == ["a.conllu", "deep/b.conllu.gz"]
    expected = splitting().parse_text(TEXT).to_bytes()
    assert [content(made[name]) for name in sorted(made)] == [expected, expected]


def test_outputs_are_packed_as_asked(model, parsed, corpus, tmp_path, monkeypatch, capsys):
    def made(name, *options):
        assert run(["parse", "-r", str(corpus), "-m", model, "-o", str(tmp_path / name), *options]) == 0
        return files(tmp_path / name)

    found = made("gz", "--compress", "gz")
    assert sorted(found) == ["a.conllu.gz", "deep/b.conll.gz", "deep/er/c.conllu.gz"]
    assert all(content(path) == parsed for path in found.values())
    assert f"; packed, as {tmp_path}/gz/a.conllu.gz" in capsys.readouterr().err
    assert sorted(made("none", "--compress", "none")) == ["a.conllu", "deep/b.conll", "deep/er/c.conllu"]
    assert "; packed" not in capsys.readouterr().err
    assert run(["parse", str(corpus / "a.conllu"), "-m", model, "-o", str(tmp_path / "x"), "--compress", "gz"]) == 1
    assert "the suffix of a file says how" in capsys.readouterr().err
    # Large files are packed without being asked for, where that is possible; each goes by its own size.
    monkeypatch.setattr(compression, "_LARGE", {"conllu": len(TOY.read_bytes()), "text": 1})
    (corpus / "deep" / "b.conll").write_bytes(TOY.read_bytes()[: TOY.read_bytes().rindex(b"\n\n", 0, -2) + 2])
    monkeypatch.setattr(compression, "zstd_module", missing_zstd)
    assert sorted(made("without")) == ["a.conllu", "deep/b.conll", "deep/er/c.conllu.gz"]
    monkeypatch.undo()
    monkeypatch.setattr(compression, "_LARGE", {"conllu": len(TOY.read_bytes()), "text": 1})
    try:
        compression.zstd_module()
    except Error:
        pytest.skip("needs zstd")
    found = made("auto")
    assert sorted(found) == ["a.conllu.zst", "deep/b.conll", "deep/er/c.conllu.gz"]
    assert read_conllu(found["a.conllu.zst"]).to_bytes() == parsed
    assert "finished before" in (made("auto") and capsys.readouterr().err)


def test_a_missing_module_is_noticed_before_work_starts(model, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(compression, "zstd_module", missing_zstd)
    (tmp_path / "bad.conllu").write_bytes(b"1\tGo\n\n")
    for inputs, output in ((["x.conllu.zst"], "out"), ([], "out.zst"), (["x.conllu.zst"], "out/"), ([], "out/")):
        more = ["--compress", "zst"] if output == "out/" and not inputs else []
        inputs = [str(tmp_path / "bad.conllu"), *(str(tmp_path / name) for name in inputs)]
        assert run(["parse", *inputs, "-m", model, "-o", f"{tmp_path}/{output}", *more]) == 1
        assert "zstd cannot be imported" in capsys.readouterr().err


def missing_zstd():
    raise Error("zstd cannot be imported")
