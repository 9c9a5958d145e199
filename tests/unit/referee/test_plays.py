"""What a bot says that it plays."""

import json

from engine.boards import BOARDS
from referee.protocol import Ready, parse_ready


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
