"""`Tokenizer`: running text in, CoNLL-U with sentences, tokens and words out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fastparse.corpus.arrays import rises
from fastparse.corpus.surface import bytes_of, surface
from fastparse.corpus.treebank import Treebank
from fastparse.errors import ModelFormatError, UnknownNameError
from fastparse.text.chunks import CHUNK, Chunk, Tokenized, chunks, no_utf8, tokenized
from fastparse.text.decisions import WeightTable
from fastparse.text.engine import KINDS, LONGEST_ENDING, MODES, RULE_WORDS, SHAPES, VERSION, Engine
from fastparse.text.units import Characters, invalid_utf8

__all__ = ["Tokenizer", "encoded"]

BLOCK = 1 << 20  # bytes handed to the compiled code at once; the outcome does not depend on it
ON_ERROR = ("stop", "skip", "keep")
_LEXICON = ("keys", "values", "rules", "starts")
_ADVICE = "Copy the model again, or train it again."
_TABLES = ("gap_weights", "end_weights", "word_weights")
_REPEATING = ("pages", "kinds", "folds", "gaps", "spaces", "ends")


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
        data = (piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else bytes(piece) for piece in pieces)
        n = 0
        for chunk in self.chunks(filter(None, data), input=input, offsets=offsets, size=block):
            treebank = self.sentences_of(chunk).treebank
            if len(treebank):
                yield treebank.to_bytes(first=n + 1)
                n += len(treebank)

    def treebank(self, text: str, *, input: str = "text", offsets: bool = False) -> Treebank:
        """The sentences of a text that is at hand, as columns: forms alone. Bytes are made if somebody asks for them.

        Args:
            input, offsets: as for `tokenize`.
        """
        return self.treebank_of(encoded(text, input), input=input, offsets=offsets)

    def treebank_of(self, data: bytes, *, input: str = "text", offsets: bool = False) -> Treebank:
        """The same of a text in UTF-8, as `encoded` gives it."""
        return Treebank._tokenized(
            self._engine.run(data, final=True, mode=MODES[input], offsets=offsets, place=0, new_paragraph=True)
        )

    def treebank_of_each(self, texts: list[bytes], *, offsets: bool = False) -> tuple[Treebank, list[int]]:
        """The sentences of several texts, each tokenized by itself, one behind the other; and how many each has.

        Args:
            texts: in UTF-8, as `encoded` gives them.
        """
        tokens = self._engine.run_each(texts, mode=MODES["text"], offsets=offsets)
        return Treebank._tokenized(tokens), tokens.sizes()

    def starts_in_each(self, texts: list[str]) -> list[list[int]]:
        """Where the sentences of several texts begin, in characters."""
        tokens = self._engine.run_each(list(map(encoded, texts)), mode=MODES["text"], offsets=True)
        starts, at = tokens.starts(), 0
        found = []
        for n in tokens.sizes():
            found.append(starts[at : at + n])
            at += n
        return found

    def chunks(
        self, pieces: Iterable[bytes], *, input: str = "text", offsets: bool = False, size: int = CHUNK,
        name: str = "the text", on_error: str = "stop",
    ) -> Iterator[Chunk]:  # fmt: skip
        """Cut a text into parts of about `size` bytes, for `sentences_of`, which several threads may call.

        All of them numbered one after the other (`Treebank.to_bytes`) are what `stream` gives.

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
        return self._engine.spans(encoded(text, input), mode=MODES[input])

    def to_arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """Everything there is to know of this tokenizer, for `from_arrays`."""
        e = self._engine
        arrays = {"pages": e.characters.pages, "kinds": e.characters.kinds, "folds": e.characters.folds,
                  "gaps": e.gaps, "spaces": e.spaces, "ends": e.ends}  # fmt: skip
        arrays |= {name: table.buckets for name, table in zip(_TABLES, e.tables, strict=True)}
        if e.version > 1:
            arrays = _packed(arrays)
        arrays |= dict(zip(_LEXICON, e.lexicon, strict=False))
        numbers = [e.version, e.lexicon[4], e.least, *(table.bias for table in e.tables)]
        arrays["last"] = np.array([e.lexicon[5]], np.uint64)
        return arrays | {"numbers": np.array(numbers, np.int32)}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray[Any, Any]]) -> Tokenizer:
        """The tokenizer whose `to_arrays` these are.

        Raises:
            ModelFormatError: for arrays that no tokenizer has; any others are safe to run.
        """
        numbers = arrays.get("numbers")
        if not isinstance(numbers, np.ndarray) or numbers.dtype != np.int32 or numbers.shape != (3 + len(_TABLES),):
            raise ModelFormatError("tokenizer: its numbers are not what they must be. Train the model again.")
        version, longest, least, *biases = numbers.tolist()
        if not 1 <= version <= VERSION:
            raise ModelFormatError(
                f"tokenizer: it has version {version}, this fastparse reads versions 1 to {VERSION}. "
                f"{'Install a newer fastparse' if version > VERSION else 'Train the model again'}."
            )
        wanted = {*_REPEATING, *_TABLES, *_LEXICON, "numbers", "last"}
        if version > 1:
            wanted |= {_lengths(name) for name in _REPEATING} | {_filled(name) for name in _TABLES}
        if set(arrays) != wanted:
            names = ", ".join(sorted(set(arrays) ^ wanted))
            raise ModelFormatError(f"tokenizer: arrays are missing or unknown: {names}. Train the model again.")
        if version > 1:
            arrays = _unpacked(arrays)
        if not -(1 << 24) < least < 1 << 24:
            raise ModelFormatError(f"tokenizer: a least sum of {least} is out of range. Train the model again.")
        characters = Characters(arrays["pages"], arrays["kinds"], arrays["folds"])
        _check_states(arrays["gaps"], arrays["spaces"], arrays["ends"])
        keys, values, rules, starts = (arrays[name] for name in _LEXICON)
        _check_lexicon(keys, values, rules, starts, longest)
        last = arrays["last"]
        if not isinstance(last, np.ndarray) or last.dtype != np.uint64 or last.shape != (1,):
            raise ModelFormatError(
                "tokenizer: the last characters of suffixes are not a number. Train the model again."
            )
        lexicon = (keys, values, rules, starts, longest, int(last[0]))
        tables = tuple(WeightTable(arrays[name], bias) for name, bias in zip(_TABLES, biases, strict=True))
        return cls(
            Engine(characters, arrays["gaps"], arrays["spaces"], arrays["ends"], tables, lexicon, least, version)
        )


