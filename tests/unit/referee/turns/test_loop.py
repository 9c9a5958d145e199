"""The loop that plays one game, with players in this process."""

import json
import random
from typing import Any

import pytest

import engine
from referee.job import ClockRule
from tests.unit.referee.scripted import Played, Scripted
from tests.variants import IN_TURNS

START = engine.TurnPosition.deal("crapaud", "0" * 64)
LEGAL = "draw, t6-f, t7-t2"
"""Seat 1 starts, and these are its legal moves."""


def replies(*answers: dict[str, Any], ready: dict[str, Any] | None = None) -> Scripted:
    left = iter(answers)
    return Scripted(lambda message: {"id": message["id"], **next(left)}, ready=ready)


def resigning() -> Scripted:
    return replies({"resign": True})


def forward(seed: str) -> Scripted:
    dice = random.Random(seed)

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        legal = message["legal"]
        good = [move for move in legal if move.endswith("-f") or move[0] in "rh"]
        return {"id": message["id"], "moves": [dice.choice(good or legal)]}

    return Scripted(answer)


def spoiled(player: Scripted) -> tuple[str, str]:
    """How a game ended that seat 1 spoils with its first answer."""
    played = Played(START, [Scripted(), player])
    assert played.events[-1]["type"] == "end"
    assert (played.result["seat"], played.result["ranking"]) == (1, ((0,), (1,)))
    return played.result["termination"], played.result["detail"]


@pytest.mark.parametrize("variant", IN_TURNS)
def test_a_game_is_played_to_its_end_and_its_events_replay_it(variant: str) -> None:
    start = engine.TurnPosition.deal(variant, "7" * 64)
    players = [forward("a"), forward("b")]
    played = Played(start, players)
    game = engine.TurnGame(start)
    for number, event in enumerate(played.events[:-1]):
        assert (event["n"], event["type"]) == (number, "move")
        assert game.push(event["move"]).as_dict().items() <= event.items()
        assert event["ply"] == game.ply
    outcome, result = game.outcome(), played.result
    assert outcome is not None
    assert (result["termination"], result["ranking"]) == (outcome.result, outcome.ranking)
    assert (result["points"], result["left"]) == (
        outcome.points,
        tuple(one.left for one in game.position.seats),
    )
    assert (result["plies"], result["turns"]) == (game.ply, game.turn_number)
    told = json.loads(json.dumps(result))
    assert (played.events[-1]["result"], played.events[-1]["n"]) == (told, len(played.events) - 1)
    for player in players:
        assert (player.heard[-1]["type"], player.heard[-1]["result"], player.closed) == ("end", told, True)
        for question in player.questions:
            position = engine.TurnPosition.parse(question["position"])
            assert position == position.public(), "no message contains a hidden card"


def test_a_bot_is_told_what_is_played_the_position_its_moves_the_clocks_and_the_events_since() -> None:
    player = replies({"moves": ["t6-f"]}, {"resign": True})
    Played(START, [Scripted(), player], ClockRule(5000, 70))
    clock = {"bank_ms": 5000, "increment_ms": 70}
    hello = {"type": "hello", "protocol": 1, "variant": "crapaud", "players": 2, "seat": 1, "clock": clock}
    assert player.heard[0] == {**hello, "rules": 1}
    first, second = player.questions
    assert ", ".join(first["legal"]) == LEGAL
    asked = {"type": "move", "ply": 0, "clocks": [5000, 5000], "legal": first["legal"], "events": []}
    assert first == {**asked, "id": first["id"], "position": str(START.public())}
    game = engine.TurnGame(START)
    assert second["events"] == [game.push("t6-f").as_dict()]
    assert second["position"] == str(game.position.public())
    assert second["id"] != first["id"]


def test_several_moves_are_played_up_to_the_next_card_turned_up_or_the_end_of_the_turn() -> None:
    said = {"comment": "  a\n\tb  " + "x" * 300, "eval": 0.25}
    player = replies(
        {"moves": ["t6-f", "draw", "nonsense", "t1-f"], **said}, {"moves": ["h-d", "draw"]}, {"resign": True}
    )
    played = Played(START, [resigning(), player])
    assert [event.get("move") for event in played.events] == ["t6-f", "draw", "h-d", None]
    assert (played.events[2]["turn"], played.result["seat"]) == (0, 0)
    first, second = played.events[:2]
    assert first["eval"] == 0.25
    assert first["comment"].startswith("a b xxx")
    assert len(first["comment"]) == 200
    assert second.keys() & {"comment", "eval"} == set()


