"""`crapette connect` and the client in JavaScript, frame by frame (docs/author/remote.md)."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

import pytest
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection

from kit import cli
from kit.remote import wire
from tests.scripted_site import Peer, Site, interrupt
from tests.site import ROOT

Capture = pytest.CaptureFixture[str]
READY: Final = '{"type":"ready","plays":["crapaud"]}'
BOT: Final = """
import json, os, sys, time
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print({ready!r}, flush=True)
    elif said["type"] == "end":
        break
    else:
        exec(said["do"])
"""
"""A bot that does what it is told, once it is greeted."""
REDIRECTED: Final = (
    "{origin} redirects to '{other}'. Use that site's own address, so that your token goes nowhere else."
)


def hello(seat: int = 0) -> str:
    return json.dumps({"type": "hello", "protocol": 1, "variant": "crapaud", "players": 2, "seat": seat})


def do(code: str) -> str:
    return json.dumps({"type": "move", "do": code})


END: Final = json.dumps({"type": "end"})


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(wire, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setenv("CRAPETTE_TOKEN", "crapette_t")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(BOT.format(ready=READY))


@dataclass(frozen=True)
class Ended:
    status: int
    out: str
    err: str


def connect(capsys: Capture, site: Site, *words: str) -> Ended:
    with site:
        command = f"{sys.executable} -S bot.py"
        status = cli.main(["connect", "--command", command, "--bot", "mybot", "--site", site.origin, *words])
    if site.errors:
        raise site.errors[0]
    return Ended(status, *capsys.readouterr())


def played(peer: Peer, key: str = "g1") -> None:
    peer.game(key)
    peer.ask(1, hello(), READY, key)
    peer.ask(2, do("print('a', flush=True)"), "a", key)
    peer.line(3, END, key)
    peer.over(key)


def test_it_plays_shows_and_ends_with_the_last_game_once_it_is_interrupted(capsys: Capture) -> None:
    def script(peer: Peer) -> None:
        said = peer.welcome()
        assert said == {
            "wire": 1, "bot": "mybot", "boards": ["crapaud"], "games": 2, "people": True, "holding": []
        }  # fmt: skip
        peer.send("from-a-later-version", field=1)
        peer.game("g1")
        peer.game("g2")
        peer.game("g3")  # one too many
        assert peer.expect("abandon") == {"game": "g3"}
        for key in ("g1", "g2"):
            peer.ask(1, hello(), READY, key)
        interrupt()
        peer.expect("leaving")
        peer.ask(2, do("print(os.environ.get('CRAPETTE_TOKEN'), flush=True)"), "None", "g2")
        peer.over("g2", "loss")
        peer.send("rating", board="crapaud", elo=1512, error=80, games=12)
        peer.line(2, END, "g1")
        peer.over("g1")
        peer.wait_closed()

    site = Site([script])
    found = connect(capsys, site, "--games", "2", "--people")
    assert (found.status, site.tokens) == (0, ["Bearer crapette_t"])
    assert found.out.splitlines() == [
        f"Connected to {site.origin}. mybot plays crapaud, up to 2 games at a time.",
        "crapaud against greedy: begun, rated",
        "crapaud against greedy: begun, rated",
        f"crapaud against greedy: lost by win, {site.origin}/games/1/",
        "crapaud: rated 1512 ± 80 after 12 games",
        f"crapaud against greedy: won by win, {site.origin}/games/1/",
    ]
    assert found.err.splitlines()[-1] == ("Finishing 2 games being played. Press Ctrl-C again to give up.")


def test_a_second_interrupt_gives_the_games_up(capsys: Capture) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.game()
        peer.ask(1, hello(), READY)
        peer.line(2, do("time.sleep(600)"))
        interrupt()
        peer.expect("leaving")
        interrupt()
        assert peer.expect("abandon") == {"game": "g1"}
        peer.wait_closed()

    found = connect(capsys, Site([script]), "--json")
    assert found.status == 130
    assert found.err.splitlines()[-1] == "crapette connect: interrupted"
    assert [json.loads(line)["event"] for line in found.out.splitlines()] == ["connected", "game"]


def test_a_lost_connection_comes_back_and_no_line_reaches_the_program_twice(capsys: Capture) -> None:
    count = "print(globals().setdefault('n', 0), flush=True); n += 1"

    def cut(peer: Peer) -> None:
        peer.welcome()
        peer.game()
        peer.ask(1, hello(), READY)
        peer.ask(2, do(count), "0")
        peer.line(3, do(count))
        peer.socket.socket.close()  # whatever was answered is lost

    def again(peer: Peer) -> None:
        assert peer.welcome()["holding"] == [{"game": "g1", "received": 3}]
        peer.ask(3, do(count), "1")
        peer.ask(3, do(count), "1")
        peer.ask(4, do(count), "2")
        peer.socket.close(1012)

    def last(peer: Peer) -> None:
        peer.welcome()
        peer.over("unknown")
        peer.line(1, hello(), "unknown")
        peer.send("over", game="g1", result="void", termination=None, url="/games/1/")
        interrupt()
        peer.wait_closed()

    found = connect(capsys, Site([cut, again, last]))
    assert found.status == 0
    last_line = found.out.splitlines()[-1]
    assert last_line.startswith("crapaud against greedy: not counted; it is played again, http")
    # On a busy machine once more: what matters is that the game went on each time.
    assert found.err.count("is lost. Connecting again in 0 s.") >= 2


@pytest.mark.parametrize(
    ("status", "body", "exit_status", "said"),
    [
        (401, '{"error":{"code":"token","message":"No such token."}}', 2, "No such token."),
        (429, '{"error":{"code":"limit","message":"Too many."}}', 75, "Too many."),
        (404, "<html>", 2, "Expected an answer from {origin}, got status 404 Not Found."),
        (302, "", 2, REDIRECTED),
    ],
)  # fmt: skip
def test_a_refused_handshake_is_said_and_no_redirect_is_followed(
    capsys: Capture, status: int, body: str, exit_status: int, said: str
) -> None:
    with Site([Peer.welcome]) as elsewhere:

        def answer(socket: ServerConnection, _: Request) -> Response:
            made = socket.respond(HTTPStatus(status), body)
            made.headers["Location"] = elsewhere.origin
            return made

        site = Site([], answer)
        found = connect(capsys, site)
        assert found == Ended(
            exit_status, "", f"crapette connect: {said.format(origin=site.origin, other=elsewhere.origin)}\n"
        )
        assert elsewhere.tokens == []


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("sys.exit('no such weights')", "exited with status 1"),
        ("print('x' * 70000, flush=True); time.sleep(600)", "wrote a line of more than 65536 bytes"),
        ("print('a\\n' * 99, flush=True); time.sleep(600)", "writes lines that nobody asked for"),
        ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    ],
)  # fmt: skip
def test_a_program_that_fails_gives_up_its_game_alone_and_says_why(
    capsys: Capture, code: str, why: str
) -> None:
    def script(peer: Peer) -> None:
        peer.welcome()
        peer.game("bad")
        peer.ask(1, hello(), READY, "bad")
        peer.line(2, do(f"sys.stderr.write('weights\\n'); {code}"), "bad")
        frame = json.loads(peer.socket.recv(timeout=20))
        while frame["type"] == "line":
            frame = json.loads(peer.socket.recv(timeout=20))
        assert frame == {"type": "abandon", "game": "bad"}
        peer.line(3, do("print('late')"), "bad")
        played(peer)
        interrupt()
        peer.wait_closed()

    found = connect(capsys, Site([script]))
    assert found.status == 0
    assert f"crapaud against greedy: given up, since the bot {why}" in found.out
    assert "  │ weights" in found.err.splitlines()


def test_a_program_that_can_play_on_gets_the_next_game(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT.format(ready=READY).replace("break", "continue"))
    pids: list[str] = []

    def script(peer: Peer) -> None:
        peer.welcome()
        for key in ("g1", "g2"):
            peer.game(key)
            peer.ask(1, hello(), READY, key)
            peer.line(2, do("print(os.getpid(), flush=True)"), key)
            pids.append(peer.expect("line")["line"])
            peer.line(3, END, key)
            peer.over(key)
        interrupt()
        peer.wait_closed()

    assert connect(capsys, Site([script]), "--reuse").status == 0
    assert pids[0] == pids[1]
    with pytest.raises(ProcessLookupError):
        os.kill(int(pids[0]), 0)


@pytest.mark.parametrize(
    ("bot", "words", "said"),
    [
        ("import sys; sys.exit('no GPU')", [], "the bot does not start: exited with status 1; it wrote:"),
        ("import time; time.sleep(600)", [], "the bot does not start: said nothing within 0 s of hello."),
        ("print('hello'); input()", [], "the bot does not start: expected one line of JSON"),
        (None, ["--boards", "crapo"], "the bot says that it does not play crapo"),
    ],
)  # fmt: skip
def test_a_bot_that_does_not_start_is_refused_before_it_connects(
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    bot: str | None,
    words: list[str],
    said: str,
) -> None:
    if bot is not None:
        monkeypatch.setattr("kit.remote.connect.REMOTE_START_SECONDS", 0.3 if "sleep" in bot else 20)
        (tmp_path / "bot.py").write_text(bot)
    site = Site([])
    found = connect(capsys, site, *words)
    assert found.status == 2
    assert found.err.startswith(f"crapette connect: {said}")
    assert len(found.err.splitlines()) == 1
    assert site.tokens == []


DOCUMENT: Final = ROOT / "docs/author/remote.md"
CLIENT: Final = ROOT / "docs/author/remote-client.mjs"
TRANSCRIPT_BOT: Final = ROOT / "kit/templates/python/bot.py"
CUT: Final = "✂"
MOST_LINES: Final = 120


def connections() -> list[list[str]]:
    """The lines of the transcript, by connection."""
    found = re.search(r"<!-- wire transcript -->\n```\n(.*)```\n<!--", DOCUMENT.read_text(), re.DOTALL)
    assert found is not None
    made: list[list[str]] = [[]]
    for line in found[1].splitlines():
        if line == CUT:
            made.append([])
        else:
            made[-1].append(line)
    assert len(made) == 2
    return made


def follow(peer: Peer, lines: list[str]) -> None:
    """Say what the site says in the transcript, and hear what it hears."""
    for line in lines:
        way, _, text = line.partition(" ")
        if way == "→":
            peer.socket.send(text)
        else:
            assert json.loads(peer.socket.recv(timeout=20)) == json.loads(text)


def site(leave: Callable[[], None]) -> Site:
    """A site that says what the transcript says, cuts where it is cut, and has the client leave."""
    first, second = connections()

    def cut(peer: Peer) -> None:
        follow(peer, first)
        peer.socket.socket.close()

    def last(peer: Peer) -> None:
        follow(peer, second)
        leave()
        peer.wait_closed()

    return Site([cut, last])


def test_connect_says_what_the_document_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CRAPETTE_TOKEN", "crapette_t")
    monkeypatch.setattr(wire, "FIRST_PAUSE_S", 0.01)
    (tmp_path / "bot.py").write_text(TRANSCRIPT_BOT.read_text())
    with site(interrupt) as arena:
        words = [str(tmp_path), "--bot", "mybot", "--boards", "crapaud", "--site", arena.origin]
        assert cli.main(["connect", *words]) == 0
    assert arena.errors == []


def test_the_client_in_javascript_says_the_same(tmp_path: Path) -> None:
    assert len(CLIENT.read_text().splitlines()) <= MOST_LINES
    (tmp_path / "bot.py").write_text(TRANSCRIPT_BOT.read_text())
    with site(lambda: process.send_signal(signal.SIGINT)) as arena:
        process = subprocess.Popen(
            ["node", str(CLIENT), arena.origin, "mybot", sys.executable, str(tmp_path / "bot.py")],
            env={**os.environ, "CRAPETTE_TOKEN": "crapette_t", "PYTHONPATH": str(ROOT / "kit/sdk")},
            stdout=subprocess.PIPE,
            text=True,
        )
        arena.give_up = process.kill
        out, _ = process.communicate(timeout=60)
    assert arena.errors == []
    assert arena.tokens == ["Bearer crapette_t"] * 2
    assert '"type":"over"' in out
    assert process.returncode == 0
