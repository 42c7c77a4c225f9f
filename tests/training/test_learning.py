"""What the options of learning do: exploration, margins, seeds, runs; told apart by the weights they lead to."""

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import fastparse
from fastparse.learning.course import ParserCourse
from fastparse.learning.linear import PlainRecipe
from fastparse.learning.options import TrainingOptions
from fastparse.learning.preparation import Account
from fastparse.learning.progress import Interrupted, IterationDone, Passing, Place
from fastparse.learning.steps import Training
from fastparse.transition_systems.registry import resolve
from tests.toy import toy

DYNAMIC = ["arc-eager", "hybrid", "covington", "two-registers"]


def weights(system="arc-eager", treebank=None, **options):
    """Those of a parser; its hash would tell the options too."""
    parser = fastparse.train(
        treebank or toy(), system, encoder=None, **{"beam": 1, "iterations": 3, "components": ("parser",), **options}
    )
    return tuple((name, array.tobytes()) for name, array in sorted(parser._decoder.arrays().items()))


def unlabelled():
    trees = toy()
    return fastparse.Treebank.from_columns([s.forms for s in trees], heads=[s.heads for s in trees])


def confusing():
    """Trees that words say nothing of, so that there is always something to be mistaken in."""
    random = np.random.default_rng(1)
    heads = []
    for _ in range(30):
        tree = [0] + [int(random.integers(1, word)) for word in range(2, 9)]
        heads.append(fastparse.trees.lift(tree, "projective"))
    labels = [[str(label) for label in random.integers(0, 3, 8)] for _ in heads]
    return fastparse.Treebank.from_columns([["w"] * 8] * 30, heads=heads, deprels=labels)


def learner(system="arc-eager", **options):
    options = TrainingOptions(system=system, encoder=None, **{"beam": 1, **options})
    return PlainRecipe(toy(), resolve(system), options, Account()).learner(options)


def same_weights(one, other):
    mine, theirs = one.state(), other.state()
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)


ORDER = np.arange(61)


# ── exploration ──


@pytest.mark.parametrize("system", DYNAMIC)
def test_each_probability_of_exploration_leads_elsewhere(system):
    found = [weights(system, confusing(), iterations=2, explore=explore) for explore in (0.0, 0.3, 0.6, 1.0)]
    assert len(set(found)) == 4


@pytest.mark.parametrize("system", ["arc-standard", "swap"])
def test_without_a_dynamic_oracle_labels_alone_are_explored(system):
    assert weights(system, unlabelled(), explore=0.0) == weights(system, unlabelled(), explore=1.0)
    assert weights(system, explore=0.0) != weights(system, explore=1.0)


def test_the_first_iteration_does_not_explore():
    assert weights(explore=0.0, iterations=1) == weights(explore=1.0, iterations=1)


@pytest.mark.parametrize("system", DYNAMIC)
def test_without_exploration_all_iterations_are_alike(system):
    """The dynamic oracle says what is right in each of them, and no wrong move is followed."""
    later, first = learner(system, explore=0.0), learner(system, explore=0.0)
    for iteration in (1, 2, 3):
        later.learn(ORDER, iteration, 0)
        first.learn(ORDER, 1, 0)
    assert same_weights(later, first)
    # So seldom that it never happens: the same, if the oracle is the same.
    seldom = learner(system, explore=1e-12)
    for iteration in (1, 2, 3):
        seldom.learn(ORDER, iteration, 0)
    assert same_weights(later, seldom)
    exploring = learner(system, explore=0.9)
    for iteration in (1, 2, 3):
        exploring.learn(ORDER, iteration, 0)
    assert not same_weights(later, exploring)


def test_parts_of_an_iteration_explore_by_numbers_of_their_own():
    one, other = learner(explore=0.5), learner(explore=0.5)
    for made, at in ((one, 0), (other, 64)):
        made.learn(ORDER, 1, 0)
        made.learn(ORDER, 2, at)
    assert not same_weights(one, other)


# ── margins and updates ──


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("table", ["moves", "labels"])
def test_a_right_choice_must_win_by_the_margin(beam, table):
    def size(margin):
        made = learner(beam=beam, margin=margin, explore=0.0)
        for iteration in (1, 2, 3, 4, 5):
            made.learn(ORDER, iteration, 0)
        return np.abs(made.state()[f"{table}.weights"]).sum()

    assert size(100) > 1.5 * size(0)


