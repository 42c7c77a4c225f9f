"""Learning: same seed, same bytes; interrupted and resumed; unfit treebanks; every system."""

import numpy as np
import pytest

import fastparse
from fastparse import Error, OracleError, Treebank, UnknownNameError
from fastparse.learning.progress import Interrupted, IterationDone, Message, Passing
from fastparse.learning.systems import trainable
from tests.toy import TOY, toy, toy_parser

ROOT = b"1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def bytes_of(parser, folder):
    path = folder / "model.fp"
    parser.save(path)
    return path.read_bytes()


@pytest.mark.parametrize("beam", [1, 4])
def test_a_second_training_gives_the_same_file(tmp_path, beam):
    options = {"beam": beam, "iterations": 3, "dev": toy(), "seed": 5}
    first = bytes_of(fastparse.train(toy(), "arc-eager", encoder=None, **options), tmp_path)
    assert bytes_of(fastparse.train(str(TOY), "arc-eager", threads=3, encoder=None, **options), tmp_path) == first


def test_another_seed_gives_another_file(tmp_path):
    assert bytes_of(toy_parser(seed=1), tmp_path) != bytes_of(toy_parser(seed=2), tmp_path)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("dev", [None, 20])
@pytest.mark.parametrize("stop", [1, 3])
def test_a_resumed_training_gives_the_same_file(tmp_path, beam, dev, stop):
    options = {"beam": beam, "dev": None if dev is None else toy()[:dev], "system": "arc-eager"}
    whole = bytes_of(fastparse.train(toy(), iterations=5, encoder=None, **options), tmp_path)
    checkpoint = tmp_path / "state"
    fastparse.train(toy(), iterations=stop, checkpoint=checkpoint, encoder=None, **options)
    assert (
        bytes_of(fastparse.train(toy(), iterations=5, checkpoint=checkpoint, encoder=None, **options), tmp_path)
        == whole
    )
    # Once more, with nothing left to learn.
    assert (
        bytes_of(fastparse.train(toy(), iterations=5, checkpoint=checkpoint, encoder=None, **options), tmp_path)
        == whole
    )


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("dev", [None, 20])
def test_an_interrupted_training_keeps_the_best_and_can_go_on(tmp_path, beam, dev, monkeypatch):
    options = {"beam": beam, "dev": None if dev is None else toy()[:dev], "system": "arc-eager", "iterations": 4}
    whole = bytes_of(fastparse.train(toy(), encoder=None, **options), tmp_path)
    events = []

    def interrupt(event):
        events.append(event)
        if isinstance(event, Passing) and event.place.step == "parser" and event.iteration == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 0)
    checkpoint = tmp_path / "state"
    parser = fastparse.train(toy(), progress=interrupt, checkpoint=checkpoint, encoder=None, **options)
    assert isinstance(events[-1], Interrupted)
    assert len(parser.info["iterations"]) == 2
    assert parser.parse(toy()).trees().all()
    assert bytes_of(fastparse.train(toy(), checkpoint=checkpoint, encoder=None, **options), tmp_path) == whole


def test_interrupted_before_anything_is_learnt_it_ends(monkeypatch):
    def interrupt(event):
        raise KeyboardInterrupt

    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 0)
    with pytest.raises(KeyboardInterrupt):
        fastparse.train(toy(), "arc-eager", beam=1, iterations=2, progress=interrupt, encoder=None)


def test_the_checkpoint_of_another_training_is_refused(tmp_path):
    checkpoint = tmp_path / "state"
    fastparse.train(toy(), "arc-eager", beam=2, iterations=1, checkpoint=checkpoint, encoder=None)
    with pytest.raises(Error, match=r"another training.*training"):
        fastparse.train(toy(), "arc-eager", beam=2, iterations=2, seed=9, checkpoint=checkpoint, encoder=None)
    with pytest.raises(Error, match=r"another training.*treebank"):
        fastparse.train(toy()[:50], "arc-eager", beam=2, iterations=2, checkpoint=checkpoint, encoder=None)


def test_the_best_iteration_is_taken(tmp_path):
    parser = fastparse.train(toy()[:40], "arc-eager", dev=toy()[40:], beam=2, iterations=6, encoder=None)
    rows = parser.info["iterations"]
    best = max(range(6), key=lambda i: (rows[i]["las"], -i))
    assert parser.info["best_iteration"] == best + 1
    scores = fastparse.evaluate(toy()[40:], parser.parse(toy()[40:]), convention="all")
    assert scores.las == pytest.approx(rows[best]["las"])
    assert scores.uas == pytest.approx(rows[best]["uas"])


def test_reports(monkeypatch):
    monkeypatch.setattr("fastparse.learning.course._SECONDS_BETWEEN_REPORTS", 0)
    events = []
    fastparse.train(toy(), "arc-eager", dev=toy(), beam=2, iterations=2, progress=events.append, encoder=None)
    done = [event for event in events if isinstance(event, IterationDone)]
    assert [event.iteration for event in done] == [1, 2]
    assert all(event.seconds > 0 and event.updates > 0 and 0 < event.las <= event.uas <= 100 for event in done)
    last = [event for event in events if isinstance(event, Passing) and event.place.step == "parser"][-1]
    assert last.sentences == last.of_sentences == 61
    assert last.seconds_left == 0
    assert all(str(event) for event in events)


