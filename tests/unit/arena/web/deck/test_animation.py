"""Frames as an animated GIF."""

import io

from PIL import Image

from arena.web.deck.animation import WIDE, gif
from arena.web.deck.frame import Scene, frame
from arena.web.deck.piles import piles_of
from tests.factories.records import played


def frames(number: int) -> list[str]:
    piles = piles_of(played("crapette", 2, seed=5).start)
    return [frame(piles, Scene(["Ada", "Bob"], frozenset(), (), (), f"{at} / 90")) for at in range(number)]


def test_every_frame_stays_as_long_as_asked_and_the_gif_repeats() -> None:
    picture = Image.open(io.BytesIO(gif(frames(3), [1.5, 1, 3])))
    assert picture.n_frames == 3  # type: ignore[attr-defined]
    assert picture.info["loop"] == 0
    stays = []
    for number in range(3):
        picture.seek(number)
        stays.append(picture.info["duration"])
    assert stays == [1500, 1000, 3000]
    assert picture.width == WIDE
