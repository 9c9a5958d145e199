"""The pages of the rules, one for each variant."""

import pytest
from django.test import Client
from django.utils.html import escape

import engine
from tests.variants import IN_TURNS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize("variant", IN_TURNS)
def test_every_game_of_turns_has_an_example_whose_moves_are_legal(client: Client, variant: str) -> None:
    record = client.get(f"/rules/{variant}/example.json").json()

    replay = engine.TurnGame.replay(
        engine.Position.parse(record["start"]), [event["move"] for event in record["events"]]
    )

    assert replay.error is None
    assert replay.played == len(record["events"]) >= 8


def test_each_game_has_a_picture_of_its_table_and_one_of_them_is_the_first_to_learn(client: Client) -> None:
    page = client.get("/rules/").content.decode()
    assert page.count("Start here") == 1
    shapes = set()
    for name, variant in engine.VARIANTS.items():
        assert escape(variant.title) in client.get(f"/rules/{name}/").content.decode()
        assert f'src="/rules/{name}/layout.svg"' in page
        picture = client.get(f"/rules/{name}/layout.svg")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        shapes.add(picture.content)
    # Games that share the engine's layout share the picture; others do not.
    assert len(shapes) >= 4
    assert client.get("/rules/nothing/layout.svg").status_code == 404
