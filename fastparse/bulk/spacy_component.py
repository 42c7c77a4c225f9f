"""The spaCy component: nlp.add_pipe("fastparse"), with the model of the pipeline's language or another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from spacy.language import Language
from spacy.tokens import Token

import fastparse
from fastparse.annotate.components import LEMMATIZER, TAGGER, TOKENIZER
from fastparse.annotate.expectations import warn
from fastparse.corpus.foreign.docs import Docs
from fastparse.corpus.foreign.gathering import Gatherer
from fastparse.corpus.foreign.objects import gathered
from fastparse.errors import Error
from fastparse.model.finding import DEFAULT, find, models
from fastparse.model.storage import content_of
from fastparse.request import Request, default_of
from fastparse.search.confidence import ARC_KEY, LABEL_KEY

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from typing_extensions import Unpack

    from fastparse.corpus.treebank import Treebank
    from fastparse.parser import Parser
    from fastparse.request import Asked

__all__ = ["FastparseComponent", "make"]

_ENDS = frozenset(".!?…。！？")
_CLOSERS = frozenset("\"'”’)]»")
_MODEL = "model.fp"
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
# Labels of words that belong to the phrase of another word, and of those before and behind its noun.
_INSIDE = frozenset({"amod", "compound", "det", "fixed", "flat", "goeswith", "nmod:poss", "nummod"})
_BEFORE = frozenset({"advmod", "amod", "compound", "det", "flat", "nmod:poss", "nummod", "punct"})
_AFTER = frozenset({"compound", "fixed", "flat", "goeswith"})
_DEPS = "deps"  # extension of tokens: what the column of that name has
_PROBABILITIES = {"arc_prob": ARC_KEY, "label_prob": LABEL_KEY}  # extensions of tokens, and their notes in MISC


class FastparseComponent:
    """Sets heads and labels of Docs, and tags and lemmas if asked for.

    Sentences are those of the Doc. Where it has no bounds, the model's tokenizer finds them in the text; without a
    tokenizer they end at full stops, question and exclamation marks.
    """

    def __init__(
        self, parser: Parser | Error, name: str = "fastparse", *, lang: str = "", tags: bool | None = None,
        **asked: Unpack[Asked],
    ) -> None:  # fmt: skip
        """See `_make`. Args: parser: or why there is none yet; `from_disk` brings one. lang: of the pipeline."""
        self._parser, self.name, self._lang = parser, name, lang
        self._check_language()
        self._tags, self._asked = tags, Request.of("spacy", **asked)
        wanted = [
            *(_PROBABILITIES if self._asked.scores else ()),
            *([_DEPS] if "deps" in self._asked.changed() else ()),
        ]
        for extension in wanted:
            if not Token.has_extension(extension):
                Token.set_extension(extension, default=None)
        if tags and not isinstance(parser, Exception) and not {TAGGER, LEMMATIZER} & set(parser.components):
            raise Error(
                f"tags=True: the model has no tagger and no lemmatizer (it has: {', '.join(parser.components)}). Leave "
                f"tags out, or use a model that has."
            )

    def _check_language(self) -> None:
        """Warn if the model is of another language than the pipeline."""
        if isinstance(self._parser, Exception) or self._lang in ("", "xx"):
            return
        path = self._parser.path
        known = [one.language for one in models() if one.installed and one.path == path]
        language = self._parser.info.get("language") or next(iter(known), "")
        if language and language != self._lang:
            warn(
                f"the pipeline is of the language {self._lang!r}, and the model {path} of {language!r}: expect bad "
                f"trees. Use a model of its language (fastparse.models() lists them)."
            )

    @property
    def parser(self) -> Parser:
        if isinstance(self._parser, Exception):
            raise self._parser
        return self._parser

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 1000) -> Iterator[Doc]:
        """Docs in their order, `batch_size` parsed together."""
        rest = iter(stream)
        while docs := list(islice(rest, batch_size)):
            self._find_sentences([doc for doc in docs if len(doc) and not doc.has_annotation("SENT_START")])
            found, into = Docs(docs), Gatherer(annotations=False)
            found.gather(into)
            parsed = self.parser.parse(gathered(into), **self._asked.changed())
            if self._tags or (self._tags is None and {TAGGER, LEMMATIZER} & set(self.parser.components)):
                found.set_tags(parsed, overwrite=bool(self._tags) and self._asked.retag)
            found.set_heads(parsed)
            if self._asked.scores:
                found.set_extensions(_PROBABILITIES, _probabilities(parsed))
            if self._asked.deps != default_of("deps"):
                cells = np.array([*parsed.table("deps"), "_"], object)[parsed.ids("deps")]
                found.set_extensions([_DEPS], cells[:, None])
            yield from docs

    def _find_sentences(self, docs: list[Doc]) -> None:
        in_text = TOKENIZER in self.parser.components
        for doc, starts in zip(
            docs, self._starts_in_texts(docs) if in_text else map(_starts_by_marks, docs), strict=True
        ):
            marks = np.full(len(doc), -1, np.int64)
            marks[starts] = 1
            values: Any = marks.astype(np.uint64)
            doc.from_array(["SENT_START"], values)

    def _starts_in_texts(self, docs: list[Doc]) -> Iterator[list[int]]:
        """The tokens with which sentences begin, of each Doc."""
        strings: dict[int, str] = {}  # by key, which is looked up once
        rows = [doc.to_array(["ORTH", "SPACY", "IDX"]) for doc in docs]
        texts = [_text_of(doc, row, strings) for doc, row in zip(docs, rows, strict=True)]
        each = self.parser._annotator.need_tokenizer().starts_in_each(texts)
        for doc, row, places in zip(docs, rows, each, strict=True):
            found = np.searchsorted(row[:, 2].astype(np.int64), places)
            yield [0, *found[found < len(doc)].tolist()]

    # What spaCy writes of a pipeline: the model itself, since its path may not be there next time.

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write the model into a folder."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.parser.write(folder / _MODEL)  # what is in memory, whatever lies under its path by now

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The model itself, as its file holds it."""
        return b"".join(content_of(*self.parser._content()))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> FastparseComponent:
        """Take the model from there: it is in no file, so other processes get it only by `to_bytes` or `to_disk`."""
        with TemporaryDirectory(prefix="fastparse-") as folder:
            path = Path(folder) / _MODEL
            path.write_bytes(data)
            parser = fastparse.load(path)
        parser._origin = None
        self._parser = parser
        self._check_language()
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> FastparseComponent:
        """Open the model in a folder."""
        self._parser = fastparse.load(Path(path) / _MODEL)
        self._check_language()
        return self


