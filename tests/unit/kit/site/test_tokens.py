"""Tokens: private, and sent to no other site."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from kit.site import tokens
from kit.site.client import Site, SiteRefused

SITE = "https://arena.example"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for settings of our own."""
    for name in ("CRAPETTE_TOKEN", "CRAPETTE_SITE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def heard() -> Iterator[tuple[str, list[str | None]]]:
    """A site that redirects elsewhere, and the tokens that it or any other address of it was sent."""
    sent: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent.append(self.headers.get("Authorization"))
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", sent
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_token_is_kept_for_its_own_site_only_and_hidden_from_others(config: Path) -> None:
    tokens.keep(SITE, "crapette_a")
    tokens.keep("https://other.example", "crapette_b")
    assert tokens.token_for(SITE) == "crapette_a"
    assert tokens.token_for("https://arena.example.evil.example") is None
    file = tokens.tokens_file()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["tokens.json"]
    assert tokens.forget(SITE)
    assert not tokens.forget(SITE)
    assert tokens.last_site() == "https://other.example"


def test_a_token_follows_no_redirect_and_never_travels_in_the_clear(
    heard: tuple[str, list[str | None]],
) -> None:
    with pytest.raises(SiteRefused, match="not https"):
        Site("http://arena.example", "crapette_a").get("/api/")
    origin, sent = heard
    with pytest.raises(SiteRefused, match="redirects to '/elsewhere'"):
        Site(origin, "crapette_a").get("/api/")
    assert sent == ["Bearer crapette_a"]
