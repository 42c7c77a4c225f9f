"""The first rounds of campaigns: that they still run, and what they ask is still so."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.toy import TOY

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("campaign", [
    "text --executions 30", "models --executions 30", "states checkpoints --executions 10",
    "states plans --executions 10", "arguments --calls 40 --worker 40", "requests --executions 20",
])  # fmt: skip
def test_the_first_rounds_of_a_campaign_find_nothing(campaign):
    found(campaign.split())


def test_the_first_rounds_of_damaged_treebanks_find_nothing(tmp_path):
    (tmp_path / "Toy").mkdir()
    shutil.copy(TOY, tmp_path / "Toy" / "train.conllu")
    found(["conllu", str(tmp_path), "--executions", "30"])


def found(campaign):
    command = [sys.executable, "-m", f"tests.fuzz.{campaign[0]}", *campaign[1:]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
