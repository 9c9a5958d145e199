"""What a bot may say, and what the answer to anything else is."""

import json
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from referee.mistake_advice import hint
from referee.protocol import (
    MoveAnswer,
    ProtocolError,
    Ready,
    clean,
    parse_action,
    parse_answer,
    parse_ready,
    parse_stop,
)


def refusal(parse: Callable[[], object]) -> str:
    with pytest.raises(ProtocolError) as caught:
        parse()
    return str(caught.value)


def test_ready_has_defaults_for_all_it_leaves_out_and_says_what_the_bot_wants() -> None:
    plain = Ready("", position=True, events=True, stops=False)
    assert parse_ready(b'{"type": "ready", "colour": "red"}') == plain
    line = b'{"type":"ready","name":" My  bot\\n","position":false,"events":false,"stops":true}'
    assert parse_ready(line) == Ready("My bot", position=False, events=False, stops=True)
    for bad, message in (
        (b'{"type":"go"}', "expected \"type\" to be 'ready', got 'go'"),
        (b'{"type":"ready","name":3}', 'expected "name" to be a string, got 3'),
        (b'{"type":"ready","stops":"yes"}', "expected \"stops\" to be true or false, got 'yes'"),
    ):
        assert refusal(partial(parse_ready, bad)) == message


def test_an_answer_may_be_moves_alone_or_say_everything() -> None:
    assert parse_answer(b'{"id":"a","moves":["draw","h-t1"]}', "a") == MoveAnswer(("draw", "h-t1"))
    line = b'{"id":"a","moves":["draw"],"comment":"hm","eval":-1,"offer_draw":true,"other":[],"resign":false}'
    assert parse_answer(line, "a") == MoveAnswer(("draw",), "hm", -1.0, offer_draw=True)
    for enough in (b'"resign":true', b'"accept_draw":true'):
        assert parse_answer(b'{"id":"a",' + enough + b"}", "a").moves == ()


def test_a_poll_is_answered_with_true_or_false() -> None:
    assert parse_stop(b'{"id":"a","stop":true}', "a") is True
    assert parse_stop(b'{"id":"a","stop":false}', "a") is False
    for bad in (b'{"id":"a"}', b'{"id":"a","stop":1}', b'{"id":"b","stop":true}'):
        assert refusal(partial(parse_stop, bad, "a")).startswith("expected ")


def test_a_bots_text_is_made_fit_to_show() -> None:
    assert clean("a\x00b\n\ud800c  \u202ed", 20) == "a b c d"
    assert clean("x" * 30, 20) == "x" * 19 + "…"
    assert clean("\x00", 20) == ""


FIELDS = ("type", "id", "name", "moves", "action", "comment", "eval", "resign", "stop", "plays", "position")
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 80), 1 << 80)
    | st.floats()
    | st.sampled_from(("ready", "x", "\ud800", "\0", "h-d"))
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
LINES = st.binary(max_size=80) | st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6).map(
    lambda fields: json.dumps(fields).encode()
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LINES)
@example(b'{"type":"ready","name":' + b"[" * 990 + b"]" * 990 + b"}")
@example(b'{"id":"x","moves":' + b"9" * 4000 + b"}")
@example(b'{"id":"x","eval":' + b"9" * 4000 + b"}")
@example(b'{"id":"x","eval":1e99999}')
def test_no_line_is_worse_than_a_wrong_answer(line: bytes) -> None:
    for parse in (
        parse_ready,
        parse_action,
        lambda one: parse_answer(one, "x"),
        lambda one: parse_stop(one, "x"),
    ):
        said = ""
        try:
            parse(line)
        except ProtocolError as error:
            said = str(error)
        assert "\0" not in said
        said.encode()  # raises for what no file takes


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=200), st.text(max_size=80), st.sampled_from(("crash", "startup", "timeout")))
@example("No module named '{0}{1}", "{", "crash")
@example("FileNotFoundError: x: '{x}'", "%s", "startup")
def test_no_output_is_too_odd_for_a_hint(stderr: str, detail: str, termination: str) -> None:
    assert str(hint(termination, detail, stderr, 7, 1.0) or "-")
