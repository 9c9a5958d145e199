"""The loop that plays one game, with players in this process."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from referee.job import ClockRule
from tests.unit.referee.scripted import Played, Scripted, first_legal
from tests.variants import IN_TURNS

START = engine.TurnPosition.deal("crapaud", "0" * 64)
# Seat 1 starts, and these are its legal moves.
LEGAL = "draw, t6-f, t7-t2"


def opponent() -> Scripted:
    return Scripted()


def mover(**fields: Any) -> Scripted:
    """Seat 1: answers the first question with these fields."""
    return Scripted(lambda message: {"id": message["id"], **fields})


def forward(seed: str) -> Scripted:
    """A player that mostly makes progress."""
    dice = random.Random(seed)

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        legal = message["legal"]
        good = [move for move in legal if move.endswith("-f") or move[0] in "rh"]
        return {"id": message["id"], "moves": [dice.choice(good or legal)]}

    return Scripted(answer)


def in_turn(*replies: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a player says to one question after the other."""
    return iter(replies)


def spoiled(player: Scripted) -> dict[str, Any]:
    """The result of a game that seat 1 spoils with its first answer."""
    played = Played(START, [opponent(), player])
    assert played.events[-1]["type"] == "end"
    assert played.result["seat"] == 1
    assert played.result["ranking"] == ((0,), (1,))
    return played.result


def test_the_start_has_the_legal_moves_these_tests_name() -> None:
    assert engine.TurnGame(START).turn == 1
    assert ", ".join(engine.TurnGame(START).legal_moves()) == LEGAL


@pytest.mark.parametrize("variant", IN_TURNS)
def test_a_game_is_played_to_its_end_and_its_events_replay_it(variant: str) -> None:
    start = engine.TurnPosition.deal(variant, "7" * 64)
    played = Played(start, [forward("a"), forward("b")])
    game = engine.TurnGame(start)
    for event in played.events[:-1]:
        assert event["type"] == "move"
        assert game.push(event["move"]).as_dict().items() <= event.items()
        assert event["ply"] == game.ply
    outcome = game.outcome()
    assert outcome is not None
    assert played.result["termination"] == outcome.result
    assert played.result["ranking"] == outcome.ranking
    assert played.result["points"] == outcome.points
    assert played.result["left"] == tuple(seat.left for seat in game.position.seats)
    assert played.result["plies"] == game.ply
    assert played.result["turns"] == game.turn_number


def test_events_are_numbered_without_gaps_and_the_last_carries_the_result() -> None:
    played = Played(START, [forward("a"), forward("b")])
    assert [event["n"] for event in played.events] == list(range(len(played.events)))
    assert played.events[-1]["result"] == json.loads(json.dumps(played.result))
    assert played.kinds().count("end") == 1


def test_the_hello_says_what_is_played() -> None:
    player = opponent()
    Played(START, [player, mover(resign=True)], ClockRule(5000, 70))
    assert player.heard[0] == {
        "type": "hello",
        "protocol": 1,
        "variant": "crapaud",
        "players": 2,
        "seat": 0,
        "clock": {"bank_ms": 5000, "increment_ms": 70},
        "rules": 1,
    }


def test_a_question_has_position_legal_moves_clocks_and_the_events_since() -> None:
    answers = in_turn({"moves": ["t6-f"]}, {"resign": True})
    player = Scripted(lambda message: {"id": message["id"], **next(answers)})
    Played(START, [opponent(), player])
    first, second = player.questions
    assert first == {
        "type": "move",
        "id": first["id"],
        "ply": 0,
        "clocks": [60000, 60000],
        "legal": ["draw", "t6-f", "t7-t2"],
        "position": str(START.public()),
        "events": [],
    }
    game = engine.TurnGame(START)
    event = game.push("t6-f").as_dict()
    assert second["events"] == [event]
    assert second["position"] == str(game.position.public())
    assert second["id"] != first["id"]


def test_a_bot_that_wants_neither_is_told_the_position_once_and_no_events() -> None:
    answers = in_turn({"moves": ["t6-f"]}, {"resign": True})
    player = Scripted(
        lambda message: {"id": message["id"], **next(answers)},
        ready={"type": "ready", "position": False, "events": False},
    )
    Played(START, [opponent(), player])
    first, second = player.questions
    assert first["position"] == str(START.public())
    assert "events" not in first
    assert set(second) == {"type", "id", "ply", "clocks", "legal"}


