"""``crapette login SITE``: keeps a token for an arena in a private file.

The token is typed or piped in. It is never an argument, where other users of the machine could see it.
"""

from __future__ import annotations

import getpass
import json
import sys
from typing import TYPE_CHECKING, Any, Final

from kit.console.command import BadUsage, Parser, run_command
from kit.console.screen import Screen
from kit.site import token_file
from kit.site.client import Site, origin_of
from kit.versions import home_site

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

PROG: Final = "crapette login"
LONGEST: Final = 500


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog=PROG,
        description="Store a token for an arena, so that upload and other commands can use your account.",
        epilog="Create the token on your account page of the site. It is kept in a file that only you can\n"
        "read, and sent to that site alone.\n\nexamples:\n  crapette login https://arena.example\n"
        "  crapette login https://arena.example < token.txt\n  crapette login --forget https://arena.example\n\n"
        "exit status:\n  0  done      2  the site refused      75  it did not answer      130  interrupted",
    )
    made.add_argument("site", metavar="SITE", help="address of the arena")
    made.add_argument("--forget", action="store_true", help="forget the site's token instead")
    made.add_argument("--json", action="store_true", help="print the site and the file of tokens as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the token, try it, and keep it; return the exit status."""
    given = parser().parse_args(arguments)
    return run_command(PROG, lambda: _run(given))


def _run(given: argparse.Namespace) -> int:
    screen = Screen(errors=given.json)
    origin = origin_of(given.site)
    if given.forget:
        forgotten = token_file.forget(origin)
        said: dict[str, Any] = {"site": origin, "forgotten": forgotten}
        screen.say(f"Forgot the token for {origin}." if forgotten else f"There is no token for {origin}.")
    else:
        home = home_site()
        if home not in (None, origin):
            screen.say(
                f"This kit was installed from {home}, so {origin} may have other rules. If a command fails,"
                f" install the kit from {origin}/kit/."
            )
        secret = _typed(screen, origin)
        Site(origin, secret).get("/api/v1/account/")
        token_file.keep(origin, secret)
        said = {"site": origin, "file": str(token_file.tokens_file())}
        screen.say(f"Logged in to {origin}. The token is in {token_file.tokens_file()}.")
    if given.json:
        sys.stdout.write(json.dumps(said) + "\n")
    return 0


def _typed(screen: Screen, origin: str) -> str:
    """Ask for the token without showing it, or read it from standard input. Raises BadUsage."""
    if sys.stdin is None:  # closed
        secret = ""
    elif sys.stdin.isatty():
        screen.say(f"Create a token at {origin}/bots/account/#tokens and paste it here; it is not shown.")
        try:
            secret = getpass.getpass("Token: ")
        except EOFError:
            secret = ""
    else:
        secret = sys.stdin.readline(LONGEST)
    secret = secret.strip()
    if not secret or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise BadUsage("expected a token, one word from your account page, got something else")
    return secret


if __name__ == "__main__":
    sys.exit(main())