def _probabilities(treebank: Treebank) -> np.ndarray[Any, Any]:
    """How sure the parser is of each arc, and of arc and label: float [words, 2], from what it wrote into MISC."""
    ids, strings = treebank.ids("misc"), treebank.table("misc")
    known = np.zeros((len(strings), len(_PROBABILITIES)))
    for i, string in enumerate(strings):
        notes = dict(note.partition("=")[::2] for note in string.split("|"))
        known[i] = [float(notes.get(name, "nan")) for name in _PROBABILITIES.values()]
    found: np.ndarray[Any, Any] = known[ids]
    return found


def _text_of(doc: Doc, row: np.ndarray[Any, Any], strings: dict[int, str]) -> str:
    """`doc.text`, without an object for every token. Args: row: the keys of its tokens, and which a space follows."""
    parts: list[str] = []
    for key, space, _ in row.tolist():
        string = strings.get(key)
        if string is None:
            string = strings[key] = doc.vocab.strings[key]
        parts.append(f"{string} " if space else string)
    return "".join(parts)


def _starts_by_marks(doc: Doc) -> list[int]:
    found, ended = [0], False
    for token in doc:
        if ended and not token.is_space and token.text not in _CLOSERS and token.text not in _ENDS:
            found.append(token.i)
            ended = False
        ended = ended or token.text in _ENDS
    return found


def _make(
    nlp: Language, name: str, model: str | None, tags: bool | None, retag: bool, beam: int | None,
    threshold: int | None, threads: int, strict: bool, scores: bool, deps: str = "keep",
) -> Any:  # fmt: skip
    """The component, as spaCy asks for it.

    Args:
        model: a name or path, as for `fastparse.load`; None is the installed model of the pipeline's language.
        tags: also set pos, tag, morph and lemma where tokens have none; None if the model can.
        retag: read the model's own tags instead of those of the tokens; with `tags`, replace these.
        beam, threshold, threads, strict: as for `fastparse.Parser.parse`.
        scores: set `token._.arc_prob` and `token._.label_prob`, the probabilities that the head is right, and head and
            label.
        deps: "enhanced" sets `token._.deps`, heads and labels of a token in the enhanced graph, as CoNLL-U has them.
    """
    parser: Parser | Error
    try:
        parser = fastparse.load(find(_model_of(nlp.lang or "xx") if model is None else model))
        parser.able_to("parse")
    except Error as error:
        if not _read_from_disk():
            raise
        parser = error
    vocab: Any = nlp.vocab  # whose types tell of spans, where places and a label are meant
    vocab.get_noun_chunks = noun_chunks
    return FastparseComponent(
        parser, name, lang=nlp.lang or "", tags=tags, retag=retag, beam=beam, threshold=threshold, threads=threads,
        strict=strict, scores=scores, deps=deps,
    )  # fmt: skip


def noun_chunks(doclike: Any) -> Iterator[tuple[int, int, int]]:
    """Noun phrases up to their noun, for `doc.noun_chunks`, by labels of Universal Dependencies.

    Yields:
        First token, token after the last, and the label NP.
    """
    label, last = doclike.vocab.strings.add("NP"), -1
    for word in doclike:
        if word.pos_ not in _NOMINAL or word.left_edge.i <= last or _base(word) in _INSIDE:
            continue
        begin, end = word.i, word.i
        for child in reversed(list(word.lefts)):
            if _base(child) not in _BEFORE or child.right_edge.i != begin - 1:
                break
            begin = child.left_edge.i
        while word.doc[begin].is_punct and begin < word.i:
            begin += 1
        for child in word.rights:
            if _base(child) not in _AFTER or child.left_edge.i != end + 1:
                break
            end = child.i
        if begin > last:
            last = end
            yield begin, end + 1, label


def _base(word: Any) -> str:
    """The label of a word without its subtype, but for possessors."""
    label: str = word.dep_
    return label if label == "nmod:poss" else label.partition(":")[0]


def _model_of(lang: str) -> str:
    """The name of the installed model of a language; the default for pipelines of no language (xx)."""
    if lang == "xx":
        return DEFAULT
    names = [one.name for one in models() if one.language == lang and one.installed]
    return min(names, key=lambda name: (len(name), name)) if names else lang


def _read_from_disk() -> bool:
    """Whether spaCy is putting a pipeline together that it reads: each component gets its data after it is made."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_name == "from_config" and frame.f_globals.get("__name__") == "spacy.language":
            return True
    return False


make: Any = Language.factory(
    "fastparse",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={
        "model": None, "tags": None, "retag": False, "beam": None, "threshold": None, "threads": 1, "strict": False,
        "scores": False, "deps": default_of("deps"),
    },
    func=_make,
)  # fmt: skip
