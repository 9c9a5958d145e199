"""The journey of somebody who learns a game on a small phone: by taps, by keys and by buttons."""

import re

from playwright.sync_api import Page, expect

from friendlies.tutorials.steps import steps_of
from tests.browser.checks import middle, readable_in_the_dark_and_nowhere_too_wide, serious

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
