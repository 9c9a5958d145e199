"""A spectator's way: the stage that tells no ending, why the winner won, a replay that keeps its result."""

import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.site import RunningSite


def test_a_spectator_goes_from_the_first_page_to_why_the_winner_won(
    page: Page, site: RunningSite, finished_game: str
) -> None:
    page.goto("/")
    stage = page.locator("[data-broadcast] [data-cast]")
    expect(stage.locator("[data-ready]")).to_be_visible()
    game = stage.get_attribute("data-game")
    for what in ("values", "mistakes"):
        site.get_thought(f"/games/{game}/{what}.json")
    # Nothing on the page says how long the game is, or how it ends.
    assert stage.locator("[data-scrub]").count() == 0
    expect(stage.locator("[data-where]")).to_have_text(re.compile(r"^Turn \d+, ply \d+$"))
    expect(stage.locator("[data-end]")).to_be_hidden()
    assert page.locator(f'[data-result-of="{game}"]').locator("visible=true").count() == 0

    stage.get_by_role("button", name="Go to the end").click()
    ending = stage.locator("[data-end]")
    expect(ending).to_contain_text(" wins. ")
    expect(ending.locator("[data-end-next]")).to_have_text(re.compile(r"^$|^Next: .* in 0:\d\d$"))
    ending.hover()
    ending.get_by_role("link", name="Why did it win?").click()

    expect(page).to_have_url(re.compile(rf"/games/{game}/#"))
    why = page.locator("[data-why]")
    expect(why).to_contain_text("decided it")
    expect(page.locator(".felt__arrows path").first).to_be_attached()
    assert serious(page) == []
    page.get_by_role("button", name="Try it from here").click()
    expect(page.locator("[data-try]")).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    page.locator(".after").get_by_role("button", name="Share").click()
    frame = page.get_by_label("The game on your own page (HTML)")
    expect(frame).to_have_value(re.compile(rf'<iframe src="http://[^"]*/embed/games/{game}/"'))


def test_a_replay_keeps_its_result_until_somebody_asks_or_has_seen_the_game(
    page: Page, finished_game: str
) -> None:
    page.goto(finished_game)
    page.wait_for_selector("[data-ready]")
    result = page.locator("[data-status] [data-result]")
    expect(page.locator("[data-status]")).to_contain_text("The result shows once you have watched the game")
    assert result.count() == 0
    assert page.get_by_text(re.compile(r"\b(wins|won by|cleared all)\b")).locator("visible=true").count() == 0
    page.get_by_role("tab", name="Analysis").click()
    expect(page.locator("[data-swings]")).to_be_hidden()

    page.keyboard.press("End")
    expect(result).to_be_visible()
    page.goto("/rules/")
    page.goto(finished_game)
    page.locator("[data-status]").get_by_role("button", name="Show result").click()
    expect(result).to_be_visible()
    page.reload()
    expect(result).to_be_visible()
    page.get_by_role("button", name="Hide results").click()
    expect(page.locator("[data-status]").get_by_role("button", name="Show result")).to_be_visible()
    assert result.count() == 0


def test_a_game_is_shown_within_the_page_of_another_site_and_no_other_page_is(
    page: Page, site: RunningSite, tmp_path: Path, finished_game: str
) -> None:
    frames = "".join(
        f'<iframe name="{name}" src="{site.url.rstrip("/")}{path}" width="700" height="520"></iframe>'
        for name, path in (("embed", f"/embed{finished_game}"), ("page", finished_game))
    )
    blog = f'<!doctype html><title>A blog</title><link rel="icon" href="data:,">{frames}'
    (tmp_path / "index.html").write_text(blog)
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        embedded = page.frame(name="embed")
        assert embedded is not None
        embedded.wait_for_selector("[data-ready]")
        expect(embedded.locator("[data-label]")).not_to_be_empty()
        refused = page.frame(name="page")
        assert refused is None or refused.locator("[data-viewer]").count() == 0
        server.shutdown()
    page.goto(f"/embed{finished_game}")
    page.wait_for_selector("[data-ready]")
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