# ── systems ──


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("system", trainable())
def test_every_system_learns(system, beam):
    if system == "easy-first" and beam > 1:
        pytest.skip("greedy only")
    parser = toy_parser(system, beam, iterations=6)
    scores = fastparse.evaluate(toy(), parser.parse(toy()), convention="all")
    assert scores.las > 88, scores


@pytest.mark.parametrize("system", ["dag/arc-standard", "two-registers/printed", "three-step/left", "three-step/right"])
def test_systems_that_cannot_train_say_why(system):
    with pytest.raises(Error, match=r"cannot be trained: it .*The systems that train: arc-standard"):
        fastparse.train(toy(), system, encoder=None)


def test_easy_first_is_greedy():
    with pytest.raises(Error, match="beam=1"):
        fastparse.train(toy(), "easy-first", beam=8)
    parser = toy_parser("easy-first", 1)
    with pytest.raises(Error, match="beam=1"):
        parser.parse(toy(), beam=2)
    assert parser.parse(toy(), threads=3).to_bytes() == parser.parse(toy()).to_bytes()


def test_unknown_systems_are_refused():
    with pytest.raises(UnknownNameError, match="arc-eager"):
        fastparse.train(toy(), "arc-eagre", encoder=None)


def test_a_composed_system_is_kept_in_the_model(tmp_path):
    from fastparse.theory.compose import ARC, B0, POP, PUSH, S0, compose, has_head, no_head

    system = compose(
        "toy-arc-eager", SHIFT=[PUSH], REDUCE=[POP], LEFT_ARC=[ARC(B0, S0), POP], RIGHT_ARC=[ARC(S0, B0), PUSH],
        only_if={"REDUCE": has_head(S0), "LEFT_ARC": no_head(S0)},
    )  # fmt: skip
    parser = fastparse.train(toy(), system, beam=4, iterations=3, encoder=None)
    parser.save(tmp_path / "m.fp")
    again = fastparse.load(tmp_path / "m.fp")
    assert again.system == "toy-arc-eager"
    assert again.parse(toy()).to_bytes() == parser.parse(toy()).to_bytes()
    assert again.parse(toy()).to_bytes() == toy_parser("arc-eager", 4).parse(toy()).to_bytes()


def test_auto_takes_two_registers_if_it_covers_enough():
    notes = []
    parser = fastparse.train(
        toy(), "auto", beam=1, iterations=1, progress=notes.append, components=("parser",), encoder=None
    )
    assert parser.system == "two-registers"
    assert "covers 100.0%" in str(notes[0])


def test_auto_takes_what_covers_most_otherwise():
    random = np.random.default_rng(1)
    heads = [[int(h) for h in random_tree(random, 12)] for _ in range(60)]
    treebank = Treebank.from_columns([["w"] * 12] * 60, upos=[["X"] * 12] * 60, heads=heads, deprels=[["x"] * 12] * 60)
    notes = []
    parser = fastparse.train(
        treebank, "auto", beam=1, iterations=1, single_root=False, progress=notes.append, encoder=None
    )
    assert parser.system == "swap"
    assert "two-registers only" in str(notes[0])


def random_tree(random, n):
    """Heads in which the words, in random order, hang on earlier ones."""
    order = random.permutation(n) + 1
    heads = np.zeros(n, int)
    for k in range(1, n):
        heads[order[k] - 1] = order[random.integers(0, k)]
    return heads


def test_options_of_the_system(tmp_path):
    lazy = fastparse.train(toy(), "swap", beam=1, iterations=1, encoder=None)
    eager = fastparse.train(toy(), "swap", beam=1, iterations=1, system_options={"oracle": "eager"}, encoder=None)
    assert lazy.info["options"] == {"oracle": "lazy"}
    assert eager.info["options"] == {"oracle": "eager"}
    with pytest.raises(UnknownNameError, match="oracle"):
        fastparse.train(toy(), "swap", system_options={"oracle": "sleepy"}, encoder=None)


# ── trees outside the class ──


def test_outside_stop_names_the_first():
    with pytest.raises(OracleError, match=r"toy.conllu:\d+ \(sent_id toy-6\).*outside='lift'"):
        fastparse.train(toy(), "arc-eager", outside="stop", encoder=None)


def test_outside_skip_counts():
    info = toy_parser(outside="skip").info["treebank"]
    assert info["outside"] == info["skipped"] == 8


def test_outside_lift_learns_from_all():
    info = toy_parser(outside="lift").info["treebank"]
    assert info["outside"] == info["lifted_arcs"] == 8
    assert "skipped" not in info


