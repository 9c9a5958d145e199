"""The transcript of docs/author/remote.md, played again by both clients that authors are offered."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from kit import cli
from kit.remote import wire
from tests.scripted_site import Peer, Site, interrupt

ROOT: Final = Path(__file__).resolve().parents[4]
DOCUMENT: Final = ROOT / "docs/author/remote.md"
CLIENT: Final = ROOT / "docs/author/remote-client.mjs"
BOT: Final = ROOT / "kit/templates/python/bot.py"
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
    (tmp_path / "bot.py").write_text(BOT.read_text())
    with site(interrupt) as arena:
        words = [str(tmp_path), "--bot", "mybot", "--boards", "crapaud", "--site", arena.origin]
        assert cli.main(["connect", *words]) == 0
    assert arena.errors == []


def test_the_client_in_javascript_says_the_same(tmp_path: Path) -> None:
    assert len(CLIENT.read_text().splitlines()) <= MOST_LINES
    (tmp_path / "bot.py").write_text(BOT.read_text())
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
