"""``crapette replay FILE``: opens the site's viewer in the browser, without a site."""

from __future__ import annotations

import argparse
import json
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING, Final

from kit.console.command import Parser, run_command
from kit.console.screen import Screen
from kit.local.pool import handling
from kit.records.finished_games import game_at
from kit.viewer import ViewerServer, site

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "crapette replay"


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Watch a recorded game in your browser, in the viewer of the site. Nothing is sent.",
        epilog="""\
examples:
  crapette replay games/0007-1.json                            a record of crapette play --replays
  crapette replay https://arena.example/games/6f9b0c52-…/      a game of an arena
  crapette replay games/0007-1.json --no-browser --port 8080   then open the address it prints

Ctrl-C ends it.

exit status:
  0  ended with Ctrl-C      2  wrong arguments or no record      75  the port is taken""",
    )
    made.add_argument("game", metavar="FILE", help="the file of a record, or the address of a finished game")
    made.add_argument("--port", type=_port, default=0, help="port on this machine (default: a free one)")
    made.add_argument("--no-browser", action="store_true", help="only print the address")
    made.add_argument("--json", action="store_true", help="print the address as JSON")
    return made


def _port(text: str) -> int:
    """A port number."""
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 16:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 65535, got {text[:40]!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the viewer until Ctrl-C; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    game = game_at(given.game)
    screen = Screen()
    try:
        opened = ViewerServer(site(json.dumps(game.record).encode()), given.port)
    except OSError as error:
        raise OSError(error.errno, error.strerror, f"port {given.port}") from None
    ended = threading.Event()
    with opened as server, handling(lambda *_: ended.set()):
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="viewer", daemon=True)
        thread.start()
        if given.json:
            sys.stdout.write(json.dumps({"url": server.url, "game": game.name}) + "\n")
            sys.stdout.flush()
        else:
            screen.say(f"{game.words_on_it}")
            screen.say(f"Watch it at {server.url} (Ctrl-C ends this).")
        if not given.no_browser:
            webbrowser.open(server.url)
        # Without a time limit, Windows would not let Ctrl-C through.
        while not ended.wait(0.5):
            pass
        server.shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
