"""The three-step system, trained: three steps, one model."""

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError, OracleError, UnknownNameError
from fastparse.cli.main import run
from fastparse.model.storage import read_container, write_container
from fastparse.training.recipes import passes
from fastparse.trees import nonprojective_arcs_treebank
from tests.toy import toy, toy_parser

# Word 1 hangs from word 4 across the root's child; the mirror image; two words of a head with one label; plain trees.
TREES = [
    ([4, 0, 2, 2, 2], ["obj", "root", "x", "comp", "punct"]),
    ([3, 0, 2, 1, 2], ["subj", "root", "x", "rel", "punct"]),
    ([5, 5, 0, 3, 3], ["obj", "obj", "root", "x", "comp"]),
    ([2, 0, 2, 3], ["subj", "root", "obj", "x"]),
]


def crooked(copies=6):
    """A treebank a quarter of whose arcs are not projective, every sentence of words of its own."""
    sentences = []
    for number, (heads, labels) in enumerate(TREES * copies):
        kind = number % len(TREES)
        rows = [
            f"{word}\tw{kind}{word}\tw{kind}{word}\tT{kind}{word}\t_\t_\t{head}\t{label}\t_\t_"
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), start=1)
        ]
        sentences.append("\n".join(rows) + "\n\n")
    return fastparse.read_conllu("".join(sentences).encode())


def test_it_finds_the_arcs_the_first_step_cannot_draw():
    bank = crooked()
    crossing = nonprojective_arcs_treebank(bank.heads, bank.offsets)
    assert crossing.sum() >= 24
    parsed = fastparse.train(bank, "three-step", beam=1, iterations=5).parse(bank)
    assert (parsed.heads == bank.heads).all()
    assert list(parsed.deprels) == list(bank.deprels)
    projective = fastparse.train(bank, "arc-eager", beam=1, iterations=5).parse(bank)
    assert not (projective.heads == bank.heads)[crossing].all()


def test_the_first_step_is_scored_by_anchors_and_the_parser_by_its_trees():
    bank, other = crooked(), crooked(1)
    parser = fastparse.train(bank, "three-step", beam=1, iterations=5, dev=bank)
    assert parser.info["iterations"][-1]["uas"] == 100
    assert parser.info["steps"]["uas"] == 100
    early = fastparse.train(bank, "three-step", beam=1, iterations=1, dev=other)
    scores = fastparse.evaluate(other, early.parse(other), convention="all")
    assert early.info["steps"] == {"uas": pytest.approx(scores.uas), "las": pytest.approx(scores.las)}
    untrained = fastparse.train(toy(), "three-step", beam=1, iterations=3, dev=bank)
    scores = fastparse.evaluate(bank, untrained.parse(bank), convention="all")
    assert untrained.info["steps"]["uas"] == pytest.approx(scores.uas)


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("projective", ["arc-eager", "arc-standard", "arc-standard/buffer", "hybrid"])
def test_any_projective_system_does_the_first_step(beam, projective):
    parser = fastparse.train(
        crooked(), "three-step", beam=beam, iterations=5, system_options={"projective": projective}
    )
    assert parser.system == "three-step"
    assert parser.info["options"] == {"projective": projective}
    assert (parser.parse(crooked()).heads == crooked().heads).mean() > 0.95


@pytest.mark.parametrize("runs", [1, 2])
def test_the_file_holds_everything_and_depends_on_the_seed_alone(tmp_path, runs):
    options = {"beam": 2, "iterations": 3, "dev": toy(), "runs": runs}
    parser = fastparse.train(toy(), "three-step", **options)
    parser.save(tmp_path / "a.fp")
    fastparse.train(toy(), "three-step", threads=3, **options).save(tmp_path / "b.fp")
    assert (tmp_path / "a.fp").read_bytes() == (tmp_path / "b.fp").read_bytes()
    again = fastparse.load(tmp_path / "a.fp", verify=True)
    assert again.parse(toy()).to_bytes() == parser.parse(toy()).to_bytes()
    assert again.info == parser.info
    fastparse.train(toy(), "three-step", seed=2, **options).save(tmp_path / "b.fp")
    assert (tmp_path / "a.fp").read_bytes() != (tmp_path / "b.fp").read_bytes()


def test_a_resumed_training_gives_the_same_file(tmp_path):
    whole = fastparse.train(crooked(), "three-step", beam=2, iterations=4)
    state = tmp_path / "state"
    fastparse.train(crooked(), "three-step", beam=2, iterations=2, checkpoint=state)
    assert fastparse.train(crooked(), "three-step", beam=2, iterations=4, checkpoint=state).sha256 == whole.sha256


