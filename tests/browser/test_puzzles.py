"""The journey of somebody who solves a puzzle: at first wrongly, then rightly, by keys and by buttons."""

import json
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.factories.puzzles import RIGHT, WON, WRONG
from tests.site import RunningSite

COLUMNS = {
    "rating": 1500.0,
    "deviation": 350.0,
    "volatility": 0.06,
    "key": "easy",
    "variant": "crapette",
    "seat": 1,
    "position": WON,
    "played": json.dumps(WRONG),
    "solution": json.dumps(RIGHT),
    "ply": 0,
    "tried": 0,
    "solved": 0,
    "created_at": "2026-01-01 00:00:00",
}


@pytest.fixture
def puzzle(site: RunningSite) -> str:
    """The address of a puzzle that drawing and discarding solves."""
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=60)) as database, database:
        marks = ", ".join("?" * len(COLUMNS))
        statement = f"INSERT OR IGNORE INTO puzzles_puzzle ({', '.join(COLUMNS)}) VALUES ({marks})"
        database.execute(statement, list(COLUMNS.values()))
        (number,) = database.execute("SELECT id FROM puzzles_puzzle WHERE key = 'easy'").fetchone()
    return f"/puzzles/{number}/"


def test_a_guest_solves_a_puzzle(page: Page, puzzle: str) -> None:
    page.goto(puzzle)
    status, table = page.locator("[data-status]"), page.locator("[data-puzzle]")
    expect(page.locator("[data-felt][data-ready]")).to_have_count(1)
    expect(status).to_have_text("Find a turn that wins.")
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
    # Wrongly, by the list of moves: the opponent's answer is shown.
    page.locator(".play__legal summary").click()
    for number, move in enumerate(WRONG, start=1):
        page.locator(f"[data-move='{move}']").click()
        expect(page.locator("[data-log] [data-seat='1']")).to_have_count(number)
    expect(table).to_have_attribute("data-verdict", "wrong")
    expect(page.locator("[data-log] [data-seat='0']")).not_to_have_count(0)
    # The solution is told now, and the puzzle can be tried again.
    page.get_by_role("button", name="Show a solution").click()
    expect(status).to_have_text("This turn wins.")
    expect(page.locator("[data-log] li")).to_have_count(len(RIGHT))
    page.get_by_role("button", name="Start over").click()
    expect(page.locator("[data-log] li")).to_have_count(0)
    # Rightly, by keys.
    page.keyboard.press("d")
    expect(status).to_contain_text("You drew 8♣")
    page.keyboard.press("d")
    expect(table).to_have_attribute("data-verdict", "right")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
