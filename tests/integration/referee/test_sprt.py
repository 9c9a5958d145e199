"""``crapette sprt`` with real bots: it stops by itself, and goes on after Ctrl-C."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from analysis.verdicts import sprt as site
from analysis.verdicts.sprt import Hypotheses
from kit.local import play_progress, sprt
from kit.local.sequential_test import JudgedGame, SequentialTest
from kit.local.series import SeriesTally

pytestmark = pytest.mark.usefixtures("arena")
RESIGNER = str(Path(__file__).parent / "bots" / "resigner.py")
WIDE = ["--elo1", "200", "--seed", "x", "--unsandboxed"]


def verdict(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    status = sprt.main([*arguments, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return status, found


def test_it_stops_by_itself_and_says_what_the_site_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "test.json"
    status, found = verdict(capsys, "random", RESIGNER, *WIDE, "--save", str(saved))
    assert (status, found["decision"]) == (0, "H1")
    assert 1 < found["pairs"] < 100
    said = site.judge([4] * 100, Hypotheses(0, 200))
    assert found["pairs"] == said.pairs
    assert found["measures"]["wins"]["llr"] == pytest.approx(said.llr, abs=1e-3)
    assert found["penta"] == [0, 0, 0, 0, found["pairs"]]
    assert {one["bot"] for one in found["forfeits"]} == {"resigner"}
    # `crapette play` says the same of these games.
    tally = SeriesTally(["random", "resigner"])
    for one in json.loads(saved.read_bytes())["games"]:
        tally.add(JudgedGame.from_dict(one).played)
    assert found["elo"] == play_progress.as_dict(tally)["verdict"]
    # A test that is over plays no more games.
    before = saved.read_bytes()
    again = verdict(capsys, "random", RESIGNER, "--unsandboxed", "--save", str(saved))
    assert again == (status, found)
    assert saved.read_bytes() == before
    assert verdict(capsys, RESIGNER, "random", *WIDE)[0] == 1


def test_a_test_without_enough_pairs_is_undecided_and_games_of_another_are_not_mixed_in(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    saved = tmp_path / "test.json"
    arguments = ["random", RESIGNER, "--pairs", "1", "--unsandboxed", "--save", str(saved)]
    assert sprt.main(arguments) == 3
    assert "likely to be undecided after 1 pair of games" in capsys.readouterr().out
    kept = saved.read_bytes()
    assert sprt.main([*arguments, "--seed", "other"]) == 2
    assert sprt.main([RESIGNER, "random", "--unsandboxed", "--save", str(saved)]) == 2
    assert capsys.readouterr().err.count(f"to continue {saved}, expected the same") == 2
    saved.write_text('{"test": {}, "games": [{}]}')
    assert sprt.main(arguments) == 2
    saved.write_bytes(kept)


def test_ctrl_c_keeps_the_games_and_the_same_command_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    added = SequentialTest.add

    def add(test: SequentialTest, game: JudgedGame) -> None:
        added(test, game)
        if len(test.games) == 3:
            signal.raise_signal(signal.SIGINT)

    arguments = ["random", RESIGNER, "--pairs", "4", "--jobs", "1", "--unsandboxed"]
    with monkeypatch.context() as patched:
        patched.setattr(SequentialTest, "add", add)
        assert sprt.main([*arguments, "--elo1", "30"]) == 130
    saved = tmp_path / "sprt-random-resigner.json"
    assert f"--save {saved.name}" in capsys.readouterr().out
    before = json.loads(saved.read_text())["games"]
    assert len(before) == 3
    assert sprt.main([*arguments, "--save", saved.name]) == 3
    assert "+30 Elo or only +0" in capsys.readouterr().out, "what was given then holds still"
    after = json.loads(saved.read_text())["games"]
    assert len(after) == 8
    assert [game for game in after if game["game"] == before[0]["game"]] == before[:1]
