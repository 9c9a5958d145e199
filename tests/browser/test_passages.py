"""A viewer chooses a passage of a game and gets its animated picture."""

import io
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.checks import readable_in_the_dark_and_nowhere_too_wide, serious
from tests.site import RunningSite


@pytest.fixture
def record(site: RunningSite, finished_game: str) -> Any:
    return site.get_json(f"{finished_game}record.json")


def test_a_passage_is_chosen_where_the_viewer_stands_and_its_picture_arrives(
    page: Page, finished_game: str, record: Any
) -> None:
    page.goto(f"{finished_game}#4")
    page.wait_for_selector("[data-ready]")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Share a passage").click()
    panel = page.locator("[data-passage]")
    expect(page.get_by_label("To ply")).to_have_value("4")
    panel.get_by_role("button", name="From here").click()
    for _ in range(3):
        page.get_by_role("button", name="Next ply").click()
    panel.get_by_role("button", name="To here").click()
    expect(page.get_by_label("From ply")).to_have_value("4")
    expect(page.get_by_label("To ply")).to_have_value("7")
    panel.get_by_role("button", name="Make the GIF").click()

    image = page.locator("figure img")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 640
    assert image.get_attribute("alt")
    # Motion is reduced in these tests: what is shown is the first frame alone.
    assert image.evaluate("image => image.currentSrc").endswith("4-7-still.gif")
    picture = page.request.get(page.get_by_label("Link to the picture").input_value())
    shown = [event for event in record["events"] if event["type"] in {"move", "stop"}]
    plies = [event for event in shown if 4 < event["ply"] <= 7]
    assert Image.open(io.BytesIO(picture.body())).n_frames == len(plies) + 1  # type: ignore[attr-defined]
    expect(page.get_by_role("button", name="Copy")).to_have_count(2)
    assert serious(page) == []
    readable_in_the_dark_and_nowhere_too_wide(page)