def test_no_message_contains_a_hidden_card() -> None:
    players = [forward("a"), forward("b")]
    Played(engine.TurnPosition.deal("crapette-it", "5" * 64), players)
    for player in players:
        for question in player.questions:
            position = engine.TurnPosition.parse(question["position"])
            assert str(position) == str(position.public())


def test_several_moves_are_played_up_to_the_next_card_turned_up_and_the_rest_is_dropped() -> None:
    answers = in_turn({"moves": ["t6-f", "draw", "nonsense", "t1-f"]}, {"resign": True})
    played = Played(START, [opponent(), Scripted(lambda message: {"id": message["id"], **next(answers)})])
    assert [event.get("move") for event in played.events] == ["t6-f", "draw", None]
    assert played.result["termination"] == "resignation"


def test_several_moves_end_with_the_turn() -> None:
    answers = in_turn({"moves": ["draw"]}, {"moves": ["h-d", "draw"]})
    player = Scripted(lambda message: {"id": message["id"], **next(answers)})
    other = mover(resign=True)
    played = Played(START, [other, player])
    assert [event.get("move") for event in played.events] == ["draw", "h-d", None]
    assert played.events[1]["turn"] == 0
    assert played.result["seat"] == 0


def test_comment_and_evaluation_are_recorded_at_the_first_ply_of_the_answer() -> None:
    answers = in_turn(
        {"moves": ["t6-f", "draw"], "comment": "  a\n\tb  " + "x" * 300, "eval": 0.25}, {"resign": True}
    )
    played = Played(START, [opponent(), Scripted(lambda message: {"id": message["id"], **next(answers)})])
    first, second = played.events[:2]
    assert first["eval"] == 0.25
    assert first["comment"].startswith("a b xxx")
    assert len(first["comment"]) == 200
    assert "comment" not in second
    assert "eval" not in second


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        ("t1-f", f"Seat 1 played 't1-f' at ply 1: expected one of {LEGAL}."),
        ("nonsense", f"Seat 1 played 'nonsense' at ply 1: expected one of {LEGAL}."),
        ("", f"Seat 1 played '' at ply 1: expected one of {LEGAL}."),
    ],
)
def test_an_illegal_move_loses(said: str, detail: str) -> None:
    result = spoiled(mover(moves=[said]))
    assert (result["termination"], result["detail"]) == ("illegal-move", detail)


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        (b"hello", 'expected one line of JSON like {"id": "…", "moves": ["…"]}, got \'hello\''),
        (b"\xff", 'expected a line of UTF-8 like {"id": "…", "moves": ["…"]}, got b\'\\xff\''),
        (
            b"[" * 60_000,
            'expected one line of JSON like {"id": "…", "moves": ["…"]}, got \'' + "[" * 78 + "…",
        ),
        (b"1" * 5000, 'expected one line of JSON like {"id": "…", "moves": ["…"]}, got \'' + "1" * 78 + "…"),
        (b"[1]", 'expected a JSON object like {"id": "…", "moves": ["…"]}, got [1]'),
        (b'{"id": NaN}', 'expected one line of JSON like {"id": "…", "moves": ["…"]}, got \'{"id": NaN}\''),
    ],
)
def test_a_line_that_is_no_answer_loses(line: bytes, detail: str) -> None:
    result = spoiled(Scripted(lambda message: line))
    assert result["termination"] == "protocol"
    assert result["detail"] == f"Seat 1 answered wrongly: {detail}."


def test_an_answer_to_another_question_loses() -> None:
    result = spoiled(Scripted(lambda message: {"id": "0", "moves": ["draw"]}))
    assert result["termination"] == "protocol"
    assert "got '0' (one line for each question, nothing unasked)." in result["detail"]


def test_escaped_moves_are_read_as_json_says() -> None:
    answers = iter([b'"moves":["t6\\u002df"]}', b'"moves":[],"resign":true}'])
    played = Played(
        START, [opponent(), Scripted(lambda message: b'{"id":"%b",' % message["id"].encode() + next(answers))]
    )
    assert played.events[0]["move"] == "t6-f"


