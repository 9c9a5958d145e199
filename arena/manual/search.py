"""Finds sections of the documentation by their words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from arena.manual.pages import BY_NAME, PAGES, plain
from arena.web.cache.pages import everybody, shared_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

WORD: Final = re.compile(r"[a-z0-9_]+")
SHOWN: Final = 20
AROUND: Final = 90
IN_TITLE: Final = 8
MOST_WORDS: Final = 8
LONGEST_QUERY: Final = 100


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page."""

    page: str
    url: str
    title: str
    text: str
    words: frozenset[str]
    titled: frozenset[str]


@dataclass(frozen=True, slots=True)
class Found:
    """A section that was found, with the words around the first that was asked for."""

    page: str
    url: str
    title: str
    excerpt: str


@shared_page(among=everybody)
@gzip_page
@require_safe
def show_search(request: HttpRequest) -> HttpResponse:
    """All pages, and the sections that have the words of ``?q=``."""
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    context = {"pages": PAGES, "query": query, "found": search(query) if query else []}
    return render(request, "docs/search.html", context)


def search(query: str) -> list[Found]:
    """The sections that have every word of the query, or words that begin with it; the best first."""
    asked = list(dict.fromkeys(WORD.findall(query.lower())))[:MOST_WORDS]
    if not asked:
        return []
    rated = []
    for place, section in enumerate(sections()):
        scores = [_score(section, word) for word in asked]
        if all(scores):
            rated.append((-sum(scores), place, section))
    return [
        Found(one.page, one.url, one.title, _excerpt(one.text, asked)) for _, _, one in sorted(rated)[:SHOWN]
    ]


def _score(section: Section, word: str) -> int:
    if word in section.titled:
        return 2 * IN_TITLE
    if any(one.startswith(word) for one in section.titled):
        return IN_TITLE
    if word in section.words:
        return 2
    return int(any(one.startswith(word) for one in section.words))


def _excerpt(text: str, asked: list[str]) -> str:
    lower = text.lower()
    at = min((place for word in asked if (place := lower.find(word)) >= 0), default=0)
    start, end = max(0, at - AROUND), at + AROUND
    if start:  # from the beginning of a word to the end of one
        start = text.find(" ", start, at) + 1 or start
    if end < len(text):
        end = max(text.rfind(" ", at, end), at) if " " in text[at:end] else end
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")


@cache
def sections() -> tuple[Section, ...]:
    """Every section of every page."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 (few pages need it, and every worker would read it)

    found: list[Section] = []
    for page in BY_NAME.values():
        title, anchor, texts = page.title, "", [page.summary]
        tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(page.text())
        is_heading = False
        for token in tokens:
            if token.type == "heading_open":
                is_heading = True
            elif token.type == "inline" and is_heading:
                is_heading = False
                found.append(_section(page.title, page.url, anchor, title, texts))
                title, texts = plain(token), []
                anchor = slugify(title)
            elif token.content:
                texts.append(plain(token) if token.type == "inline" else token.content)
        found.append(_section(page.title, page.url, anchor, title, texts))
    return tuple(one for one in found if one.text)


def _section(page: str, url: str, anchor: str, title: str, texts: list[str]) -> Section:
    text = " ".join(" ".join(texts).split())
    return Section(
        page,
        f"{url}#{anchor}" if anchor else url,
        title,
        text,
        frozenset(WORD.findall(text.lower())),
        frozenset(WORD.findall(title.lower())),
    )
