"""A person at the table: in turns and in ticks, at puzzles and in a tutorial."""

import json
import re
import sqlite3
from contextlib import closing

import pytest
from playwright.sync_api import Locator, Page, expect

from friendlies.tutorials.steps import steps_of
from tests.browser.checks import middle, readable_in_the_dark_and_nowhere_too_wide, serious, violations
from tests.factories.puzzles import RIGHT, WON, WRONG
from tests.site import RunningSite

# Two cards of the person are left: 4♠ in the reserve, 5♠ in the hand, and both are due.
ALMOST_WON = "crapaud 0 play - 9C8H7C/TD/././KS/QH/2C/JD 3,0/0,0/0,0/0,0 4S/5S/. KH/QDQC/8D 0,0,0,.,. 0,0/./."


def begin(page: Page, opponent: str = "") -> str:
    """Sit down as a guest in the first seat, who wants the bot's moves at once; the game's key.

    Without an opponent it is the level that the page proposes.
    """
    page.add_init_script("localStorage.setItem('play-pace', '0')")
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Play a bot").click()
    for drawer in ("Which game?", *(["A particular bot"] if opponent else []), "Seat, clock, rated game"):
        page.get_by_text(drawer).click()
    page.get_by_role("radio", name="Crapaud", exact=True).check()
    if opponent:
        page.get_by_label("Opponent").select_option(label=opponent)
    page.get_by_label("Your seat").select_option("0")
    page.get_by_role("button", name="Deal").click()
    ready(page)
    return page.url.rstrip("/").rpartition("/")[2]


def ready(page: Page) -> None:
    expect(page.locator("[data-felt][data-ready]")).to_be_visible()
    expect(page.locator("[data-status]")).to_have_text("Your move.")


def drag(page: Page, source: tuple[float, float], target: str) -> None:
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(source[0] + 9, source[1] + 9)
    page.mouse.move(*middle(page, target), steps=3)
    page.mouse.up()


def tap_twice(page: Page, pile: str) -> None:
    """Two quick taps; again if the host was too busy for them to be quick."""
    moves = page.locator("[data-log] li")
    before = moves.count()
    for _ in range(10):
        page.mouse.dblclick(*middle(page, pile))
        for _ in range(10):
            if moves.count() > before:
                return
            page.wait_for_timeout(100)


def press_until(page: Page, key: str, seen: Locator) -> None:
    """Press a key until something is seen: the page takes none while it waits for the site's answer."""
    for _ in range(100):
        page.keyboard.press(key)
        page.wait_for_timeout(200)
        if seen.is_visible():
            return


def almost_win(site: RunningSite, key: str) -> None:
    """Put the game where the person has two cards left, as if it had begun there."""
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=20)) as database, database:
        changed = database.execute(
            "UPDATE tournaments_friendly SET start = ?, events = x'', awaits = 'person', pending = '[]',"
            " revision = revision + 1 WHERE id = ?",
            (ALMOST_WON, key.replace("-", "")),
        )
        assert changed.rowcount == 1


def test_a_guest_plays_a_bot_by_mouse_taps_and_keys_and_wins(page: Page, site: RunningSite) -> None:
    key = begin(page, "Greedy v1 (house)")
    status, reason = page.locator("[data-status]"), page.locator("[data-reason]")
    moves = page.locator("[data-log] li")
    page.keyboard.press("d")
    expect(status).to_have_text(re.compile("^You drew "))
    page.mouse.click(*middle(page, "d0"))
    expect(moves.filter(has_text="Greedy: ").first).to_be_visible()
    page.reload()
    ready(page)
    expect(moves.filter(has_text="Greedy: ").first).to_be_visible()
    readable_in_the_dark_and_nowhere_too_wide(page)
    almost_win(site, key)
    page.reload()
    ready(page)
    drag(page, middle(page, "t2"), "t7")
    expect(reason).to_contain_text("10♦ does not go on 2♣")
    for words in ("^Look at .*Press again", "^It is .*Press again", "^Oracle’s move: "):
        page.get_by_role("button", name="Hint").click()
        expect(reason).to_have_text(re.compile(words))

    # A picked card says so, and where it may go.
    page.mouse.click(*middle(page, "r0"))
    expect(page.locator('[data-pile="r0"]')).to_have_attribute("aria-pressed", "true")
    expect(reason).to_have_text("The 4 of spades: where to? It can go to a foundation, house 3 and house 4.")
    page.keyboard.press("Escape")

    # A run of three is dragged by its lowest card, of which a strip is seen, and carried over one by one.
    across, down = middle(page, "t1")
    drag(page, (across + 20, down), "t2")
    expect(moves).to_have_count(5)
    expect(moves.first).to_have_text("You: 7♣ house 3 → house 2")
    page.keyboard.press("u")
    expect(moves).to_have_count(4)

    tap_twice(page, "r0")
    expect(moves.first).to_have_text("You: 4♠ reserve → foundation")
    expect(page.locator("[data-say]")).to_contain_text("You: 4♠ reserve → foundation")
    page.locator('[data-pile="h0"]').focus()
    page.keyboard.press("Enter")
    expect(status).to_contain_text("5♠")
    win = page.get_by_role("heading", name="You win!")
    press_until(page, "f", win)
    expect(win).to_be_visible()
    ending = page.locator("[data-over]")
    expect(reason).to_have_text("")
    expect(page.locator(".play__bar [data-do]:visible")).to_have_count(2)  # settings and help
    expect(ending.locator("[data-sentence]")).to_have_text(re.compile("^You cleared all cards; Greedy had "))
    expect(ending).to_have_attribute("data-told", "done")
    expect(ending.locator("[data-luck]")).to_have_text(re.compile("^Luck "))
    assert violations(page) == []
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("[data-where]")).to_have_text(re.compile("ply 0 of 7"))
    expect(ending).to_have_attribute("data-told", "done")
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("[data-felt][data-ready]")).to_be_visible()
    assert key not in page.url
    expect(page.locator("[data-play]")).to_have_attribute("data-seat", "1")


