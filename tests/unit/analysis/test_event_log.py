"""Event logs: chained, packed, unpacked."""

import copy
import hashlib
from typing import Any

import pytest

from analysis import event_columns
from analysis.errors import BrokenChain
from analysis.event_log import Chain, canonical, chain, pack, unpack, unpack_lines

EVENTS: list[dict[str, Any]] = [
    {"n": 0, "type": "move", "seat": 0, "move": "t8-f", "card": "AS", "clocks": [60000, 60000]},
    {"n": 1, "type": "move", "seat": 0, "move": "draw", "card": "7♥"},
    {"n": 2, "type": "end", "result": {"termination": "win"}},
]
ODD: list[dict[str, Any]] = [
    {"n": 0, "ms": 5, "ok": True, "clocks": [9, 8], "left": [], "seat": 1},
    {"n": 1, "ms": 5.5, "ok": 1, "clocks": [7, 8], "result": {"z": 1, "a": [None, "♥\n"]}, "seat": None},
    {"n": 2, "ms": -3, "ok": False, "clocks": [7, 2], "left": [1, True], "seat": 0},
    {"n": 4, "ply": 10**20},
    {"n": 5, "ply": -1},
    {},
]
"""Values of other types than their neighbours, absent ones, and none at all."""


def test_each_link_hashes_the_link_before_and_the_canonical_event() -> None:
    assert chain("crapaud 0", []) == hashlib.sha256(b"crapette-arena/1/crapaud 0").hexdigest()
    first = hashlib.sha256(b"crapette-arena/1/x").digest()
    second = hashlib.sha256(first + b'{"a":[1,2],"n":0,"z":"\xe2\x99\xa5"}').hexdigest()
    assert chain("x", [{"z": "♥", "n": 0, "a": [1, 2]}]) == second


def test_any_changed_value_changes_the_last_link_and_a_gap_breaks_the_chain() -> None:
    found = {chain("x", EVENTS), chain("y", EVENTS)}
    for number, key in ((0, "card"), (1, "move"), (2, "type")):
        changed = copy.deepcopy(EVENTS)
        changed[number][key] = "other"
        found.add(chain("x", changed))
    assert len(found) == 5
    links = Chain("x")
    links.add(EVENTS[:1])
    with pytest.raises(BrokenChain, match=r"^expected event 1, got 2$"):
        links.add(EVENTS[2:])


def test_what_was_packed_is_unpacked_the_same() -> None:
    for packed in (pack, event_columns.pack):
        for events in (EVENTS, [], ODD):
            assert [canonical(event) for event in unpack(packed(events))] == [*map(canonical, events)]
            assert unpack_lines(packed(events)) == b"\n".join(map(canonical, events))
