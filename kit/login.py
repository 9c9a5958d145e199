"""``crapette login SITE``: keeps a token for an arena in a private file.

The token is typed or piped in. It is never an argument, where other users of the machine could see it.
"""

from __future__ import annotations

import getpass
import json
import sys
from typing import TYPE_CHECKING

from kit import tokens
from kit.arguments import Parser
from kit.screen import Screen
from kit.site import Site, SiteRefused, origin_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 500


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="crapette login",
        description="Store a token for an arena, so that upload and other commands can use your account.",
        epilog="Create the token on your account page of the site. It is kept in a file that only you can\n"
        "read, and sent to that site alone.\n\nexamples:\n  crapette login https://arena.example\n"
        "  crapette login https://arena.example < token.txt\n  crapette login --forget https://arena.example\n\n"
        "exit status:\n  0  done      2  the site refused      130  interrupted",
    )
    made.add_argument("site", metavar="SITE", help="address of the arena")
    made.add_argument("--forget", action="store_true", help="forget the site's token instead")
    made.add_argument("--json", action="store_true", help="print the site and the file of tokens as JSON")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask for the token, try it, and keep it; return the exit status."""
    given = parser().parse_args(arguments)
    screen, errors = Screen(), Screen(errors=True)
    try:
        origin = origin_of(given.site)
        if given.forget:
            forgotten = tokens.forget(origin)
            if given.json:
                sys.stdout.write(json.dumps({"site": origin, "forgotten": forgotten}) + "\n")
                return 0
            screen.say(f"Forgot the token for {origin}." if forgotten else f"There is no token for {origin}.")
            return 0
        secret = _typed(screen, origin)
        Site(origin, secret).get("/api/v1/bots/")
        tokens.keep(origin, secret)
    except (SiteRefused, tokens.TokensUnusable) as error:
        errors.say(f"crapette login: {error}")
        return 2
    except KeyboardInterrupt:
        errors.say("crapette login: interrupted")
        return 130
    if given.json:
        sys.stdout.write(json.dumps({"site": origin, "file": str(tokens.tokens_file())}) + "\n")
        return 0
    screen.say(f"Logged in to {origin}. The token is in {tokens.tokens_file()}.")
    return 0


def _typed(screen: Screen, origin: str) -> str:
    """Ask for the token without showing it, or read it from standard input. Raises Refused."""
    if sys.stdin.isatty():
        screen.say(f"Create a token at {origin}/bots/account/#tokens and paste it here; it is not shown.")
        try:
            secret = getpass.getpass("Token: ")
        except EOFError:
            secret = ""
    else:
        secret = sys.stdin.readline(LONGEST)
    secret = secret.strip()
    if not secret or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise SiteRefused("Expected a token, one word from your account page, got something else.")
    return secret


if __name__ == "__main__":
    sys.exit(main())