TOO_SMALL = """[...document.querySelectorAll("[data-pile], .play__bar button")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.dataset.pile ?? one.textContent.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 44)
  .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"


def test_a_newcomer_on_a_phone_is_helped_by_a_rule_of_thumb_beats_level_1_and_is_led_to_level_2(
    page: Page, site: RunningSite
) -> None:
    said = {"error": {"message": "It took too long."}}
    page.route("**/hint/", lambda route: route.fulfill(status=422, json=said))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/play/")
    expect(page.get_by_role("radio", name="Beginner")).to_be_checked()
    assert page.evaluate(TOO_WIDE) <= 0
    assert violations(page) == []
    key = begin(page)
    expect(page.get_by_role("heading", name="You – Oracle (level 1)")).to_be_visible()
    assert page.evaluate(TOO_WIDE) <= 0
    assert page.locator("[data-felt]").evaluate("felt => getComputedStyle(felt).touchAction") == "none"
    assert page.evaluate(TOO_SMALL) == []
    for words in ("^Rule of thumb: look at .*Press again for more.$", "^Rule of thumb: .*[.] "):
        page.keyboard.press("h")
        expect(page.locator("[data-reason]")).to_have_text(re.compile(words))
    almost_win(site, key)
    page.reload()
    ready(page)
    page.get_by_text("All legal moves").click()
    moves = page.locator("[data-log] li")
    for move in ("r-f", "draw", "h-f"):
        before = moves.count()
        page.locator(f'[data-legal] [data-move="{move}"]').click()
        expect(moves).not_to_have_count(before)
    expect(page.get_by_role("heading", name="You beat level 1. Next: level 2")).to_be_focused()
    box = page.get_by_role("button", name="Play level 2").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 740, "what comes next is seen without scrolling"
    page.get_by_role("link", name="Replay").click()
    commentary = page.locator("[data-commentary]")
    expect(commentary).not_to_be_empty()  # so the viewer is there, and hears keys
    page.keyboard.press("End")
    expect(commentary).to_contain_text("You cleared all cards")
    expect(page.locator("[data-viewer]")).not_to_contain_text("Guest")
    page.goto("/play/")
    expect(page.get_by_role("radio", name="Learner")).to_be_checked()


def keys(page: Page) -> str:
    """What can be played now, as its key: a card before a turn, a turn before waiting."""
    piles = page.locator(".is-source").evaluate_all("slots => slots.map((slot) => slot.dataset.pile)")
    cards = [pile[-1] if pile[0] == "s" else pile[0] for pile in piles if pile[0] != "h"]
    return cards[0] if cards else "t" if piles else " "


def test_a_guest_plays_ticks_against_a_bot_pauses_resigns_and_steps_through_the_game(page: Page) -> None:
    page.goto("/play/?variant=vitesse")
    page.get_by_text("Seat, clock, rated game").click()
    page.get_by_label("Your seat").select_option("0")
    page.get_by_label("Length of a tick").select_option("wait")
    page.get_by_role("button", name="Deal").click()
    status, ticks = page.locator("[data-status]"), page.locator("[data-log] li")
    expect(status).to_contain_text("Ready?")
    page.keyboard.press(" ")
    for tick in range(3):
        expect(status).to_have_text(re.compile(f"^Tick {tick + 1}: your choice"))
        page.keyboard.press(keys(page))
        expect(ticks).to_have_count(tick + 1)
    page.keyboard.press("h")
    # First the page's own rule of thumb, then what the search found.
    expect(page.locator("[data-reason]")).to_have_text(re.compile("^(?!Rule).*Press again for more.$"))
    expect(page.get_by_role("button", name="Stop, crapette!")).to_be_disabled()
    page.keyboard.press("s")
    expect(page.locator("[data-reason]")).to_have_text("You can call stop once your reserve is empty.")

    # With a second a tick who does nothing is late; a paused game stays so over a reload.
    page.locator('[data-choice="pace"]').select_option("1000")
    expect(ticks.filter(has_text="wait (late)").first).to_be_attached()
    page.get_by_role("button", name="Pause").click()
    expect(status).to_have_text(re.compile(r"^Paused in tick \d+\."))
    page.reload()
    expect(status).to_have_text(re.compile("^Paused in tick"))
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.get_by_role("link", name="Replay").click()

    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 0 of \d+$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-where]")).to_have_text(re.compile(r"^Tick 1 of \d+$"))
    expect(page.locator('[data-moves] [aria-current="step"]')).to_contain_text("1")
    page.keyboard.press("End")
    expect(page.locator("[data-status]")).to_contain_text("resigned")
    expect(page.get_by_role("tab", name="Analysis")).to_have_count(0)
    assert violations(page) == []


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


SMALL = {"width": 360, "height": 740}
STEPS = steps_of("crapaud")
FINGER = 44
SMALLER = """
(finger) => [...document.querySelectorAll(".play__bar .btn, .play__bar button, .lessons a")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.innerText, one.getBoundingClientRect()])
  .filter(([, box]) => box.width < finger || box.height < finger)
  .map(([words, box]) => `${words} ${box.width} x ${box.height}`)