def test_threads_and_batches_do_not_matter(tmp_path):
    parser = fastparse.train(crooked(), "three-step", beam=1, iterations=2)
    whole = parser.parse(crooked()).to_bytes()
    assert parser.parse(crooked(), threads=3).to_bytes() == whole
    for batch in (1, 30):
        parser.parse_file(crooked().to_bytes(), tmp_path / "out.conllu", batch_words=batch, threads=2)
        assert (tmp_path / "out.conllu").read_bytes() == whole
    heads, _ = parser.parse_arrays(crooked())
    assert (heads == parser.parse(crooked()).heads).all()


def test_every_transition_is_counted():
    bank = crooked()
    parser = fastparse.train(bank, "three-step", beam=1, iterations=5)
    _, work = parser.measure(bank)
    assert (work.by_move.sum(axis=1) == work.transitions).all()
    counts = dict(zip(parser.moves, work.by_move.sum(axis=0).tolist(), strict=True))
    for side in ("left", "right"):
        assert counts[f"{side}/SHIFT"] + counts[f"{side}/PUT"] == bank.n_words
        assert 0 < counts[f"{side}/DIST"] <= counts[f"{side}/PUT"]
    crossing = nonprojective_arcs_treebank(bank.heads, bank.offsets)
    assert counts["left/DIST"] + counts["right/DIST"] == crossing.sum()


def test_size_is_limited_for_all_three_steps_together():
    options = {"beam": 1, "iterations": 3}
    whole = fastparse.train(toy(), "three-step", **options).info["bytes"]
    assert fastparse.train(toy(), "three-step", max_bytes=whole // 2, **options).info["bytes"] <= whole // 2


def test_what_cannot_be():
    with pytest.raises(UnknownNameError, match="first step"):
        fastparse.train(toy(), "three-step", system_options={"projective": "swap"})
    with pytest.raises(Error, match="by itself"):
        fastparse.train(toy(), "three-step", pseudo_projective="path")


def test_trees_outside_the_class(tmp_path):
    # The arcs 3 -> 1 and 4 -> 2 cross, are not projective, and have one direction and label.
    rows = [(3, "a"), (4, "a"), (0, "root"), (0, "root")]
    outside = "".join(f"{i}\tw{i}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n" for i, (head, label) in enumerate(rows, 1))
    bank = fastparse.read_conllu(crooked().to_bytes() + outside.encode() + b"\n")
    options = {"beam": 1, "iterations": 2, "single_root": False}
    with pytest.raises(OracleError, match="cross"):
        fastparse.train(bank, "three-step", outside="stop", **options)
    skipping = fastparse.train(bank, "three-step", outside="skip", **options)
    assert skipping.info["treebank"]["skipped"] == 1
    without = fastparse.train(crooked(), "three-step", **options)
    assert without.parse(bank).to_bytes() == skipping.parse(bank).to_bytes()
    assert fastparse.train(bank, "three-step", outside="lift", **options).info["treebank"]["outside"] == 1


@pytest.mark.parametrize("name", ["left.put.slots", "left.dist.slots", "right.put.slots", "right.dist.slots"])
def test_damaged_passes_are_refused(tmp_path, name):
    path = tmp_path / "model.fp"
    toy_parser("three-step").save(path)
    sound = read_container(path)
    header, arrays = sound.header, {key: np.array(array) for key, array in sound.arrays.items()}
    for damage in (None, arrays[name][:-7], arrays[name][:0], arrays[name].reshape(-1, 1)):
        changed = {key: array for key, array in arrays.items() if key != name}
        write_container(path, header, changed if damage is None else {**changed, name: damage})
        with pytest.raises(ModelFormatError, match=name.removesuffix(".slots")):
            fastparse.load(path)


@pytest.mark.parametrize("options", [{}, {"projective": "swap"}, {"projective": []}, {"projective": "hybrid", "x": 1}])
def test_impossible_first_steps_are_refused(tmp_path, options):
    path = tmp_path / "model.fp"
    toy_parser("three-step").save(path)
    sound = read_container(path)
    sound.header["description"]["options"] = options
    write_container(path, sound.header, sound.arrays)
    with pytest.raises(ModelFormatError, match="options"):
        fastparse.load(path)


@pytest.mark.parametrize(("at", "named"), [(2, "iteration 2 of the left pass"), (4, "iteration 1 of the right pass")])
def test_an_interrupted_pass_keeps_what_was_learnt(monkeypatch, tmp_path, capsys, at, named):
    class Interrupting(passes.PassTrainer):
        calls = 0

        def learn(self, *args):
            Interrupting.calls += 1
            super().learn(*args)
            if Interrupting.calls == at:
                raise KeyboardInterrupt

    monkeypatch.setattr(passes, "PassTrainer", Interrupting)
    said = []
    parser = fastparse.train(toy(), "three-step", beam=1, iterations=3, progress=lambda event: said.append(str(event)))
    assert Interrupting.calls == at
    assert any(named in text for text in said)
    parsed = parser.parse(toy())
    assert parsed.trees().all()
    parser.save(tmp_path / "model.fp")
    assert run(["info", str(tmp_path / "model.fp")]) == 0
    assert ("not learnt" in capsys.readouterr().out) == (at == 2)
