"""Records and sites that somebody made up: each gets one sentence, and no token that is not theirs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from kit import rerun, rows, tokens
from kit.site import Site, SiteRefused

if TYPE_CHECKING:
    from pathlib import Path

RECORD: dict[str, Any] = {
    "game": "x",
    "variant": "crapette",
    "players": 2,
    "status": "finished",
    "events": [],
    "start": str(engine.deal("crapette", "0" * 64)),
    "seats": [{"bot": "a"}, {"bot": "b"}],
    "result": {"termination": "crash", "seat": 0, "detail": "d", "ranking": [[0], [1]]},
}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        json.dumps({**RECORD, "result": {**RECORD["result"], "seat": "a"}}),
        json.dumps({**RECORD, "result": {**RECORD["result"], "seat": 9}}),
        json.dumps({**RECORD, "evidence": [5, 6]}),
    ],
)
def test_a_broken_record_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    assert rerun.main([str(file), "greedy"]) == 2
    assert "expected" in capsys.readouterr().err.lower()


@pytest.mark.parametrize("text", ["[" * 200_000, json.dumps({**RECORD, "players": 1})])
def test_rows_of_a_broken_record_are_refused(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    assert rows.main([str(file), "--to", str(tmp_path / "rows.jsonl"), "--no-luck"]) == 2
    assert "expected" in capsys.readouterr().err.lower()


def test_a_token_goes_to_no_site_that_a_page_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CRAPETTE_TOKEN", "secret")
    monkeypatch.delenv("CRAPETTE_SITE", raising=False)
    with pytest.raises(SiteRefused):
        Site.of_page("https://evil.example/games/x/")
    monkeypatch.setenv("CRAPETTE_SITE", "https://arena.example")
    with pytest.raises(SiteRefused):
        Site.of_page("https://evil.example/games/x/")
    assert Site.of_page("https://arena.example/games/x/")._token == "secret"
    tokens.keep("https://other.example", "of the other")
    assert Site.of_page("https://other.example/games/x/")._token == "of the other"
