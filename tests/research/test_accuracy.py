"""Trainings as results in files, tables made of them, verdicts, and the commands; on the toy treebank."""

import json
import random
import shutil
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import fastparse
from fastparse import Treebank
from fastparse.errors import Error
from fastparse.evaluation.comparison import compare
from fastparse.studies.accuracy import contender
from research import experiments
from research.accuracy import accuracy_studies, crossing_study, las_study, nonprojective_words_study, runs_study
from research.campaign import Campaign
from research.contrasts import Contrast, bootstrap, holm, judge, judge_all
from research.results import Plan, Result, Runs, comparison_of
from research.tables import main as run
from tests.toy import TOY, toy, toy_parser

# What studies train with: all trees, and all weights.
WHOLE = {"components": ("parser",), "held_out": 0.0, "max_bytes": None}
SYSTEMS = ["arc-eager", "swap", "two-registers"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two treebanks with the names of languages in the papers."""
    path = tmp_path_factory.mktemp("treebanks")
    for name in ("Danish-Toy", "Turkish-Toy"):
        (path / name).mkdir()
        for part in ("train", "dev"):
            shutil.copy(TOY, path / name / f"{part}.conllu")
    return path


def campaign(work, systems=SYSTEMS, **options):
    return Campaign([contender(name) for name in systems], work, **{"beam": 2, "iterations": 1, **options})


@pytest.fixture(scope="module")
def runs(folder, tmp_path_factory):
    return campaign(tmp_path_factory.mktemp("work"), seeds=(1, 2)).runs([folder])


def test_results_are_what_training_and_parsing_give(runs):
    assert [(run.treebank, run.contender) for run in runs] == [
        (name, system) for name in ("Danish-Toy", "Turkish-Toy") for system in SYSTEMS
    ]
    for one in runs[:3]:
        for seed, result, comparison in zip((1, 2), one.results, one.comparisons, strict=True):
            parser = fastparse.train(toy(), one.contender, beam=2, iterations=1, seed=seed, encoder=None, **WHOLE)
            expected = compare(toy(), parser.parse(toy()))
            assert result.model == parser.sha256
            assert np.array_equal(comparison.predicted_heads, expected.predicted_heads)
            assert fastparse.evaluate(toy(), parser.parse(toy())).las == pytest.approx(
                100 * np.mean((expected.heads == expected.predicted_heads) & _right_labels(comparison))
            )


def _right_labels(comparison):
    labels, predicted, _ = comparison.labels_under("ud")
    return labels == predicted


def test_the_table_has_the_scores_of_evaluate(runs):
    study = las_study(runs, "conllx")
    first, second, average = study.rows
    scores = [
        fastparse.evaluate(
            toy(), fastparse.train(toy(), "swap", beam=2, iterations=1, seed=seed, encoder=None).parse(toy()), "conllx"
        )
        for seed in (1, 2)
    ]
    assert first["swap LAS"] == pytest.approx(np.mean([score.las for score in scores]))
    assert first["swap UAS"] == pytest.approx(np.mean([score.uas for score in scores]))
    assert first["swap"] == f"{first['swap LAS']:.2f} ({first['swap UAS']:.2f})"
    assert first["swap, paper"] is None
    assert second["swap, paper"] == "70.71 (79.74)"
    assert average["swap LAS"] == pytest.approx((first["swap LAS"] + second["swap LAS"]) / 2)
    assert average["swap, paper"] == "79.88 (85.29)"
    assert (first["words"], first["iterations"], first["beam"], first["seed"]) == (toy().n_words, 1, 2, "1 2")
    assert set(first["model"]) == set(SYSTEMS)
    assert all(len(hash) == 8 for hash in first["model"]["swap"].split())
    assert len(study.verdicts) == 4
    assert {verdict.outcome for verdict in study.verdicts} <= {"reproduced", "not reproduced", "too little data"}
    assert las_study(runs, tags="predicted").rows[1]["swap, paper"] == "63.12 (75.26)"


def test_predicted_tags_are_those_of_taggers_that_have_not_learnt_from_the_sentence(folder, tmp_path, monkeypatch):
    asked = []

    def learn(treebank, size, *_, **__):
        asked.append(treebank.n_words)
        return Constant()

    class Constant:
        """Says X of every word."""

        def tag(self, treebank):
            return {"upos": (np.zeros(treebank.n_words, np.int32), ["X"])}

    monkeypatch.setattr("research.campaign.learn_tagger", learn)
    monkeypatch.setattr("fastparse.learning.taggers.learn_tagger", learn)
    first = campaign(tmp_path, ["arc-eager"], tags="predicted").runs([folder / "Danish-Toy"])[0]
    # Each half by the tagger of the other one, and the development treebank by that of the whole.
    assert asked == [toy()[31:].n_words, toy()[:31].n_words, toy().n_words]
    words = np.full(toy().n_words, 0, np.int32)
    unknown = toy().with_columns(upos=(words, ["X"]), lemma=(words - 1, []))
    parser = fastparse.train(unknown, "arc-eager", beam=2, iterations=1, encoder=None, **WHOLE)
    assert np.array_equal(first.comparisons[0].predicted_heads, parser.parse(unknown).heads)
    again = campaign(tmp_path, ["arc-eager"], tags="predicted").runs([folder / "Danish-Toy"])[0]
    assert len(asked) == 3
    assert again.results == first.results
    with pytest.raises(Error, match="other tags"):
        campaign(tmp_path, tags="predicted", models=tmp_path)


def test_every_table_shows_its_columns(runs):
    for study in [*accuracy_studies(runs), crossing_study(runs), runs_study(runs, "all", ["x"], ["y"])]:
        assert study.rows
        assert study.title.split()[0] in study.text()
        header = study.markdown().split("\n")[2]
        assert [line.count("|") for line in study.markdown().split("\n")[2:5]] == [header.count("|")] * 3
        json.loads(study.to_json())


def test_crossing_has_the_figures_of_the_breakdown(runs):
    study = crossing_study(runs, "all")
    row = study.rows[0]
    assert "crossed arcs" in study.markdown().split("\n")[2]
    heads, offsets = toy().heads, toy().offsets
    crossed = []
    for start, end in pairwise(offsets.tolist()):
        arcs = [sorted((head, word)) for word, head in enumerate(heads[start:end].tolist(), 1)]
        crossed += [any(a < c < b < d or c < a < d < b for c, d in arcs) for a, b in arcs]
    crossed = np.array(crossed)
    assert row["crossed arcs"] == crossed.sum() > 0
    for name, words in (("crossed", crossed), ("uncrossed", ~crossed)):
        rights = [100 * np.mean(comparison.right_heads[words]) for comparison in runs[0].comparisons]
        assert row[f"arc-eager {name}"] == pytest.approx(np.mean(rights))


def test_what_is_done_is_not_done_again(folder, tmp_path, monkeypatch):
    first = campaign(tmp_path, ["arc-eager"])
    before = first.runs([folder])
    files = {path: path.read_bytes() for path in tmp_path.glob("*.json")}
    assert len(files) == 2
    monkeypatch.setattr(fastparse, "train", lambda *args, **options: pytest.fail("trained again"))
    again = campaign(tmp_path, ["arc-eager"]).runs([folder])
    assert [run.results for run in again] == [run.results for run in before]
    assert {path: path.read_bytes() for path in tmp_path.glob("*.json")} == files
    # A result that is gone is made of the model that is there.
    next(iter(files)).unlink()
    campaign(tmp_path, ["arc-eager"]).runs([folder])
    assert {path: path.read_bytes() for path in tmp_path.glob("*.json")}.keys() == files.keys()
    # Other options are other results.
    other = campaign(tmp_path, ["arc-eager"], seeds=(7,), train_missing=False)
    assert other.runs([folder]) == []
    assert other.missing == ["Danish-Toy arc-eager seed 7", "Turkish-Toy arc-eager seed 7"]


def test_a_damaged_result_is_named(folder, tmp_path):
    campaign(tmp_path, ["arc-eager"]).runs([folder / "Danish-Toy"])
    (path,) = tmp_path.glob("*.json")
    path.write_text("{")
    with pytest.raises(Error, match=r"Danish-Toy.*remove it"):
        campaign(tmp_path, ["arc-eager"]).runs([folder / "Danish-Toy"])


def test_models_that_are_there(folder, tmp_path):
    models = tmp_path / "models"
    models.mkdir()
    toy_parser("arc-eager", beam=2, iterations=1).save(models / "Danish-Toy.arc-eager.fp")
    (models / "Danish-Toy.swap.fp").write_bytes(b"no model")
    toy_parser("two-registers", beam=4, iterations=1).save(models / "Danish-Toy.two-registers.fp")
    found = campaign(tmp_path / "work", models=models, train_missing=False)
    (only,) = found.runs([folder / "Danish-Toy"])
    assert only.contender == "arc-eager"
    assert only.results[0].model == toy_parser("arc-eager", beam=2, iterations=1).sha256
    assert only.results[0].seconds is None
    assert [remark.split(" ")[0] for remark in found.remarks] == ["Danish-Toy.swap.fp", "Danish-Toy.two-registers.fp"]
    with pytest.raises(Error, match="folds"):
        campaign(tmp_path, models=models, folds=2)


def test_a_model_of_another_treebank_is_not_taken(folder, tmp_path):
    (tmp_path / "models").mkdir()
    other = fastparse.train(toy()[:40], "swap", beam=2, iterations=1, pseudo_projective="head", encoder=None)
    other.save(tmp_path / "models" / "Danish-Toy.swap.fp")
    found = campaign(tmp_path / "work", ["swap"], models=tmp_path / "models", train_missing=False)
    assert found.runs([folder / "Danish-Toy"]) == []
    (remark,) = found.remarks
    assert "encoding head, not None" in remark
    assert "treebank" in remark


def test_what_cannot_be_trained_does_not_stop_the_rest(folder, tmp_path):
    found = campaign(tmp_path, ["easy-first", "arc-eager"])
    (only,) = found.runs([folder / "Danish-Toy"])
    assert only.contender == "arc-eager"
    assert found.missing == ["Danish-Toy easy-first seed 1"]
    assert "greedy" in found.remarks[0]
    assert "Not run: Danish-Toy easy-first seed 1." in runs_study([only], "all", found.missing, found.remarks).text()


def test_folds(folder, tmp_path):
    (run,) = campaign(tmp_path, ["arc-eager"], folds=3).runs([folder / "Danish-Toy"])
    expected = np.zeros(toy().n_words, np.int32)
    for fold in range(3):
        inside = np.arange(len(toy())) % 3 == fold
        parser = fastparse.train(
            toy().select((~inside).nonzero()[0]), "arc-eager", beam=2, iterations=1, encoder=None, **WHOLE
        )
        assert run.results[fold].model == parser.sha256
        expected[np.repeat(inside, np.diff(toy().offsets))] = parser.parse(toy().select(inside.nonzero()[0])).heads
    assert len(run.comparisons) == 1
    assert np.array_equal(run.comparisons[0].predicted_heads, expected)


def test_samples(folder, tmp_path):
    (run,) = campaign(tmp_path, ["arc-eager"], sample=100).runs([folder / "Danish-Toy"])
    assert 50 < run.results[0].words <= 100
    assert len(run.results[0].heads) == toy().n_words


# ── verdicts ──


def invented(accuracies, size=200, length=10, seed=1):
    """Parsers that have each word right with a probability."""
    rng = random.Random(seed)
    gold = Treebank.from_columns(
        forms=[["w"] * length] * size, heads=[list(range(length))] * size, deprels=[["x"] * length] * size
    )
    runs = []
    for name, accuracy in accuracies.items():
        heads = [h if rng.random() < accuracy else (h + 2) % (length + 1) for h in gold.heads.tolist()]
        plan = Plan("Elvish", name, 1, 1, 1, "dev", None, 0, 0, "", "")
        result = Result(plan, "0" * 64, 1, "last", None, heads, [0] * len(heads), ["x"])
        runs.append(Runs("Elvish", "Elvish", name, [result], [comparison_of(gold, [result])]))
    return runs


def outcome(accuracies, **options):
    return judge(Contrast("a claim", ("a",), ("b",), **options), invented(accuracies), "all", samples=1000)


def test_verdicts():
    better = outcome({"a": 0.9, "b": 0.8})
    assert (better.outcome, better.p < 0.01) == ("reproduced", True)
    assert outcome({"a": 0.8, "b": 0.9}).outcome == "not reproduced"
    assert outcome({"a": 0.8, "b": 0.9}).p < 0.01
    by_chance = outcome({"a": 0.8, "b": 0.801})
    assert (by_chance.outcome, by_chance.p > 0.05) == ("too little data", True)
    assert outcome({"a": 0.8}).outcome == "no data"
    assert outcome({"a": 0.9, "b": 0.8}, within=lambda comparison: comparison.heads < 0).outcome == "no data"
    assert outcome({"a": 0.9, "b": 0.8}, languages=("Klingon",)).outcome == "no data"
    # Not being found different is not being equal.
    assert outcome({"a": 0.8, "b": 0.801}, equal=True).outcome == "too little data"
    assert outcome({"a": 0.8, "b": 0.9}, equal=True).outcome == "not reproduced"
    assert outcome({"a": 1.0, "b": 1.0}, equal=True).outcome == "reproduced"


def test_only_parsers_trained_alike_are_compared():
    first, second = invented({"a": 0.9, "b": 0.8})
    plan = replace(second.results[0].plan, oracle="dynamic")
    other = replace(second, results=[replace(second.results[0], plan=plan)])
    found = judge(Contrast("a claim", ("a",), ("b",)), [first, other], "all", samples=10)
    assert found.outcome == "not comparable"
    assert "a learnt from a static oracle, labels by arcs, update max-violation, margin 5, but b" in found.detail


def test_greedy_studies_compare_like_with_like(folder, tmp_path):
    """By default all systems learn from one derivation; what has a dynamic oracle may learn from it."""
    systems = ["arc-eager", "swap"]
    alike = campaign(tmp_path, systems, beam=1).runs([folder / "Danish-Toy"])
    assert [run.regime for run in alike] == [("static", "arcs", "max-violation", 5)] * 2
    parser = fastparse.train(toy(), "arc-eager", beam=1, iterations=1, oracle="static", encoder=None, **WHOLE)
    assert alike[0].results[0].model == parser.sha256
    assert parser.info["training"]["oracle"] == "static"
    each = campaign(tmp_path, systems, beam=1, oracle="dynamic").runs([folder / "Danish-Toy"])
    assert [run.regime[0] for run in each] == ["dynamic", "static"]
    parser = fastparse.train(toy(), "arc-eager", beam=1, iterations=1, encoder=None, **WHOLE)
    assert each[0].results[0].model == parser.sha256
    assert las_study(each).rows[0]["oracle"] == "dynamic static"
    assert all(v.outcome in ("not comparable", "no data") for v in las_study(each).verdicts)


def test_the_bootstrap_gives_each_treebank_its_weight():
    small = np.full(10, 5.0), np.full((1, 10), 2.0), np.full((1, 10), 1.0)
    large = np.full(1000, 5.0), np.full((1, 1000), 3.0), np.full((1, 1000), 3.0)
    found = bootstrap([small, large], samples=200)
    assert found.points == pytest.approx(10)
    assert (found.low, found.high) == pytest.approx((10, 10))
    assert found.p < 0.01 < found.p_equal


def test_the_bootstrap_draws_seeds():
    """Sentences are all alike here: what varies are the seeds."""
    words, second = np.full(10, 5.0), np.full((3, 10), 1.0)
    first = np.repeat([[0.0], [1.0], [2.0]], 10, axis=1)
    found = bootstrap([(words, first, second)], samples=2000)
    assert found.points == pytest.approx(0)
    assert found.low < -10
    assert found.high > 10


def test_claims_of_a_table_are_corrected_for_their_number():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    runs = invented({"a": 0.8, "b": 0.777, "c": 0.9})
    claims = [Contrast(f"claim {n}", ("a",), ("b",)) for n in range(30)] + [Contrast("none", ("a",), ("x",))]
    alone = judge(claims[0], runs, "all", samples=1000)
    together = judge_all(claims, runs, "all", samples=1000)
    assert alone.outcome == "reproduced"
    assert {verdict.outcome for verdict in together[:-1]} == {"too little data"}
    assert together[0].p == pytest.approx(min(1, 30 * alone.p))
    assert "before correction for 30 claims" in together[0].detail
    assert together[-1].outcome == "no data"


def test_claims_are_about_treebanks_with_enough_trees_that_are_not_projective():
    few, many = invented({"a": 0.8, "b": 0.9}), invented({"a": 0.9, "b": 0.8})
    many = [replace(run, treebank="Quenya", nonprojective=20.0) for run in many]
    claim = Contrast("a claim", ("a",), ("b",), nonprojective=19.0)
    found = judge(claim, few + many, "all", samples=200)
    assert found.outcome == "reproduced"
    assert "Quenya, one seed" in found.detail
    assert "2,000 words asked about" in found.detail
    assert judge(claim, few, "all", samples=200).outcome == "no data"


def test_all_tables_in_full(folder, tmp_path, monkeypatch, capsys):
    """A table and a regime at a time; what is there is not trained again, and what is not is named."""
    monkeypatch.setattr(experiments, "TREEBANKS", ("Danish-Toy", "Turkish-Toy"))
    small = experiments.Experiment(
        "swap", (nonprojective_words_study,), ("swap:eager", "arc-standard"), ("Danish", "Turkish"),
        (experiments.PAPER, experiments.OWN), measured="swap:eager",
    )  # fmt: skip
    monkeypatch.setattr(experiments, "EXPERIMENTS", (small,))
    out = tmp_path / "out"
    arguments = ["all", str(folder), "-o", str(out), "--work", str(tmp_path / "work"), "-q"]
    assert run([*arguments, "--only", "swap:paper", "--seeds", "1"]) == 0
    names = capsys.readouterr().out.split()
    suffixes = (".md", ".csv", ".tex", *([".svg"] if _has_matplotlib() else []))
    stems = ("swap-paper", "swap-transitions-paper")
    assert names == [str(out / f"{stem}{suffix}") for stem in stems for suffix in suffixes]
    results = sorted((tmp_path / "work").glob("*.json"))
    plans = [json.loads(path.read_text(encoding="utf-8"))["plan"] for path in results]
    assert len(plans) == 4
    assert {(p["labels"], p["update"], p["margin"], p["oracle"]) for p in plans} == {("moves", "early", 0, "static")}
    text = (out / "swap-paper.md").read_text(encoding="utf-8")
    assert "Regime paper" in text
    assert "4 trainings" in text
    lines = (out / "swap-paper.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("treebank,words")
    latex = (out / "swap-paper.tex").read_text(encoding="utf-8").splitlines()
    assert {line.count(" & ") for line in latex if line.startswith(("Danish", "treebank"))} == {latex[3].count(" & ")}
    # Another seed is not there, and is not trained.
    assert run([*arguments, "--only", "swap:paper", "--seeds", "1,2", "--no-train"]) == 0
    assert "Not there yet: Danish-Toy swap:eager seed 2" in (out / "swap-paper.md").read_text(encoding="utf-8")
    assert sorted((tmp_path / "work").glob("*.json")) == results
    capsys.readouterr()
    assert run([*arguments, "--only", "swap:dynamic"]) == 1
    assert "swap:paper, swap:own" in capsys.readouterr().err


# ── commands ──


def test_the_commands(folder, tmp_path, capsys):
    options = ["--systems", "arc-eager,swap", "--beam", "2", "--iterations", "1", "--work", str(tmp_path / "work")]
    out, plot = tmp_path / "rows.json", tmp_path / "plot.svg"
    arguments = ["accuracy", str(folder), *options, "--json", str(out), "-q"]
    if _has_matplotlib():
        arguments += ["--plot", str(plot)]
    assert run(arguments) == 0
    printed = capsys.readouterr()
    assert "Table 5" in printed.out
    assert "no data: two-registers is better than swap" in printed.out
    assert printed.err == ""
    document = json.loads(out.read_text(encoding="utf-8"))
    assert document["rows"][0]["swap LAS"] > 0
    assert len(document["more"]) == 4
    assert plot.exists() == _has_matplotlib()
    assert run(["crossing", str(folder), *options, "--no-train", "-q"]) == 0
    assert "crossed / uncrossed" in capsys.readouterr().out
    assert run(["accuracy", str(folder), "--systems", "swap+tail", "-q"]) == 1
    assert "encoding" in capsys.readouterr().err


def _has_matplotlib():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def test_the_report(folder, tmp_path, capsys):
    options = ["--systems", "arc-eager,two-registers", "--beam", "2", "--iterations", "1", "-q"]
    arguments = ["report", str(folder), "-o", str(tmp_path), "--work", str(tmp_path / "work"), *options]
    assert run(arguments) == 0
    names = capsys.readouterr().out.split()
    page, text = tmp_path / "report.html", tmp_path / "report.md"
    assert names == [str(text), str(page)]
    html = page.read_text(encoding="utf-8")
    assert html.count("<h2>") == text.read_text(encoding="utf-8").count("\n## ") == 11
    for url in ("http:", "https:", "src="):
        assert url not in html.replace("http://www.w3.org", "").replace("https://matplotlib.org", "").replace(
            "http://purl.org", ""
        ).replace("http://creativecommons.org", ""), "the page loads nothing"
    assert html.count("<svg") == (7 if _has_matplotlib() else 0)
    # Times are measured once: the second report is the first one.
    assert run(arguments) == 0
    assert page.read_text(encoding="utf-8") == html


def test_a_report_on_treebanks_without_a_part_to_learn_from(tmp_path, capsys):
    treebank = tmp_path / "Danish-Toy"
    treebank.mkdir()
    shutil.copy(TOY, treebank / "dev.conllu")
    arguments = [
        "report",
        str(treebank),
        "-o",
        str(tmp_path / "report"),
        "--work",
        str(tmp_path / "work"),
        "-q",
    ]
    assert run(arguments) == 1
    assert "holds no train.conllu" in capsys.readouterr().err
    assert run([*arguments, "--no-train"]) == 0
    sections = (tmp_path / "report" / "report.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert len(sections) == 3
    for section in sections:
        table = [line for line in section.splitlines() if line.startswith("| ")]
        assert len(table) > 2, "a heading, a rule, and a row at least"
        assert any("Toy" in line for line in table[2:])
