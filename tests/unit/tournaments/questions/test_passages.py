"""Passages of games as animated pictures."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from tests.factories.records import Recorded, in_ticks, played
from tournaments.questions import passages
from tournaments.questions.passages import draw_passage
from tournaments.questions.question_types import Gone


def made(game: Recorded, first: int, last: int, players: int = 2) -> dict[str, Any]:
    """A passage of a game."""
    return draw_passage(game.start, game.events, (first, last), [f"bot {seat}" for seat in range(players)])


def stays(picture: str) -> list[float]:
    """How long each frame stays, in seconds."""
    image = Image.open(io.BytesIO(base64.b64decode(picture)))
    found = []
    for number in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(number)
        found.append(image.info["duration"] / 1000)
    return found


@pytest.mark.parametrize("variant", ["crapo", "crapette-it"])
def test_a_passage_has_a_frame_for_each_ply_and_stop_and_one_before_them(variant: str) -> None:
    game = played(variant, 2, seed=5)
    shown = [event for event in game.events if 90 < event["ply"] <= 93]
    found = made(game, 90, 93)
    seconds = stays(found["gif"])
    assert len(seconds) == found["frames"] == len(shown) + 1
    assert len(stays(found["still"])) == 1
    # A move stays a second, and the end longest.
    assert (seconds[0], set(seconds[1:-1]), seconds[-1]) == (1.5, {1.0}, 3.0)


def test_ticks_without_a_card_go_by_faster() -> None:
    game = in_ticks(5)
    idle = [event["ply"] for event in game.events if not event["done"]]
    assert idle, "somebody waited"
    found = made(game, idle[0] - 1, idle[0] + 1)

    assert found["frames"] == 3
    assert stays(found["gif"])[1] < 1


def test_the_deal_alone_is_a_passage_of_one_frame_and_a_larger_picture_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = played("crapette", 2, seed=5)
    found = made(game, 0, 0)
    assert (found["frames"], len(stays(found["gif"]))) == (1, 1)
    for limit in ("MOST_FRAMES", "MOST_BYTES"):
        with monkeypatch.context() as small:
            small.setattr(passages, limit, 1)
            with pytest.raises(Gone):
                made(game, 0, 1)
