"""What people do on the site's pages: each interaction with its page, and how it is done again and again.

An interaction is one click, tap, key or drag, as a browser counts them. What has to be so before each try is
brought about by its `ready`, and is not measured.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tools.pictures.pages import AUTHOR, VISITOR

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
DESKTOP: Final[ViewportSize] = {"width": 1280, "height": 800}

Act = Callable[["Page", int], object]
"""Does something on a page, in a try of a number."""


def nothing(_page: Page, _number: int) -> None:
    """Before an interaction that can be done again as it is."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """Something to do: what it is called, on which page, what comes before each try, and what is measured."""

    what: str
    page: str
    act: Act
    ready: Act = nothing


@dataclass(frozen=True, slots=True)
class Visit:
    """A page, who looks at it, and what has to be so before anything is done on it.

    A word in braces of the address is something that `tools.pictures.data` made.
    """

    address: str
    begin: Callable[[Page], object]
    who: str = VISITOR
    viewport: ViewportSize = field(default_factory=PHONE.copy)


def at(selector: str) -> Callable[[Page], object]:
    """Wait until something is on the page."""
    return lambda page: page.wait_for_selector(selector)


def click(selector: str) -> Act:
    """Click the middle of the first of these."""
    return lambda page, _: page.mouse.click(*middle(page, selector))


def key(name: str) -> Act:
    """Press a key."""
    return lambda page, _: page.keyboard.press(name)


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of the first of these that is seen; the page is scrolled there if it must be."""
    found = page.locator(selector).locator("visible=true").first
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box is not None, f"expected to see {selector}"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def escaped(page: Page, _number: int) -> None:
    """Close the dialog that is open, if one is."""
    page.evaluate("document.querySelector('dialog[open]')?.close()")


# Replays.


def replay(page: Page) -> None:
    """A finished game whose analysis is there, in the middle."""
    page.wait_for_selector("[data-felt][data-ready]")
    page.wait_for_load_state("networkidle")
    page.evaluate("location.hash = '#40'")
    page.wait_for_timeout(600)


def scrubbed(page: Page, number: int) -> None:
    """Click somewhere on the bar below the table."""
    box = page.locator("[data-scrub]").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * (0.15 + 0.17 * (number % 5)), box["y"] + box["height"] / 2)


def listing(page: Page, _number: int) -> None:
    """With the list of moves in sight, from its beginning: only rows around the current one are written."""
    page.locator("[data-tab=moves]").click()
    page.keyboard.press("Home")
    page.wait_for_selector('[data-moves] [data-count="42"]', timeout=60_000)
    page.wait_for_timeout(600)


def trying(page: Page, _number: int) -> None:
    """In a line of one's own, with legal moves to choose from."""
    if not page.locator("[data-try]").is_visible():
        page.locator('[data-do="explore"]').click()
    page.wait_for_selector("[data-try-legal] [data-move]")
    page.wait_for_timeout(400)


def not_trying(page: Page, _number: int) -> None:
    """Back in the game."""
    if page.locator("[data-try]").is_visible():
        page.locator("[data-try-leave]").click()
        page.wait_for_timeout(300)


# At the table.

LAID: Final = "[data-felt][data-ready]"


def dealt(page: Page) -> None:
    """A new game of the page's choice, in which a card can be moved and taken back."""
    address = page.url
    page.evaluate("localStorage.setItem('play-pace', '0')")
    for _ in range(20):
        page.goto(address)
        page.get_by_label("Your seat").select_option("0")
        page.get_by_role("button", name="Deal", exact=True).click()
        own_turn(page, 0)
        if page.locator(CARD).count():
            return
    raise AssertionError("expected a deal with a card to move, got none in 20")


CARD: Final = '[data-pile^="r"].is-source, [data-pile^="t"].is-source'


def own_turn(page: Page, _number: int) -> None:
    """The person may move, and has chosen nothing."""
    page.wait_for_selector(LAID)
    expect(page.locator("[data-status]")).to_have_text(re.compile(r"^(Your move\.|You drew)"))
    page.wait_for_timeout(250)
    if page.locator(".is-chosen").count():
        page.keyboard.press("Escape")
        page.wait_for_timeout(250)


