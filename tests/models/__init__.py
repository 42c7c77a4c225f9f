"""Tests of the folder models, which a clone has beside its tests and an installation has not."""

import pytest

pytest.importorskip("models", reason="the folder models is not beside the tests")
