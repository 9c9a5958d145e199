"""Bots of a site as an author names them: a folder here, the name in a page's address, or the address."""

from __future__ import annotations

import os
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kit.bot.project import project_of
from kit.console.command import BadUsage, Parser
from kit.site.client import Site, SiteRefused

if TYPE_CHECKING:
    import argparse

NAMED = """\
A bot is named by the folder of yours here, by the name in the address of its page, or by that address. Each
stands for the version that plays; mybot:3 is version 3."""


def add_own_bot(parser: Parser) -> None:
    """Add what `find_own_bot` reads: PATH, ``--bot`` and ``--site``."""
    parser.add_argument(
        "path", type=Path, nargs="?", default=Path(), metavar="PATH", help="your bot (default: this folder)"
    )
    parser.add_argument("--bot", metavar="SLUG", help="the bot whose page is /bots/SLUG/")
    parser.add_argument("--site", help="address of the arena (default: where you logged in last)")


def find_own_bot(given: argparse.Namespace) -> tuple[Site, str]:
    """The site, and the bot's name in addresses there. Raises Refused and BadUsage."""
    if given.bot:
        # Whoever names it may stand anywhere, and the folder may be nobody's bot.
        return Site.choose(given.site), str(given.bot)
    project = project_of(given.path)
    site = Site.choose(given.site or project.site)
    slug = slug_of(site, project.name)
    if slug is None:
        raise SiteRefused(f"You have no bot called {project.name} on {site.origin}. Upload it first.")
    return site, slug


def slug_of(site: Site, name: str) -> str | None:
    """The slug of the user's bot of this name, or None."""
    for bot in site.get("/api/v1/bots/")["bots"]:
        if bot["name"].casefold() == name.casefold() or bot["bot"] == name:
            return str(bot["bot"])
    return None


def find_entrants(address: str | None, *named: str) -> tuple[Site, list[dict[str, Any]]]:
    """The site, and the bots as the API takes them, for what `NAMED` describes. Raises Refused and BadUsage.

    Without an address the site is that of the first folder with a ``crapette.toml`` that says one.
    """
    projects = {}
    for each in named:
        name = split_version(each)[0]
        # Not Path.exists, which raises where a name is too long.
        projects[each] = project_of(Path(name)) if os.path.exists(name) else None  # noqa: PTH110
    sites = (project.site for project in projects.values() if project is not None and project.site)
    site = Site.choose(address or next(sites, None))
    found = []
    for each in named:
        name, version = split_version(each)
        if (project := projects[each]) is None:
            slug, version = split_version(slug_in(each))
        else:
            own = slug_of(site, project.name)
            if own is None:
                raise SiteRefused(f"You have no bot called {project.name} on {site.origin}.")
            slug = own
        found.append({"bot": slug, "version": version})
    return site, found


def bot_path(slug: str) -> str:
    """The address of a bot in the API of its site, whatever is in its name.

    >>> bot_path("rival"), bot_path("../rival")
    ('/api/v1/bots/rival/', '/api/v1/bots/..%2Frival/')
    """
    return f"/api/v1/bots/{urllib.parse.quote(slug, safe='')}/"


def split_version(text: str) -> tuple[str, int | None]:
    """A bot, and the number after its last colon if there is one.

    >>> split_version("mybot:3"), split_version("C:/bots/mine")
    (('mybot', 3), ('C:/bots/mine', None))
    """
    name, colon, number = text.rpartition(":")
    if colon and name and number.isascii() and number.isdigit():
        return name, int(number)
    return text, None


def slug_in(text: str) -> str:
    """The name in the address of a bot's page; other text as it is.

    >>> slug_in("https://arena.example/bots/rival/"), slug_in("rival:2")
    ('rival', 'rival:2')
    """
    if "/" not in text:
        return text
    parts = [part for part in urllib.parse.urlsplit(text).path.split("/") if part]
    if len(parts) < 2 or parts[0] != "bots":
        raise BadUsage(f"expected a bot's name or the address of its page, got {text[:200]!r}")
    return parts[1]
