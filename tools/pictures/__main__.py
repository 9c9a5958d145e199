"""``./crapette pictures``: takes pictures of every page of a site with played data.

It makes a site in a temporary folder, with people, bots and events whose games were played, starts it, visits
every kind of page as whoever the page is for, and takes pictures at several widths, by day and by night, and
in several languages. `index.html` shows them all, with what was measured: pages that scroll sideways, things
too small to press, errors of scripts, texts that are not translated.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tools.pictures.camera import Camera, Look, Seen, opened
from tools.pictures.grid import written
from tools.pictures.pages import PAGES
from tools.pictures.place import kept_or_temporary, place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.pictures.pages import Page


def words_of(text: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def widths_of(text: str) -> list[int]:
    """Widths between commas."""
    return [int(word) for word in words_of(text)]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="./crapette pictures", description=__doc__)
    parser.add_argument(
        "--pages", metavar="PATTERN", default="", help="only pages whose names have this (regular expression)"
    )
    parser.add_argument("--widths", type=widths_of, default="360,768,1440", help="default: %(default)s")
    parser.add_argument("--languages", type=words_of, default="en,fr", help="default: %(default)s")
    parser.add_argument("--themes", type=words_of, default="light,dark", help="default: %(default)s")
    parser.add_argument(
        "--out", type=Path, default=Path("build/pictures"), help="folder (default: %(default)s)"
    )
    parser.add_argument(
        "--site",
        type=Path,
        help="folder that keeps the site, whose games are then played once (default: none)",
    )
    parser.add_argument("--list", action="store_true", help="list the pages and take no picture")
    return parser.parse_args(words)


def chosen(pattern: str) -> list[Page]:
    """The pages whose names have the pattern."""
    return [page for page in PAGES if re.search(pattern, page.name)]


def main(words: Sequence[str] | None = None) -> int:
    """Take the pictures; 1 if no page has the pattern."""
    asked = arguments(words)
    pages = chosen(asked.pages)
    if not pages:
        sys.stderr.write(f"expected a part of the name of a page, got {asked.pages!r}: see --list\n")
        return 1
    if asked.list:
        sys.stdout.write("".join(f"{page.name}\n" for page in pages))
        return 0
    asked.out.mkdir(parents=True, exist_ok=True)
    look = Look(asked.widths, asked.languages, asked.themes)
    seen: list[Seen] = []
    with kept_or_temporary(asked.site) as folder, place(folder) as site, opened() as browser:
        camera = Camera(browser, site, look, asked.out)
        for page in pages:
            seen.append(camera.look_at(page))
            sys.stdout.write(f"{page.name}\n" + "".join(f"    {what}\n" for what in seen[-1].found))
            (asked.out / "index.html").write_text(written(seen, look), encoding="utf-8")
    sys.stdout.write(f"{sum(len(one.pictures) for one in seen)} pictures: {asked.out / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
