"""The documentation in the site: every page, every link between them, the search, and what they list."""

import ast
import inspect
import re
import shlex
from datetime import timedelta
from importlib import import_module
from itertools import chain, pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from django.utils.text import slugify

from arena.api.application import openapi
from arena.api.reference import describe
from arena.manual.engine_reference import public_names
from arena.manual.pages import BY_NAME, ROOT, render_page
from arena.manual.search import search
from arena.notices.delivery import signature
from tests.api import filled

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LISTING = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", BY_NAME)
def test_every_page_is_there_and_its_links_lead_somewhere(client: Client, name: str) -> None:
    page = BY_NAME[name]
    answer = client.get(page.url)
    assert answer.status_code == 200
    assert client.get(f"/docs/{name}/", follow=True).status_code == 200
    assert not re.search(r'href="[^"]*\.md', answer.content.decode())
    if page.view:
        return
    html = render_page(name).html
    assert "<!--" not in html
    for href in re.findall(r'href="([^"]+)"', html):
        path, _, anchor = href.partition("#")
        if path.startswith(("http", "mailto")):
            continue
        there = client.get(path) if path else answer
        assert there.status_code == 200, href
        if anchor:
            assert f'id="{anchor}"' in there.content.decode(), href


def test_the_search_finds_sections_by_words_and_their_beginnings(client: Client) -> None:
    assert search("backup")[0].url.startswith("/docs/backup/")
    assert search("TurnGame")[0].url == "/docs/engine-reference/#turngame"
    for words in ("reinforcement learning", "PyTorch"):
        assert "Train a bot" in {one.page for one in search(words)}, words
    assert search("nothingofthekind") == search("") == search("?!") == []
    page = client.get("/docs/search/", {"q": "<script>webhook"}).content.decode()
    assert "<script>webhook" not in page


def test_the_engine_reference_has_every_public_name_and_each_has_an_example() -> None:
    """One in a docstring, or in a listing of the documents; both are run."""
    html, public = render_page("engine-reference").html, public_names()
    words = set(re.findall(r"\w+", " ".join(python_listings())))
    for name, what in public.items():
        short = name.removeprefix("engine.")
        assert f'id="{slugify(short)}"' in html, name
        assert ">>> " in (inspect.getdoc(what) or "") or short.rpartition(".")[2] in words, name
    # And nothing that the documents import is missing.
    for listing in python_listings():
        for node in ast.walk(ast.parse(listing)):
            module = (node.module or "").removeprefix("crapette.") if isinstance(node, ast.ImportFrom) else ""
            if isinstance(node, ast.ImportFrom) and module.split(".")[0] == "engine":
                found = [getattr(import_module(module), alias.name) for alias in node.names]
                wanted = [one for one in found if not inspect.ismodule(one)]
                assert all(any(one is what for what in public.values()) for one in wanted), (listing, module)


def python_listings() -> list[str]:
    documents = sorted((ROOT / "docs" / "author").glob("*.md"))
    return [found for document in documents for found in LISTING.findall(document.read_text())]


def test_the_listing_that_checks_a_webhook_does_so() -> None:
    listing = LISTING.search((ROOT / "docs/author/notices.md").read_text())
    assert listing is not None
    names: dict[str, Any] = {}
    exec(listing[1], names)
    now = timezone.now()
    header, late = signature("secret", now, b"{}"), signature("secret", now - timedelta(minutes=6), b"{}")
    given = [
        ("secret", header, b"{}"),
        ("other", header, b"{}"),
        ("secret", header, b"{ }"),
        ("secret", late, b"{}"),
    ]
    assert [names["is_genuine"](*one) for one in given] == [True, False, False, False]


def test_every_command_of_the_api_reference_reaches_its_route() -> None:
    secret = filled().tokens["owner"]
    client = Client(headers={"Authorization": f"Bearer {secret}"})
    for route in chain.from_iterable(describe(openapi(), "http://testserver").groups.values()):
        cache.clear()
        command = route.command
        words = shlex.split(command)
        method, body, form, target = "get", None, {}, words[-1]
        for flag, value in pairwise(words):
            if flag == "-X":
                method = value.lower()
            elif flag == "-d":
                body = value
            elif flag == "-F":
                name, _, text = value.partition("=")
                form[name] = SimpleUploadedFile("bot.py", b"x") if text == "@bot.py" else text
        if route.anchor == "revoke-this-token":
            continue  # the last of them: everything after it would be refused
        parts = urlsplit(target)
        call = getattr(client, method)
        address = f"{parts.path}?{parts.query}" if parts.query else parts.path
        answer = call(address, body, content_type="application/json") if body else call(address, form or None)
        assert answer.status_code not in (405, *range(500, 600)), command
        if answer.status_code in (404, 422):
            said = answer.json()
            assert said["detail"] != "There is nothing at this address.", command
            assert said["code"] != "invalid", f"{command}: {said['detail']}"
