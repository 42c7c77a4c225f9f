"""The three-step system, trained: three steps, one model."""

from random import Random

import numpy as np
import pytest

import fastparse
from fastparse import Error, ModelFormatError, OracleError, UnknownNameError
from fastparse.cli.main import run
from fastparse.learning import three_step as passes
from fastparse.model.storage import read_container, write_container
from fastparse.trees import nonprojective_arcs_treebank, projective_heads
from fastparse.trees.mirroring import backwards, mirrored_heads
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
    projective = fastparse.train(bank, "arc-eager", beam=1, iterations=5, encoder=None).parse(bank)
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


@pytest.mark.parametrize("missing", [0, 64])
def test_the_first_step_has_the_bytes_that_the_passes_leave(tmp_path, missing):
    """A sixteenth is for each pass: where its tables fit into the rest, nothing is dropped of them."""

    def first_step(max_bytes):
        path = tmp_path / f"{max_bytes}.fp"
        fastparse.train(toy(), "three-step", beam=1, iterations=3, max_bytes=max_bytes).save(path)
        arrays = read_container(path).arrays
        return {name: array.tobytes() for name, array in arrays.items() if name.startswith(("moves.", "labels."))}

    whole = first_step(None)
    fitting = sum(map(len, whole.values())) * 16 // 14 + 16
    assert (first_step(fitting - missing) == whole) == (not missing)


def test_what_cannot_be():
    with pytest.raises(UnknownNameError, match="'three-step' has no projective='swap'"):
        fastparse.train(toy(), "three-step", system_options={"projective": "swap"})
    with pytest.raises(UnknownNameError, match="no direction='up'"):
        fastparse.train(toy(), "three-step", system_options={"direction": "up"})
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


@pytest.mark.parametrize(
    "options",
    [
        {}, {"projective": "swap"}, {"projective": []}, {"projective": "hybrid", "x": 1}, {"put": "label"},
        {"projective": "hybrid", "anchors": "Anchor"}, {"projective": "hybrid", "direction": 1},
    ],
)  # fmt: skip
def test_impossible_first_steps_are_refused(tmp_path, options):
    path = tmp_path / "model.fp"
    toy_parser("three-step").save(path)
    sound = read_container(path)
    sound.header["description"]["options"] = options
    write_container(path, sound.header, sound.arrays)
    with pytest.raises(ModelFormatError, match="options"):
        fastparse.load(path)


def backward(bank):
    """The treebank with the words of each sentence from right to left."""
    order = backwards(bank.offsets)
    columns = {
        name: [bank.table(name)[i] for i in bank.ids(name)[order].tolist()]
        for name in ("form", "lemma", "upos", "feats")
    }
    labels = [bank.deprel_table[i] for i in bank.deprel_ids[order].tolist()]
    return fastparse.Treebank.from_columns(
        columns["form"], lemmas=columns["lemma"], upos=columns["upos"], feats=columns["feats"], deprels=labels,
        heads=mirrored_heads(bank.heads, bank.offsets), offsets=bank.offsets,
    )  # fmt: skip


def projective_trees(copies=12):
    """Trees that any first step builds; the labels of the first one are the same from either side."""
    source, tags = Random(4), ("NOUN", "VERB", "PUNCT")
    rows = [[(2, "a"), (4, "b"), (4, "c"), (0, "root"), (4, "c"), (7, "b"), (4, "a")]]
    for _ in range(copies):
        n = source.randint(2, 9)
        heads = projective_heads([0, *(source.randrange(1, word) for word in range(2, n + 1))])
        order = source.random() < 0.5
        heads = mirrored_heads(np.array(heads), np.array([0, n])).tolist() if order else heads
        rows.append([(head, source.choice("abc") if head else "root") for head in heads])
    text = "".join(
        "".join(
            f"{word}\t{source.choice('uvwxyz')}\tl{source.randrange(4)}\t{source.choice(tags)}\t_\t"
            f"Case={source.choice('NGA')}\t{head}\t{label}\t_\t_\n"
            for word, (head, label) in enumerate(tree, start=1)
        )
        + "\n"
        for tree in rows
    )
    return fastparse.read_conllu(text.encode())


@pytest.mark.parametrize("beam", [1, 4])
def test_a_first_step_from_right_to_left_is_one_of_sentences_turned_around(beam):
    bank = projective_trees()
    turned = backward(bank)
    options = {"beam": beam, "iterations": 3, "held_out": 0, "components": ["parser"]}
    mine = fastparse.train(bank, "three-step", system_options={"direction": "right-to-left"}, **options)
    assert mine.info["options"] == {"projective": "arc-eager", "direction": "right-to-left"}
    other = fastparse.train(turned, "arc-eager", templates="three-step", encoder=None, **options)
    assert mine.info["iterations"] == other.info["iterations"]
    parsed, expected = mine.parse(bank), other.parse(turned)
    assert parsed.heads.tolist() == mirrored_heads(expected.heads, expected.offsets).tolist()
    assert list(parsed.deprels) == [list(expected.deprels)[i] for i in backwards(bank.offsets).tolist()]
    usual = fastparse.train(bank, "three-step", **options)
    assert usual.parse(bank).heads.tolist() != parsed.heads.tolist() or usual.sha256 != mine.sha256


