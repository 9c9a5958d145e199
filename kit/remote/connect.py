"""``crapette connect``: lets a bot play on an arena from this machine."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
import signal
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.boards import BOARDS, parse_board
from kit.bot.project import project_of
from kit.console.command import BadUsage, CommandError, Parser, run_command
from kit.console.screen import Screen
from kit.remote.program import GameProgram, ProgramFailed
from kit.remote.session import Offer, Session
from kit.runners.unsandboxed import command_of
from kit.site.client import Site
from referee.greeting import hello
from referee.job import REMOTE_CLOCK, REMOTE_START_SECONDS, SeatJob
from referee.protocol import ProtocolError, Ready, parse_ready
from sandbox.uploads import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kit.remote.session import ConnectedGame

PROG: Final = "crapette connect"
LANGUAGES: Final = {Path(entry).suffix: language for entry, language in ENTRIES.items()}
"""What runs a file, by its suffix."""
MOST_GAMES: Final = 16
STDERR_LINES: Final = 30
"""Of a program that failed, the last lines."""


class BotFailed(CommandError):
    """The bot does not start; the message is a sentence."""


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Let a bot play on an arena from this machine, with its own hardware.",
        epilog="""\
The bot runs here as an ordinary program that can do whatever you can do, one process for each game. It
plays on the open boards of the arena, where it is shown as remote. If you have no bot of this name there, it
is created. Ctrl-C finishes the games being played; the second gives them up. A lost connection comes back by
itself.

examples:
  crapette connect mybot
  crapette connect mybot --boards crapaud,crapette/3 --games 4
  crapette connect --bot deep --command "./engine --gpu 0" --reuse
  crapette connect mybot --people --json        people may play it, too; each event is a JSON object

exit status:
  0  you ended it, and no game was being played      2  the bot does not start, or the site refused
  75  the site did not answer at the start           130  interrupted, or games were given up""",
    )
    made.add_argument(
        "path",
        type=Path,
        nargs="?",
        metavar="PATH",
        help="a file, or a folder with a bot.py, bot.js, bot.wasm or bot (default: this folder)",
    )
    made.add_argument("--command", metavar="COMMAND", help="how to start the bot, instead of PATH")
    made.add_argument("--bot", metavar="SLUG", help="the remote bot whose page is /bots/SLUG/")
    made.add_argument(
        "--boards", type=_boards, metavar="BOARD,…", help="boards to play, such as crapaud,crapette/3"
    )
    made.add_argument(
        "--games", type=_games, default=1, metavar="N", help="games at the same time (default: 1)"
    )
    made.add_argument("--people", action="store_true", help="let people play against it")
    made.add_argument(
        "--reuse",
        action="store_true",
        help="after a game, keep the process for the next; the bot waits for another hello then",
    )
    made.add_argument("--site", help="address of the arena (default: where you logged in last)")
    made.add_argument("--json", action="store_true", help="print each event as a JSON object")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until the author ends it; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    named = given.path or Path()
    project = project_of(named)
    command, folder = _command(given.command, named)
    site = Site.choose(given.site or project.site)
    ready = asyncio.run(try_bot(command, folder, given.boards[0] if given.boards else BOARDS[0]))
    boards = given.boards or [board for board in BOARDS if ready.plays_on(board)]
    if unplayed := [board for board in boards if not ready.plays_on(board)]:
        raise BadUsage(f"the bot says that it does not play {', '.join(unplayed)}")
    bot = given.bot or _make(site, project.name)
    offer = Offer(bot, command, folder, boards, given.games, given.people, given.reuse)
    log = ConnectLog(site.origin, offer, as_json=given.json)
    if asyncio.run(_play(site, offer, log)):
        raise KeyboardInterrupt
    return 0


async def _play(site: Site, offer: Offer, log: ConnectLog) -> bool:
    """Play until it is ended; whether games were given up."""
    session = Session(site, offer, log)
    with _interrupts(session):
        return await session.run()


@contextmanager
def _interrupts(session: Session) -> Iterator[None]:
    """Have Ctrl-C, or the end of a service, reach the session once it is connected."""
    loop = asyncio.get_running_loop()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}

    def interrupted(number: int, frame: Any) -> None:
        usual = before[signal.Signals(number)]
        if session.was_welcome or not callable(usual):
            loop.call_soon_threadsafe(session.interrupt)
        else:
            usual(number, frame)

    for each in before:
        signal.signal(each, interrupted)
    try:
        yield
    finally:
        for each, usual in before.items():
            signal.signal(each, usual)


def _make(site: Site, name: str) -> str:
    """The user's remote bot of this name, created if there is none; its slug. Raises SiteRefused."""
    body = json.dumps({"name": name}).encode()
    return str(site.post("/api/v1/remote/", "application/json", body)["bot"])


def _command(given: str | None, path: Path) -> tuple[list[str], Path]:
    """How a bot is started, and in which folder. Raises BadUsage."""
    if given is not None:
        command = _words(given, posix=os.name == "posix")
        if not command:
            raise BadUsage("expected --command to name a program, got none")
        return command, Path.cwd()
    path = path.resolve()
    if path.is_dir():
        entries = [name for name in ENTRIES if (path / name).is_file()]
        if len(entries) != 1:
            found = " and ".join(entries) or "none of bot.py, bot.js, bot.wasm and bot"
            raise BadUsage(
                f"expected one file that starts the bot in {str(path)!r}, got {found}; or give --command"
            )
        path /= entries[0]
    elif not path.is_file():
        raise BadUsage(f"expected a file or folder with a bot, got {str(path)[:200]!r}")
    language = LANGUAGES.get(path.suffix, "native")
    seat = SeatJob(directory=str(path.parent), language=language, entry=path.name)
    return command_of(seat, alone=False), path.parent


