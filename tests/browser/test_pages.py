"""Every page fits, keeps still, is light and soon drawn, and can be read by all; in other languages, too."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Page, Response, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.browser.conftest import switch_captcha
from tests.browser.test_journey import PASSWORD
from tests.captcha_service import CaptchaService
from tests.site import RunningSite
from tests.thorough import THOROUGH

WITH_WORKER = pytest.mark.browser_context_args(service_workers="allow")
PAGES = ("/", "GAME", "TOURNAMENT", "/leaderboard/", "/tournaments/new/")
LIKE_THEM = (
    *("/games/tv/", "/learn/crapaud/1/", "/tournaments/", "/bots/greedy/", "/glossary/", "/docs/", "/games/"),
    *("TOURNAMENTrounds/", "/queue/", "/bots/", "/head-to-head/greedy/random/", "/audit/", "/rules/"),
    *("/rules/crapette-it/", "/rules/vitesse/", "/docs/protocol/", "/accounts/signup/"),
    *("/play/", "/rules/crapaud/", "/accounts/login/"),
)
"""Pages that are made of the same parts as those above."""
BUDGET = 150_000
"""Bytes of a first visit, as they come over the line, without what is as long as the game that is shown."""
REQUESTS = 25
"""Files of a first visit, without those of the games that are shown."""
AS_LONG_AS_THE_GAME = ("record.json", "moves.json", "values.json", "mistakes.json", "luck.json")
GAME_BUDGET, EVENT_BUDGET = 8_000, 50
"""Bytes that those files of a game may take together: for what each game has, and for each of its events."""
STILL = 0.05
"""The sum of layout shifts that nobody sees; 0.1 is where it begins to be called bad."""
SOON = 1.0
"""Seconds until something is drawn on a slow connection."""
ROUND_TRIP, BYTES_A_SECOND = 0.15, 1_600_000 / 8
"""What Lighthouse takes for a slow phone connection, in seconds and bytes."""

SHIFTS = """window.shifts = [];
const placed = (box) => [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
const name = (node) => node?.className || node?.nodeName;
const moved = (one) => `${name(one.node)}: ${placed(one.previousRect)} → ${placed(one.currentRect)}`;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput) window.shifts.push([entry.value, ...entry.sources.map(moved)]);
}).observe({type: "layout-shift", buffered: true});"""
BLOCKING = """performance.getEntriesByType("resource")
  .filter((one) => one.renderBlockingStatus === "blocking").map((one) => one.name)"""


def address(page: str, game: str, tournament: str) -> str:
    return page.replace("GAME", game).replace("TOURNAMENT", tournament)


@WITH_WORKER
@pytest.mark.parametrize(
    "path", [*PAGES, *(pytest.param(path, marks=pytest.mark.at_length) for path in LIKE_THEM)]
)
def test_a_page_fits_keeps_still_is_light_and_soon_there_and_can_be_read_by_all(
    page: Page, path: str, finished_game: str, finished_tournament: str
) -> None:
    answers: list[Response] = []

    def keep(answer: Response) -> None:
        answers.append(answer)

    page.on("response", keep)
    page.add_init_script(SHIFTS)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")
    sizes = {one.url: one.request.sizes()["responseBodySize"] for one in answers if one.ok}

    fixed = {url: size for url, size in sizes.items() if not is_of_a_game(url)}
    assert sum(fixed.values()) < BUDGET, fixed
    assert len(fixed) <= REQUESTS, fixed
    assert too_long_for_their_games(page, sizes) == {}
    assert_still(page)
    assert drawn_after([sizes[page.url], *(sizes[one] for one in page.evaluate(BLOCKING))]) < SOON
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)


def assert_still(page: Page) -> None:
    """Fail if what was drawn has moved; and say what, from where and to where (x, y, width, height)."""
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, *_ in shifts) < STILL, shifts


def is_of_a_game(url: str) -> bool:
    """Whether what is there is as long as the game that is shown."""
    return url.rpartition("/")[2] in AS_LONG_AS_THE_GAME


def too_long_for_their_games(page: Page, sizes: dict[str, int]) -> dict[str, tuple[int, int]]:
    """The bytes that came of each game, and its events, where these are too few for so much."""
    came: Counter[str] = Counter()
    for url, size in sizes.items():
        if is_of_a_game(url):
            came[url.rpartition("/")[0]] += size
    found: dict[str, tuple[int, int]] = {}
    for game, size in came.items():
        events = len(page.request.get(f"{game}/record.json").json()["events"])
        if size > GAME_BUDGET + EVENT_BUDGET * events:
            found[game] = (size, events)
    return found


def drawn_after(sizes: list[int]) -> float:
    """Seconds to the first drawing on a slow connection, reckoned as Lighthouse does instead of waited for:
    a round trip each for the name, the connection, the page, and what blocks drawing, and their bytes."""
    return 4 * ROUND_TRIP + sum(sizes) / BYTES_A_SECOND


@WITH_WORKER
def test_the_theme_is_remembered_and_a_page_without_a_connection_is_one_of_the_site(
    page: Page, context: BrowserContext
) -> None:
    page.emulate_media(color_scheme="light")
    page.goto("/rules/crapaud/")
    page.locator("[data-theme-toggle]").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    assert dark != "rgb(244, 239, 227)"
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    context.set_offline(True)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("No connection")
    assert page.evaluate(colour) != "rgba(0, 0, 0, 0)", "no style"
    context.set_offline(False)
    page.goto("/tournaments/")
    expect(page.locator("h1")).to_have_text("Tournaments")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate(colour) == dark


IN_LANGUAGES = ("/", "TOURNAMENT", "GAME", "/play/", "/accounts/signup/")
SMALL = {"width": 360, "height": 740}
ENGLISH = re.compile(r"\b(the|of|and|with|games?|rules|sign|bots? by|how|your|latest|this)\b", re.IGNORECASE)
"""Words of headings that none of the other languages has, nor the name of any bot that these tests upload."""
HEADINGS = "[...document.querySelectorAll('h1, h2, nav a, label')].map((one) => one.innerText)"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("language", ["fr", "it", "pt-BR"] if THOROUGH else ["fr"])
def test_pages_speak_the_readers_language_and_fit_a_small_phone(
    page: Page, language: str, finished_game: str, finished_tournament: str
) -> None:
    page.set_viewport_size(SMALL)  # type: ignore[arg-type]
    page.set_extra_http_headers({"Accept-Language": language})
    for path in IN_LANGUAGES:
        page.goto(address(path, finished_game, finished_tournament), wait_until="networkidle")
        assert page.locator("html").get_attribute("lang") == language, path
        assert page.evaluate(TOO_WIDE) == 0, path
        assert [words for words in page.evaluate(HEADINGS) if ENGLISH.search(words)] == [], path


@pytest.fixture
def _asked(site: RunningSite) -> Iterator[None]:
    """Have the site ask for the captcha, as operators switch it on, until the test ends."""
    switch_captcha(site.data, on=True)
    site.until(lambda: "cf-turnstile" in site.get("/accounts/signup/")[1], "the captcha", 30)
    yield
    switch_captcha(site.data, on=False)


@pytest.mark.usefixtures("_asked")
def test_a_visitor_signs_up_past_a_captcha_that_the_content_policy_lets_in(
    page: Page, site: RunningSite, captcha: CaptchaService
) -> None:
    page.goto("/accounts/signup/")
    expect(page.frame_locator("iframe[title=captcha]").get_by_text("captcha")).to_be_visible()
    assert serious(page) == []
    page.get_by_label("User name").fill("person")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign up").click()
    page.wait_for_url(lambda url: "signup" not in url)
    assert captcha.asked[-1]["response"].startswith("person-")
    with closing(sqlite3.connect(site.data / "arena.sqlite3", timeout=30)) as database:
        made = database.execute("SELECT count(*) FROM accounts_user WHERE username = 'person'")
        assert made.fetchone() == (1,)
