"""Writes the page that shows all pictures: a row for each page, a column for each way to look at it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.pictures.camera import Look, Seen

STYLE: Final = """
body { font: 14px/1.4 system-ui, sans-serif; margin: 1rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid #ccc; padding: 6px; vertical-align: top; text-align: left; }
thead th { position: sticky; top: 0; background: #fff; }
tbody th { min-width: 16rem; max-width: 22rem; font-weight: normal; overflow-wrap: anywhere; }
img { display: block; width: 220px; height: 300px; object-fit: cover; object-position: top; }
ul { padding-left: 1.2em; color: #a22; }
"""


def written(seen: Sequence[Seen], look: Look) -> str:
    """The page."""
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
