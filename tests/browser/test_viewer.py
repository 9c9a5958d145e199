"""The viewer: of finished games, of files, on the stage, and within the page of another site."""

import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import engine
from analysis.searches.what_if_games import play_on
from kit.viewer import ViewerServer, site
from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.factories.records import in_ticks, played
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


def open_record(folder: Path, variant: str, names: list[str], recorded: Any) -> str:
    """A file with a record as `./crapette play` writes it, as far as a viewer reads it."""
    seats = [{"bot": name, "version": 1, "owner": None, "house": False, "url": None} for name in names]
    clock = {"bank_ms": 60000, "increment_ms": 500}
    events = [{**event, "ms": 0, "clocks": [60000] * len(names)} for event in recorded.events]
    made = {"format": 1, "variant": variant, "players": len(names), "seats": seats, "start": recorded.start}
    file = folder / f"{variant}-{len(names)}.json"
    file.write_text(
        json.dumps({**made, "events": events, "result": None, "clock": clock, "status": "finished"})
    )
    return str(file)


def test_records_of_all_kinds_are_opened_one_after_the_other(page: Page, tmp_path: Path) -> None:
    page.goto("/games/")
    page.get_by_role("link", name="Open a game file").click()
    for variant, names, recorded in (
        ("crapaud", ["<b>mine</b>", "greedy"], played("crapaud", 2, 1, plies=40)),
        ("crapette", ["one", "two", "three"], played("crapette", 3, 1, plies=40)),
        ("vitesse", ["fast", "faster"], in_ticks(1, ticks=30)),
    ):
        page.locator("[data-open]").set_input_files(open_record(tmp_path, variant, names, recorded))
        expect(page.locator("[data-opened]")).to_contain_text(f"{variant}, {' – '.join(names)}")
        page.wait_for_selector("[data-ready]")
        assert page.locator("[data-viewer]").count() == 1
        assert page.locator(".seat__name > span:first-child").all_inner_texts() == names
        word = "Tick" if variant == "vitesse" else "ply"
        expect(page.locator("[data-where]")).to_contain_text(f"{word} 0 of {len(recorded.lines)}")
        page.keyboard.press("ArrowRight")
        expect(page.locator("[data-where]")).to_contain_text(f"{word} 1 of {len(recorded.lines)}")


def test_crapette_replay_shows_a_record_without_a_site(page: Page, tmp_path: Path) -> None:
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    page.on("requestfailed", lambda request: problems.append(request.url))
    for variant, names, recorded in (
        ("crapette", ["one", "two", "three"], played("crapette", 3, 1, plies=40)),
        ("vitesse", ["<b>fast</b>", "faster"], in_ticks(1, ticks=30)),
    ):
        with ViewerServer(site(Path(open_record(tmp_path, variant, names, recorded)).read_bytes())) as server:
            serving = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
            serving.start()
            page.goto(server.url)
            page.wait_for_selector("[data-ready]")
            assert page.locator(".seat__name > span:first-child").all_inner_texts() == names
            page.keyboard.press("ArrowRight")
            expect(page.locator("[data-where]")).to_contain_text(f" 1 of {len(recorded.lines)}")
            expect(page.locator("[data-opened]")).to_contain_text(f"{variant}, {' – '.join(names)}")
            page.goto("about:blank")
            server.shutdown()
            serving.join()
    assert not problems
