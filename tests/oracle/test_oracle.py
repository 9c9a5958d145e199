"""The oracle against the published conformance data (RULES 9): right itself before it judges the engine."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.oracle import commands, vitesse
from tests.oracle.play import BadMove
from tests.oracle.position import BadPosition, Unruled, check_reachable, parse
from tests.oracle.problems import problem
from tests.oracle.rulesets import TABLES

DATA = Path(__file__).parents[1] / "conformance" / "data"


def _rows(name: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text().splitlines()]
    assert rows, f"{name} is empty"
    return rows


def test_every_published_deal_comes_out() -> None:
    for row in _rows("deals"):
        assert commands.deal_line(row["variant"], row["seed"], row["players"]) == row["position"]


def test_every_published_list_of_legal_moves_comes_out() -> None:
    for row in _rows("legal"):
        assert commands.legal_line(row["position"]) == row["legal"], row["position"]


def test_every_published_game_ends_where_it_should() -> None:
    for row in _rows("games"):
        start = row.get("start") or commands.deal_line(row["variant"], row["seed"], row["players"])
        end = commands.apply_line(f"{start}\t{row['moves']}")
        assert end == row["position"], row["name"]
        if "score" in row:
            assert json.loads(commands.score_line(end)) == row["score"], row["name"]
        else:
            with pytest.raises(BadPosition, match="the game goes on"):
                commands.score_line(end)


def test_every_published_perft_count_comes_out() -> None:
    for row in _rows("perft"):
        counts = [
            commands.perft(row["variant"], row["seed"], depth, row["players"])
            for depth in range(1, len(row["counts"]) + 1)
        ]
        assert counts == row["counts"], row


def test_every_published_position_is_read_back_as_it_is_written() -> None:
    for row in _rows("legal"):
        line = row["position"]
        assert str(vitesse.parse(line) if line.startswith("vitesse") else parse(line)) == line


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_problem_positions_are_of_every_kind(variant: str, players: int) -> None:
    rng = Random(f"kinds/{variant}/{players}")
    kinds: Counter[str] = Counter()
    for state in (problem(rng, variant, players) for _ in range(300)):
        kinds["drawn"] += bool(state.drawn)
        kinds["no hand"] += not state.hands[state.turn]
        kinds["room" if "" in state.houses else "no room"] += 1
        kinds["idle"] += state.idle >= 99
        kinds["stall"] += state.stall >= 198
    assert len(kinds) == 6
    assert min(kinds.values()) >= 5, kinds


EMPTY = "./././././././."
GOOD = {"game": "crapaud 0 play -", "houses": EMPTY, "built": "0,0/0,0/0,0/0,0", "mine": "AS/./."}
GOOD |= {"theirs": "3S/./.", "counters": "0,0,0,.,.", "tally": "0,0/./."}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"houses": "."}, "1 parts in '.', not 8"),
        ({"built": "0,1/0,0/0,0/0,0"}, "foundations [0, 1]"),
        ({"built": "2,2/0,0/0,0/0,0", "mine": "2S/./."}, "2S 3 times"),
        ({"mine": "./2S/."}, "emptied '' disagrees with the reserve of seat 0"),
        ({"mine": "./././", "tally": "0,0/0/."}, "4 parts in './././', not 3"),
        ({"mine": "./../.", "tally": "0,0/0/."}, "no pile: '..'"),
        ({"mine": "././.", "tally": "0,0/0/."}, "seat 0 is in without cards"),
        ({"tally": "0,0/0/0"}, "seat 0 is out with cards"),
        ({"game": "crapaud 0 lay0.0 -"}, "no phase: 'lay0.0'"),
        ({"counters": "0,0,0,0,."}, "nobody can be mute"),
        ({"game": "crapette-it 0 play -", "counters": "0,0,0,10,."}, "mute '10'"),
        ({"game": "crapette-it 0 lay3.2 -", "houses": "AH" + EMPTY[1:]}, "fewer than 8 empty houses"),
        ({"game": "crapette-it 0 lay3.1 2S", "houses": "./AH" + EMPTY[3:]}, "fewer than 8 empty houses"),
        ({"game": "crapo 0 play -", "theirs": "./3S/."}, "there are no reserves"),
        ({"mine": "AS??/./."}, "a top is open"),
    ],
)
def test_bad_positions_are_refused(changed: dict[str, str], why: str) -> None:
    with pytest.raises(BadPosition) as caught:
        parse(" ".join((GOOD | changed).values()))
    assert str(caught.value) == why


def test_a_move_that_turns_up_an_unknown_card_is_bad_input() -> None:
    line = "crapette 0 play - ./AH/2H/3H/4H/5H/6H/7H 0,0/0,0/0,0/0,0 ??9S/??/. KS/??/. 0,0,0,.,. 0,0/./."
    with pytest.raises(BadMove, match="'r-t1' would turn up an unknown card"):
        commands.apply_line(f"{line}\tr-t1")
    with pytest.raises(BadMove, match="'draw' would turn up an unknown card"):
        commands.apply_line(f"{line}\tdraw")


def test_unreachable_positions_are_distinguished_from_bad_ones() -> None:
    parse(" ".join(GOOD.values()))
    with pytest.raises(Unruled, match="a counter above its limit"):
        check_reachable(parse(" ".join((GOOD | {"counters": "101,0,0,.,."}).values())))
