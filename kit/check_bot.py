"""``./crapette check-bot``: tests a bot step by step before it is uploaded."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from engine.boards import BOARDS
from kit.entrants import UnknownEntrant, find
from kit.screen import Screen
from kit.terminal import plain
from kit.usage import Parser
from referee.errors import Infrastructure
from referee.job import ClockRule, Job
from referee.supervise import PlayingProcess
from sandbox import Level, SandboxUnavailable, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_FAILED: Final = 1
EXIT_INFRASTRUCTURE: Final = 75
EXIT_INTERRUPTED: Final = 130
STDERR_SHOWN: Final = 2000
TRIAL_SECONDS: Final = 4.0
"""Of each game if none is named: what a trial gets on a site with two cores if the bot uses all of it."""
TELL_FIRST_S: Final = 10.0
"""Without a terminal, a long game is first reported after this time, then each time it has taken twice as
long."""
_MARKS: Final = {"pass": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red"), "skip": ("–", "dim")}


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(prog="crapette check-bot", description="Check a bot the way the arena does.")
    made.add_argument("bot", metavar="PATH", help="a file or folder with a bot, or the name of a house bot")
    made.add_argument(
        "--variant",
        action="append",
        choices=BOARDS,
        metavar="BOARD",
        help="play a whole game of this one, such as crapette/3; repeatable (a short game of each)",
    )
    levels = [level.value for level in Level]
    made.add_argument(
        "--level", choices=levels, help="level of the sandbox (default: CRAPETTE_SANDBOX, or full)"
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0 if the bot may play, 1 if it fails a step."""
    given = parser().parse_args(arguments)
    screen, errors = Screen(), Screen(errors=True)
    try:
        entrant = find(given.bot)
        upload = entrant.upload
        screen.say(_MARKS["pass"], f" can be uploaded: {upload.language}, starts with {upload.entry}")
        stage = Stage.ensure()
        level = given.level or Level.chosen().value
        trial = None if given.variant else TRIAL_SECONDS
        job = Job("crapaud", "-", (entrant.seat(stage),), ClockRule(), level, trial=trial)
        failed = _steps(screen, stage, job, given.variant or BOARDS)
    except UnknownEntrant as error:
        errors.say(f"crapette check-bot: {error}")
        return EXIT_FAILED
    except (SandboxUnavailable, Infrastructure) as error:
        errors.say(f"crapette check-bot: cannot check the bot: {error}")
        return EXIT_INFRASTRUCTURE
    except KeyboardInterrupt:
        errors.say("crapette check-bot: interrupted")
        return EXIT_INTERRUPTED
    if failed:
        screen.say(f"{entrant.name} would lose its games because of this. See bots/README.md.")
        return EXIT_FAILED
    screen.say(f"{entrant.name} is ready to play.")
    return 0


def _steps(screen: Screen, stage: Stage, job: Job, boards: Sequence[str]) -> bool:
    """Show each step as it finishes; return whether one failed."""
    failed = False
    with PlayingProcess(stage, "kit.conformance", *boards) as process:
        waiting = screen.status("", spinner="dots") if screen.is_interactive else None
        with waiting or contextlib.nullcontext():
            told = TELL_FIRST_S
            for batch in process.start(job, last=True).batches():
                for step in batch:
                    if step["type"] == "step":
                        _show(screen, step)
                        failed = failed or step["verdict"] == "fail"
                        told = TELL_FIRST_S
                        continue
                    words = f"{step['title']}: ply {step['ply']} after {step['seconds']:.0f} s"
                    if waiting is not None:
                        waiting.update(Text(plain(words)))
                    elif step["seconds"] >= told:
                        screen.say(f"… {words}")
                        told = 2 * step["seconds"]
    return failed


def _show(screen: Screen, step: dict[str, Any]) -> None:
    """Print what was tried and how it went, and after a failure the bot's standard error."""
    screen.say(_MARKS[step["verdict"]], " ", step["title"], f": {step['detail']}" if step["detail"] else "")
    if not step["stderr"]:
        return
    wrote, shown = step["stderr_bytes"], step["stderr"][-STDERR_SHOWN:]
    part = f" (the end of {wrote} bytes)" if wrote > len(shown.encode()) else ""
    screen.say(f"  its standard error{part}:")
    screen.quote(shown)


if __name__ == "__main__":
    sys.exit(main())
