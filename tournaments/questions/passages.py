"""A passage of a game as an animated picture, in the site's language.

Never imported where pages are served.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.utils.translation import gettext, override

from arena.web.deck.animation import gif
from arena.web.deck.frame import Scene, frame
from arena.web.deck.piles import carry_out, piles_of
from tournaments.questions.question_types import Gone

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Event = Mapping[str, Any]

SHOWN: Final = frozenset(("move", "stop", "tick"))
"""Events that change the table; the others are words."""
MOST_FRAMES: Final = 80
"""More than plies may be asked for: a call of stop is no ply."""
MOST_BYTES: Final = 1 << 20
SECONDS: Final = 1.0
"""How long a frame stays: people see one card move in it."""
FIRST_SECONDS: Final = 1.5
LAST_SECONDS: Final = 3.0
TOO_LARGE: Final = "The picture of this passage would be too large. Choose a shorter one."
IDLE_SECONDS: Final = 0.4
"""A tick in which no card was played."""


def draw_passage(
    start: str, events: Sequence[Event], span: tuple[int, int], names: Sequence[str]
) -> dict[str, Any]:
    """The passage as a GIF that repeats, how many `frames` it has, and `still`, the first of them.

    It begins with what lay after the first ply of the span, and has a frame for every ply after it and for
    every call of stop. Both GIFs are in base 64. Raises Gone if it gets too large.
    """
    shown = [event for event in events if event["type"] in SHOWN]
    scenes, seconds = [], []
    with override(settings.LANGUAGE_CODE):
        for event, svg in _frames(start, shown, span, names):
            scenes.append(svg)
            seconds.append(SECONDS if event is None or _plays(event) else IDLE_SECONDS)
    seconds[0] = max(seconds[0], FIRST_SECONDS)
    seconds[-1] = LAST_SECONDS
    moving = gif(scenes, seconds) if len(scenes) <= MOST_FRAMES else b""
    if not 0 < len(moving) <= MOST_BYTES:
        raise Gone(TOO_LARGE)
    return {"gif": _text(moving), "still": _text(gif(scenes[:1], seconds[:1])), "frames": len(scenes)}


def _frames(
    start: str, events: Sequence[Event], span: tuple[int, int], names: Sequence[str]
) -> Iterator[tuple[Event | None, str]]:
    first, last = span
    piles = piles_of(start)
    turns = list(_turns(events))
    before = [event for event in events if event["ply"] <= first]
    carry_out(piles, before)
    newest = before[-1] if before else None
    yield newest, frame(piles, _scene(newest, turns[len(before) - 1] if before else 0, names))
    for event, turn in zip(events[len(before) :], turns[len(before) :], strict=True):
        if event["ply"] > last:
            break
        carry_out(piles, [event])
        yield event, frame(piles, _scene(event, turn, names))


def _turns(events: Sequence[Event]) -> Iterator[int]:
    """The number of each event's turn, from 1."""
    turn, number = 1, None
    for event in events:
        yield turn
        ended = event.get("turn", event.get("seat")) != event.get("seat")
        again = number is not None and event.get("turn_number", number) != number
        turn += ended or again
        number = event.get("turn_number", number)


def _scene(event: Event | None, turn: int, names: Sequence[str]) -> Scene:
    if event is None:
        return Scene(names, frozenset(), (), (), gettext("The cards are dealt."))
    steps = [step for step in event.get("done", (event,)) if not step.get("missed")]
    turned = [f"h{step['flip']}" for step in steps if step.get("flip") is not None]
    return Scene(
        names,
        frozenset(step["seat"] for step in steps if step.get("move") != "wait"),
        [step["from"] for step in steps if step.get("from")],
        [*(step["to"] for step in steps if step.get("to")), *turned],
        _caption(event, steps, turn, names),
    )


def _caption(event: Event, steps: Sequence[Event], turn: int, names: Sequence[str]) -> str:
    """What happened, in words that people use: ``turn 12: Greedy builds on house 3``."""
    told = [_step_words(step, names) for step in steps if step.get("move") != "wait"]
    words = ", ".join(told) or gettext("both wait")
    if event["type"] == "tick":
        return gettext("tick %(number)s: %(words)s") % {"number": event["ply"], "words": words}
    return gettext("turn %(number)s: %(words)s") % {"number": turn, "words": words}


def _step_words(step: Event, names: Sequence[str]) -> str:
    """What a seat did. The letters of the picture have no signs for suits, and it shows the card."""
    to, seat = str(step.get("to") or ""), step["seat"]
    loads = to[:1] in {"d", "r"} and to[1:] != str(seat)
    kinds = (
        ("stop" in (step.get("move"), step.get("type")), gettext("%(player)s calls stop")),
        (step.get("out") is not None, gettext("%(player)s plays the last card")),
        (to.startswith("f"), gettext("%(player)s plays to a foundation")),
        (to.startswith("t"), gettext("%(player)s builds on house %(house)s")),
        (loads, gettext("%(player)s loads a card on %(other)s")),
        (step.get("flip") is not None, gettext("%(player)s turns over the discard")),
        (step.get("move") in {"draw", "turn"}, gettext("%(player)s turns up a card")),
        (to.startswith("d"), gettext("%(player)s discards")),
        (True, gettext("%(player)s passes")),
    )
    words = next(words for holds, words in kinds if holds)
    return words % {"player": names[seat], "house": to[1:], "other": names[int(to[1:])] if loads else ""}


def _plays(event: Event) -> bool:
    """Whether a card is played or turned."""
    return event["type"] != "tick" or any(
        step.get("to") or step.get("flip") is not None for step in event["done"] if not step.get("missed")
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
