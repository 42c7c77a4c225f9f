"""`Tokenizer`: running text in, CoNLL-U with sentences, tokens and words out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.corpus.surface import bytes_of, surface
from fastparse.errors import ModelFormatError, UnknownNameError
from fastparse.text.broken import no_utf8
from fastparse.text.characters import Characters
from fastparse.text.checking import check_lexicon, check_states
from fastparse.text.chunks import CHUNK, Chunk, Tokenized, chunks, may_go_on, tokenized
from fastparse.text.cutting import invalid_utf8
from fastparse.text.engine import MODES, Engine
from fastparse.text.weights import WeightTable

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Tokenizer"]

BLOCK = 1 << 20  # bytes handed to the compiled code at once; the outcome does not depend on it
VERSION = 1
ON_ERROR = ("stop", "skip", "keep")
_LEXICON = ("keys", "values", "rules", "starts")
_TABLES = ("gap_weights", "end_weights", "word_weights")


class Tokenizer:
    """Splits running text into sentences, tokens and the words of multiword tokens.

    It is immutable, and threads may share it.

    Example:
        >>> tokenizer = Tokenizer.train("train.conllu")  # doctest: +SKIP
        >>> print(tokenizer.tokenize("She doesn't read.").decode())  # doctest: +SKIP
    """

    __slots__ = ("_engine",)

    def __init__(self, engine: Engine) -> None:
        """For this module; users call `train` or `from_arrays`."""
        self._engine = engine

    @classmethod
    def train(
        cls,
        treebank: Treebank | bytes | str | os.PathLike[str],
        *,
        passes: int = 10,
        seed: int = 1,
        variants: int = 2,
    ) -> Tokenizer:
        """Learn from the tokens, spaces and paragraphs of a treebank; its trees are not looked at.

        Args:
            treebank: a treebank, its CoNLL-U as bytes, or a path.
            passes: how often the cases are gone through.
            seed: of the order of the cases and of the variants of the text.
            variants: how many times the text is gone through besides with other spacing, lines, case and marks.
        """
        from fastparse.text.learning import EngineLearner

        learner = EngineLearner(list(surface(bytes_of(treebank))), passes, seed, variants)
        for number in range(1, passes + 1):
            for piece in learner.pieces(number):
                learner.learn(piece, number, int(piece[0]))
        return cls(learner.engine())

    def tokenize(self, text: str | bytes, *, input: str = "text", offsets: bool = False) -> bytes:
        """The CoNLL-U of a text, with FORM and MISC filled.

        Args:
            text: a string, or bytes in UTF-8.
            input: "text"; "lines", where every line is a sentence; "words", where besides tokens stand between spaces.
            offsets: whether to write TokenRange, the place of every token in characters.

        Raises:
            Error: for bytes that are not UTF-8.
        """
        return b"".join(self.stream([text], input=input, offsets=offsets))

    def stream(
        self, pieces: Iterable[str | bytes], *, input: str = "text", offsets: bool = False, block: int = BLOCK
    ) -> Iterator[bytes]:
        """The CoNLL-U of a text that comes in pieces, whole sentences at a time; pieces may end anywhere.

        Memory is bounded by what a unit may hold (`docs/text.md`), however long the text. `block` is how many bytes are
        looked at together; the outcome does not depend on it.
        """
        if input not in MODES:
            raise UnknownNameError(f"input={input!r} is unknown: write {', '.join(map(repr, MODES))}")
        mode = MODES[input]
        rest, done, wanted = b"", 0, block
        n_sentences, place, new_paragraph = 0, 0, True
        waiting: list[bytes] = []
        n_waiting = 0
        for piece, last in _with_last(pieces):
            data = piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else bytes(piece)
            waiting.append(data)
            n_waiting += len(data)
            if n_waiting < wanted and not last:
                continue
            data = b"".join([rest, *waiting])
            waiting, n_waiting = [], 0
            at = 0
            while True:
                view = memoryview(data)[at : at + wanted]
                final = last and at + len(view) == len(data)
                size = _valid(view, done + at, final)
                out, used, n_sentences, place, new_paragraph, _ = self._engine.run(
                    view[:size], final=final, mode=mode, offsets=offsets, n_sentences=n_sentences, place=place,
                    new_paragraph=new_paragraph,
                )  # fmt: skip
                at += used
                if out:
                    yield out
                wanted = block if used else wanted * 2
                if final or (not last and len(data) - at < wanted):
                    break
            rest = data[at:]
            done += at

    def chunks(
        self, pieces: Iterable[bytes], *, input: str = "text", offsets: bool = False, size: int = CHUNK,
        name: str = "the text", on_error: str = "stop",
    ) -> Iterator[Chunk]:  # fmt: skip
        """Cut a text into parts of about `size` bytes, for `sentences_of`, which several threads may call.

        All of them numbered one after the other (`fastparse.text.numbering`) are what `stream` gives.

        Args:
            name: of the text, for messages.
            on_error: what becomes of sentences with bytes that are not UTF-8: "stop" raises an error for the first,
                "skip" leaves them out, "keep" keeps them with their bytes.
        """
        if input not in MODES:
            raise UnknownNameError(f"input={input!r} is unknown: write {', '.join(map(repr, MODES))}")
        if on_error not in ON_ERROR:
            raise UnknownNameError(f"on_error={on_error!r} is unknown: write {', '.join(map(repr, ON_ERROR))}")
        return chunks(self._engine, pieces, input, offsets, size=size, name=name, on_error=on_error)

    def sentences_of(self, chunk: Chunk) -> Tokenized:
        """The sentences of a part of a text, numbered from 1."""
        return tokenized(self._engine, chunk)

    def spans(self, text: str, *, input: str = "text") -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Where tokens and sentences stand in a text, in characters.

        Returns:
            Begin and end of every token (int64, tokens x 2); the number of tokens before each sentence and at the end.
        """
        if input not in MODES:
            raise UnknownNameError(f"input={input!r} is unknown: write {', '.join(map(repr, MODES))}")
        data = text.encode("utf-8", "surrogatepass")
        _valid(memoryview(data), 0, True)
        return self._engine.spans(data, mode=MODES[input])

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Everything there is to know of this tokenizer, for `from_arrays`."""
        e = self._engine
        arrays = {"pages": e.characters.pages, "kinds": e.characters.kinds, "folds": e.characters.folds,
                  "gaps": e.gaps, "spaces": e.spaces, "ends": e.ends}  # fmt: skip
        arrays |= dict(zip(_LEXICON, e.lexicon, strict=False))
        arrays |= {name: table.buckets for name, table in zip(_TABLES, e.tables, strict=True)}
        numbers = [VERSION, e.lexicon[4], e.least, *(table.bias for table in e.tables)]
        arrays["last"] = np.array([e.lexicon[5]], np.uint64)
        return arrays | {"numbers": np.array(numbers, np.int32)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray[Any, Any]]) -> Tokenizer:
        """The tokenizer whose `to_arrays` these are.

        Raises:
            ModelFormatError: for arrays that no tokenizer has; any others are safe to run.
        """
        wanted = {"pages", "kinds", "folds", "gaps", "spaces", "ends", "numbers", "last", *_LEXICON, *_TABLES}
        if set(arrays) != wanted:
            names = ", ".join(sorted(set(arrays) ^ wanted))
            raise ModelFormatError(f"tokenizer: arrays are missing or unknown: {names}. Train the model again.")
        numbers = arrays["numbers"]
        if not isinstance(numbers, np.ndarray) or numbers.dtype != np.int32 or numbers.shape != (3 + len(_TABLES),):
            raise ModelFormatError("tokenizer: its numbers are not what they must be. Train the model again.")
        version, longest, least, *biases = numbers.tolist()
        if version != VERSION:
            raise ModelFormatError(
                f"tokenizer: it has version {version}, this fastparse reads version {VERSION}. "
                f"{'Install a newer fastparse' if version > VERSION else 'Train the model again'}."
            )
        if not -(1 << 24) < least < 1 << 24:
            raise ModelFormatError(f"tokenizer: a least sum of {least} is out of range. Train the model again.")
        characters = Characters(arrays["pages"], arrays["kinds"], arrays["folds"])
        check_states(arrays["gaps"], arrays["spaces"], arrays["ends"])
        keys, values, rules, starts = (arrays[name] for name in _LEXICON)
        check_lexicon(keys, values, rules, starts, longest)
        last = arrays["last"]
        if not isinstance(last, np.ndarray) or last.dtype != np.uint64 or last.shape != (1,):
            raise ModelFormatError(
                "tokenizer: the last characters of suffixes are not a number. Train the model again."
            )
        lexicon = (keys, values, rules, starts, longest, int(last[0]))
        tables = tuple(WeightTable(arrays[name], bias) for name, bias in zip(_TABLES, biases, strict=True))
        return cls(Engine(characters, arrays["gaps"], arrays["spaces"], arrays["ends"], tables, lexicon, least))


def _with_last(pieces: Iterable[str | bytes]) -> Iterator[tuple[str | bytes, bool]]:
    """Every piece, and whether it is the last; an empty one if there is none."""
    iterator = iter(pieces)
    piece = next(iterator, b"")
    for following in iterator:
        yield piece, False
        piece = following
    yield piece, True


def _valid(text: memoryview, before: int, final: bool) -> int:
    """How many bytes are whole characters.

    Args:
        text: bytes.
        before: how many bytes of the input come before them.
        final: whether no more bytes follow.
    """
    at = invalid_utf8(text)
    if at < 0:
        return len(text)
    if not final and len(text) - at < 4 and may_go_on(bytes(text[at:])):
        return at
    raise no_utf8("the text", before + at, bytes(text[at : at + 2]))
