"""Tests of the folder research, which a clone has beside its tests and an installation has not."""

import pytest

pytest.importorskip("research", reason="the folder research is not beside the tests")
