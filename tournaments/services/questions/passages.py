"""A passage of a game as an animated picture. Never imported where pages are served."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from arena.web.deck.animation import gif
from arena.web.deck.piles import carry_out, piles_of
from arena.web.deck.scene import Scene, frame
from tournaments.services.questions.question_types import Gone

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
    total = shown[-1]["ply"] if shown else 0
    scenes, seconds = [], []
    for event, svg in _frames(start, shown, span, (names, total)):
        scenes.append(svg)
        seconds.append(SECONDS if event is None or _plays(event) else IDLE_SECONDS)
    seconds[0] = max(seconds[0], FIRST_SECONDS)
    seconds[-1] = LAST_SECONDS
    moving = gif(scenes, seconds) if len(scenes) <= MOST_FRAMES else b""
    if not 0 < len(moving) <= MOST_BYTES:
        raise Gone(TOO_LARGE)
    return {"gif": _text(moving), "still": _text(gif(scenes[:1], seconds[:1])), "frames": len(scenes)}


def _frames(
    start: str, events: Sequence[Event], span: tuple[int, int], told: tuple[Sequence[str], int]
) -> Iterator[tuple[Event | None, str]]:
    first, last = span
    piles = piles_of(start)
    before = [event for event in events if event["ply"] <= first]
    carry_out(piles, before)
    newest = before[-1] if before else None
    yield newest, frame(piles, _scene(newest, *told))
    for event in events[len(before) :]:
        if event["ply"] > last:
            break
        carry_out(piles, [event])
        yield event, frame(piles, _scene(event, *told))


def _scene(event: Event | None, names: Sequence[str], total: int) -> Scene:
    if event is None:
        return Scene(names, frozenset(), (), (), f"0 / {total}")
    steps = [step for step in event.get("done", (event,)) if not step.get("missed")]
    moves = event.get("actions") or [event.get("move") or event["type"]]
    turned = [f"h{step['flip']}" for step in steps if step.get("flip") is not None]
    return Scene(
        names,
        frozenset(step["seat"] for step in steps if step.get("move") != "wait"),
        [step["from"] for step in steps if step.get("from")],
        [*(step["to"] for step in steps if step.get("to")), *turned],
        f"{event['ply']} / {total} · {' | '.join(moves)}",
    )


def _plays(event: Event) -> bool:
    """Whether a card is played or turned."""
    return event["type"] != "tick" or any(
        step.get("to") or step.get("flip") is not None for step in event["done"] if not step.get("missed")
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