"""


def at(page: Page, key: str) -> None:
    number = [step.key for step in STEPS].index(key) + 1
    expect(page).to_have_url(re.compile(rf"/learn/crapaud/{number}/$"))
    expect(page.locator("[data-felt][data-ready]")).to_have_count(1)
    expect(page.locator("[data-status]")).to_have_text("Your move.")


def tap(page: Page, pile: str) -> None:
    page.mouse.click(*middle(page, pile))


def solved(page: Page) -> None:
    """Wait until the step is done, which is said and kept."""
    expect(page.locator("[data-lesson].is-done")).to_have_count(1)
    expect(page.locator("[data-status]")).to_contain_text("Right!")
    expect(page.locator("[data-next]")).to_be_focused()


def test_a_newcomer_learns_a_game_on_a_small_phone(page: Page) -> None:
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.goto("/")
    page.get_by_role("main").get_by_role("link", name="Learn to play").click()
    page.get_by_role("link", name="Start Crapaud", exact=True).click()
    at(page, "ace")
    assert serious(page) == []
    assert page.evaluate(SMALLER, FINGER) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
    # A wrong card stays where it is, and the rules say why.
    tap(page, "t2")
    tap(page, "fS0")
    expect(page.locator("[data-reason]")).to_have_text("Clubs foundations need A♣ next, not 6♣.")
    # A hint points out the pile, then the move.
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("[data-reason]")).to_contain_text("Look at this pile: House 1, 2 cards")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("[data-reason]")).to_have_text("A♠ house 1 → foundation")
    tap(page, "t1")
    tap(page, "fS0")
    solved(page)
    # By keys alone: on to the next step, and its card to the foundation.
    page.keyboard.press("Enter")
    at(page, "next")
    page.keyboard.press("f")
    solved(page)
    # What was done is known after a reload, and where to go on.
    page.reload()
    at(page, "next")
    expect(page.locator(".lessons__done:visible")).to_have_count(2)
    page.goto("/learn/crapaud/")
    expect(page.locator("[data-progress]")).to_have_text(f"2 of {len(STEPS)} steps done")
    page.get_by_role("link", name="Continue").click()
    at(page, "build")
    # Skipped; and in the last step the game is won.
    page.get_by_role("link", name="Skip", exact=True).click()
    at(page, "empty")
    page.goto(f"/learn/crapaud/{len(STEPS)}/")
    at(page, "win")
    page.keyboard.press("d")
    expect(page.locator("[data-status]")).to_contain_text("You drew 4♥")
    page.keyboard.press("f")
    solved(page)
    page.get_by_role("button", name="Deal a first game").click()
    expect(page.get_by_role("heading", name="You – Oracle (level 1)")).to_be_visible()
    expect(page.locator("[data-felt][data-ready]")).to_be_visible()
