"""A record that the visitor has as a file, shown by the viewer."""

import json
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from kit.viewer import ViewerServer, site
from tests.factories.records import in_ticks, played


def record(folder: Path, variant: str, names: list[str], recorded: Any) -> str:
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
        page.locator("[data-open]").set_input_files(record(tmp_path, variant, names, recorded))
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
        with ViewerServer(site(Path(record(tmp_path, variant, names, recorded)).read_bytes())) as server:
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