def test_what_looks_like_plain_moves_but_is_not_takes_the_strict_way() -> None:
    line = b'","moves":["t6-f"],"resign":["x"]}'
    result = spoiled(Scripted(lambda message: b'{"id":"%b' % message["id"].encode() + line))
    assert result["termination"] == "protocol"
    assert result["detail"] == "Seat 1 answered wrongly: expected \"resign\" to be true or false, got ['x']."


def test_a_bot_that_resigns_loses() -> None:
    result = spoiled(mover(resign=True))
    assert (result["termination"], result["detail"]) == ("resignation", "Seat 1 resigned.")


def test_a_draw_is_offered_with_moves_and_accepted_without() -> None:
    answers = in_turn({"moves": ["draw"], "offer_draw": True}, {"moves": ["h-d"]})
    offering = Scripted(lambda message: {"id": message["id"], **next(answers)})
    accepting = mover(accept_draw=True)
    played = Played(START, [accepting, offering])
    assert played.kinds() == ["offer", "move", "move", "end"]
    assert accepting.questions[0]["draw_offered"] is True
    assert all("draw_offered" not in question for question in offering.questions)
    assert played.result["termination"] == "draw-agreed"
    assert played.result["seat"] is None
    assert played.result["ranking"] == ((0, 1),)
    assert played.result["detail"] == "Seat 1 offered a draw and seat 0 accepted."


def test_an_offer_is_declined_by_playing_on() -> None:
    answers = in_turn({"moves": ["draw"], "offer_draw": True}, {"moves": ["h-d"]})
    offering = Scripted(lambda message: {"id": message["id"], **next(answers)})
    replies = in_turn({"moves": ["draw"]}, {"resign": True})
    declining = Scripted(lambda message: {"id": message["id"], **next(replies)})
    played = Played(START, [declining, offering])
    assert played.kinds() == ["offer", "move", "move", "decline", "move", "end"]
    assert played.events[3] == {"n": 3, "type": "decline", "ply": 2, "seat": 0, "clocks": [60000, 60500]}
    assert "draw_offered" not in declining.questions[1]


def test_accepting_a_draw_that_nobody_offered_is_not_an_answer() -> None:
    result = spoiled(mover(accept_draw=True))
    assert result["termination"] == "protocol"
    assert result["detail"] == "Seat 1 accepted a draw that nobody had offered, and played nothing."


def test_a_bot_that_is_not_ready_has_lost_before_the_first_ply() -> None:
    played = Played(START, [opponent(), Scripted(ready=b"Loading...")])
    assert played.result["termination"] == "startup"
    assert played.result["detail"] == (
        "Seat 1 did not say that it was ready: expected one line of JSON like"
        ' {"type": "ready"}, got \'Loading...\'.'
    )
    assert played.kinds() == ["end"]


def test_every_player_hears_the_result() -> None:
    players = [opponent(), mover(resign=True)]
    played = Played(START, players)
    for player in players:
        assert player.heard[-1] == {
            "type": "end",
            "result": json.loads(json.dumps(played.result)),
            "events": [],
        }
        assert player.closed


class TestThreeSeats:
    start = engine.TurnPosition.deal("crapette", "3" * 64, 3)

    def test_the_seat_that_forfeits_is_last_and_the_others_share_what_is_left(self) -> None:
        turn = engine.TurnGame(self.start).turn
        players = [Scripted(first_legal) for _ in range(3)]
        players[turn] = mover(moves=["t1-t1"])
        played = Played(self.start, players)
        others = tuple(seat for seat in range(3) if seat != turn)
        assert played.result["ranking"] == (others, (turn,))
        assert sum(played.result["points"]) == 0
        assert (
            played.result["points"][others[0]] == 52 // 2 - 2 + 10
        )  # 48 cards left, and the reserve never emptied

    def test_an_offer_of_a_draw_is_ignored(self) -> None:
        turn = engine.TurnGame(self.start).turn
        answers = in_turn({"moves": ["draw"], "offer_draw": True}, {"resign": True})
        players = [Scripted(first_legal) for _ in range(3)]
        players[turn] = Scripted(lambda message: {"id": message["id"], **next(answers)})
        assert "offer" not in Played(self.start, players).kinds()


