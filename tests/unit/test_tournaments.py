"""Streams, pictures, verdicts and points of events."""

import asyncio
import base64
import io
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from PIL import Image

from tests.factories.records import Recorded, in_ticks, played
from tournaments.api.stream import Stream
from tournaments.pages.games import games as preview_pictures
from tournaments.pages.games.games import TooManyPictures
from tournaments.questions import passages
from tournaments.questions.passages import draw_passage
from tournaments.questions.question_types import Gone
from tournaments.ratings.verdicts import CountedPair, judge
from tournaments.series.points import (
    GRAND_PRIX,
    SHARE,
    Finish,
    Score,
    cannot_be_caught,
    running_points,
    scores,
    series_table,
)


@pytest.mark.parametrize("steps", range(6))
async def test_a_stream_that_is_left_just_as_something_happens_ends(steps: int) -> None:
    stream = Stream([], [])

    async def listen() -> None:
        async for _ in stream.lines():
            pass

    listening = asyncio.create_task(listen())
    await asyncio.sleep(0)
    stream.say("news")
    for _ in range(steps):
        await asyncio.sleep(0)
    listening.cancel()
    ended, _ = await asyncio.wait((listening,), timeout=5)
    assert ended
    assert listening.cancelled()


def made(game: Recorded, first: int, last: int, players: int = 2) -> dict[str, Any]:
    return draw_passage(game.start, game.events, (first, last), [f"bot {seat}" for seat in range(players)])


def stays(picture: str) -> list[float]:
    image = Image.open(io.BytesIO(base64.b64decode(picture)))
    found = []
    for number in range(image.n_frames):  # type: ignore[attr-defined]
        image.seek(number)
        found.append(image.info["duration"] / 1000)
    return found


def test_a_passage_has_a_frame_for_each_ply_and_stop_and_one_before_them() -> None:
    game = played("crapette-it", 2, seed=5)
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


def finish(bot: int, place: int, sharing: int = 1, share: float = 0.5) -> Finish:
    return Finish(bot, place, sharing, share)


def test_the_first_places_are_worth_what_is_listed_and_bots_that_share_places_share_points() -> None:
    got = scores("grand-prix", GRAND_PRIX, [finish(7, 1), finish(8, 2), finish(9, 11)])
    assert {bot: one.points for bot, one in got.items()} == {7: 12, 8: 10, 9: 0}
    assert got[9].place == 11
    got = scores("listed", (10, 6, 2), [finish(1, 1), finish(2, 2, 2), finish(3, 2, 2), finish(4, 4)])
    assert [got[bot].points for bot in (1, 2, 3, 4)] == [10, 4, 4, 0]
    last = scores("listed", (10, 5), [finish(bot, 2, 3) for bot in (1, 2, 3)])
    assert {one.points for one in last.values()} == {1.67}
    assert scores(SHARE, (), [finish(1, 1, share=0.6666)])[1].points == 66.7
    # Of several versions of a bot the best one counts, once.
    got = scores("grand-prix", GRAND_PRIX, [finish(1, 3), finish(1, 1), finish(2, 2)])
    assert got == {1: Score(1, 12), 2: Score(2, 10)}


def events(*points: dict[int, tuple[int, float]]) -> dict[int, dict[int, Score]]:
    return {
        100 + number: {bot: Score(place, worth) for bot, (place, worth) in one.items()}
        for number, one in enumerate(points)
    }


def test_ties_are_broken_by_first_places_and_then_second_ones_or_shared() -> None:
    rows = series_table(events({1: (2, 10), 2: (1, 12)}, {1: (2, 10), 2: (4, 8)}), best=0)
    assert [(row.bot, row.place) for row in rows] == [(2, 1), (1, 2)]
    second = series_table(events({1: (1, 5), 2: (1, 5)}, {1: (2, 3)}, {2: (3, 3)}), best=0)
    assert [(row.bot, row.place) for row in second] == [(1, 1), (2, 2)]
    rows = series_table(events({1: (1, 12), 2: (2, 10), 3: (3, 8)}, {1: (2, 10), 2: (1, 12)}), best=0)
    assert [row.place for row in rows] == [1, 1, 3]


