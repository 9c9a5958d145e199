"""Commands at home: deals again, versions compared, leagues, tuned numbers, replays, streams, no sandbox."""

import http.client
import http.server
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, TypeAlias
from unittest.mock import Mock

import pytest

from analysis.ratings import elo, profile_intervals
from analysis.ratings.match_arrays import Match
from kit.local import diff, league, play, sprt, tune
from kit.site import challenge, watch
from kit.site.client import Site
from kit.verify import __main__ as verify
from kit.viewer import ViewerServer, site

HEAD = "from crapette import Answer, run\n"
BOTS = {
    "first": "run(lambda turn: turn.legal[0], tick=lambda turn: turn.legal[0])\n",
    "same": "run(lambda turn: turn.legal[0], tick=lambda turn: turn.legal[0])\n# the same\n",
    "last": "run(lambda turn: turn.legal[-1])\n# draws rather than play a card from its reserve\n",
    "broken": "run(lambda turn: 'h-h' if turn.ply > 30 else turn.legal[0])\n",
    "one": "run(lambda turn: Answer(resign=True))\n",
    "two": "run(lambda turn: Answer(resign=True))\n",
}
Told: TypeAlias = Callable[..., tuple[int, Any]]


@pytest.fixture
def told(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """Runs a command in a folder with some bots: its status, and what it prints as JSON."""
    for name, text in BOTS.items():
        (tmp_path / f"{name}.py").write_text(HEAD + text)
    monkeypatch.chdir(tmp_path)

    def run(command: Any, *words: str) -> tuple[int, Any]:
        capsys.readouterr()
        status = command.main([*words, "--unsandboxed", "--json", *(["-"] if command is play else [])])
        return status, json.loads(capsys.readouterr().out)

    return run


def record(folder: str, name: str = "0001-1") -> Any:
    return json.loads(Path(folder, f"{name}.json").read_text())


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_the_same_bots_play_the_same_game_again_and_then_from_the_other_seat(
    told: Told, capsys: pytest.CaptureFixture[str], variant: str
) -> None:
    bots = ["first.py", "greedy"]
    told(play, *bots, "--variant", variant, "--pairs", "1", "--replays", "once")
    status, document = told(play, *bots, "--deal", "once/0001-1.json", "--replays", "again")
    assert (status, document["match"]["variant"], len(document["games"])) == (0, variant, 2)
    before, after, other = record("once"), record("again"), record("again", "0001-2")
    assert after["start"] == before["start"] == document["match"]["deal"]
    moves = [[event.get("move", event.get("actions")) for event in one["events"]] for one in (before, after)]
    assert moves[0] == moves[1]
    assert [seat["bot"] for seat in other["seats"]] == ["greedy", "first"]
    assert other["start"] != after["start"]
    assert verify.main(["again/0001-2.json"]) == 0
    assert "on the deal of another game" in capsys.readouterr().out
    after["proof"]["deal_seed"] = "0" * 64
    Path("changed.json").write_text(json.dumps(after))
    assert verify.main(["changed.json"]) != 0


def test_differences_of_two_versions_are_found_and_judged(told: Told) -> None:
    told(play, "greedy", "greedy", "--pairs", "1", "--seed", "5", "--replays", "games")
    games = ("--games", "games")
    status, same = told(diff, "first.py", "same.py", *games)
    assert (status, same["differ"], same["gain"], same["positions"] > 50) == (0, 0, None, True)
    _, worse = told(diff, "greedy", "last.py", *games)
    _, better = told(diff, "last.py", "greedy", *games)
    assert worse["differ"] == better["differ"] == worse["judged"] > 10
    assert worse["gain"] == pytest.approx(-better["gain"], abs=1e-3)
    assert worse["gain"] < 0
    assert worse["differences"][0]["old"] != worse["differences"][0]["new"]
    # A version that fails is worse.
    status, failed = told(diff, "first.py", "broken.py", *games)
    assert (status, failed["worse"], failed["failures"] > 0) == (1, True, True)
    assert any("'h-h' is not legal" in one["new_wrong"] for one in failed["differences"])


def test_the_table_of_a_league_is_that_of_the_sites_fit(told: Told) -> None:
    status, found = told(league, "greedy", "one.py", "two.py", "--pairs", "3", "--seed", "1")
    rows = {row["bot"]: row for row in found["table"]}
    assert (status, rows["greedy"]["elo"], {row["games"] for row in rows.values()}) == (0, 1500, {12})
    assert rows["greedy"]["against"] == {"one": 1.0, "two": 1.0}
    # The same deals for all: each of the two wins from one seat of a deal and loses from the other.
    assert rows["one"]["against"]["two"] == 0.5
    won, even = (0, 0, 0, 0, 3), (0, 0, 3, 0, 0)
    matches = [Match(0, 1, won), Match(0, 2, won), Match(1, 2, even)]
    fit = elo.fit(matches, {0: elo.ANCHOR_ELO})
    expected = [fit.estimate(1).elo, *profile_intervals.ends(fit, matches)[1]]
    assert [rows["one"][name] for name in ("elo", "low", "high")] == pytest.approx(expected, abs=0.1)


TUNED = """
import json, pathlib
file = pathlib.Path(__file__).with_name("parameters.json")
care = json.loads(file.read_text())["care"] if file.exists() else 5
run(lambda turn: turn.legal[0] if care > 5 else Answer(resign=True))
"""


def test_the_values_that_a_bot_declares_follow_the_winner_and_are_kept(told: Told) -> None:
    Path("mine").mkdir()
    Path("mine/bot.py").write_text(HEAD + TUNED)
    declared = "care = { value = 5, low = 0, high = 10, step = 5 }\n"
    Path("mine/crapette.toml").write_text(f'name = "mine"\n[tune]\n{declared}')
    kept = ["--seed", "1", "--save", "tune.json"]
    assert told(tune, "mine", "--pairs", "2", "--write", *kept)[0] == 0
    value = json.loads(Path("mine/parameters.json").read_text())["care"]
    assert 5 < value <= 10
    # It goes on with more pairs, some of them at the same time; the same pairs give the same values.
    status, more = told(tune, "mine", "--pairs", "6", "--jobs", "4", *kept)
    assert (status, more["pairs"], more["values"]["care"] >= value) == (0, 6, True)


def answer(server: ViewerServer, path: str, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    connection.request("GET", path, headers=headers)
    found = connection.getresponse()
    body = found.read()
    connection.close()
    return found.status, body


def test_a_replay_serves_the_viewer_and_the_record_to_this_machine_alone() -> None:
    served = site(b'{"game": "mine"}')
    with ViewerServer(served) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        page = answer(server, "/")[1].decode()
        modules = json.loads(page.partition('<script type="importmap">')[2].partition("</script>")[0])[
            "imports"
        ]
        for path in (*modules.values(), "/static/css/table.css", "/static/cards/deck.svg"):
            assert path in served.files
        assert answer(server, "/static/js/pages/offline.js")[0] == 200
        assert answer(server, "/record.json") == (200, b'{"game": "mine"}')
        # A stranger's page that points its own name here gets nothing.
        assert answer(server, "/record.json", Host="evil.example")[0] == 404
        for path in ("/static/../../README.md", "/static/%2e%2e/x", "//etc/passwd", "/page.html"):
            assert answer(server, path)[0] == 404
        server.shutdown()


ROOT = Path(__file__).resolve().parents[3]
BOT = """
import sys
from crapette import run
import engine

def choose(turn):
    print("thinking")
    return turn.legal[0]

run(choose, tick=choose)
"""
ELSEWHERE = """
import os, sys, types
for name in ("fcntl", "pwd", "resource"):  # as on Windows, where kit.cli puts empty ones in their place
    sys.modules[name] = types.ModuleType(name)
from kit.cli import main
sys.exit(main(sys.argv[1:]))
"""


def crapette(folder: Path, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as on a machine without the sandbox."""
    command = [sys.executable, "-c", before + ELSEWHERE, *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_bot_is_checked_and_plays_as_an_ordinary_program(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    boards = ("--variant", "crapaud", "--variant", "vitesse", "--json")
    done = crapette(tmp_path, "check-bot", "bot.py", "--unsandboxed", *boards)
    assert done.returncode == 0, done
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    assert {step["verdict"] for step in steps} <= {"pass", "warn"}
    assert steps[-1]["title"] == "plays a game of vitesse against itself"
    words = ("play", "bot.py", "random", "--pairs", "1", "--unsandboxed", "--json", "games.json")
    done = crapette(tmp_path, *words)
    assert done.returncode == 0, done
    found = json.loads((tmp_path / "games.json").read_text())
    assert (found["match"]["level"], len(found["games"])) == ("unsandboxed", 2)


def test_without_the_sandbox_nothing_runs_unless_the_author_says_so(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    # urllib asks the system for its proxies by modules that only the real system has.
    before = "import sys, urllib.request; sys.platform = 'darwin'\n"
    done = crapette(tmp_path, "check-bot", "bot.py", before=before)
    assert done.returncode == 75
    assert "--unsandboxed" in done.stderr
    assert not (tmp_path / "ran").exists()


def test_a_test_broken_off_before_its_first_game_names_no_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kit.local.sprt.Pool.play", Mock(side_effect=KeyboardInterrupt))
    assert sprt.main(["random", "greedy", "--unsandboxed"]) == 130
    assert capsys.readouterr().out.endswith("Interrupted.\n")


def test_where_the_output_takes_few_letters_others_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")  # as a file or a pipe on Windows has its own
    done = crapette(tmp_path, "help")
    assert (done.returncode, "COMMAND ?" in done.stdout) == (0, True), done.stderr


GAME = "6f9b0c52-0000-4000-8000-000000000000"


class Arena(http.server.BaseHTTPRequestHandler):
    """Is away at first; then answers each request for the stream with the next of `streams`."""

    streams: ClassVar[list[list[dict[str, Any]]]] = []
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        away = len(self.asked) == 1  # a proxy answers for it, and not wholly
        self.send_response(502 if away else 404 if not self.streams and "stream" in self.path else 200)
        if away:
            self.send_header("Content-Length", "9")
        self.end_headers()
        if away:
            return
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
    assert Arena.asked == [f"/api/v1/stream/?game={GAME}"] * 4
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


def test_a_site_that_is_away_for_a_moment_is_waited_for(arena: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for pauses in ("kit.site.client.AWAY_SECONDS", "kit.site.challenge.ASK_EVERY_SECONDS"):
        monkeypatch.setattr(pauses, (0.0,) if "AWAY" in pauses else 0.0)
    Arena.streams = [[{"status": "accepted"}]]
    asked = {"id": 7, "status": "open", "expires_at": "2026-11-27", "theirs": {"owner": "ada"}}
    assert challenge._answered(Site(arena), asked)["status"] == "accepted"
