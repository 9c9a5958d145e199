"""A newcomer's way from the home page to a game won against the first level.

Its middle is played in this process: the engine makes legal moves for both seats from the very deal, up to
the turn in which the person wins.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import takewhile
from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from analysis.event_log import pack, unpack
from engine.policies import perturbed, planner
from engine.turns.moves import texts
from friendlies.games.turns import Awaits, PersonTable
from tests.browser.checks import serious

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Page

    from engine.policies.greedy import Policy
    from tests.site import RunningSite

SAID = {"ms": 1, "resign": False, "offer_draw": False, "accept_draw": False, "comment": None, "eval": None}


def last_turn(start: str, seat: int, events: list[Any]) -> tuple[PersonTable, list[str]]:
    """Play on from events, planner against dice, to a game the person wins.

    Returns the game at the beginning of the turn that wins it, and that turn's moves: cards still covered lie
    as dealt, so the page can make just these.
    """
    for seed in range(40):
        table = PersonTable(start=start, person=seat, events=list(events), clocks=[None, None])
        dice = perturbed(Random(seed), 1.0)
        while table.awaits is not Awaits.NOBODY:
            if table.awaits is Awaits.PERSON:
                table.play(chosen(table, planner(300)))
            else:
                table.bot_moves({**SAID, "moves": chosen(table, dice)})
        if table.result is not None and table.result.ranking[0] == (seat,):
            played = [event for event in table.events if event["type"] == "move"]
            turn = list(takewhile(lambda move: move["seat"] == seat, reversed(played)))[::-1]
            before = table.events[: table.events.index(turn[0])]
            left = PersonTable(start=start, person=seat, events=before, clocks=[None, None])
            return left, [str(move["move"]) for move in turn]
    raise AssertionError("the planner never won against dice")


def chosen(table: PersonTable, policy: Policy) -> list[str]:
    names = texts(table.game.players, table.game.turn)
    return [str(names[policy(table.game.core)[0]])]


def play_middle(site: RunningSite, key: str) -> list[str]:
    """Put a game of the site at the beginning of its last turn; return that turn's moves."""
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=20)) as database, database:
        row = key.replace("-", "")
        found = database.execute("SELECT start, seat, events FROM tournaments_friendly WHERE id = ?", (row,))
        start, seat, events = found.fetchone()
        table, moves = last_turn(start, seat, unpack(bytes(events)) if events else [])
        changed = database.execute(
            "UPDATE tournaments_friendly SET events = ?, awaits = 'person', pending = '[]',"
            " revision = revision + 1 WHERE id = ? AND awaits = 'person'",
            (pack(table.events), row),
        )
        assert changed.rowcount == 1
    return moves


def finish(page: Page, moves: list[str]) -> None:
    """Play the game to its end by pressing these moves in the page's list."""
    page.get_by_text("All legal moves").click()
    for move in moves:
        expect(page.locator("[data-over]")).to_be_hidden()
        count = page.locator("[data-log] li").count()
        page.locator(f'[data-legal] [data-move="{move}"]').click()
        expect(page.locator("[data-log] li")).not_to_have_count(count)
    expect(page.locator("[data-over]")).to_be_visible()


def test_a_newcomer_beats_the_first_level_and_is_led_to_the_second(page: Page, site: RunningSite) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.add_init_script("localStorage.setItem('play-pace', '0')")
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Play a bot").click()
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()
    page.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("heading", name="You – Oracle (level 1)")).to_be_visible()
    status = page.locator("[data-status]")
    expect(status).to_have_text("Your move.")
    moves = play_middle(site, page.url.rstrip("/").rpartition("/")[2])
    page.reload()
    expect(status).to_have_text("Your move.")
    finish(page, moves)
    expect(page.get_by_role("heading", name="You beat level 1. Next: level 2")).to_be_focused()
    box = page.get_by_role("button", name="Play level 2").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 740, "what comes next is seen without scrolling"
    assert serious(page) == []
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".seat__name span", has_text="You")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-commentary]")).to_contain_text("You cleared all cards")
    expect(page.locator("[data-viewer]")).not_to_contain_text("Guest")
    page.goto("/play/")
    expect(page.get_by_role("radio", name="Learner")).to_be_checked()