@pytest.mark.parametrize("said", ["t1-f", "nonsense", ""])
def test_an_illegal_move_loses(said: str) -> None:
    detail = f"Seat 1 played '{said}' at ply 1: expected one of {LEGAL}."
    assert spoiled(replies({"moves": [said]})) == ("illegal-move", detail)


def test_a_draw_is_offered_with_moves_and_accepted_without_or_declined_by_playing_on() -> None:
    offers = {"moves": ["draw"], "offer_draw": True}
    offering, accepting = replies(offers, {"moves": ["h-d"]}), replies({"accept_draw": True})
    played = Played(START, [accepting, offering])
    assert played.kinds() == ["offer", "move", "move", "end"]
    assert accepting.questions[0]["draw_offered"] is True
    assert all("draw_offered" not in question for question in offering.questions)
    assert (played.result["termination"], played.result["seat"]) == ("draw-agreed", None)
    assert played.result["ranking"] == ((0, 1),)
    assert played.result["detail"] == "Seat 1 offered a draw and seat 0 accepted."
    declining = replies({"moves": ["draw"]}, {"resign": True})
    played = Played(START, [declining, replies(offers, {"moves": ["h-d"]})])
    assert played.kinds() == ["offer", "move", "move", "decline", "move", "end"]
    assert played.events[3] == {"n": 3, "type": "decline", "ply": 2, "seat": 0, "clocks": [60000, 60500]}
    assert "draw_offered" not in declining.questions[1]


def test_of_three_seats_the_one_that_forfeits_is_last_and_offers_of_a_draw_are_ignored() -> None:
    start = engine.TurnPosition.deal("crapette", "3" * 64, 3)
    players, turn = [Scripted(), Scripted(), Scripted()], start.turn
    players[turn] = replies({"moves": ["draw"], "offer_draw": True}, {"moves": ["t1-t1"]})
    played = Played(start, players)
    others = tuple(seat for seat in range(3) if seat != turn)
    assert "offer" not in played.kinds()
    assert played.result["ranking"] == (others, (turn,))
    assert sum(played.result["points"]) == 0
    # 48 cards left, and the reserve never emptied.
    assert played.result["points"][others[0]] == 52 // 2 - 2 + 10


class TestStop:
    """Stop calls of `crapette-it` (RULES 6)."""

    def irregular_first(self) -> tuple[engine.TurnGame, str]:
        """A game in which an irregular move is legal that does not end the turn, and that move."""
        game, dice = engine.TurnGame.deal("crapette-it", "0" * 64), random.Random(5)
        while True:
            for move in game.legal_moves():
                if game.irregular(move) and move not in {"pass", "h-d"}:
                    return game, move
            game.push(dice.choice(game.legal_moves()))

    def play(self, stop: bool, move: str = "", polls: bool = True) -> tuple[Played, Scripted]:
        game, irregular = self.irregular_first()
        mover = replies({"moves": [move or irregular]}, {"resign": True})

        def caller(message: dict[str, Any]) -> dict[str, Any]:
            return {"id": message["id"], "stop": stop, "resign": True}

        watching = Scripted(caller, ready={"type": "ready", "stops": polls})
        return Played(game.position, [watching, mover] if game.turn else [mover, watching]), watching

    def test_a_rightful_stop_gives_the_turn_to_the_caller(self) -> None:
        played, watching = self.play(stop=True)
        assert played.kinds() == ["move", "stop", "end"]
        # The caller had to move, and resigned.
        assert played.events[1]["seat"] == played.events[1]["turn"] == played.result["seat"]
        poll = watching.heard[1]
        assert poll["type"] == "stop"
        assert set(poll) == {"type", "id", "ply", "clocks", "before", "move", "events"}
        before = engine.TurnPosition.parse(poll["before"])
        assert before.public() == before

    def test_an_action_that_turns_up_a_card_can_be_stopped_too(self) -> None:
        game = engine.TurnGame.deal("crapette-it", "2" * 64)
        while "draw" not in game.legal_moves() or game.position.phase != "play":
            game.push(game.legal_moves()[0])
        mover = replies({"moves": ["draw"]}, {"resign": True})
        watching = replies({"stop": False}, ready={"type": "ready", "stops": True})
        Played(game.position, [watching, mover] if game.turn else [mover, watching])
        assert [message.get("move") for message in watching.heard] == [None, "draw", None]

    def test_nobody_is_told_whether_an_action_was_irregular_and_polled_who_did_not_ask(self) -> None:
        played, watching = self.play(stop=False)
        assert played.kinds() == ["move", "end"]
        assert all("!" not in line for line in played.lines)
        assert all("!" not in json.dumps(message) for message in watching.heard)
        _, watching = self.play(stop=True, polls=False)
        assert all(message["type"] != "stop" for message in watching.heard)

    def test_a_wrong_stop_costs_the_right_to_call(self) -> None:
        game, _ = self.irregular_first()
        regular = (
            one for one in game.legal_moves() if not game.irregular(one) and one not in ("pass", "h-d")
        )
        played, watching = self.play(stop=True, move=next(regular))
        assert played.kinds()[:2] == ["move", "stop"]
        assert played.events[1]["turn"] == played.events[0]["seat"]
        assert played.events[1]["counters"].split(",")[3] == str(played.events[1]["seat"])
        assert sum(message["type"] == "stop" for message in watching.heard) == 1


