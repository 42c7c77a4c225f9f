"""Options: their bounds, and that each is stated once, for Python, the command line and type checkers."""

import inspect
from dataclasses import fields

import pytest

import fastparse
from fastparse import Error
from fastparse.cli.commands import command_parser
from fastparse.cli.main import run
from fastparse.cli.train import _named_after
from fastparse.learning.options import TrainingKeywords, TrainingOptions, with_defaults
from tests.toy import toy


@pytest.mark.parametrize(
    ("name", "taken", "refused"),
    [
        ("beam", 1, 0),
        ("iterations", 1, 0),
        ("runs", 1, 0),
        ("seed", 0, -1),
        ("margin", 0, -1),
        ("least_weight", 1, 0),
        ("explore", 0, -0.01),
        ("explore", 1, 1.01),
        ("held_out", 0, -0.01),
        ("held_out", 0.5, 0.51),
        ("scale", 0.01, 0),
        ("scale", 1024, 1025),
        ("max_bytes", 1024, 1023),
        ("max_bytes", None, 2048.0),
        ("max_bytes", None, True),
        ("iterations", 1, 2.0),
        ("folds", 2, 1),
        ("minibatch", 1, 0),
        ("minibatch", None, 2.0),
    ],
)
def test_bounds(name, taken, refused):
    assert getattr(TrainingOptions(encoder=None, **{name: taken}), name) == taken
    with pytest.raises(Error, match=f"^{name}=.*expected a"):
        TrainingOptions(encoder=None, **{name: refused})


def test_every_option_stands_in_one_place():
    """The fields are what `train` takes, in its order, and what the command line has."""
    names = [field.name for field in fields(TrainingOptions)]
    signature = inspect.signature(fastparse.train).parameters
    given = [name for name, one in signature.items() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    assert given == ["treebank", *names[: len(given) - 1]]
    assert all(signature[name].default == getattr(TrainingOptions, name) for name in given[1:])
    assert list(TrainingKeywords.__annotations__) == names[len(given) - 1 :]
    assert all(
        TrainingKeywords.__annotations__[f.name].__forward_arg__ == f.type
        for f in fields(TrainingOptions)[len(given) - 1 :]
    )
    options = {action.dest for action in command_parser("train").options()}
    assert options >= set(names)
    for field in fields(TrainingOptions):
        assert f"        {field.name}: " in fastparse.train.__doc__
        assert field.metadata["meaning"]


@pytest.mark.parametrize(
    ("wrong", "meant"), [("iteration", "iterations"), ("encodr", "encoder"), ("thread", "threads")]
)
@pytest.mark.parametrize("error", [Error, TypeError])
def test_an_option_that_does_not_exist_is_answered_with_the_one_that_was_meant(wrong, meant, error):
    with pytest.raises(error, match=f"no option {wrong}: did you mean {meant}\\?"):
        fastparse.train(toy(), **{wrong: 3})


def test_options_of_weights_of_features_need_them():
    for name, value in {"margin": 3, "scale": 2.0, "least_weight": 2, "runs": 2, "templates": "arc-eager"}.items():
        with pytest.raises(Error, match=f"^{name}=.* is for weights of features: say encoder=None"):
            fastparse.train(toy(), **{name: value})


def test_the_encoder_is_learnt_unless_something_else_is_said():
    assert with_defaults({}).encoder == "default"
    assert with_defaults({"encoder": None}).encoder is None
    for system in ("easy-first", "three-step"):
        assert with_defaults({"system": system}).encoder is None
        with pytest.raises(Error, match="has no encoder"):
            fastparse.train(toy(), system, encoder="default", components=("parser",))


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], {}),
        (["--encoder", "none", "--max-bytes", "0"], {"encoder": None, "max_bytes": None}),
        (["--explore", "0.5", "--margin", "3"], {"explore": 0.5, "margin": 3}),
        (["--scale", "2", "--least-weight", "2"], {"scale": 2.0, "least_weight": 2}),
        (["--single-root", "yes", "--dev", "a", "--dev", "b"], {"single_root": True, "dev": ["a", "b"]}),
        (["--components", "tagger, parser", "--option", "oracle=eager", "--option", "n=3"],
         {"components": ("tagger", "parser"), "system_options": {"oracle": "eager", "n": 3}}),
    ],
)  # fmt: skip
def test_the_command_line_passes_on_what_is_given(argv, expected, monkeypatch, tmp_path):
    seen = {}

    def train(treebank, progress, **options):
        seen.update(options)
        raise KeyboardInterrupt

    monkeypatch.setattr("fastparse.learning.train.train", train)
    monkeypatch.chdir(tmp_path)
    assert run(["train", "x.conllu", "-q", *argv]) == 130
    assert seen == expected


def test_defaults_are_those_of_the_help():
    options = TrainingOptions(encoder=None)
    assert (options.beam_size, options.rounds, options.seed) == (32, 10, 1)
    assert TrainingOptions(encoder="small").beam_size == 4


@pytest.mark.parametrize("argv", [["--beam", "0"], ["--explore", "2"], ["--seed", "-1"], ["--tags", "a"]])
def test_values_that_cannot_be_are_wrong_usage(argv, capsys):
    with pytest.raises(SystemExit) as ended:
        run(["train", "x.conllu", *argv])
    assert ended.value.code == 2
    assert argv[0] in capsys.readouterr().err


def test_a_model_is_named_after_its_treebank(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Danish-DDT").mkdir()
    for path, name in {
        "Danish-DDT/train.conllu": "Danish-DDT.fp", "da_ddt-ud-train.conllu": "da_ddt.fp", "mine.conllu.gz": "mine.fp",
    }.items():  # fmt: skip
        assert _named_after(path) == name
    (tmp_path / "toy.conllu").write_bytes(toy().to_bytes())
    argv = ["train", "toy.conllu", "--encoder", "none", "--beam", "1", "--iterations", "1", "--components", "parser"]
    assert run(argv) == 0
    assert "the model will be toy.fp" in capsys.readouterr().err
    assert fastparse.load(tmp_path / "toy.fp").components == ("parser",)
    assert run(argv) == 0  # a model may be replaced
    (tmp_path / "toy.fp").write_text("A novel.")
    assert run(argv) == 1
    assert "toy.fp is there and is no model of fastparse: name the model to write with -o" in capsys.readouterr().err
    assert (tmp_path / "toy.fp").read_text() == "A novel."