def taken_back(page: Page, _number: int) -> None:
    """As before the person's last move."""
    own_turn(page, 0)
    if page.locator('[data-do="undo"][aria-disabled="false"]').count():
        page.keyboard.press("u")
        page.wait_for_timeout(700)
        own_turn(page, 0)


def chosen(page: Page, number: int) -> None:
    """A card is chosen that can be moved."""
    taken_back(page, number)
    click(CARD)(page, number)
    page.wait_for_selector(".is-target")
    page.wait_for_timeout(250)


def dragged(page: Page, number: int) -> None:
    """Drag a card where it can go; the targets are known once it is lifted."""
    page.mouse.move(*middle(page, CARD))
    page.mouse.down()
    x, y = middle(page, CARD)
    page.mouse.move(x + 9, y + 9, steps=2)
    page.wait_for_selector(".is-target")
    page.mouse.move(*middle(page, ".is-target"), steps=4)
    page.mouse.up()


def in_ticks(page: Page) -> None:
    """A new game in ticks that wait for the person, in its first tick."""
    page.get_by_label("Your seat").select_option("0")
    page.get_by_label("Length of a tick").select_option("wait")
    page.get_by_role("button", name="Deal", exact=True).click()
    page.wait_for_selector(LAID)
    page.keyboard.press(" ")
    open_tick(page, 0)


def open_tick(page: Page, _number: int) -> None:
    """A tick waits for the person."""
    expect(page.locator("[data-status]")).to_have_text(re.compile(r"^Tick \d+: your choice"))
    page.wait_for_timeout(500)


def ticked(page: Page, _number: int) -> None:
    """Tap what can be played now: a card, or else the hand; or wait."""
    card = page.locator(".is-source:not([data-pile^=h])")
    if card.count():
        page.mouse.click(*middle(page, ".is-source:not([data-pile^=h])"))
    elif page.locator(".is-source").count():
        page.mouse.click(*middle(page, ".is-source"))
    else:
        page.mouse.click(*middle(page, '[data-do="wait"]'))


def task(page: Page) -> None:
    """A puzzle or a step of a tutorial whose table is drawn."""
    page.wait_for_selector(LAID)
    page.wait_for_timeout(800)
    page.evaluate("for (const one of document.querySelectorAll('.play__legal')) one.open = true")


def afresh(page: Page, _number: int) -> None:
    """The turn from its beginning, with nothing chosen."""
    if page.locator(".is-chosen").count():
        page.keyboard.press("Escape")
    if page.locator('[data-do="restart"]:not([aria-disabled="true"])').count():
        page.locator('[data-do="restart"]').click()
    page.wait_for_selector(".is-source")
    page.wait_for_timeout(500)


# Pages around the games.


def typed(page: Page, number: int) -> None:
    """One letter into the field that has the focus."""
    page.keyboard.press("planner of oracle"[number % 17])


def focused(selector: str) -> Act:
    """Put the cursor into a field, without a click."""
    return lambda page, _: page.locator(selector).first.focus()


def switched(selector: str, *names: str) -> Act:
    """Choose one of these in turn, by clicking."""
    return lambda page, number: page.mouse.click(*middle(page, selector.format(names[number % len(names)])))


def next_choice(page: Page, number: int) -> None:
    """The next or the last choice of the list that has the focus."""
    page.keyboard.press("ArrowUp" if number % 2 else "ArrowDown")


VISITS: Final = {
    "home": Visit("/", at("[data-felt][data-ready]")),
    "games": Visit("/games/", at("#games")),
    "replay, phone": Visit("/games/{game}/", replay),
    "replay, desktop": Visit("/games/{game}/", replay, viewport=DESKTOP),
    "replay of ticks": Visit("/games/{tick_game}/", replay),
    "TV": Visit("/games/tv/", at("[data-felt][data-ready]"), viewport=DESKTOP),
    "play": Visit("/play/", at(".gamecard")),
    "table": Visit("/play/?variant=crapaud", dealt),
    "table of ticks": Visit("/play/?variant=vitesse", in_ticks),
    "puzzle": Visit("/puzzles/{puzzle}/", task),
    "tutorial": Visit("/learn/crapaud/2/", task),
    "bots": Visit("/bots/", at("#q")),
    "documentation": Visit("/docs/search/", at("#docs-q")),
    "new tournament": Visit("/tournaments/new/", at("[name=format]"), AUTHOR),
}

