"""``crapette check-bot``: tests a bot step by step before it is uploaded."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

import engine
from engine.boards import BOARDS, board_name
from kit.bot.entrants import UnknownEntrant, find
from kit.console.command import BadUsage, Parser, count, run_command
from kit.console.screen import Screen, show_waiting
from kit.runners.choice import add_options, bots_of
from referee.job import ClockRule, Job
from referee.mistake_advice import Advice

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

FAILED: Final = 1
PROG: Final = "crapette check-bot"
STDERR_SHOWN: Final = 2000
ALL: Final = "all"
TRIAL_SECONDS: Final = 4.0
"""Of each game if none is named: what a trial gets on a site with two cores if the bot uses all of it."""
_MARKS: Final = {"pass": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red"), "skip": ("–", "dim")}


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Check a bot the way the arena does.",
        epilog="""\
examples:
  crapette check-bot mybot                              a short game on every board
  crapette check-bot mybot --variant crapette/3         a whole game of three
  crapette check-bot mybot --variant all --games 5      five whole games on every board
  crapette check-bot mybot --json                       one step a line, for programs

exit status:
  0  it may play      1  it fails a step      2  wrong arguments      75  it could not be checked here""",
    )
    made.add_argument("bot", metavar="PATH", help="a file or folder with a bot, or the name of a house bot")
    made.add_argument(
        "--variant",
        action="append",
        choices=(*BOARDS, ALL),
        metavar="BOARD",
        help="play whole games of this one, such as crapette/3; repeatable; all means every board"
        " (default: a short game of each)",
    )
    made.add_argument(
        "--players",
        type=int,
        choices=(2, 3, 4),
        help="only boards with this many seats (default: any number)",
    )
    made.add_argument(
        "--games", type=count, default=1, metavar="N", help="games of each board (default: %(default)s)"
    )
    made.add_argument("--json", action="store_true", help="print one JSON object for each step")
    add_options(made)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 if the bot may play, 1 if it fails a step."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen, errors = Screen(), Screen(errors=True)
    boards = _boards(given)
    bots = bots_of(given)
    try:
        entrant = find(given.bot, bots.inspect)
    except UnknownEntrant as error:
        # Not Path.exists, which raises where a name is too long.
        if not os.path.exists(given.bot):  # noqa: PTH110
            raise
        errors.say(f"{PROG}: {error}")
        return FAILED
    upload = entrant.upload
    show = _as_json if given.json else _shown_on(screen)
    title = "can be uploaded"
    show({"verdict": "pass", "title": title, "detail": f"{upload.language}, starts with {upload.entry}"})
    trial = None if given.variant or given.games > 1 else TRIAL_SECONDS
    job = Job("crapaud", "-", (entrant.seat(bots),), ClockRule(), bots.level, trial=trial)
    failed = _steps(errors, bots.check(job, boards, given.games), show)
    if not given.json:
        verdict = "would lose its games because of this" if failed else "is ready to play"
        screen.say(f"{entrant.name} {verdict}.")
    return FAILED if failed else 0


def _boards(given: argparse.Namespace) -> list[str]:
    """The boards to play on. Raises BadUsage."""
    named = given.variant or [ALL]
    if given.players is not None:
        sizes = {board_name(one.name, given.players) for one in engine.VARIANTS.values()}
        # "crapette" with --players 3 means crapette/3.
        named = [each if "/" in each or each == ALL else board_name(each, given.players) for each in named]
    else:
        sizes = set(BOARDS)
    boards = [board for board in BOARDS if (ALL in named or board in named) and board in sizes]
    if not boards:
        raise BadUsage(f"expected a game for {given.players} seats, got {', '.join(given.variant)}")
    return boards


def _steps(
    errors: Screen, batches: Iterable[list[dict[str, Any]]], show: Callable[[dict[str, Any]], object]
) -> bool:
    """Show each step as it finishes; return whether one failed."""
    failed = False
    with show_waiting(errors, "the bot starts") as say:
        for batch in batches:
            for step in batch:
                if step["type"] == "step":
                    show(step)
                    failed = failed or step["verdict"] == "fail"
                else:
                    say(f"{step['title']}: ply {step['ply']}")
    return failed


def _as_json(step: dict[str, Any]) -> None:
    """Print a step as one line, with its hint."""
    advice = _hint(step)
    told = {name: step[name] for name in ("verdict", "title", "detail", "stderr") if step.get(name)}
    if advice:
        told |= {"hint": advice.text, "section": advice.section}
    print(json.dumps(told), flush=True)  # noqa: T201


def _hint(step: dict[str, Any]) -> Advice | None:
    return Advice(step["hint"], step["section"]) if step.get("hint") else None


def _shown_on(screen: Screen) -> Callable[[dict[str, Any]], None]:
    """What prints a step: what was tried, how it went, and after a failure standard error and a hint."""

    def show(step: dict[str, Any]) -> None:
        detail = f": {step['detail']}" if step["detail"] else ""
        screen.say(_MARKS[step["verdict"]], " ", step["title"], detail)
        if step.get("stderr"):
            wrote, shown = step["stderr_bytes"], step["stderr"][-STDERR_SHOWN:]
            part = f" (the end of {wrote} bytes)" if wrote > len(shown.encode()) else ""
            screen.say(f"  its standard error{part}:")
            screen.quote(shown)
        if advice := _hint(step):
            screen.say("  ", (str(advice), "bold"))

    return show


if __name__ == "__main__":
    sys.exit(main())
