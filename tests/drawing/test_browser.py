"""Drawings in a real browser, where one is installed: real text widths, real keys."""

import json
import os
import re
import shutil
import subprocess
from html import unescape

import pytest

import fastparse
from fastparse.drawing.steps import to_html
from fastparse.drawing.svg import to_svg

from .examples import CROSSING, random_sentence

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")


def result_of(page, script, tmp_path):
    """What a script leaves in `result` after it ran at the end of a page."""
    probe = f'<script>"use strict";let result;{script};document.title = JSON.stringify(result);</script>'
    path = tmp_path / "page.html"
    path.write_text(page.replace("</body>", probe + "</body>"), encoding="utf-8")
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--dump-dom",
        f"--user-data-dir={tmp_path}/profile",
    ]
    # Libraries the interpreter was started with, such as sanitizers, are not for the browser.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    run = subprocess.run(
        [*command, path.as_uri()], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    assert run.returncode == 0, run.stderr
    return json.loads(unescape(re.search(r"<title>(.*?)</title>", run.stdout, re.DOTALL).group(1)))


def test_no_text_covers_another(tmp_path):
    sentences = [CROSSING, *(random_sentence(seed, longest=20) for seed in range(12))]
    pictures = "".join(map(to_svg, sentences))
    page = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title></title></head><body>{pictures}</body></html>'
    script = """
        result = [];
        for (const svg of document.querySelectorAll("svg")) {
          const frame = svg.getBoundingClientRect();
          const texts = [...svg.querySelectorAll("text")];
          const boxes = texts.map((text) => text.getBoundingClientRect());
          for (let i = 0; i < boxes.length; i++) {
            const inside = frame.left <= boxes[i].left && boxes[i].right <= frame.right;
            if (!inside) result.push(["outside", texts[i].textContent]);
            for (let j = 0; j < i; j++) {
              const apart = boxes[i].right <= boxes[j].left || boxes[j].right <= boxes[i].left
                || boxes[i].bottom <= boxes[j].top || boxes[j].bottom <= boxes[i].top;
              if (!apart) result.push([texts[i].textContent, texts[j].textContent]);
            }
          }
        }
        result.push(document.querySelectorAll("path.arc").length)
    """
    assert result_of(page, script, tmp_path) == [sum(len(sentence.forms) for sentence in sentences)]


def test_keys_step_through_a_derivation(tmp_path):
    forms = ["She", "reads", "books"]
    derivation = fastparse.derive([2, 0, 2], "arc-eager", labels=["nsubj", "root", "obj"])
    script = """
        const state = () => ({
          move: document.getElementById("move").textContent,
          count: document.getElementById("count").textContent,
          shown: [...document.querySelectorAll(".edge:not(.hidden)")]
            .map((one) => one.dataset.head + ">" + one.dataset.dependent).sort(),
          fresh: [...document.querySelectorAll(".edge.new")].map((one) => one.dataset.dependent),
          stack: [...document.querySelectorAll(".region.stack li")].map((one) => one.textContent),
          buffer: [...document.querySelectorAll(".region.buffer li")].map((one) => one.textContent),
          gone: [...document.querySelectorAll("#tree .word.gone")].map((one) => one.dataset.word),
          current: document.querySelector("[aria-current=step]").dataset.step,
        });
        const press = (key) =>
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
        result = { start: state() };
        press("ArrowRight"); press("ArrowRight"); result.second = state();
        press("End"); result.end = state();
        press("ArrowRight"); result.beyond = state();
        press("ArrowLeft"); result.back = state();
        press("Home"); press("ArrowLeft"); result.home = state();
        document.getElementById("next").click(); result.clicked = state();
        document.querySelector('#moves [data-step="3"]').click(); result.chosen = state();
        const slider = document.getElementById("slider");
        slider.value = 4; slider.dispatchEvent(new Event("input")); result.slid = state();
        result.disabled = [...document.querySelectorAll("nav button")].map((one) => one.disabled)
    """
    result = result_of(to_html(derivation, forms, "arc-eager"), script, tmp_path)
    assert derivation.moves == ["SHIFT", "LEFT-ARC:nsubj", "RIGHT-ARC:root", "RIGHT-ARC:obj"]
    assert result["start"] == {
        "move": "Step 0: the initial configuration",
        "count": "0 of 4",
        "shown": [],
        "fresh": [],
        "stack": ["ROOT 0"],
        "buffer": ["She 1", "reads 2", "books 3"],
        "gone": [],
        "current": "0",
    }
    assert result["second"] == {
        "move": "Step 2: LEFT-ARC:nsubj",
        "count": "2 of 4",
        "shown": ["2>1"],
        "fresh": ["1"],
        "stack": ["ROOT 0"],
        "buffer": ["reads 2", "books 3"],
        "gone": ["1"],
        "current": "2",
    }
    assert result["end"]["shown"] == ["0>2", "2>1", "2>3"]
    assert result["end"] == result["beyond"] == result["slid"]
    assert result["back"]["current"] == "3"
    assert result["back"]["shown"] == ["0>2", "2>1"]
    assert result["home"] == result["start"]
    assert result["clicked"]["current"] == "1"
    assert result["chosen"] == result["back"]
    assert result["disabled"] == [False, False, True, True]


def test_an_arc_goes_when_it_is_replaced(tmp_path):
    steps = [
        {"move": None, "focus": [1], "arcs": [(1, 2, "x")]},
        {"move": "DIST(x)", "focus": [2], "arcs": [(3, 2, "x")]},
        {"move": "SHIFT", "focus": [3], "arcs": [(3, 2, "x")]},
    ]
    script = """
        const shown = () => [...document.querySelectorAll(".edge:not(.hidden)")].map((one) => one.dataset.head);
        const next = () => document.getElementById("next").click();
        result = [shown()];
        next(); result.push(shown());
        next(); result.push(shown())
    """
    assert result_of(to_html(steps, ["a", "b", "c"]), script, tmp_path) == [["1"], ["3"], ["3"]]
