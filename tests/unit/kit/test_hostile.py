"""Records and sites that somebody made up: each gets one sentence, and no token that is not theirs."""

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from kit.records import rows
from kit.site import tokens
from kit.site.client import Site, SiteRefused

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
    ["[" * 200_000, json.dumps({**RECORD, "players": 1}), "[1, 2, {}]", "null", '{"events": []}', "no\n"],
)
def test_rows_of_a_broken_record_are_refused_and_leave_no_file(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, target = tmp_path / "game.json", tmp_path / "rows.jsonl"
    file.write_text(text)
    assert rows.main([str(file), "--to", str(target), "--no-luck"]) == 2
    assert capsys.readouterr().err.lower().startswith("crapette rows: expected ")
    assert not target.exists()


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
