"""Files of events with groups and a knock-out, verified as anybody can who downloads them."""

import json
from copy import deepcopy
from typing import Any

import pytest

from kit.verify.findings import Findings
from kit.verify.tournament import BundledTournament
from tests.factories.results import play_all, play_one
from tests.factories.tournaments import rivals
from tests.integration.tournaments.test_groups import cup, play_until, stage_of, voided_in_a_group
from tournaments.games.bundles import tournament_lines
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def bundled(event: Tournament) -> list[dict[str, Any]]:
    return [json.loads(line) for line in tournament_lines(event)]


def findings(lines: list[dict[str, Any]]) -> list[str]:
    """What is wrong with them beyond single games, which are invented here."""
    found = Findings()
    read = BundledTournament(lines[0], found)
    for line in lines[1:-1]:
        if line["kind"] == "game":
            read.add_game(line)
        else:
            read.add(line)
    read.check()
    return [str(one) for one in found]


def test_the_file_of_an_event_is_verified_at_every_moment() -> None:
    event = cup(rivals(9), groups=3, knockout_pairs=2)
    assert findings(bundled(event)) == []
    for _ in range(17):
        play_one()
    assert findings(bundled(event)) == []
    play_until(event, "W2.1")
    assert findings(bundled(event)) == []
    voided_in_a_group(event)
    assert findings(bundled(event)) == []
    play_all(event)
    assert event.status == "finished"
    assert findings(bundled(event)) == []


def swapped(lines: list[dict[str, Any]], one: str, other: str) -> None:
    first, second = (next(row for row in lines if row.get("label") == label) for label in (one, other))
    first["entrants"], second["entrants"] = second["entrants"], first["entrants"]


def test_another_draw_is_found_beside_a_group_in_which_a_pair_was_voided() -> None:
    event = cup(rivals(6), groups=2)
    play_until(event, "W1.1")
    voided_in_a_group(event)
    play_all(event)
    lines = bundled(event)
    assert findings(lines) == []
    stage = stage_of(event)
    numbers = dict(event.entries.values_list("pk", "number"))
    first, last = (numbers[stage.groups[1].table[place].entrant] for place in (0, 2))
    for row in lines:
        if row["kind"] == "pairing" and row["label"].startswith("W"):
            row["entrants"] = [last if one == first else one for one in row["entrants"]]
    assert f"knock-out: seed 2: expected {first}, got {last}" in findings(lines)


def test_each_forgery_of_an_event_that_is_over_is_found() -> None:
    event = cup(rivals(6), groups=2)
    play_all(event)
    whole = bundled(event)

    over = deepcopy(whole)  # another draw
    swapped(over, "W1.1", "W1.2")
    assert any(one.startswith("knock-out: seed 1: expected") for one in findings(over))

    over = deepcopy(whole)  # another number of groups
    over[0]["options"]["groups"]["number"] = 1
    assert any(": label: expected 'A'" in one or "entrants" in one for one in findings(over))
    over[0]["options"]["groups"]["number"] = 10**9
    assert any(one.startswith("schedule: ") for one in findings(over))

    over = deepcopy(whole)  # a finalist who did not win
    final, semi = (next(row for row in over if row.get("label") == label) for label in ("W2.1", "W1.1"))
    final["entrants"][0] = next(one for one in semi["entrants"] if one not in final["entrants"])
    assert any(one.startswith("round 5, table 1: entrants: expected") for one in findings(over))

    over = deepcopy(whole)  # another place, and no final
    for row in over:
        if row["kind"] == "standing" and row["place"] == 1:
            row["place"] = 2
    assert any("place: expected 1" in one for one in findings(over))
    cut = [row for row in over if row.get("label") != "W2.1" and row.get("round") != 5]
    cut = [row for row in cut if row["kind"] != "game" or row["proof"]["round"] != 5]
    assert any(one.startswith("knock-out: champion") for one in findings(cut))
