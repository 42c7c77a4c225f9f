"""Spark and Ray on this machine beside `fastparse parse`: the same trees, and words a second inside the adapter.

    python benchmarks/bulk/engines.py spark ray --sentences 100000

The engines get a Parquet file of sentences. Time is that of the processor: of `Parser.parse_file` from file to file,
and of the function that engines call with their batches. Spark needs Java.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from corpus import add_corpus, corpus_of
from timed import LOG, TimedStep

import fastparse
from fastparse.bulk import arrow, parquet

ROWS = 4096


def trees_of(table: Any) -> dict[str, tuple[Any, Any]]:
    """Heads and labels by the identifiers of sentences."""
    columns = (table.column(name).to_pylist() for name in ("sent_id", "head", "deprel"))
    return {name: (heads, labels) for name, heads, labels in zip(*columns, strict=True)}


def by_spark(args: argparse.Namespace, path: Path) -> Any:
    import pyarrow as pa
    import pyspark

    from fastparse.bulk import spark

    spark.Step = TimedStep  # type: ignore[misc]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        pyspark.sql.SparkSession.builder.master(f"local[{args.workers}]")
        .config("spark.ui.enabled", "false").config("spark.driver.memory", "4g")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", ROWS).getOrCreate()
    )  # fmt: skip
    try:
        frame = session.read.parquet(str(path))
        found = spark.parse(frame, args.model, beam=args.beam).select("sent_id", "head", "deprel").toArrow()
    finally:
        session.stop()
    assert isinstance(found, pa.Table)
    return found


def by_ray(args: argparse.Namespace, path: Path) -> Any:
    import pyarrow as pa
    import ray

    from fastparse.bulk import ray as ours

    ours.Step = TimedStep  # type: ignore[misc]
    ray.init(num_cpus=args.workers + 1, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ours.parse(
            ray.data.read_parquet(str(path)), args.model, beam=args.beam, workers=args.workers, batch_rows=ROWS
        )
        tables = list(dataset.select_columns(["sent_id", "head", "deprel"]).iter_batches(batch_format="pyarrow"))
    finally:
        ray.shutdown()
    return pa.concat_tables(tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("engines", nargs="+", choices=("spark", "ray"))
    add_corpus(parser, 1.7e6)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--beam", type=int, default=1)
    args = parser.parse_args()
    here = str(Path(__file__).resolve().parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH")]))
    source = corpus_of(args)
    path, plain = args.folder / "engines.parquet", args.folder / "engines.conllu"
    treebank = fastparse.read_conllu(source)[: args.sentences]
    treebank.write(plain)
    parquet.convert(plain, path)
    model, rates = fastparse.load(args.model), []
    for _ in range(3):
        begun = time.process_time()
        report = model.parse_file(plain, args.folder / "engines-parsed.conllu", beam=args.beam)
        rates.append(report.words / (time.process_time() - begun))
    print(f"{report.sentences:,} sentences, {report.words:,} words; fastparse parse: {max(rates):,.0f} words/s of "
          f"processor time", flush=True)  # fmt: skip
    import pyarrow as pa

    want = trees_of(pa.Table.from_batches(list(arrow.from_conllu(args.folder / "engines-parsed.conllu"))))
    wrong = False
    for engine in args.engines:
        log = args.folder / f"{engine}.log"
        log.write_text("")
        os.environ[LOG] = str(log)
        begun = time.perf_counter()
        found = trees_of({"spark": by_spark, "ray": by_ray}[engine](args, path))
        wall = time.perf_counter() - begun
        lines = [line.split() for line in log.read_text().splitlines()]
        rate = sum(int(words) for words, _ in lines) / sum(float(seconds) for _, seconds in lines)
        same = found == want
        wrong |= not same
        print(f"{engine}: {len(found):,} sentences, trees {'the same' if same else 'DIFFERENT'}; inside the adapter "
              f"{rate:,.0f} words/s of processor time, {rate / max(rates):.2f} of those; {wall:.0f} s in all",
              flush=True)  # fmt: skip
    raise SystemExit(wrong)


if __name__ == "__main__":
    main()
