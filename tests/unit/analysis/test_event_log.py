"""Event logs: chained, packed, unpacked."""

import copy
import hashlib
from typing import Any

import pytest

from analysis.errors import BrokenChain
from analysis.event_log import Chain, body_hash, chain, pack, unpack

EVENTS: list[dict[str, Any]] = [
    {"n": 0, "type": "move", "seat": 0, "move": "t8-f", "card": "AS", "clocks": [60000, 60000]},
    {"n": 1, "type": "move", "seat": 0, "move": "draw", "card": "7♥"},
    {"n": 2, "type": "end", "result": {"termination": "win"}},
]


def test_an_empty_log_has_the_hash_of_its_start() -> None:
    assert chain("crapaud 0", []) == hashlib.sha256(b"crapette-arena/1/crapaud 0").hexdigest()


def test_each_link_hashes_the_link_before_and_the_canonical_event() -> None:
    first = hashlib.sha256(b"crapette-arena/1/x").digest()
    second = hashlib.sha256(first + b'{"a":[1,2],"n":0,"z":"\xe2\x99\xa5"}').hexdigest()
    assert chain("x", [{"z": "♥", "n": 0, "a": [1, 2]}]) == second


def test_any_changed_value_changes_the_last_link() -> None:
    good = chain("x", EVENTS)
    for number, key in ((0, "card"), (1, "move"), (2, "type")):
        changed = copy.deepcopy(EVENTS)
        changed[number][key] = "other"
        assert chain("x", changed) != good
    assert chain("y", EVENTS) != good


def test_a_gap_in_the_numbers_breaks_the_chain() -> None:
    links = Chain("x")
    links.add(EVENTS[:1])
    with pytest.raises(BrokenChain, match=r"^expected event 1, got 2$"):
        links.add(EVENTS[2:])


def test_what_was_packed_is_unpacked_the_same() -> None:
    assert unpack(pack(EVENTS)) == EVENTS
    assert unpack(pack([])) == []


def test_the_body_hash_depends_on_game_events_and_result() -> None:
    hashes = {
        body_hash("g", "c", {"termination": "win"}),
        body_hash("h", "c", {"termination": "win"}),
        body_hash("g", "d", {"termination": "win"}),
        body_hash("g", "c", {"termination": "stall"}),
    }
    assert len(hashes) == 4
    assert body_hash("g", "c", {"a": 1, "b": 2}) == body_hash("g", "c", {"b": 2, "a": 1})
