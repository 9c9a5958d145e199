"""A newcomer's way from the home page to a game won against the first level, and then against the second.

Games are played for real, against the bot in its sandbox. Their middle is played in this process: the engine
makes legal moves for both seats from the very deal, up to where the person has few cards left.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from analysis.event_log import pack, unpack
from engine.policies import perturbed, planner
from engine.policies.greedy import ranks
from engine.turns.moves import texts
from friendlies.games.turns import Awaits, PersonTable
from tests.browser.checks import serious

if TYPE_CHECKING:
    from typing import Any

    from playwright.sync_api import Page

    from engine.policies.greedy import Policy
    from tests.site import RunningSite

FEW = 5
"""So many cards are left to the person where the page takes over."""
SAID = {"ms": 1, "resign": False, "offer_draw": False, "accept_draw": False, "comment": None, "eval": None}


def middle_game(start: str, seat: int, events: list[Any]) -> PersonTable:
    """Play on from events until the person is to move with few cards left: planner against dice."""
    for seed in range(20):
        table = PersonTable(start=start, person=seat, events=list(events), clocks=[None, None])
        dice = perturbed(Random(seed), 1.0)
        while table.awaits is not Awaits.NOBODY:
            game = table.game
            if table.awaits is Awaits.PERSON and game.position.left[seat] <= FEW:
                return table
            if table.awaits is Awaits.PERSON:
                table.play(chosen(table, planner(300)))
            else:
                table.bot_moves({**SAID, "moves": chosen(table, dice)})
    raise AssertionError("the planner never came near a win against dice")


def chosen(table: PersonTable, policy: Policy) -> list[str]:
    """The next move of a policy."""
    names = texts(table.game.players, table.game.turn)
    return [str(names[policy(table.game.core)[0]])]


def play_middle(site: RunningSite, key: str) -> None:
    """Put a game of the site at the end of its middle game."""
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=20)) as database, database:
        row = key.replace("-", "")
        found = database.execute("SELECT start, seat, events FROM tournaments_friendly WHERE id = ?", (row,))
        start, seat, events = found.fetchone()
        table = middle_game(start, seat, unpack(bytes(events)) if events else [])
        changed = database.execute(
            "UPDATE tournaments_friendly SET events = ?, awaits = 'person', pending = '[]',"
            " revision = revision + 1 WHERE id = ? AND awaits = 'person'",
            (pack(table.events), row),
        )
        assert changed.rowcount == 1


def finish(page: Page) -> None:
    """Play the game to its end, by pressing the move that looks best of those that the page offers."""
    ending = page.locator("[data-over]")
    page.get_by_text("All legal moves").click()
    for _ in range(200):
        expect(page.locator("[data-legal] [data-move]:visible, [data-over]:visible").first).to_be_visible()
        if ending.is_visible():
            return
        seat = int(page.locator("[data-play]").get_attribute("data-seat") or 0)
        order = dict(zip(texts(2, seat), ranks(2, seat), strict=True))
        offered = page.locator("[data-legal] [data-move]").evaluate_all(
            "all => all.map((one) => one.dataset.move)"
        )
        if not offered:
            continue
        count = page.locator("[data-log] li").count()
        best = min(offered, key=lambda move: order.get(move, 99))
        page.locator(f'[data-legal] [data-move="{best}"]').click()
        expect(page.locator("[data-log] li")).not_to_have_count(count)
    raise AssertionError("the game did not end")


def win(page: Page, site: RunningSite, level: int) -> None:
    """Win the game that was just dealt."""
    expect(page.get_by_role("heading", name=f"You – Oracle (level {level})")).to_be_visible()
    expect(page.locator("[data-status]")).to_have_text("Your move.")
    play_middle(site, page.url.rstrip("/").rpartition("/")[2])
    page.reload()
    expect(page.locator("[data-status]")).to_have_text("Your move.")
    finish(page)
    expect(
        page.get_by_role("heading", name=f"You beat level {level}. Next: level {level + 1}")
    ).to_be_focused()


def test_a_newcomer_beats_the_first_level_and_then_the_second(page: Page, site: RunningSite) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.add_init_script("localStorage.setItem('play-pace', '0')")
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Play a bot").click()
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()
    assert serious(page) == []
    page.get_by_role("button", name="Deal").click()

    win(page, site, 1)
    box = page.get_by_role("button", name="Play level 2").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 740, "what comes next is seen without scrolling"
    assert serious(page) == []
    page.get_by_role("button", name="Play level 2").click()
    win(page, site, 2)

    page.goto("/play/")
    expect(page.get_by_role("radio", name="Casual")).to_be_checked()