def test_a_first_step_from_right_to_left_finds_crossing_arcs_too(tmp_path):
    bank = crooked()
    options = {"beam": 2, "iterations": 5, "system_options": {"direction": "right-to-left"}}
    parser = fastparse.train(bank, "three-step", dev=bank, **options)
    assert (parser.parse(bank).heads == bank.heads).all()
    assert parser.info["iterations"][-1]["uas"] == 100
    parser.save(tmp_path / "model.fp")
    assert fastparse.load(tmp_path / "model.fp").parse(bank, threads=2).to_bytes() == parser.parse(bank).to_bytes()


def told(copies=6, told="Anchor"):
    """Treebank whose anchors are told, with labels of their own: word 1 hangs from 3 or 5 instead of 2 of the rest."""
    kinds = [
        ([5, 0, 2, 3, 2], ["obj", "root", "x", "comp", "punct"], {1: "2:topic"}),
        ([3, 3, 0, 3, 3], ["subj", "y", "root", "x", "punct"], {}),
        ([2, 0, 2, 2, 1], ["subj", "root", "x", "y", "rel"], {5: "2:extra"}),
        ([2, 0, 2, 3, 4], ["subj", "root", "x", "rel", "comp"], {4: "2"}),
    ]
    sentences = []
    for number, (heads, labels, anchors) in enumerate(kinds * copies):
        kind = number % len(kinds)
        sentences.append("".join(
            f"{word}\tw{kind}{word}\t_\tT{kind}{word}\t_\t_\t{head}\t{label}\t_\t"
            f"{f'Gloss=g|{told}={anchors[word]}' if word in anchors else '_'}\n"
            for word, (head, label) in enumerate(zip(heads, labels, strict=True), start=1)
        ) + "\n")  # fmt: skip
    return fastparse.read_conllu("".join(sentences).encode())


def test_anchors_that_a_treebank_tells_are_learnt_with_their_labels():
    bank = told()
    options = {"beam": 1, "iterations": 8}
    parser = fastparse.train(bank, "three-step", system_options={"anchors": "Anchor", "put": "label"}, **options)
    assert parser.info["options"] == {"projective": "arc-eager", "put": "label"}
    assert parser.info["treebank"]["told_anchors"] == parser.info["treebank"]["anchors"] == 18
    parsed = parser.parse(bank)
    assert parsed.heads.tolist() == bank.heads.tolist()
    assert list(parsed.deprels) == list(bank.deprels)
    # The fourth sentence is projective without its anchor: nothing but the anchor makes a word wait in it.
    without = fastparse.train(bank, "three-step", system_options={"put": "label"}, **options)
    assert without.info["treebank"]["anchors"] < 18
    assert "told_anchors" not in without.info["treebank"]
    # Development scores of the first step are of the anchors.
    options["system_options"] = {"anchors": "Anchor", "put": "label"}
    said = fastparse.train(bank, "three-step", dev=bank, **options)
    assert said.info["iterations"][-1]["uas"] == 100
    assert said.info["steps"]["las"] == 100


def sentence_of(rows):
    """One of heads, labels and MISC."""
    lines = [f"{word}\tw\t_\tT\t_\t_\t{head}\t{label}\t_\t{misc}\n" for word, (head, label, misc) in enumerate(rows, 1)]
    return "".join(lines) + "\n"


@pytest.mark.parametrize(
    ("anchor", "options", "message"),
    [
        ("2:topic", {"put": "anchor"}, "put='label'"),
        ("9", {}, "word 1 has Anchor=9 in MISC"),
        ("1", {}, "word 1 has Anchor=1"),
        ("x", {}, "word 1 has Anchor=x"),
        ("0", {}, "2 roots"),
        ("", {}, None),
    ],
)
def test_anchors_that_cannot_be(anchor, options, message):
    rows = [(3, "obj", f"Anchor={anchor}"), (0, "root", "_"), (2, "x", "_")]
    bank = fastparse.read_conllu(told().to_bytes() + sentence_of(rows).encode())
    options = {"beam": 1, "iterations": 1, "system_options": {"anchors": "Anchor", "put": "label", **options}}
    if message is None:
        assert fastparse.train(bank, "three-step", **options).info["treebank"]["told_anchors"] == 18
    else:
        with pytest.raises(Error, match=message):
            fastparse.train(bank, "three-step", **options)


def test_told_anchors_that_are_not_projective_are_counted():
    rows = [(4, "obj", "Anchor=4"), (0, "root", "_"), (2, "x", "_"), (2, "y", "Anchor=3")]
    bank, said = fastparse.read_conllu(told().to_bytes() + sentence_of(rows).encode()), []
    options = {"beam": 1, "iterations": 1, "system_options": {"anchors": "Anchor", "put": "label"}}
    fastparse.train(bank, "three-step", progress=lambda event: said.append(str(event)), **options)
    assert "20 anchors told in MISC (Anchor=); 1 of them not projective, and replaced." in said


def test_anchors_that_close_a_cycle():
    rows = [(3, "a", "Anchor=2"), (1, "b", "_"), (0, "root", "_")]
    bank = fastparse.read_conllu(sentence_of(rows).encode())
    with pytest.raises(Error, match=r"<bytes>:1: .*no tree: cycle"):
        fastparse.train(bank, "three-step", system_options={"anchors": "Anchor"})
    with pytest.raises(Error, match="anchors=3"):
        fastparse.train(toy(), "three-step", system_options={"anchors": 3})


@pytest.mark.parametrize(("at", "named"), [(2, "round 2 of the left pass"), (4, "round 1 of the right pass")])
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