def answering(form: str, seed: str, *, short: bool, late: bool = False) -> Scripted:
    """A player that wants no events, and sometimes answers in a form of its own."""
    dice = random.Random(seed)

    def answer(message: dict[str, Any]) -> bytes:
        legal = message["legal"]
        chosen = [dice.choice([move for move in legal if move.endswith("-f") or move[0] in "rh"] or legal)]
        fields: dict[str, Any] = {"id": message["id"], "moves": chosen}
        if dice.random() < 0.2:
            if form == "several":
                fields["moves"] = [*chosen, "draw", "h-d"]
            elif form == "remark":
                fields |= {"comment": 'so "so"', "eval": 0.5}
            elif form == "offer":
                fields["offer_draw"] = True
            elif form == "spaced":
                return json.dumps(fields).encode()
            elif form == "escaped":
                return json.dumps(fields, separators=(",", ":")).replace("-", "\\u002d").encode()
        return json.dumps(fields, separators=(",", ":")).encode()

    return Scripted(answer, ready={"type": "ready", "events": False}, short=short, late=late)


@pytest.mark.parametrize("form", ["plain", "several", "remark", "offer", "spaced", "escaped", "late"])
def test_the_short_way_leads_to_the_same_game_word_for_word(form: str) -> None:
    start = engine.TurnPosition.deal("crapette-it", "7" * 64)
    ways = []
    for short in (False, True):
        seats = [answering(form, seed, short=short, late=form == "late") for seed in "ab"]
        ways.append((Played(start, seats).lines, [seat.heard for seat in seats]))
    assert any(seat.asked_shortly for seat in seats)
    assert ways[0] == ways[1]


@pytest.mark.parametrize("moves", [["t1-f"], ["draw", "hm"], ["draw"] * 1001, ["t6-f", "t6-f"], ["draw\xff"]])
def test_what_is_wrong_with_an_answer_is_the_same_on_the_short_way(moves: list[str]) -> None:
    ways = []
    for short in (False, True):
        asked = 0

        def answer(message: dict[str, Any]) -> bytes:
            nonlocal asked
            asked += 1
            said = moves if asked > 1 else ["draw"]
            return b'{"id":"%b","moves":["%b"]}' % (
                message["id"].encode(),
                '","'.join(said).encode("latin-1"),
            )

        seats = [Scripted(answer, ready={"type": "ready", "events": False}, short=short) for _ in range(2)]
        ways.append(Played(START, seats).lines)
    assert ways[0] == ways[1]
    assert json.loads(ways[0][-1])["result"]["termination"] in {"illegal-move", "protocol"}
