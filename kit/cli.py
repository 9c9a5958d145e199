"""The command ``crapette``: finds the command that is asked for, and runs it.

Each command is a module with ``main(arguments) -> status``, imported only when it is needed.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from kit.versions import own_version, warn_uncompiled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kit.completion import Completed


class Subcommand(NamedTuple):
    """A command: its name, the module that runs it, and what it does, in one line."""

    name: str
    module: str
    does: str


COMMANDS: Final = (
    Subcommand("new", "kit.local.new", "create a bot to start from, with a test and a GitHub workflow"),
    Subcommand("check-bot", "kit.local.check_bot", "find out what is wrong with a bot"),
    Subcommand("play", "kit.local.play", "play bots against each other; name house bots, files or folders"),
    Subcommand(
        "sprt",
        "kit.local.sprt",
        "find out whether one bot is better than another, in as few games as possible",
    ),
    Subcommand("benchmark", "kit.benchmark.__main__", "play a bot on the deals of Crapette-1000"),
    Subcommand("league", "kit.local.league", "let many bots play each other, and rate them as the site does"),
    Subcommand("diff", "kit.local.diff", "show two versions recorded positions and compare their answers"),
    Subcommand("rerun", "kit.local.rerun", "put a bot back in the position where it lost a game"),
    Subcommand("replay", "kit.local.replay", "watch a recorded game in your browser, without a site"),
    Subcommand("tune", "kit.local.tune", "tune a bot's parameters by playing it against itself"),
    Subcommand("watch", "kit.site.watch", "watch a game or a tournament of an arena in the terminal"),
    Subcommand("login", "kit.site.login", "store a token for an arena"),
    Subcommand("upload", "kit.site.upload", "upload a bot to an arena and wait for its check"),
    Subcommand(
        "status", "kit.site.status", "show what your bots wait for on an arena, and what they play now"
    ),
    Subcommand("activate", "kit.site.activate", "let a version of your bot play on the ladders"),
    Subcommand("rollback", "kit.site.rollback", "let an earlier version of your bot play again"),
    Subcommand("connect", "kit.remote.connect", "let a bot play on an arena from this machine"),
    Subcommand(
        "test", "kit.site.arena_sprt", "test a version against another on an arena, and promote the winner"
    ),
    Subcommand("tournament", "kit.site.tournament", "hold a tournament on an arena"),
    Subcommand("challenge", "kit.site.challenge", "challenge another owner's bot, or answer a challenge"),
    Subcommand("results", "kit.site.results", "show the ratings of a bot and its last games"),
    Subcommand("logs", "kit.site.logs", "show what your bot wrote to standard error in the games it lost"),
    Subcommand("losses", "kit.site.losses", "show the worst turns of your bot's last ladder games"),
    Subcommand("export", "kit.records.export", "download a game, tournament or leaderboard"),
    Subcommand("rows", "kit.records.rows", "write finished games as rows to train on"),
    Subcommand(
        "verify", "kit.verify.__main__", "verify a downloaded game, tournament, leaderboard or replay"
    ),
    Subcommand("doctor", "kit.local.doctor", "find out whether this machine is fit to make bots on"),
    Subcommand("completion", "kit.completion", "print a script for tab completion in your shell"),
)
TAKE_BOTS: Final = frozenset({"play", "sprt", "league", "diff", "rerun", "check-bot"})
"""Commands to which house bots can be named."""
STATUSES: Final = """\
exit status:
  0    done; for check-bot, upload, verify, diff and sprt also: the answer is good
  1    the answer is bad: the bot fails its check, the file differs, a challenge is declined, …
  2    the arguments are wrong, a file cannot be read, or the site refused
  3    sprt: undecided, the test has no more pairs
  75   this machine, the network or the site failed; try again
  130  interrupted with Ctrl-C
  141  whatever reads the output has ended, as in crapette help | head -1"""
INTERRUPTED: Final = 130
READER_LEFT: Final = 141
"""As a shell says of a program that ended by SIGPIPE."""


def usage() -> str:
    """What ``crapette --help`` prints."""
    width = max(len(command.name) for command in COMMANDS) + 2
    lines = [f"  {command.name:<{width}}{command.does}" for command in COMMANDS]
    return "\n".join(
        [
            "usage: crapette COMMAND …",
            "",
            *lines,
            "",
            "Each has its own help: crapette COMMAND --help",
            "",
            STATUSES,
        ]
    )


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status."""
    if sys.stdout is None or sys.stderr is None:  # closed by whoever started us
        nowhere = Path(os.devnull).open("w")  # noqa: SIM115 (until the process ends)
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # on Windows a file or a pipe may not take every letter
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # What is still to be written when Python ends would fail as well.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_LEFT
    except KeyboardInterrupt:
        print("crapette: interrupted", file=sys.stderr)
        return INTERRUPTED


def _run(arguments: Sequence[str]) -> int:
    name, *rest = arguments or ["--help"]
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    if name in ("-V", "--version", "version"):
        print(f"crapette {own_version()}", flush=True)
        if slow := warn_uncompiled():
            print(slow, file=sys.stderr)
        return 0
    found = next((command for command in COMMANDS if command.name == name), None)
    if found is None:
        names = ", ".join(command.name for command in COMMANDS)
        print(f"crapette: expected one of {names}, got {name!r} (see --help)", file=sys.stderr)
        return 2
    if os.name == "nt":
        # The sandbox's modules import these of Unix. Here bots run unsandboxed, and nothing calls them.
        for absent in ("fcntl", "pwd", "resource"):
            sys.modules.setdefault(absent, ModuleType(absent))
    module = import_module(found.module)
    status: int = module.main(rest, _completed) if name == "completion" else module.main(rest)
    return status


def _completed() -> Iterator[Completed]:
    """All commands as shells complete them."""
    from bots.house import HOUSE_BOTS  # noqa: PLC0415 (as the commands)
    from kit.completion import describe_command  # noqa: PLC0415 (as the commands)

    for command in COMMANDS:
        words = tuple(HOUSE_BOTS) if command.name in TAKE_BOTS else ()
        yield describe_command(command.name, command.does, import_module(command.module).parser(), words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
