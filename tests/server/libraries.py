"""The libraries of the service, which tests may do without."""

from types import ModuleType

import pytest


def need_libraries() -> ModuleType:
    """Skips the module of tests that asks where one of them is missing; gives the client's, httpx."""
    for name in ("starlette", "uvicorn"):
        pytest.importorskip(name)
    found: ModuleType = pytest.importorskip("httpx")
    return found
