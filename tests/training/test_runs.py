"""Several runs at the same time: whose turn it is, and in what order they report."""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from fastparse.learning.progress import Message, Passing
from fastparse.learning.runs import InOrder, Turns


@pytest.mark.parametrize("threads", [1, 2])
def test_no_more_work_at_a_time_than_there_are_turns(threads):
    turns, lock, working, most = Turns(threads), Lock(), [], []

    def work(number):
        for _ in range(8):
            with turns:
                with lock:
                    working.append(number)
                    most.append(len(working))
                time.sleep(0.001)  # the others ask for theirs
                with lock:
                    working.remove(number)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert max(most) <= threads
    assert len(most) == 4 * 8


def test_runs_report_as_if_they_came_one_after_the_other():
    heard = []
    reports = InOrder(heard.append, 3)
    first, second, third, late = (Message(text) for text in ("first", "second", "third", "late"))
    passing = Passing(1, 2, 64, 100, 1000.0, 3.0)
    reports.say(2, third)
    reports.say(1, second)
    reports.say(1, passing)  # how far a run was is no news once it is over
    assert heard == []
    reports.say(0, first)
    reports.done(2)
    assert heard == [first]
    reports.done(0)
    assert heard == [first, second]
    reports.say(1, late)
    assert heard == [first, second, late]
    reports.done(1)
    assert heard == [first, second, late, third]
