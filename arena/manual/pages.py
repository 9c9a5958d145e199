"""The pages of the documentation, made from the documents in the project."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.manual.engine_reference import engine_document
from arena.web.cache.pages import everybody, shared_page
from tournaments.games.public_data import TABLES

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from markdown_it.token import Token

    from tournaments.games.public_data import DataTable

INTRODUCTION: Final = """\
# Public data

Everything the arena shows of games, ratings, versions and tournaments, as \
[Parquet](https://parquet.apache.org) files that pandas, Polars, DuckDB or R read. Games and seats have a \
file for each month, by when a game finished (UTC).

The first files are made within the hour after the first game, and made again about every 20 hours; those of \
a month that is over, every 30 days, as a pair \
may be voided later. `/api/v1/datasets/` lists them with their size, their age and their SHA-256. For \
example, with DuckDB:

```sql
SELECT bot, count(*) AS games, avg((place = 1)::int) AS won
FROM 'https://SITE/api/v1/datasets/seats-2026-05.parquet' GROUP BY bot ORDER BY won DESC;
```

The moves are in the records: all games of a month, a tournament or a bot can be downloaded as compressed \
JSON lines ([API reference](/api/docs#download-records)).
"""


@cache
def dictionary_document() -> str:
    """The data dictionary, as Markdown."""
    return "\n\n".join([INTRODUCTION, *(_described(table) for table in TABLES.values())])


def _described(table: DataTable) -> str:
    name = f"{table.name}-YYYY-MM" if table.by_month else table.name
    rows = [
        f"| `{one.name}` | {one.kind}{', may be null' if one.nullable else ''} | {one.meaning} |"
        for one in table.columns
    ]
    head = ["| column | kind | meaning |", "|---|---|---|"]
    return "\n".join([f"## {table.name}", "", f"{table.meaning} File: `{name}.parquet`.", "", *head, *rows])


ROOT: Final = Path(__file__).resolve().parents[2]
NO_HEAD: Final = re.compile(r"<thead>\s*<tr>\s*(?:<th></th>\s*)+</tr>\s*</thead>\s*")
COMMENT: Final = re.compile(r"<!--.*?-->\n?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its name in the address, its title, and the document it is made from.

    `view` names the page's own view, where it has one.
    """

    name: str
    title: str
    summary: str
    source: str = ""
    view: str = ""

    @property
    def url(self) -> str:
        """The address of the page."""
        return reverse(self.view) if self.view else reverse("docs-page", args=[self.name])

    def text(self) -> str:
        """The document, as Markdown; empty where the page has a view of its own and no document."""
        if self.name in GENERATED:
            return GENERATED[self.name]()
        if not self.source:
            return ""
        return COMMENT.sub("", (ROOT / self.source).read_text())

    def shown_text(self) -> str:
        """The document with this site's address where it says https://SITE."""
        return self.text().replace("https://SITE", settings.SITE_URL)


GENERATED: Final = {"engine-reference": engine_document, "data": dictionary_document}
"""Documents that are made from the code, by page."""
PAGES: Final = {
    "Write a bot": (
        Page(
            "first-bot", "Your first bot", "From nothing to the ladder.", "docs/author/first-bot.md", "docs"
        ),
        Page(
            "search-bot",
            "A bot that searches",
            "From the first bot to one that looks ahead, tested and uploaded from GitHub.",
            "docs/author/search-bot.md",
        ),
        Page(
            "training",
            "Train a bot",
            "Environments for NumPy, PyTorch, PettingZoo and OpenSpiel, and a bot that learns.",
            "docs/author/training.md",
        ),
        Page("protocol", "The protocol", "How a bot talks to the arena.", "docs/author/protocol.md"),
        Page(
            "languages",
            "The SDK, nets and WebAssembly",
            "More than the first bot needs.",
            "docs/author/languages.md",
        ),
        Page("uploads", "The check of an upload", "What is checked, and why.", "docs/author/uploads.md"),
        Page(
            "remote",
            "Play from your own machine",
            "Bots with their own hardware, on the open boards.",
            "docs/author/remote.md",
        ),
        Page("engine", "Searching with the engine", "Positions, moves, playouts.", "docs/author/engine.md"),
        Page("engine-reference", "Engine reference", "Every name of the engine, from its docstrings."),
        Page("cheat-sheet", "Cheat sheet", "Most of it on one page.", "docs/author/cheat-sheet.md"),
        Page("tools", "The commands", "Check, play, compare, tune, upload.", "docs/author/commands.md"),
        Page("gallery", "The gallery", "How strong the house bots are.", "docs/author/gallery.md"),
        Page("challenges", "Challenges", "Games against other owners’ bots.", "docs/author/challenges.md"),
    ),
    "Use the site from programs": (
        Page("api-reference", "API reference", "Every route, with its answer.", view="api-docs"),
        Page("data", "Public data", "Tables to download, and what each column means."),
        Page("notices", "Notices and webhooks", "What you are told, and how.", "docs/author/notices.md"),
    ),
    "Understand the results": (
        Page("rules", "The exact rules", "Every clause, as the engine implements it.", "docs/rules/rules.md"),
        Page(
            "results",
            "Tournaments",
            "How results are produced, and why you can trust them.",
            "docs/rules/tournaments.md",
        ),
        Page("ratings", "Ratings, tests and luck", "What the numbers mean.", "docs/rules/ratings.md"),
        Page("series", "Series and seasons", "How events add up.", "docs/rules/series.md"),
        Page("glossary", "Glossary", "Every word.", "docs/rules/glossary.md", "glossary"),
    ),
    "Run an arena": (
        Page("operators", "On your machine", "Install and start.", "docs/operate/install.md"),
        Page("production", "In production", "Processes, upgrades.", "docs/operate/production.md"),
        Page("configuration", "Configuration", "Every variable.", "docs/operate/configuration.md"),
        Page("operation", "Operate it", "Health, limits, accounts, archive.", "docs/operate/operation.md"),
        Page("moderation", "Moderation", "Reports, decisions, appeals.", "docs/operate/moderation.md"),
        Page("backup", "Backups", "Write and restore them.", "docs/operate/backup.md"),
        Page("hosts", "More machines", "Let others play for the site.", "docs/operate/hosts.md"),
        Page("growth", "How cost grows", "What breaks first.", "docs/operate/growth.md"),
        Page("sandbox", "The sandbox", "What it holds, and what not.", "docs/operate/sandbox.md"),
    ),
    "Work on the arena": (
        Page("architecture", "Architecture", "Packages and processes.", "docs/develop/architecture.md"),
        Page("processes", "Processes", "What thinks, and where.", "docs/develop/processes.md"),
        Page("friendlies", "People at a table", "How a game is kept.", "docs/develop/friendlies.md"),
        Page("tests", "Tests", "The steps, and how to write one.", "docs/develop/tests.md"),
        Page("translating", "Translating", "Add or change a language.", "docs/develop/translating.md"),
        Page("measurements", "Measurements", "Figures behind decisions.", "docs/develop/measurements.md"),
        Page("contributing", "Contributing", "How the code is written and tested.", "CONTRIBUTING.md"),
    ),
}
"""All pages, by heading."""
BY_NAME: Final = {page.name: page for pages in PAGES.values() for page in pages}
BY_SOURCE: Final = {page.source: page for page in BY_NAME.values() if page.source}


@shared_page(among=everybody)
@gzip_page
@require_safe
def show_build(request: HttpRequest) -> HttpResponse:
    """Everything for authors, behind one door."""
    return render(request, "docs/build.html")


@shared_page(among=everybody)
@gzip_page
@require_safe
def show_page(request: HttpRequest, name: str) -> HttpResponse:
    """One page of the documentation."""
    found = BY_NAME.get(name)
    if found is None:
        raise Http404(f"expected a page of the documentation, got {name!r}")
    if found.view:
        return redirect(found.url)
    return render(request, "docs/page.html", {"page": found, "rendered": render_page(name), "pages": PAGES})


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as HTML, with (anchor, title) of its sections."""

    html: SafeString
    contents: list[tuple[str, str]]


@cache
def render_page(name: str) -> Rendered:
    """A page as HTML."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 (few pages need it, and every worker would read it)

    page = BY_NAME[name]
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(page.shown_text())
    contents: list[tuple[str, str]] = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            anchor = slugify(plain(inline))
            token.attrSet("id", anchor)
            if token.tag == "h2":
                contents.append((anchor, plain(inline)))
    for token in tokens:
        if token.type == "inline":
            _point(token, page.source)
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    # What scrolls has to be reached by keyboard too; a table without words in its head has none.
    html = (
        NO_HEAD.sub("", html)
        .replace("<pre>", '<pre tabindex="0">')
        .replace("<th></th>", "<td></td>")
        .replace("<table>", '<div class="table-wrap" tabindex="0"><table class="table">')
        .replace("</table>", "</table></div>")
    )
    return Rendered(mark_safe(html), contents)  # noqa: S308 - our own files, and raw HTML in them is escaped


def plain(inline: Token) -> str:
    """The words of a heading or paragraph."""
    return "".join(
        " " if child.type in {"softbreak", "hardbreak"} else child.content for child in inline.children or []
    )


def _point(inline: Token, source: str) -> None:
    """Let links between documents lead to their pages; what has no page here stays as text."""
    ended = False
    for child in inline.children or []:
        if child.type == "link_open":
            href = str(child.attrGet("href"))
            target = address(href, source)
            ended = target is None
            if target is None:
                child.type, child.tag, child.attrs = "text", "", {}
            else:
                child.attrSet("href", target)
        elif child.type == "link_close" and ended:
            child.type, child.tag, ended = "text", "", False


def address(href: str, source: str) -> str | None:
    """Where a link of a document leads in the site; None for files that have no page."""
    if href.startswith(("http://", "https://", "#", "/", "mailto:")):
        return href
    path, _, anchor = href.partition("#")
    found = BY_SOURCE.get(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
    if found is None:
        return None
    return found.url + (f"#{anchor}" if anchor else "")
