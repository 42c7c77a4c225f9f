"""Sentences and documents in Ray: a Dataset in, a Dataset out, by `map_batches`. Needs the extra `ray`."""

from __future__ import annotations

from typing import Any

from fastparse.bulk.arrow import Step
from fastparse.extras import needed

__all__ = ["BATCH_ROWS", "parse"]

BATCH_ROWS = 4096


def parse(
    dataset: Any, model: Any = None, *, workers: int = 1, beam: int | None = None, retag: bool = False,
    threshold: int | None = None, strict: bool = False, scores: bool = False, deps: str = "keep",
    batch_rows: int = BATCH_ROWS, **ways: Any,
) -> Any:  # fmt: skip
    """Parse a Dataset lazily; columns and rows are those of `fastparse.bulk.arrow.parse_batch`.

    Each actor opens the model once. Ray is free to change the order of rows; `preserve_order` in its options keeps it.

    Args:
        dataset: with a column `form` of lists of strings, or `text`.
        model: a name or path as for `load`, which workers see as well; or a Parser that is in a file.
        workers: how many actors, with a processor each.
        beam, retag, threshold, strict, scores, deps: as for `Parser.parse`.
        batch_rows: how many rows go into one call.
        ways: what else `Dataset.map_batches` takes.
    """
    needed("ray.data", "ray")
    step = Step.of(
        "ray.parse", model, beam=beam, retag=retag, threshold=threshold, strict=strict, scores=scores, deps=deps
    )
    return dataset.map_batches(
        _Batches, fn_constructor_args=(step,), batch_size=batch_rows, batch_format="pyarrow", concurrency=workers,
        zero_copy_batch=True, **{"num_cpus": 1, **ways},
    )  # fmt: skip


class _Batches:
    """A step in an actor."""

    def __init__(self, step: Step) -> None:
        self._step = step

    def __call__(self, table: Any) -> Any:
        pa = needed("pyarrow", "arrow")
        batches = table.to_batches() or [pa.RecordBatch.from_pylist([], schema=table.schema)]
        return pa.Table.from_batches(list(map(self._step, batches)))
