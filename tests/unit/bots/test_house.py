"""The registry of the house bots, their set-up, and how oracle plays below its strength."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engine
from bots.house import HOUSE_BOTS, LEVELS, build, levels_of
from bots.models.bot import DESCRIPTIONS
from tests.site import ROOT
from tools.bench.house_meetings import (
    Meeting,
    at_level,
    chooser,
    load_bot,
    play,
    restore_deals,
    save_meetings,
)


def test_the_native_bot_is_compiled_once_and_again_when_its_source_is_newer() -> None:
    build.build()
    assert all(bot.built for bot in HOUSE_BOTS.values())
    assert build.build() == []
    source = HOUSE_BOTS["random-c"].directory / "bot.c"
    target = source.with_suffix("")
    newer = target.stat().st_mtime + 1
    before = source.stat().st_mtime
    os.utime(source, (newer, newer))
    try:
        assert build.build() == ["compiled bots/house/random_c/bot.c"]
    finally:
        os.utime(source, (before, before))


def test_oracle_plays_at_levels_whatever_it_is_called_on_a_site() -> None:
    assert [bot.name for bot in HOUSE_BOTS.values() if bot.levels] == ["oracle"]
    assert levels_of("oracle") == levels_of("house-oracle") == LEVELS
    assert levels_of("greedy") == levels_of("of-somebody") == ()
    assert list(LEVELS) == sorted(LEVELS)


BELOW = range(1, len(LEVELS))


@pytest.fixture
def weaker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, which finds its neighbours as it does in the sandbox."""
    monkeypatch.syspath_prepend(HOUSE_BOTS["oracle"].directory)
    import weaker as found  # type: ignore[import-not-found]

    yield found
    del sys.modules["weaker"]


def test_there_is_all_that_a_level_needs(weaker: Any) -> None:
    assert len(LEVELS) == weaker.FULL
    of_each = [*weaker.TEMPERATURES.values(), weaker.BLIND, weaker.SLOW]
    assert {len(numbers) for numbers in of_each} == {weaker.FULL - 1}
    assert len(weaker.SLIPS) == weaker.NETS - 1
    games = {rules.name for rules in engine.VARIANTS.values() if not rules.in_ticks}
    assert {weaker.SAME_GAME.get(game, game) for game in games} == {*weaker.TEMPERATURES}


@pytest.mark.parametrize("level", [None, 0, 8, 9, -1, "3", 2.5, [3], {}])
def test_whatever_is_no_level_below_the_full_one_means_full_strength(weaker: Any, level: object) -> None:
    assert weaker.level_of({"players": 2, "level": level}) == weaker.FULL
    assert weaker.level_of({"players": 2}) == weaker.FULL


@pytest.mark.parametrize(
    ("variant", "level"),
    [
        *(("crapaud", level) for level in (BELOW[0], BELOW[-1])),
        ("crapette-it", BELOW[0]),
        ("vitesse", BELOW[0]),
    ],
)
def test_every_level_plays_whole_games_by_the_rules(
    monkeypatch: pytest.MonkeyPatch, variant: str, level: int
) -> None:
    monkeypatch.syspath_prepend(ROOT / "kit" / "sdk")
    from crapette import local  # type: ignore[import-not-found]

    oracle, greedy = load_bot("oracle", variant), load_bot("greedy", variant)
    asked: Counter[int] = Counter()
    choose = chooser(variant, oracle, level)

    def counted(turn: Any) -> Any:
        asked[turn.events[-1].get("turn_number", 0) if turn.events else 0] += 1
        return choose(turn)

    stops = [at_level(level, oracle["stop"]), greedy["stop"]]
    ranking, _ = local.play(variant, f"level {level}", [counted, chooser(variant, greedy)], stops)
    assert sorted(seat for group in ranking for seat in group) == [0, 1]
    if not engine.variant(variant).in_ticks:
        assert max(asked.values()) < 100, "no turn goes on for ever"


def test_a_turn_whose_end_is_too_far_to_be_found_is_played_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "kit" / "sdk")
    import crapette
    from crapette import local

    houses = "TC9H8C7H6S5D/QHJSTH9C8H7S6D/./QDJSTD/9S8D7C6H5S4D/KDQSJD/JH/TS9D8S7D"
    rest = "10,4/12,5/13,2/11,6 ./????/. ./????/??????????KC 0,0,0,.,. 1,0/01/."
    public = f"crapette-it-strict 0 play 3D {houses} {rest}"
    core = engine.TurnGame(engine.TurnPosition.parse(public)).core
    assert not core.plans(500, 10)
    message = {
        "legal": ["h-f"],
        "position": public,
        "start": public,
        "events": [],
        "ply": 0,
        "clocks": [60_000] * 2,
    }
    story = crapette.Story()
    story.hear(message)
    for name in ("greedy", "planner", "sampler", "oracle"):
        answer = load_bot(name, "crapette-it-strict")["choose"](
            crapette.Turn(b"", local._hello("crapette-it-strict", 2, 0), message, story)
        )
        moves = getattr(answer, "moves", answer)
        assert (moves if isinstance(moves, str) else moves[0]) == "h-f", name


def test_what_house_bots_played_is_kept_until_one_of_them_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(ROOT / "kit" / "sdk")
    file = tmp_path / "gallery.json"
    one, other = (Meeting("crapette-it", "random", second) for second in ("cautious", "greedy"))
    one.deals = {number: play(one, number) for number in (0, 2)}
    assert all(deal.score in range(0, 25, 6) and min(deal.turns) > 0 for deal in one.deals.values())
    save_meetings([one], file)
    other.deals = {1: play(other, 1)}
    save_meetings([other], file)
    again = [Meeting(*found.key) for found in (one, other)]
    restore_deals(again, file)
    assert [found.deals.keys() for found in again] == [{0, 2}, {1}]
    assert again[0].penta == one.penta
    changed = Meeting(*one.key, made_by="another bot")
    restore_deals([changed], file)
    assert not changed.deals


def test_every_house_bots_description_is_marked_for_translation() -> None:
    assert {bot.description for bot in HOUSE_BOTS.values()} == set(DESCRIPTIONS)