@pytest.mark.parametrize(
    ("results", "best", "left", "expected"),
    [
        ([{1: (1, 12), 2: (2, 10)}], 0, 0, True),
        ([{1: (1, 12), 2: (2, 10)}], 0, 1, False),
        ([{1: (1, 12), 2: (2, 10)}], 0, 2, False),
        ([{1: (1, 12), 2: (2, 10)}], 1, 1, False),
        # A bot that has not played is a rival too, and who only draws level still catches up.
        ([{1: (1, 12)}, {1: (1, 12)}], 0, 1, True),
        ([{1: (1, 12)}, {1: (1, 12)}], 0, 2, False),
        # Nobody leads alone where two share the lead.
        ([{1: (1, 12), 2: (1, 12)}], 0, 0, False),
        ([], 0, 0, False),
    ],
)
def test_a_leader_cannot_be_caught_once_nobody_can_reach_their_points(
    results: list[dict[int, tuple[int, float]]], best: int, left: int, expected: bool
) -> None:
    assert cannot_be_caught(series_table(events(*results), best=best), best, left, 12) is expected


def test_one_address_leaves_a_place_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on = threading.Semaphore(0), threading.Event()

    def draw(*_: Any, **__: Any) -> SimpleNamespace:
        began.release()
        assert go_on.wait(30)
        return SimpleNamespace(stdout=b"picture")

    monkeypatch.setattr("tournaments.pages.games.games.subprocess.run", draw)
    drawn: list[bytes] = []
    threads = []
    for address in ("one", "another"):
        thread = threading.Thread(target=lambda who=address: drawn.append(preview_pictures._drawn("", who)))
        thread.start()
        threads.append(thread)
        assert began.acquire(timeout=30)
        with pytest.raises(TooManyPictures):
            preview_pictures._drawn("", "one")
    with pytest.raises(TooManyPictures):
        preview_pictures._drawn("", "a third")
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert drawn == [b"picture"] * 2
    assert preview_pictures._drawn("", "one") == b"picture"


def level(number: int) -> CountedPair:
    return CountedPair(number, 2, 0.0, (0.0, 0.0))


WON = CountedPair(1_000, 4, 8.0, (0.1, 2.0))


@pytest.mark.parametrize("unlike", [0, 1, 2])
def test_level_pairs_leave_every_interval_open_to_both_sides(unlike: int) -> None:
    found = judge([*map(level, range(40)), *[WON] * unlike])
    assert found.wins is not None
    assert found.margins is not None
    assert found.fair_wins is not None
    assert found.fair_margins is not None
    ends = [
        (found.wins.low - 0.5, found.wins.high - 0.5),
        (found.fair_low - 0.5, found.fair_high - 0.5),
        (found.margins.low, found.margins.high),
        (found.fair_margins.low, found.fair_margins.high),
        (found.elo.low, found.elo.high),
    ]
    assert all(low < -0.02 and high > 0.02 for low, high in ends)
    assert found.better == found.margins.better == found.fair_wins.better == found.fair_margins.better == 0


def test_pairs_that_are_all_won_alike_are_a_lead_of_unknown_size() -> None:
    found = judge([WON] * 40)
    assert (found.better, found.elo.words) == (1, "+763 (above +508) Elo")
    assert found.fair_wins is not None
    assert 0.5 < found.fair_low < found.fair_score < found.fair_high


def test_the_best_results_count_and_of_equal_ones_the_earlier() -> None:
    rows = series_table(events({1: (1, 12)}, {1: (3, 8)}, {1: (1, 12)}), best=2)
    assert rows[0].points == 24
    assert [rows[0].scores[event].counts for event in (100, 101, 102)] == [True, False, True]
    rows = series_table(events({1: (2, 10)}, {1: (2, 10)}), best=1)
    assert [rows[0].scores[event].counts for event in (100, 101)] == [True, False]
    got = {101: Score(2, 6), 103: Score(1, 10), 104: Score(1, 10)}
    order = [101, 102, 103, 104]
    assert running_points(got, order, 0) == [6, 6, 16, 26]
    assert running_points(got, order, 2) == [6, 6, 16, 20]
