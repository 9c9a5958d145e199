"""``crapette watch``: what an arena's stream tells, in the terminal, also when the stream breaks off."""

import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kit.local import play
from kit.site import watch

GAME = "6f9b0c52-0000-4000-8000-000000000000"


class Arena(http.server.BaseHTTPRequestHandler):
    """Answers each request for the stream with the next of `streams`."""

    streams: ClassVar[list[list[dict[str, Any]]]] = []
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(404 if not self.streams and "stream" in self.path else 200)
        self.end_headers()
        if "standings" in self.path:
            entry = {"name": "planner", "version": 2}
            line = {"place": 1, "entry": entry, "wins": 3, "draws": 0, "losses": 1, "points": 3.0}
            self.wfile.write(json.dumps({"items": [line]}).encode())
        elif self.streams:
            for message in self.streams.pop(0):
                self.wfile.write(b"\n" + json.dumps(message).encode() + b"\n")
        else:
            self.wfile.write(b'{"title": "Not found", "detail": "Expected a game."}')

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an arena whose streams break off."""
    monkeypatch.setattr(watch, "AGAIN_S", 0.0)
    monkeypatch.setattr(Arena, "asked", [])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Arena) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_every_move_is_told_once_even_if_the_stream_breaks_off(
    tmp_path: Path, arena: str, capsys: pytest.CaptureFixture[str], variant: str
) -> None:
    words = ["--variant", variant, "--pairs", "1", "--unsandboxed", "--replays", str(tmp_path)]
    assert play.main(["random", "greedy", *words]) == 0
    made = json.loads((tmp_path / "0001-1.json").read_text())
    events, half = made["events"], len(made["events"]) // 2
    start = {"type": "start", "attempt": 1, "record": {**made, "events": []}}
    aborted = {**start, "attempt": 0}
    Arena.streams = [
        [aborted, {"type": "events", "events": events[:3]}],
        [start, {"type": "events", "events": events[:half]}],
        [start, {"type": "events", "events": events}, {"type": "finished"}],
    ]
    capsys.readouterr()
    assert watch.main([f"{arena}/games/{GAME}/"]) == 0
    said = capsys.readouterr().out
    assert Arena.asked == [f"/api/v1/stream/?game={GAME}"] * 3
    whole = said[said.rindex(f"{variant}: random – greedy\n") :]
    assert len(whole.splitlines()) == len(events) + 1
    assert whole.splitlines()[-1] == made["result"]["detail"]


def test_a_tournament_is_followed_to_its_standings(arena: str, capsys: pytest.CaptureFixture[str]) -> None:
    def progress(status: str, done: int) -> dict[str, Any]:
        pairs = {"done": done, "total": 4, "running": 4 - done, "stuck": 0}
        return {"type": "progress", "state": {"name": "Cup", "status": status, "progress": pairs}}

    Arena.streams = [[progress("running", 1), progress("running", 2)], [progress("finished", 4)]]
    assert watch.main([f"{arena}/tournaments/cup/"]) == 0
    said = capsys.readouterr().out
    assert "Cup: running, 1 of 4 pairs, 3 games are being played\n" in said
    assert "Cup: finished, 4 of 4 pairs\n" in said
    assert "planner" in said
    Arena.streams = [[progress("finished", 4)]]
    assert watch.main([f"{arena}/tournaments/cup/", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["status"] == "finished"
