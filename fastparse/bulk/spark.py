"""Sentences and documents in Spark: a DataFrame in, a DataFrame out, by `mapInArrow`. Needs the extra `spark`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from fastparse.bulk.arrow import Step
from fastparse.extras import needed

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fastparse.request import Asked

__all__ = ["parse"]


def parse(frame: Any, model: Any = None, **asked: Unpack[Asked]) -> Any:
    """Parse a DataFrame lazily; columns and rows are those of `fastparse.bulk.arrow.parse_batch`.

    Each of Spark's Python workers opens the model once. Threads are Spark's: one per task.

    Args:
        frame: with a column `form` of arrays of strings, or `text`.
        model: a name or path as for `load`, which workers see as well; or a Parser that is in a file.
        asked: beam, threshold, retag, strict, scores and deps, as for `Parser.parse`.
    """
    types = needed("pyspark.sql.pandas.types", "spark")
    step = Step.of("spark.parse", model, **asked)
    given = types.to_arrow_schema(frame.schema)
    return frame.mapInArrow(_Batches(step), types.from_arrow_schema(step.output_schema(given)))


class _Batches:
    """A step over the batches of a partition."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        return map(self._step, batches)
