"""Commands at home: a deal again, two versions compared, a league, tuned numbers, replays."""

import http.client
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from analysis.ratings import elo, profile_intervals
from analysis.ratings.match_arrays import Match
from kit.local import diff, league, play, tune
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
    """The status and body of an answer."""
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
