"""The table of odd inputs: every one read to the byte, or refused with the place and a remedy; never both."""

import numpy as np
import pytest

import fastparse
from tests.corpus.cases import READ, REFUSED
from tests.corpus.test_round_trip import without_heads

NAMES = [case.name for case in READ + REFUSED]


def forms_of(treebank):
    return [sentence.forms for sentence in treebank]


def test_the_table_is_large_and_its_names_are_different():
    assert len(set(NAMES)) == len(NAMES) >= 80


@pytest.mark.parametrize("case", READ, ids=lambda case: case.name)
def test_odd_but_sound(case):
    treebank = fastparse.read_conllu(case.data, format=case.format)
    assert forms_of(treebank) == case.forms
    assert treebank.to_bytes() == case.data
    assert (treebank.skipped, treebank.kept_unparsed, treebank.problems) == (0, 0, ())


@pytest.mark.parametrize("case", READ, ids=lambda case: case.name)
def test_other_heads_leave_the_rest_alone(case):
    treebank = fastparse.read_conllu(case.data, format=case.format)
    treebank.heads[:] = 0
    treebank.deprels = ["a much longer label than before"] * treebank.n_words
    written = treebank.to_bytes()
    assert without_heads(written) == without_heads(case.data)
    again = fastparse.read_conllu(written, format=case.format)
    assert forms_of(again) == case.forms
    assert set(again.heads.tolist()) <= {0}
    assert set(again.deprels) <= {"a much longer label than before"}


@pytest.mark.parametrize("batch_words", [1, 2, 100])
@pytest.mark.parametrize("case", READ, ids=lambda case: case.name)
def test_batches_are_the_whole(case, batch_words):
    batches = list(fastparse.iter_conllu(case.data, batch_words=batch_words, format=case.format))
    assert [forms for batch in batches for forms in forms_of(batch)] == case.forms
    assert b"".join(batch.to_bytes() for batch in batches) == case.data
    whole = [(s.line, s.sent_id, s.misc) for s in fastparse.read_conllu(case.data, format=case.format)]
    assert [(s.line, s.sent_id, s.misc) for batch in batches for s in batch] == whole


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused_with_place_and_remedy(case, tmp_path):
    path = tmp_path / "some.conllu"
    path.write_bytes(case.data)
    with pytest.raises(fastparse.ConlluError) as caught:
        fastparse.read_conllu(path, format=case.format)
    message = str(caught.value)
    where = f"{path}:{case.line}" + (f" (sent_id {case.sent_id})" if case.sent_id else "")
    assert message.startswith(where + ": "), message
    for piece in (*case.says, "on_error='skip'", "on_error='keep'"):
        assert piece in message
    with pytest.raises(fastparse.ConlluError) as streamed:
        list(fastparse.iter_conllu(path, batch_words=1, format=case.format))
    assert str(streamed.value) == message


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_kept_sentences_stay_in_the_output(case):
    treebank = fastparse.read_conllu(case.data, format=case.format, on_error="keep")
    assert forms_of(treebank) == case.forms
    assert treebank.kept_unparsed == len(treebank.problems) >= 1
    assert treebank.skipped == 0
    assert (treebank.problems[0].line, treebank.problems[0].sent_id) == (case.line, case.sent_id)
    assert treebank.to_bytes() == case.data
    treebank.heads[:] = -1
    assert forms_of(fastparse.read_conllu(treebank.to_bytes(), format=case.format, on_error="skip")) == case.forms


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_skipped_sentences_are_left_out_and_counted(case):
    treebank = fastparse.read_conllu(case.data, format=case.format, on_error="skip")
    assert forms_of(treebank) == case.forms
    assert treebank.skipped == len(treebank.problems) >= 1
    assert treebank.kept_unparsed == 0
    written = treebank.to_bytes()
    assert len(written) < len(case.data)
    assert forms_of(fastparse.read_conllu(written, format=case.format)) == case.forms
    batches = list(fastparse.iter_conllu(case.data, batch_words=1, format=case.format, on_error="skip"))
    assert b"".join(batch.to_bytes() for batch in batches) == written
    assert sum(batch.skipped for batch in batches) == treebank.skipped


def test_strings_of_skipped_sentences_are_in_no_table():
    rows = ["seen\t_\tX\t_\t_\t0\tone", "hidden\t_\tY\t_\t_\t9\ttwo", "later\t_\tX\t_\t_\t0\tone"]
    data = "".join(f"1\t{row}\t_\t_\n\n" for row in rows).encode()
    treebank = fastparse.read_conllu(data, on_error="skip")
    assert treebank.table("form") == ["seen", "later"]
    assert treebank.table("upos") == ["X"]
    assert treebank.deprel_table == ["one"]


def test_many_broken_sentences_are_all_counted_and_few_described():
    treebank = fastparse.read_conllu(b"broken\n\n" * 5000, on_error="skip")
    assert treebank.skipped == 5000
    assert len(treebank.problems) == 1000
    assert treebank.to_bytes() == b""


def test_a_sentence_of_a_million_words():
    n = 1_000_000
    data = b"".join(b"%d\tw%d\t_\tX\t_\t_\t%d\tdep\t_\t_\n" % (i, i % 1000, i - 1) for i in range(1, n + 1)) + b"\n"
    treebank = fastparse.read_conllu(data)
    assert (len(treebank), treebank.n_words) == (1, n)
    assert (treebank.heads == np.arange(n)).all()
    assert treebank.to_bytes() == data
    assert treebank.trees().all()
    batches = list(fastparse.iter_conllu(data, batch_words=1000))
    assert [len(batch) for batch in batches] == [1]
    assert batches[0].to_bytes() == data


def test_a_line_of_a_hundred_megabytes():
    form = b"x" * 100_000_000
    data = b"1\t" + form + b"\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    treebank = fastparse.read_conllu(data)
    assert len(treebank[0].forms[0]) == len(form)
    assert treebank.to_bytes() == data
    with pytest.raises(fastparse.ConlluError, match=r"<bytes>:1: expected 10 columns.*100,000,000 bytes") as caught:
        fastparse.read_conllu(form)
    assert len(str(caught.value)) < 1000
