"""Requests to a site: tokens that go nowhere else, and answers that get lost."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from kit.site import client, token_file
from kit.site.client import Site, SiteRefused

ANSWERS: list[str] = []
"""What happens to the next requests: "lost", "busy", "refused" or "done"."""


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Site, list[str]]]:
    """A site that answers by `ANSWERS`, and the keys and bodies that it was sent."""
    monkeypatch.setattr(client, "SEND_AGAIN_SECONDS", (0.0, 0.0))
    sent: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append(f"{self.headers['Idempotency-Key']} {body.decode()}")
            what = ANSWERS.pop(0)
            if what == "lost":
                self.close_connection = True  # read by the handler itself
                return
            self.send_response({"busy": 409, "refused": 409, "done": 201}[what])
            if what == "busy":
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(b'{"ok": true}')

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield Site(f"http://127.0.0.1:{server.server_port}", "crapette_a"), sent
    server.shutdown()
    thread.join()
    server.server_close()


def send(to: Site) -> object:
    return to.post("/api/v1/bots/", "application/json", b"{}")


def test_a_request_whose_answer_is_lost_is_sent_again_with_its_key(heard: tuple[Site, list[str]]) -> None:
    to, sent = heard
    ANSWERS[:] = ["lost", "busy", "done", "done"]
    assert send(to) == {"ok": True}
    assert len(sent) == 3
    assert len(set(sent)) == 1
    send(to)
    assert sent[3] != sent[0]


def test_a_refusal_is_final_and_so_is_the_third_loss(heard: tuple[Site, list[str]]) -> None:
    to, sent = heard
    for answers, times in (["refused"], 1), (["lost"] * 3, 1 + 3):
        ANSWERS[:] = answers
        with pytest.raises(SiteRefused):
            send(to)
        assert len(sent) == times


SITE = "https://arena.example"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("CRAPETTE_TOKEN", "CRAPETTE_SITE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def tokens_heard() -> Iterator[tuple[str, list[str | None]]]:
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
    token_file.keep(SITE, "crapette_a")
    token_file.keep("https://other.example", "crapette_b")
    assert token_file.token_for(SITE) == "crapette_a"
    assert token_file.token_for("https://arena.example.evil.example") is None
    file = token_file.tokens_file()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["tokens.json"]
    assert token_file.forget(SITE)
    assert not token_file.forget(SITE)
    assert token_file.last_site() == "https://other.example"


def test_a_token_follows_no_redirect_and_never_travels_in_the_clear(
    tokens_heard: tuple[str, list[str | None]],
) -> None:
    with pytest.raises(SiteRefused, match="not https"):
        Site("http://arena.example", "crapette_a").get("/api/")
    origin, sent = tokens_heard
    with pytest.raises(SiteRefused, match="redirects to '/elsewhere'"):
        Site(origin, "crapette_a").get("/api/")
    assert sent == ["Bearer crapette_a"]


def test_a_file_that_others_can_read_is_refused(config: Path) -> None:
    token_file.keep(SITE, "crapette_a")
    token_file.tokens_file().chmod(0o640)
    with pytest.raises(token_file.TokensUnusable, match="chmod 600"):
        token_file.token_for(SITE)
    token_file.tokens_file().chmod(0o600)
    token_file.tokens_file().write_text("[]")
    with pytest.raises(token_file.TokensUnusable, match="not a file of tokens"):
        token_file.token_for(SITE)
