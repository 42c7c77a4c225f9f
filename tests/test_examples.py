"""The programs of examples/ do what they promise."""

import runpy
import shutil
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
if not FOLDER.exists():
    pytest.skip("the examples are not here", allow_module_level=True)
TOY = Path(__file__).parent / "data" / "toy.conllu"


def program(name):
    return runpy.run_path(str(FOLDER / f"{name}.py"))


def test_all_are_tried():
    names = {path.stem for path in FOLDER.glob("*.py")}
    assert names == {"bulk", "client", "data_frame", "in_spacy", "study"}


def test_bulk_goes_on(tmp_path, capsys):
    texts, parsed = tmp_path / "texts", tmp_path / "parsed"
    texts.mkdir()
    shutil.copy(FOLDER / "en.txt", texts / "a.txt")
    (texts / "b.txt").write_bytes(b"She reads.\xff")
    (texts / "c.txt").write_text("He sleeps.")
    main = program("bulk")["main"]
    main(str(texts), str(parsed))
    shown = capsys.readouterr()
    assert sorted(path.name for path in parsed.iterdir()) == ["a.conllu", "c.conllu"]
    assert "b.txt" in shown.err
    (texts / "b.txt").write_text("She reads.")
    main(str(texts), str(parsed))
    assert capsys.readouterr().out.startswith("b.txt 1 sentence")


def test_in_spacy():
    pytest.importorskip("spacy")
    found = program("in_spacy")["facts"]("She reads old books. He wrote them.")
    assert list(found) == [("She", "read", "books"), ("He", "write", "them")]


def test_data_frame():
    pandas = pytest.importorskip("pandas")
    texts = pandas.Series(["Great food, slow service.", "We had great food.", "Nothing."])
    found = program("data_frame")["descriptions"](texts)
    assert found.to_numpy().tolist() == [["food", "great", 2], ["service", "slow", 1]]


def test_client():
    from tests.server.libraries import need_libraries

    need_libraries()
    from tests.server.serving import served

    with served() as client:
        found = program("client")["parsed"](str(client.base_url).rstrip("/"), "She reads old books.")
    assert [(word[1], word[6], word[7]) for word in found][:2] == [("She", "2", "nsubj"), ("reads", "0", "root")]


def test_study():
    rows = {name: (share, rate) for name, share, rate in program("study")["compared"](str(TOY))}
    assert rows["swap"][0] == 1.0
    assert rows["arc-standard"][0] <= rows["2-planar"][0] <= 1.0
    assert all(1 <= rate <= 4 for _, rate in rows.values())
