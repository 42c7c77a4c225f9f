"""UDPipe 1 learnt from the same treebanks, to compare with.

    python -m models.udpipe LANGUAGE... --data DATA --work WORK

Needs ufal.udpipe and, for the vectors that its parser starts from, gensim. Options are those of its models of these
years. The parts (tokenizer, tagger, parser) lie in the folder of work, and what is there is not learnt again; what they
score is added to models/udpipe.json.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import fastparse
from fastparse.trees import contains_treebank
from models.factory import HERE, read_table, write_table
from models.recipes import Recipe, recipes_of
from models.scoring import scores_of

RESULTS = HERE / "udpipe.json"
_CROSSING = 0.1  # share of the trees; where more are not projective, the system is another
_SPACES_LEFT_OUT = 100  # words before which there is none, at least, for a tokenizer
_PARSER = (
    "structured_interval=8;use_gold_tags=1;iterations=10;embedding_form=50;embedding_upostag=20;embedding_feats=20;"
    "embedding_deprel=20;hidden_layer=200;batch_size=10;l2=0.5;learning_rate=0.02;learning_rate_final=0.001;run_number=1"
)
_SYSTEMS = {
    True: "transition_system=swap;transition_oracle=static_lazy",
    False: "transition_system=projective;transition_oracle=dynamic",
}
_GUESSER = "guesser_suffix_rules_{0}=8;guesser_enrich_dictionary_{0}=4;guesser_prefixes_max_{0}=4"
_TAGGER = ";".join(
    (
        "models=2", "templates_1=lemmatizer", _GUESSER.format(1),
        "use_lemma_1=1;use_xpostag_1=0;use_feats_1=0;provide_lemma_1=1;provide_xpostag_1=0;provide_feats_1=0",
        "prune_features_1=0", "templates_2=tagger", _GUESSER.format(2),
        "use_lemma_2=0;use_xpostag_2=1;use_feats_2=1;provide_lemma_2=0;provide_xpostag_2=1;provide_feats_2=1",
        "prune_features_2=0", "iterations=10",
    )
)  # fmt: skip
_TOKENIZER = (
    "dimension=64;epochs=15;early_stopping=1;initialization_range=0.5;batch_size=50;learning_rate=0.005;dropout=0.1;"
    "run_number=1"
)


def learn(folder: Path, work: Path) -> None:
    """The parts of a model, from the training treebank of a folder, as far as they are not there."""
    train = fastparse.read_conllu(folder / "train.conllu")
    with tempfile.TemporaryDirectory() as scratch:
        projective = contains_treebank(train.heads, train.offsets, "projective")
        options = f"{_SYSTEMS[bool((~projective).mean() >= _CROSSING)]};{_PARSER}"
        if not _part(folder, work, "parser").exists():
            _write_vectors(train, f"{scratch}/vectors")
            options += f";embedding_form_file={scratch}/vectors"
        _learn_part(folder, work, "parser", options)
    _learn_part(folder, work, "tagger", _TAGGER)
    if train.to_bytes().count(b"SpaceAfter=No") > _SPACES_LEFT_OUT:
        _learn_part(folder, work, "tokenizer", _TOKENIZER)


def _part(folder: Path, work: Path, name: str) -> Path:
    return work / f"{folder.name}.{name}.model"


def _learn_part(folder: Path, work: Path, name: str, options: str) -> None:
    from ufal.udpipe import ProcessingError, Trainer

    path = _part(folder, work, name)
    if path.exists():
        return
    asked = {"tokenizer": Trainer.NONE, "tagger": Trainer.NONE, "parser": Trainer.NONE, name: options}
    error = ProcessingError()
    train, dev = (_sentences(folder / f"{part}.conllu") for part in ("train", "dev"))
    made = Trainer.train("morphodita_parsito", train, dev, asked["tokenizer"], asked["tagger"], asked["parser"], error)
    if error.occurred():
        raise RuntimeError(f"{folder.name}, {name}: {error.message}")
    path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogateescape"))
    print(f"{path}: {path.stat().st_size:,} bytes", flush=True)


def _sentences(path: Path) -> Any:
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader, error, found = InputFormat.newConlluInputFormat(), ProcessingError(), Sentences()
    reader.setText(path.read_text("utf-8"))
    sentence = Sentence()
    while reader.nextSentence(sentence, error):
        found.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise RuntimeError(f"{path}: {error.message}")
    return found


def _write_vectors(train: Any, path: str) -> None:
    from gensim.models import Word2Vec

    sentences = [[form.lower().replace(" ", "\u00a0") for form in sentence.forms] for sentence in train]
    made = Word2Vec(sentences, vector_size=50, window=10, min_count=2, sg=0, hs=0, negative=5, epochs=15, workers=1,
                    seed=1)  # fmt: skip
    made.wv.save_word2vec_format(path)


def score(recipe: Recipe, folder: Path, work: Path) -> dict[str, Any]:
    """The scores of a model on the development treebank, by the same evaluation as ours; both with their own tags."""
    from ufal.udpipe import Model

    dev = fastparse.read_conllu(folder / "dev.conllu")
    paths = {name: _part(folder, work, name) for name in ("tokenizer", "tagger", "parser")}
    opened = {name: Model.load(str(path)) for name, path in paths.items() if path.exists()}
    found: dict[str, Any] = {"bytes": sum(path.stat().st_size for path in paths.values() if path.exists())}
    words = "\n\n".join(
        "\n".join(f"{i}\t{form}" + "\t_" * 8 for i, form in enumerate(sentence.forms, 1)) for sentence in dev
    )
    found["gold"] = scores_of(dev, _annotated(opened, "conllu", f"{words}\n\n"))
    if "tokenizer" in opened and recipe.has_text:
        found["text"] = scores_of(dev, _annotated(opened, "tokenizer", dev.to_text()))
    return found


def _annotated(opened: dict[str, Any], source: str, text: str) -> Any:
    from ufal.udpipe import InputFormat, OutputFormat, ProcessingError, Sentence

    reader = opened["tokenizer"].newTokenizer("") if source == "tokenizer" else InputFormat.newConlluInputFormat()
    writer, error, sentence, out = OutputFormat.newConlluOutputFormat(), ProcessingError(), Sentence(), []
    reader.setText(text)
    while reader.nextSentence(sentence, error):
        opened["tagger"].tag(sentence, "", error)
        opened["parser"].parse(sentence, "", error)
        out.append(writer.writeSentence(sentence))
    if error.occurred():
        raise RuntimeError(error.message)
    return fastparse.read_conllu("".join(out).encode("utf-8", "surrogateescape"))


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m models.udpipe", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="codes (default: all recipes)")
    parser.add_argument("--data", type=Path, required=True, help="the folder of treebanks")
    parser.add_argument("--work", type=Path, required=True, help="the folder of UDPipe's models")
    parser.add_argument("--no-learning", action="store_true", help="score what is there")
    args = parser.parse_args(given)
    args.work.mkdir(parents=True, exist_ok=True)
    for recipe in recipes_of(args.languages):
        folder = args.data / recipe.folder
        if not args.no_learning:
            learn(folder, args.work)
        parts = ("tagger", "parser", *(("tokenizer",) if recipe.tokenizer is None else ()))
        if all(_part(folder, args.work, name).exists() for name in parts):
            write_table(RESULTS, {**read_table(RESULTS), recipe.code: score(recipe, folder, args.work)})
            print(f"{recipe.code}: {read_table(RESULTS)[recipe.code]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
