"""A person at the table: drags, taps, keys, hints, refusals, a bot that answers, a reload, and a game won."""

import re
import sqlite3
from contextlib import closing

from playwright.sync_api import Locator, Page, expect

from tests.browser.checks import middle, readable_in_the_dark_and_nowhere_too_wide, violations
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
    expect(page.locator(".seat__name span", has_text="You")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("[data-commentary]")).to_contain_text("You cleared all cards")
    expect(page.locator("[data-viewer]")).not_to_contain_text("Guest")
    page.goto("/play/")
    expect(page.get_by_role("radio", name="Learner")).to_be_checked()
