"""The replay viewer on a real finished game."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import engine
from analysis.searches.what_if_games import play_on
from tests.site import RunningSite


@pytest.fixture
def record(site: RunningSite, finished_game: str) -> Any:
    return site.get_json(f"{finished_game}record.json")


@pytest.fixture
def viewer(lasting_page: Page, finished_game: str) -> Page:
    lasting_page.goto(finished_game)
    lasting_page.wait_for_selector("[data-ready]")
    return lasting_page


def line(viewer: Page) -> str:
    viewer.locator(".iconbtn[data-do=share]").click()
    shown = viewer.locator("[data-line]")
    expect(shown).to_be_visible()  # the button answers first, and the dialog opens a moment later
    found = shown.inner_text()
    viewer.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    return found


def show_result(viewer: Page) -> None:
    viewer.locator("[data-status]").get_by_role("button", name="Show result").click()


def stands_at(viewer: Page, plies: int) -> None:
    expect(viewer.locator("[data-where]")).to_contain_text(f", ply {plies} of ")


def position(record: Any, plies: int) -> str:
    game = engine.TurnGame(engine.TurnPosition.parse(record["start"]))
    moves = [event["move"] for event in record["events"] if event["type"] == "move"]
    for move in moves[:plies]:
        game.push(move)
    return str(game.position)


def last_ply(record: Any) -> int:
    return sum(event["type"] == "move" for event in record["events"])


def test_keys_slider_list_and_address_lead_to_the_engines_positions(viewer: Page, record: Any) -> None:
    assert line(viewer) == record["start"]
    viewer.keyboard.press("ArrowRight")
    stands_at(viewer, 1)
    name = record["seats"][record["events"][0]["seat"]]["bot"]
    expect(viewer.locator("[data-say]")).to_contain_text(f"{name}: ")
    for step in range(2, 13):
        viewer.keyboard.press("ArrowRight")
        stands_at(viewer, step)
    assert line(viewer) == position(record, 12)
    for _ in range(5):
        viewer.keyboard.press("ArrowLeft")
    stands_at(viewer, 7)
    assert line(viewer) == position(record, 7)

    viewer.keyboard.press("Home")
    stands_at(viewer, 0)
    viewer.locator(".ply").nth(4).click()
    stands_at(viewer, 5)
    expect(viewer.locator('.ply[aria-current="step"]')).to_have_count(1)
    viewer.keyboard.press("Home")
    turn_ends = [event["ply"] for event in record["events"] if event.get("turn") != event.get("seat")]
    for key, ply in (
        ("ArrowDown", turn_ends[0]),
        ("Shift+ArrowRight", turn_ends[1]),
        ("ArrowUp", turn_ends[0]),
    ):
        viewer.keyboard.press(key)
        stands_at(viewer, ply)
    slider = viewer.get_by_role("slider", name="Position in the game")
    slider.evaluate("node => { node.value = 100; node.dispatchEvent(new Event('input', {bubbles: true})); }")
    stands_at(viewer, 100)
    assert line(viewer) == position(record, 100)
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"ply 100 of"))
    viewer.wait_for_url(re.compile(r"#100$"))
    viewer.reload()
    viewer.wait_for_selector("[data-ready]")
    stands_at(viewer, 100)
    assert line(viewer) == position(record, 100)


def test_it_plays_to_the_recorded_end_and_shows_its_board_and_result(viewer: Page, record: Any) -> None:
    # A game may have two thousand plies, and each takes at least a frame: it plays the last of them.
    last = last_ply(record)
    viewer.evaluate("ply => { location.hash = `#${ply}`; }", last - 40)
    stands_at(viewer, last - 40)
    viewer.keyboard.press("9")
    viewer.keyboard.press(" ")
    expect(viewer.locator("[data-where]")).to_contain_text(f"ply {last} of {last}")
    expect(viewer.get_by_role("button", name="Play", exact=True)).to_be_visible()

    assert line(viewer) == position(record, last)
    for house, cards in enumerate(engine.TurnPosition.parse(position(record, last)).houses, start=1):
        count = "empty" if not cards else f"{len(cards)} card{'s' if len(cards) > 1 else ''}"
        words = re.compile(f"^House {house}, {count}")
        expect(viewer.locator(f'[data-pile="t{house}"]')).to_have_attribute("aria-label", words)
    left = viewer.locator('.seat[data-seat="0"] [data-left]')
    expect(left).to_have_text(f"{record['result']['left'][0]} left")
    ranking = record["result"]["ranking"]
    heading = f"{record['seats'][ranking[0][0]]['bot']} wins" if len(ranking) == 2 else "Draw"
    expect(viewer.locator("[data-status] h2")).to_have_text(heading)


def test_a_house_bot_plays_on_from_any_ply_is_stopped_and_reloaded(viewer: Page, record: Any) -> None:
    viewer.evaluate("location.hash = '#6'")
    stands_at(viewer, 6)
    viewer.keyboard.press("t")
    trying = viewer.get_by_role("region", name="Try it yourself")
    words = trying.locator("[data-try-words]")
    trying.get_by_label("Bot that plays on").select_option("greedy")
    trying.get_by_role("button", name="this turn").click()
    game = engine.TurnGame(engine.TurnPosition.parse(position(record, 6)))
    play_on(game, "greedy", "turn", 400)
    expect(words).to_contain_text(f"{game.ply} move{'' if game.ply == 1 else 's'} tried. ")
    expect(words).to_contain_text(f"You play for {record['seats'][game.turn]['bot']}")

    to_the_end = trying.locator('[data-try-span="end"]')
    to_the_end.click()
    stop = trying.locator("[data-try-stop]")
    expect(stop).to_be_visible()
    stop.click()
    expect(stop).to_be_hidden()
    expect(words).to_contain_text("You play for")
    expect(viewer).to_have_url(re.compile(r"#6~[\w,.-]+$"))
    told, address = words.inner_text(), viewer.url
    viewer.reload()
    expect(words).to_have_text(told)
    assert viewer.url == address


def test_the_analysis_shows_mistakes_with_the_better_line_and_swings_of_luck_and_skill(
    viewer: Page, site: RunningSite, finished_game: str
) -> None:
    found = site.get_thought(f"{finished_game}mistakes.json")["mistakes"]
    assert found, "expected mistakes in a game of the random bot"
    show_result(viewer)
    viewer.get_by_role("tab", name="Analysis").click()
    analysis = viewer.get_by_role("tabpanel", name="Analysis")
    expect(analysis.locator(".mistake")).to_have_count(len(found))
    expect(analysis.locator(".swing__sum").first).to_contain_text("skill")

    analysis.locator(".mistake__head").first.click()
    stands_at(viewer, found[0]["ply"])
    expect(viewer.locator(".arrow--good")).to_have_count(1)

    analysis.get_by_role("button", name="Play the better line").first.click()
    words = viewer.locator("[data-try-words]")
    expect(words).to_contain_text(re.compile(f"^{len(found[0]['better'])} moves? tried|game is over"))
