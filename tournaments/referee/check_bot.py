"""``./crapette check-bot``: what a bot does right and wrong, step by step, before it is uploaded."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from rich.console import Console

import engine
from bots.sandbox import Level, SandboxUnavailable, Stage
from tournaments.referee.entrants import UnknownEntrant, find
from tournaments.referee.errors import Infrastructure
from tournaments.referee.job import ClockRule, Job
from tournaments.referee.supervise import PlayingProcess
from tournaments.referee.usage import Parser

if TYPE_CHECKING:
    from collections.abc import Sequence

EXIT_FAILED: Final = 1
EXIT_INFRASTRUCTURE: Final = 75
STDERR_SHOWN: Final = 2000
_MARKS: Final = {"pass": "[green]✓[/green]", "warn": "[yellow]![/yellow]", "fail": "[red]✗[/red]"}


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(prog="crapette check-bot", description="Check a bot as the arena would.")
    made.add_argument(
        "bot", metavar="PATH", help="a file or a folder with a bot in it, or a house bot's name"
    )
    made.add_argument(
        "--variant",
        action="append",
        choices=list(engine.ALL_VARIANTS),
        help="play this one; repeatable (crapaud)",
    )
    levels = [level.value for level in Level]
    made.add_argument("--level", choices=levels, help="of the sandbox (CRAPETTE_SANDBOX, full)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if the bot may play, 1 if it fails a step."""
    given = parser().parse_args(arguments)
    console, errors = Console(highlight=False), Console(stderr=True, highlight=False)
    try:
        entrant = find(given.bot)
        upload = entrant.upload
        console.print(f"{_MARKS['pass']} can be uploaded: {upload.language}, starts {upload.entry}")
        stage = Stage.ensure()
        job = Job("crapaud", "-", (entrant.seat(stage),), ClockRule(), given.level or Level.chosen().value)
        failed = _steps(console, stage, job, given.variant or ["crapaud"])
    except UnknownEntrant as error:
        errors.print(f"crapette check-bot: {error}", markup=False, soft_wrap=True)
        return EXIT_FAILED
    except (SandboxUnavailable, Infrastructure) as error:
        errors.print(f"crapette check-bot: the bot cannot be checked: {error}", markup=False, soft_wrap=True)
        return EXIT_INFRASTRUCTURE
    if failed:
        console.print(
            f"{entrant.name} would lose its games like this. See bots/README.md.",
            markup=False,
            soft_wrap=True,
        )
        return EXIT_FAILED
    console.print(f"{entrant.name} is ready to play.", markup=False, soft_wrap=True)
    return 0


def _steps(console: Console, stage: Stage, job: Job, variants: list[str]) -> bool:
    """Show each step as it is done; return whether one failed."""
    failed = False
    with PlayingProcess(stage, "tournaments.referee.conformance", *variants) as process:
        for batch in process.start(job, last=True).batches():
            for step in batch:
                console.print(_MARKS[step["verdict"]], end=" ")
                console.print(
                    step["title"] + (f": {step['detail']}" if step["detail"] else ""),
                    markup=False,
                    soft_wrap=True,
                )
                if step["stderr"]:
                    console.print("  what it wrote to standard error:", markup=False, soft_wrap=True)
                    console.print(
                        step["stderr"][-STDERR_SHOWN:].rstrip(), markup=False, soft_wrap=True, style="dim"
                    )
                failed = failed or step["verdict"] == "fail"
    return failed


if __name__ == "__main__":
    sys.exit(main())