class TestStop:
    """Stop calls of `crapette-it` (RULES 6)."""

    start = engine.TurnPosition.deal("crapette-it", "0" * 64)

    def irregular_first(self) -> tuple[engine.TurnPosition, str, int]:
        """A position of a game in which an irregular move is legal, that move, and who makes it."""
        game = engine.TurnGame(self.start)
        dice = random.Random(5)
        while True:
            for move in game.legal_moves():
                if game.irregular(move) and move not in {"pass", "h-d"}:
                    before, seat = game.position, game.turn
                    game.push(move)
                    if game.turn == seat:
                        return before, move, seat
                    game.pop()
            game.push(dice.choice(game.legal_moves()))

    def play(self, stop: bool, move_regular: bool = False) -> tuple[Played, Scripted]:
        start, move, seat = self.irregular_first()
        if move_regular:
            game = engine.TurnGame(start)
            move = next(
                text
                for text in game.legal_moves()
                if not game.irregular(text) and text not in ("pass", "h-d")
            )
        answers = in_turn({"moves": [move]}, {"resign": True})
        mover_ = Scripted(lambda message: {"id": message["id"], **next(answers)})

        def caller(message: dict[str, Any]) -> dict[str, Any]:
            if message["type"] == "stop":
                return {"id": message["id"], "stop": stop}
            return {"id": message["id"], "resign": True}

        watching = Scripted(caller, ready={"type": "ready", "stops": True})
        players = [watching, mover_] if seat == 1 else [mover_, watching]
        return Played(start, players), watching

    def test_a_rightful_stop_gives_the_turn_to_the_caller(self) -> None:
        played, watching = self.play(stop=True)
        assert played.kinds() == ["move", "stop", "end"]
        assert played.events[1]["seat"] == played.events[1]["turn"]
        assert played.result["seat"] == played.events[1]["seat"]  # the caller had to move, and resigned
        poll = watching.heard[1]
        assert poll["type"] == "stop"
        assert set(poll) == {"type", "id", "ply", "clocks", "before", "move", "events"}
        assert engine.TurnPosition.parse(poll["before"]).public() == engine.TurnPosition.parse(poll["before"])

    def test_an_action_that_turns_up_a_card_can_be_stopped_too(self) -> None:
        game = engine.TurnGame.deal("crapette-it", "2" * 64)
        while "draw" not in game.legal_moves() or game.position.phase != "play":
            game.push(game.legal_moves()[0])
        answers = in_turn({"moves": ["draw"]}, {"resign": True})
        mover_ = Scripted(lambda message: {"id": message["id"], **next(answers)})
        watching = Scripted(
            lambda message: {"id": message["id"], "stop": False}, ready={"type": "ready", "stops": True}
        )
        Played(game.position, [watching, mover_] if game.turn == 1 else [mover_, watching])
        assert [message.get("move") for message in watching.heard] == [None, "draw", None]

    def test_nobody_is_told_whether_an_action_was_irregular(self) -> None:
        played, watching = self.play(stop=False)
        assert played.kinds() == ["move", "end"]
        assert all("!" not in line for line in played.lines)
        assert all("!" not in json.dumps(message) for message in watching.heard)

    def test_a_wrong_stop_costs_the_right_to_call(self) -> None:
        played, watching = self.play(stop=True, move_regular=True)
        assert played.kinds()[:2] == ["move", "stop"]
        assert played.events[1]["turn"] == played.events[0]["seat"]
        assert played.events[1]["counters"].split(",")[3] == str(played.events[1]["seat"])
        assert sum(message["type"] == "stop" for message in watching.heard) == 1

    def test_a_bot_that_did_not_ask_for_polls_gets_none(self) -> None:
        start, move, seat = self.irregular_first()
        answers = in_turn({"moves": [move]}, {"resign": True})
        mover_ = Scripted(lambda message: {"id": message["id"], **next(answers)})
        players = [Scripted(), mover_] if seat == 1 else [mover_, Scripted()]
        Played(start, players)
        assert all(message["type"] != "stop" for player in players for message in player.heard)


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


@pytest.mark.parametrize("variant", ["crapaud", "crapette-it", "russian-bank"])
@pytest.mark.parametrize("form", ["plain", "several", "remark", "offer", "spaced", "escaped", "late"])
def test_the_short_way_leads_to_the_same_game_word_for_word(variant: str, form: str) -> None:
    start = engine.TurnPosition.deal(variant, "7" * 64)
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