def encoded(text: str, input: str = "text") -> bytes:
    """A text in UTF-8, once it is known that it can be.

    Raises:
        Error: if it holds half of a surrogate pair.
        UnknownNameError: for another `input`.
    """
    if input not in MODES:
        raise UnknownNameError(f"input={input!r} is unknown: write {', '.join(map(repr, MODES))}")
    data = text.encode("utf-8", "surrogatepass")
    at = invalid_utf8(data)
    if at >= 0:
        raise no_utf8("the text", at, data[at:])
    return data


# What a file keeps: of arrays whose numbers repeat, each number of a run once and the lengths of the runs; of tables of
# weights, the slots in use one after the other (32 bits each), and how many there are in each bucket (2 bits each).

_MOST = 0x110000  # numbers that repeat


def _lengths(name: str) -> str:
    return f"{name}_lengths"


def _filled(name: str) -> str:
    return f"{name}_filled"


def _packed(arrays: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for name in _REPEATING:
        array = arrays[name]
        begins = np.flatnonzero(np.concatenate([[True], array[1:] != array[:-1]]))
        found[name] = array[begins]
        found[_lengths(name)] = np.diff(begins, append=len(array)).astype(np.uint32)
    for name in _TABLES:
        slots = arrays[name].astype("<u8").view("<u4").reshape(-1, 2)
        used = slots != 0
        quarters = (used.sum(axis=1).reshape(-1, 4) << np.array([0, 2, 4, 6])).sum(axis=1)
        found[name] = slots[used].astype(np.uint32)
        found[_filled(name)] = quarters.astype(np.uint8)
    return found


def _unpacked(arrays: dict[str, Any]) -> dict[str, Any]:
    """What `_packed` was given.

    Raises:
        ModelFormatError: for arrays that it cannot have made.
    """
    found = dict(arrays)
    for name in _REPEATING:
        lengths, values = found.pop(_lengths(name)), arrays[name]
        if (
            not _is_row(lengths, np.uint32) or not isinstance(values, np.ndarray) or values.shape != lengths.shape
            or int(lengths.sum(dtype=np.uint64)) > _MOST
        ):  # fmt: skip
            raise ModelFormatError(f"tokenizer: the lengths of {name} are not those of its runs. {_ADVICE}")
        found[name] = np.repeat(values, lengths)
    for name in _TABLES:
        filled, slots = found.pop(_filled(name)), arrays[name]
        if not _is_row(filled, np.uint8) or not _is_row(slots, np.uint32):
            raise ModelFormatError(f"tokenizer: {name} is not a row of the right numbers. {_ADVICE}")
        counts = ((filled[:, None] >> np.array([0, 2, 4, 6], np.uint8)) & 3).reshape(-1)
        if (len(counts) and int(counts.max()) > 2) or int(counts.sum()) != len(slots):
            raise ModelFormatError(f"tokenizer: {name} has other weights than its buckets hold. {_ADVICE}")
        found[name] = buckets = np.zeros(len(counts), np.uint64)
        begins = np.cumsum(counts) - counts
        buckets[counts > 0] = slots[begins[counts > 0]]
        buckets[counts > 1] |= slots[begins[counts > 1] + 1].astype(np.uint64) << np.uint64(32)
    return found


# Whether arrays of a file can be those of a tokenizer: the compiled code trusts what has passed here.


def _check_states(gaps: Any, spaces: Any, ends: Any) -> None:
    """Raise ModelFormatError unless these are tables of certain gaps and ends."""
    sizes = {"gaps": KINDS * KINDS, "spaces": KINDS * KINDS, "ends": SHAPES * SHAPES * 2}
    for (name, size), array in zip(sizes.items(), (gaps, spaces, ends), strict=True):
        if not _is_row(array, np.uint8) or len(array) != size or int(array.max()) > 2:
            raise ModelFormatError(f"tokenizer: {name} is not a row of {size} numbers from 0 to 2. {_ADVICE}")


def _check_lexicon(keys: Any, values: Any, rules: Any, starts: Any, longest: int) -> None:
    """Raise ModelFormatError unless these are the arrays of a lexicon."""
    fault = _fault(keys, values, rules, starts, longest)
    if fault is not None:
        raise ModelFormatError(f"tokenizer: the lexicon of multiword tokens is unusable: {fault}. {_ADVICE}")


def _is_row(array: Any, dtype: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == dtype and array.ndim == 1


def _fault(keys: Any, values: Any, rules: Any, starts: Any, longest: int) -> str | None:
    wanted = ((keys, np.uint64), (values, np.int32), (rules, np.uint8), (starts, np.int32))
    if not all(_is_row(array, dtype) for array, dtype in wanted):
        return "its arrays are not rows of the right numbers"
    n = len(keys)
    if n < 1 or n & (n - 1) or len(values) != n or len(starts) < 1:
        return "its sizes do not go together"
    if int((keys != 0).sum()) * 4 > n * 3:
        return "its keys leave too few places empty"
    if not 0 <= longest <= LONGEST_ENDING:
        return f"its longest suffix has {longest} characters, where 0 to {LONGEST_ENDING} are possible"
    if int(starts[0]) != 0 or int(starts[-1]) != len(rules) or not rises(starts):
        return "its rules do not follow one another"
    used = values[keys != 0]
    if len(used) and (used.min() < 0 or int((used >> 2).max()) >= max(1, len(starts) - 1) or (used & 3).max() > 2):
        return "its values point at no rule"
    if len(starts) == 1 and len(used) and (used & 3).max() > 0:
        return "its values point at rules where there are none"
    data = rules.tobytes()
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        fault = _fault_of_rule(data[begin:end])
        if fault:
            return fault
    return None


def _fault_of_rule(rule: bytes) -> str | None:
    if not 2 <= rule[0] <= RULE_WORDS:
        return f"a rule makes {rule[0]} words"
    at = 1
    for _ in range(rule[0]):
        at += 2
        for _ in range(3):
            if at >= len(rule) or at + 1 + rule[at] > len(rule):
                return "a rule ends before its words do"
            try:
                literal = rule[at + 1 : at + 1 + rule[at]].decode("utf-8")
            except UnicodeDecodeError:
                return "a rule holds bytes that are not UTF-8"
            if any(character.isspace() for character in literal):
                return "a rule holds white space"
            at += 1 + rule[at]
    return None if at == len(rule) else "a rule goes on after its words"
