"""What a bot says that it plays."""

import json

import pytest

from engine.boards import BOARDS
from referee.protocol import ProtocolError, Ready, parse_ready


def said(**fields: object) -> Ready:
    return parse_ready(json.dumps({"type": "ready", **fields}).encode())


def test_a_bot_plays_what_it_names_or_all_of_turns_and_ticks_if_it_says_so() -> None:
    assert [board for board in BOARDS if said().plays_on(board)] == [
        one for one in BOARDS if one != "vitesse"
    ]
    assert [board for board in BOARDS if said(ticks=True).plays_on(board)] == list(BOARDS)
    ready = said(plays=["crapette/3", "go", "crapo"])
    assert ready.plays == ("crapette/3", "crapo"), "names of other arenas are let be"
    assert [board for board in BOARDS if ready.plays_on(board)] == ["crapo", "crapette/3"]
    assert not any(said(plays=[]).plays_on(board) for board in BOARDS)


def test_anything_but_a_short_list_of_names_is_refused() -> None:
    for plays in ("crapaud", [1], {"crapaud": True}, True):
        with pytest.raises(ProtocolError, match='expected "plays" to be a list of strings, got '):
            said(plays=plays)
    with pytest.raises(ProtocolError, match='expected at most 100 boards in "plays", got 101'):
        said(plays=["crapaud"] * 101)
