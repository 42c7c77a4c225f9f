"""Rows of weights as dictionaries: key -> class -> weight."""

from __future__ import annotations

import numpy as np


def summed(rows, keys, width):
    out = np.zeros(width, np.int64)
    for key in keys:
        for cls, weight in rows.get(key, {}).items():
            out[cls] += weight
    return out.tolist()