_THEME: Final = click("[data-theme-toggle]")
_REPLAYS: Final = ("replay, phone", "replay, desktop", "replay of ticks")

INTERACTIONS: Final = (
    Interaction("switch the theme", "home", _THEME),
    Interaction("switch the theme", "replay, phone", _THEME),
    Interaction("switch the theme", "TV", _THEME),
    Interaction("switch the theme", "new tournament", _THEME),
    Interaction("focus a language", "home", key("Tab"), focused(".languages button")),
    Interaction("open the menu", "new tournament", click(".topbar details.menu > summary")),
    Interaction("open the filters", "games", click("details.filters > summary")),
    Interaction(
        "type a bot into the filters",
        "games",
        typed,
        lambda page, number: (
            page.evaluate("document.querySelector('details.filters').open = true"),
            focused("details.filters input[name=bot]")(page, number),
        ),
    ),
    Interaction("type a search", "bots", typed, focused("#q")),
    Interaction("choose a board", "bots", next_choice, focused("#game")),
    Interaction("type a search", "documentation", typed, focused("#docs-q")),
    Interaction("choose the format", "new tournament", next_choice, focused("[name=format]")),
    Interaction("choose the game", "new tournament", next_choice, focused("[name=variant]")),
    Interaction("type a name", "new tournament", typed, focused("[name=name]")),
    *(Interaction("step forward", page, key("ArrowRight")) for page in _REPLAYS),
    *(Interaction("step back", page, key("ArrowLeft")) for page in _REPLAYS),
    *(Interaction("click “next ply”", page, click('[data-do="next"]')) for page in _REPLAYS[:2]),
    *(Interaction("jump to the end", page, key("End"), key("Home")) for page in _REPLAYS),
    *(Interaction("jump to the start", page, key("Home"), key("End")) for page in _REPLAYS),
    *(Interaction("jump on the bar", page, scrubbed) for page in _REPLAYS),
    *(Interaction("play and pause", page, key(" ")) for page in _REPLAYS[:2]),
    Interaction(
        "open another tab", "replay, desktop", switched("[data-tab={}]", "analysis", "unseen", "moves")
    ),
    Interaction(
        "click a move of the list",
        "replay, desktop",
        switched('[data-moves] [data-count="{}"]', "38", "42"),
        listing,
    ),
    Interaction("flip the table", "replay, phone", key("f")),
    Interaction("show hidden cards", "replay, phone", key("h")),
    Interaction("open “Share”", "replay, phone", click('[data-do="share"]'), escaped),
    Interaction("open the keys", "replay, phone", click('[data-do="help"]'), escaped),
    Interaction("begin a what-if", "replay, desktop", click('[data-do="explore"]'), not_trying),
    Interaction("play a what-if move", "replay, desktop", click("[data-try-legal] [data-move]"), trying),
    Interaction("end a what-if", "replay, desktop", click("[data-try-leave]"), trying),
    Interaction("choose the game", "play", switched(".gamecard >> nth={}", "2", "0")),
    Interaction("choose a card", "table", click(CARD), taken_back),
    Interaction("put it down", "table", click(".is-target"), chosen),
    Interaction("drag a card", "table", dragged, taken_back),
    Interaction("ask for a hint", "table", click('[data-do="hint"]'), taken_back),
    Interaction("choose an action", "table of ticks", ticked, open_tick),
    Interaction("play a move", "puzzle", click(".play__legal [data-move]"), afresh),
    Interaction("choose a card", "puzzle", click(".is-source"), afresh),
    Interaction("choose a card", "tutorial", click(".is-source"), afresh),
    Interaction("ask for a hint", "tutorial", click('[data-do="hint"]'), afresh),
    Interaction("switch broadcast and real time", "TV", switched("[data-mode={}]", "now", "broadcast")),
    Interaction("switch broadcast and real time", "home", switched("[data-mode={}]", "now", "broadcast")),
)
