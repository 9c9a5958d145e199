"""The interactions whose answers are timed: each has a page, and each page an example."""

from __future__ import annotations

from collections import Counter

from tools.bench.inp_bench import LEAST_MS, Measured, Told, of_tries
from tools.bench.interactions import INTERACTIONS, VISITS
from tools.pictures.data import MADE
from tools.pictures.pages import NAME


def test_every_interaction_is_done_on_a_page_that_is_visited_and_no_page_is_visited_in_vain() -> None:
    assert {one.page for one in INTERACTIONS} == set(VISITS)
    twice = [one for one, times in Counter((one.page, one.what) for one in INTERACTIONS).items() if times > 1]
    assert twice == []


def test_every_example_in_an_address_is_made() -> None:
    wanted = {name for visit in VISITS.values() for name in NAME.findall(visit.address)}
    assert wanted <= set(MADE)


def test_the_longest_event_of_a_try_counts_and_one_that_nothing_was_told_of_was_short() -> None:
    told = [
        {"id": 7, "kind": "pointerdown", "whole": 24, "delay": 1.0, "scripts": 2.0},
        {"id": 7, "kind": "click", "whole": 104, "delay": 30.0, "scripts": 50.0},
    ]
    assert of_tries(told) == Told(104, 30.0, 50.0)
    assert of_tries([]) is None
    assert Told().whole == LEAST_MS


def test_the_median_and_not_the_worst_try_is_held_to_the_budget() -> None:
    calm = Measured(INTERACTIONS[0], [Told(40), Told(96), Told(640)], seen=3)
    slow = Measured(INTERACTIONS[0], [Told(40), Told(104), Told(112)], seen=3)
    assert (calm.over, slow.over) == (False, True)
