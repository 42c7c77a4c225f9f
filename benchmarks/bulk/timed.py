"""A step that writes down its own time: what an engine's workers spend inside the adapter. Not a script."""

from __future__ import annotations

import os
import time
from typing import Any

from fastparse.bulk.arrow import Step

__all__ = ["LOG", "TimedStep"]

LOG = "FASTPARSE_STEP_LOG"


class TimedStep(Step):
    """Adds a line of words and seconds of processor time per batch to the file that the variable LOG names."""

    def __call__(self, batch: Any) -> Any:
        begun = time.thread_time()
        found = super().__call__(batch)
        seconds = time.thread_time() - begun
        with open(os.environ[LOG], "a") as log:
            log.write(f"{len(found.column(found.schema.get_field_index('head')).values)} {seconds}\n")
        return found