def test_the_margin_of_the_passes():
    assert weights("three-step", margin=0) != weights("three-step", margin=5)


def test_the_two_updates_of_a_beam_differ():
    assert weights(beam=4, update="early") != weights(beam=4, update="max-violation")


def test_weights_are_averages_over_time():
    """A weight that was changed early has counted for longer than one that was changed late."""
    made = learner()
    made.learn(ORDER, 1, 0)
    table = made.tables["moves"]
    last = np.abs(table.state()["weights"]).sum()
    assert 0 < np.abs(table.averages(made.clock, 1000.0)[3]).sum() < 1000 * last
    # Seen from very far away, what was learnt has been there all the time.
    assert np.abs(table.averages(10**12, 1.0)[3]).sum() == last


# ── seeds and runs ──


@pytest.mark.parametrize("system", ["arc-eager", "easy-first", "three-step"])
def test_the_seed_decides(system):
    assert weights(system, seed=3) == weights(system, seed=3)
    assert weights(system, seed=3) != weights(system, seed=4)


def test_each_iteration_has_an_order_of_its_own():
    seen = []

    class Noting:
        def __init__(self, inner):
            self.inner = inner

        def __getattr__(self, name):
            return getattr(self.inner, name)

        def learn(self, order, iteration, at):
            seen.append(order.tolist())
            self.inner.learn(order, iteration, at)

    options = TrainingOptions(system="arc-eager", beam=1, iterations=3, encoder=None)
    recipe = PlainRecipe(toy(), resolve("arc-eager"), options, Account())
    ParserCourse(Noting(recipe.learner(options)), options, Training(), Place("parser")).run()
    assert len(seen) == 3
    assert all(sorted(order) == ORDER.tolist() for order in seen)
    assert len({tuple(order) for order in seen}) == 3


@pytest.mark.parametrize("beam", [1, 4])
def test_runs_at_the_same_time(beam, tmp_path):
    """The same model and the same reports for any number of threads, but for how far a pass is."""
    made, said = [], []
    for threads in (1, 2, 5):
        events = []
        checkpoint = tmp_path / str(threads)
        parser = fastparse.train(
            toy(), "arc-eager", iterations=2, runs=3, beam=beam, dev=toy()[:20], threads=threads, checkpoint=checkpoint,
            components=("parser",), progress=events.append, encoder=None,
        )  # fmt: skip
        made.append((parser.sha256, checkpoint.read_bytes()))
        said.append([
            (e.iteration, e.updates, e.features, e.scores) if isinstance(e, IterationDone) else str(e)
            for e in events if not isinstance(e, Passing)
        ])  # fmt: skip
    assert made[0] == made[1] == made[2]
    assert said[0] == said[1] == said[2]
    assert [line for line in said[0] if "run " in line] == [f"1 of 1: parser, run {run} of 3" for run in (1, 2, 3)]