def _words(text: str, *, posix: bool) -> list[str]:
    r"""Split a command line as this system writes it.

    >>> _words(r'"C:\Program Files\engine.exe" --gpu 0', posix=False)
    ['C:\\Program Files\\engine.exe', '--gpu', '0']
    """
    words = shlex.split(text, posix=posix)
    return words if posix else [word.strip('"') for word in words]


async def try_bot(command: Sequence[str], folder: Path, board: str) -> Ready:
    """Start the bot once and see what it answers to ``hello``. Raises BotFailed."""
    variant, players = parse_board(board)
    try:
        program = await GameProgram.start(command, folder)
    except ProgramFailed as failed:
        raise BotFailed(f"{failed}.") from None
    try:
        line = None
        try:
            program.write(hello(variant, players, 0, REMOTE_CLOCK).decode().rstrip("\n"))
            async with asyncio.timeout(REMOTE_START_SECONDS):
                line = await program.read_line()
            if line is not None:
                return parse_ready(line.encode())
        except TimeoutError:
            why = f"said nothing within {REMOTE_START_SECONDS:.0f} s of hello"
        except (ProgramFailed, ProtocolError) as failed:
            why = str(failed)
        else:
            why = await program.end()
        await program.end(0.0)
        last = next((each for each in reversed(program.stderr.splitlines()) if each.strip()), "")
        raise BotFailed(f"the bot does not start: {why}{f'; it wrote: {last[:300]}' if last else ''}.")
    finally:
        await program.end(0.0)


@dataclass
class ConnectLog:
    """Tells the author what happens, a line for each event."""

    origin: str
    offer: Offer
    as_json: bool

    def __post_init__(self) -> None:
        self._screen, self._errors = Screen(), Screen(errors=True)
        self._ratings: dict[str, str] = {}
        self._notice_of_risk = True

    def tell_welcome(self, welcome: dict[str, Any]) -> None:
        """The site takes the bot."""
        offer = self.offer
        if self._notice_of_risk:
            self._errors.say(
                f"{offer.bot} runs here as an ordinary program, which can do whatever you can do."
            )
            self._notice_of_risk = False
        count = "one game" if offer.games == 1 else f"up to {offer.games} games"
        self._tell(
            {"event": "connected", **_only(welcome, "bot", "boards", "games")},
            f"Connected to {self.origin}. {offer.bot} plays {', '.join(offer.boards)}, {count} at a time.",
        )

    def tell_start(self, game: ConnectedGame) -> None:
        """A game has begun."""
        rated = "rated" if game.rated else "not rated"
        self._tell(
            {"event": "game", "board": game.board, "opponents": game.opponents, "rated": game.rated},
            f"{game.title}: begun, {rated}",
        )

    def tell_over(self, game: ConnectedGame, message: dict[str, Any]) -> None:
        """A game is over."""
        result, why = str(message.get("result") or ""), str(message.get("termination") or "")
        address = message.get("url")
        url = self.origin + address if isinstance(address, str) and address.startswith("/") else ""
        word = {"win": "won", "loss": "lost", "draw": "drawn"}.get(result, "not counted; it is played again")
        self._tell(
            {"event": "over", "board": game.board, "result": result, "termination": why, "url": url},
            f"{game.title}: {word}{f' by {why}' if why else ''}{f', {url}' if url else ''}",
        )

    def tell_rating(self, message: dict[str, Any]) -> None:
        """A rating has changed."""
        board, games = str(message.get("board")), message.get("games")
        self._tell(
            {"event": "rating", **_only(message, "board", "elo", "error", "games")},
            f"{board}: rated {message.get('elo')} ± {message.get('error')} after {games} games",
        )

    def tell(self, text: str) -> None:
        """Something that the author should know."""
        self._errors.say(text)

    def tell_failure(self, game: ConnectedGame, why: str, stderr: str) -> None:
        """The program of a game failed, and the game is given up."""
        self._tell(
            {"event": "failed", "board": game.board, "why": why, "stderr": stderr},
            f"{game.title}: given up, since the bot {why}",
        )
        if stderr.strip():
            self._errors.quote("\n".join(stderr.rstrip().splitlines()[-STDERR_LINES:]))

    def _tell(self, event: dict[str, Any], text: str) -> None:
        if self.as_json:
            sys.stdout.write(json.dumps(event) + "\n")
            sys.stdout.flush()
        else:
            self._screen.say(text)


def _only(message: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: message.get(name) for name in names}


def _boards(text: str) -> list[str]:
    """Parse boards with commas between them."""
    boards = [part.strip() for part in text.split(",")]
    if wrong := [board for board in boards if board not in BOARDS]:
        raise argparse.ArgumentTypeError(f"expected boards such as crapaud,crapette/3, got {wrong[0][:40]!r}")
    return boards


def _games(text: str) -> int:
    """Parse how many games are played at the same time."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_GAMES:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST_GAMES}, got {text[:40]!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
