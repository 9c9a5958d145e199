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
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tools.pictures.camera import Camera, Look, Seen, opened
from tools.pictures.pages import PAGES
from tools.pictures.place import kept_or_temporary, place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.pictures.pages import Page


STYLE: Final = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 6px; vertical-align: top; text-align: left; }
thead th { position: sticky; top: 0; background: #fff; }
tbody th { min-width: 16rem; max-width: 22rem; font-weight: normal; overflow-wrap: anywhere; }
img { display: block; width: 220px; height: 300px; object-fit: cover; object-position: top; }
ul { padding-left: 1.2em; color: #a22; }
"""


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


def index(seen: Sequence[Seen], look: Look) -> str:
    """The page that shows all pictures: a row for each page, a column for each way to look at it."""
    columns = look.combinations()
    head = "".join(f"<th>{width} {theme} {language}</th>" for width, theme, language in columns)
    rows = "\n".join(_row(one, look) for one in seen)
    found = sum(bool(one.found) for one in seen)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title><style>{STYLE}</style>\n'
        f"<h1>{len(seen)} pages, {found} with notes</h1>\n"
        f"<table><thead><tr><th>Page</th>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></html>\n"
    )


def _row(one: Seen, look: Look) -> str:
    notes = "".join(f"<li>{escape(what)}</li>" for what in one.found)
    cells = "".join(_cell(one.pictures.get(way, "")) for way in look.combinations())
    about = f"<b>{escape(one.page.name)}</b><br><code>{escape(one.address)}</code>"
    return f"<tr><th>{about}{f'<ul>{notes}</ul>' if notes else ''}</th>{cells}</tr>"


def _cell(picture: str) -> str:
    if not picture:
        return "<td></td>"
    return f'<td><a href="{escape(picture)}"><img src="{escape(picture)}" alt="" loading="lazy"></a></td>'


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
            (asked.out / "index.html").write_text(index(seen, look), encoding="utf-8")
    sys.stdout.write(f"{sum(len(one.pictures) for one in seen)} pictures: {asked.out / 'index.html'}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