@pytest.fixture
def heard():
    """Ctrl-C is heard: a shell in the background starts its commands with the signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to a thread")
@pytest.mark.usefixtures("heard")
def test_ctrl_c_ends_all_runs():
    """Each keeps its best iteration, as a single one does."""
    count = 0

    def interrupt(event):
        nonlocal count
        count += isinstance(event, IterationDone)
        if count == 2 and isinstance(event, IterationDone):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

    events = []
    parser = fastparse.train(
        toy(), "arc-eager", iterations=10_000, runs=2, beam=1, dev=toy()[:20], threads=2, components=("parser",),
        progress=lambda event: (events.append(event), interrupt(event)), encoder=None,
    )  # fmt: skip
    assert sum(isinstance(event, Interrupted) for event in events) == 2
    # Two rounds were whole when the signal came; those under way end where they are, but the first of each run.
    assert 2 <= len(parser.info["iterations"]) < 20_000


def test_ctrl_c_while_runs_are_begun_ends_those_that_have(monkeypatch):
    class Pool(ThreadPoolExecutor):
        def submit(self, work, run):
            if run == 1:
                raise KeyboardInterrupt
            return super().submit(work, run)

    monkeypatch.setattr("fastparse.learning.runs.ThreadPoolExecutor", Pool)
    with pytest.raises(KeyboardInterrupt):
        fastparse.train(
            toy(), "arc-eager", iterations=10**6, runs=2, beam=1, threads=2, components=("parser",), encoder=None
        )


def test_a_run_that_fails_ends_the_others():
    def fail(event):
        if isinstance(event, IterationDone):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fastparse.train(
            toy(),
            "arc-eager",
            iterations=10_000,
            runs=2,
            beam=1,
            threads=2,
            components=("parser",),
            progress=fail,
            encoder=None,
        )


@pytest.mark.parametrize("beam", [1, 4])
def test_several_runs_are_averaged(beam):
    options = {"beam": beam, "dev": toy()[:20]}
    single = {weights(seed=seed, **options) for seed in (1, 2)}
    parser = fastparse.train(toy(), "arc-eager", iterations=3, runs=2, seed=1, encoder=None, **options)
    assert tuple((name, a.tobytes()) for name, a in sorted(parser._decoder.arrays().items())) not in single
    rows = [
        fastparse.train(toy(), "arc-eager", iterations=3, seed=seed, encoder=None, **options).info["iterations"]
        for seed in (1, 2)
    ]
    assert parser.info["iterations"] == rows[0] + rows[1]
    assert rows[0] != rows[1]
    scores = fastparse.evaluate(toy()[:20], parser.parse(toy()[:20]), convention="all")
    assert parser.info["mean"] == {"runs": 2, "uas": pytest.approx(scores.uas), "las": pytest.approx(scores.las)}


def test_of_several_runs_the_mean_alone_is_limited_in_size():
    options = {"dev": toy(), "beam": 1, "iterations": 2, "runs": 2, "components": ("parser",)}
    whole, small = (
        fastparse.train(toy(), "arc-eager", max_bytes=limit, encoder=None, **options).info for limit in (None, 10_000)
    )
    assert small["bytes"] <= 10_000 < whole["bytes"]
    assert small["iterations"] == whole["iterations"]
    assert small["mean"]["las"] < whole["mean"]["las"]


def test_runs_that_are_interrupted_go_on(tmp_path):
    options = {"beam": 2, "runs": 2, "iterations": 4}
    whole = fastparse.train(toy(), "arc-eager", encoder=None, **options).sha256
    state = tmp_path / "state"
    fastparse.train(toy(), "arc-eager", checkpoint=state, encoder=None, **{**options, "iterations": 2})
    assert [path.name for path in tmp_path.iterdir()] == ["state"]
    assert fastparse.train(toy(), "arc-eager", checkpoint=state, encoder=None, **options).sha256 == whole


# ── scores ──


def test_the_first_of_equally_good_iterations_is_kept():
    parser = fastparse.train(toy()[:10], "arc-eager", beam=4, iterations=8, dev=toy()[:2], encoder=None)
    rows = [row["las"] for row in parser.info["iterations"]]
    assert rows.count(max(rows)) > 1
    assert parser.info["best_iteration"] == rows.index(max(rows)) + 1
    shorter = fastparse.train(
        toy()[:10], "arc-eager", beam=4, iterations=rows.index(max(rows)) + 1, dev=toy()[:2], encoder=None
    )
    assert shorter.parse(toy()).to_bytes() == parser.parse(toy()).to_bytes()


@pytest.mark.parametrize("label", ["unheard-of", "_"])
def test_labels_that_training_has_not_seen_are_wrong(label):
    dev = fastparse.read_conllu(toy()[:10].to_bytes().replace(b"\troot\t", f"\t{label}\t".encode()))
    changed = dev.deprels.count(label)
    assert changed > 0
    known = fastparse.train(toy(), "arc-eager", beam=4, iterations=4, dev=toy()[:10], encoder=None).info["iterations"][
        -1
    ]
    row = fastparse.train(toy(), "arc-eager", beam=4, iterations=4, dev=dev, encoder=None).info["iterations"][-1]
    assert row["uas"] == known["uas"]
    assert known["las"] - row["las"] == pytest.approx(100 * changed / dev.n_words)


def test_updates_of_an_iteration_are_its_own():
    made = learner(beam=4)
    counts = []
    for iteration in (1, 2):
        before = made.tally().updates
        made.learn(ORDER, iteration, 0)
        counts.append(made.tally().updates - before)
    parser = fastparse.train(toy()[:1], "arc-eager", beam=4, iterations=6, encoder=None)
    rows = [row["updates"] for row in parser.info["iterations"]]
    assert rows[0] == 1
    assert max(rows) <= 1
    assert counts[0] <= 61
    assert made.clock == 1 + 2 * 61


# ── passes of the three-step system ──


def crossing():
    """Trees without regard to order, of words that say nothing."""
    random = np.random.default_rng(2)
    heads = []
    for _ in range(30):
        order = (random.permutation(8) + 1).tolist()
        tree = [0] * 8
        for k in range(1, 8):
            tree[order[k] - 1] = order[int(random.integers(0, k))]
        heads.append(tree)
    labels = [[str(label) for label in random.integers(0, 3, 8)] for _ in heads]
    return fastparse.Treebank.from_columns([["w"] * 8] * 30, heads=heads, deprels=labels)


def passes(**options):
    options = {"iterations": 2, "beam": 1, **options}
    parser = fastparse.train(crossing(), "three-step", **options)
    arrays = parser._decoder.arrays()
    found = [(name, arrays[name].tobytes()) for name in sorted(arrays) if name.startswith(("left.", "right."))]
    return tuple(found), parser.info["passes"]


def test_passes_explore_after_the_first_iteration():
    assert len({passes(explore=explore)[0] for explore in (0.0, 0.5, 1.0)}) == 3
    assert passes(explore=0.0, iterations=1)[0] == passes(explore=1.0, iterations=1)[0]


def test_passes_explore_by_the_seed():
    """Of one sentence there is one order, so that the seed is left to exploration alone."""
    parsers = [
        fastparse.train(crossing()[:1], "three-step", beam=1, iterations=12, explore=0.5, seed=seed, margin=0)
        for seed in range(1, 7)
    ]
    assert len({str(parser.info["passes"]) for parser in parsers}) > 1


def test_runs_of_passes_have_seeds_of_their_own():
    rows = passes(runs=2, seed=5)[1]
    singles = [passes(seed=seed)[1] for seed in (5, 6)]
    assert rows == {side: singles[0][side] + singles[1][side] for side in ("left", "right")}
    assert singles[0] != singles[1]


def test_it_is_said_what_a_limit_of_size_costs():
    options = {"beam": 1, "iterations": 2, "components": ("parser",)}
    said = []
    small = fastparse.train(
        toy(), "arc-eager", dev=toy(), max_bytes=10_000, progress=said.append, encoder=None, **options
    )
    (message,) = [str(event) for event in said if "MB of weights" in str(event)]
    whole = fastparse.train(toy(), "arc-eager", dev=toy(), max_bytes=None, encoder=None, **options)
    last = small.info["iterations"][-1]
    assert last["unlimited"]["las"] == whole.info["iterations"][-1]["las"] > last["las"]
    assert last["unlimited"]["bytes"] == whole.info["bytes"] > 10_000
    assert f"LAS {last['las']:.2f} in the last round, {last['unlimited']['las']:.2f} with all" in message
    without = []
    fastparse.train(toy(), "arc-eager", max_bytes=10_000, progress=without.append, encoder=None, **options)
    assert any(str(event).startswith("0.0 of ") for event in without)


def test_a_model_that_is_small_anyway_is_the_same_with_a_limit():
    options = {"beam": 1, "iterations": 2, "components": ("parser",), "least_weight": 2}
    said = []
    limited = fastparse.train(toy(), "arc-eager", progress=said.append, encoder=None, **options)
    whole = fastparse.train(toy(), "arc-eager", max_bytes=None, encoder=None, **options)
    assert limited._decoder.arrays().keys() == whole._decoder.arrays().keys()
    for name, array in limited._decoder.arrays().items():
        assert np.array_equal(array, whole._decoder.arrays()[name])
    assert TrainingOptions(encoder=None).max_bytes == 10_000_000
    assert not any("MB of weights" in str(event) for event in said)