@pytest.mark.parametrize("encoding", ["head", "path", "head+path"])
def test_pseudo_projective_parsing_gives_arcs_that_cross(tmp_path, encoding):
    parser = toy_parser("arc-eager", 8, pseudo_projective=encoding, iterations=10)
    parser.save(tmp_path / "m.fp")
    parsed = fastparse.load(tmp_path / "m.fp").parse(toy())
    crossing = fastparse.trees.nonprojective_arcs_treebank(toy().heads, toy().offsets)
    assert crossing.sum() > 0
    assert (parsed.heads == toy().heads)[crossing].all()
    assert not any(mark in label for label in parsed.deprels for mark in "↑↓")
    arrays = parser.parse_arrays(toy())
    assert [parser.labels[i] for i in arrays[1]] == parsed.deprels


# ── unfit treebanks and options ──


def test_an_empty_treebank_is_refused():
    with pytest.raises(Error, match="no sentences"):
        fastparse.train(fastparse.read_conllu(b""), "arc-eager", encoder=None)


def test_sentences_that_are_no_trees_are_left_out_and_counted():
    bad = (
        b"1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n"  # no head
        b"1\ta\ta\tX\t_\t_\t2\tx\t_\t_\n2\tb\tb\tX\t_\t_\t1\tx\t_\t_\n\n"  # a cycle
    )
    notes = []
    treebank = fastparse.read_conllu(bad + TOY.read_bytes())
    parser = fastparse.train(treebank, "arc-eager", beam=2, iterations=3, progress=notes.append, encoder=None)
    assert parser.info["treebank"]["headless_word"] == parser.info["treebank"]["cycle"] == 1
    text = " ".join(str(note) for note in notes if isinstance(note, Message))
    assert "(headless word)" in text
    assert "(cycle)" in text
    assert "<bytes>:3" in text
    clean = toy_parser("arc-eager", 2).parse(toy()).to_bytes()
    assert parser.parse(toy()).to_bytes() == clean


def test_nothing_but_broken_trees_is_refused():
    with pytest.raises(Error, match="headless"):
        fastparse.train(fastparse.read_conllu(b"1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n\n"), "arc-eager", encoder=None)


def test_one_word_is_enough(tmp_path):
    parser = fastparse.train(fastparse.read_conllu(ROOT), "arc-eager", beam=2, iterations=1, encoder=None)
    parser.save(tmp_path / "m.fp")
    parser = fastparse.load(tmp_path / "m.fp")
    assert parser.parse(toy()).trees().all()
    assert set(parser.parse(toy()).deprels) == {"root"}


def test_unlabelled_trees_are_learnt():
    treebank = Treebank.from_columns([s.forms for s in toy()], heads=[s.heads for s in toy()])
    parser = fastparse.train(treebank, "arc-eager", beam=2, iterations=2, encoder=None)
    assert parser.labels == ["_"]
    assert parser.info["missing"]
    assert parser.parse(treebank).trees().all()


def test_single_root_auto_and_given():
    several = b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t0\troot\t_\t_\n\n" * 10
    treebank = fastparse.read_conllu(several + TOY.read_bytes())
    free = fastparse.train(treebank, "arc-eager", beam=2, iterations=2, encoder=None)
    assert free.info["single_root"] is False
    assert (free.parse(fastparse.read_conllu(several)).heads == 0).all()
    single = fastparse.train(treebank, "arc-eager", beam=2, iterations=2, single_root=True, encoder=None)
    assert single.info["treebank"]["several_roots"] == 10
    assert single.info["single_root"] is True
    assert toy_parser().info["single_root"] is True


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("beam", 0), ("beam", 5000), ("iterations", 0), ("seed", -1), ("outside", "ignore"), ("single_root", "yes"),
        ("pseudo_projective", "all"), ("update", "late"), ("explore", 2), ("scale", 0), ("max_bytes", 7),
        ("templates", "no-such-set"), ("margin", -1), ("least_weight", 0),
    ],
)  # fmt: skip
def test_impossible_options_are_refused(option, value):
    with pytest.raises(Error, match=str(value)):
        fastparse.train(toy(), "arc-eager", encoder=None, **{option: value})


def test_weights_are_dropped_until_they_fit():
    whole, small = toy_parser(), toy_parser(max_bytes=60_000)
    assert small.info["bytes"] <= 60_000 < whole.info["bytes"]
    assert small.parse(toy()).trees().all()


def test_templates_of_the_users_own(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("[moves]\nS0.upos B0.upos\nS0.upos\nB0.upos\n[labels]\nH.upos D.upos\n")
    parser = fastparse.train(toy(), "arc-eager", beam=4, iterations=3, templates=path, encoder=None)
    assert parser.info["templates"] == path.read_text()
    assert parser.info["bytes"] < 10_000
    path.write_text("[moves]\nS9.upos\n")
    with pytest.raises(UnknownNameError, match="S9"):
        fastparse.train(toy(), "arc-eager", templates=path, encoder=None)
    path.write_text("[moves]\nS0.upos\n[labels]\nS0.upos\n")
    with pytest.raises(UnknownNameError, match="H and D"):
        fastparse.train(toy(), "arc-eager", templates=path, encoder=None)


def test_encoded_arcs_are_counted():
    crossing = fastparse.trees.nonprojective_arcs_treebank(toy().heads, toy().offsets)
    assert toy_parser(pseudo_projective="head").info["treebank"]["encoded_arcs"] == crossing.sum() > 0
