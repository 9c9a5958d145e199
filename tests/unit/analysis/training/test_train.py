"""The command that recreates the published value functions."""

import json
from pathlib import Path

import pytest

from analysis.training import train, value_network
from analysis.values.function import Network


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(train, "GAMES", 3)
    monkeypatch.setattr(train, "HELD_OUT", 1)
    monkeypatch.setattr(value_network, "BATCH", 64)
    monkeypatch.setattr(train, "WEIGHTS", tmp_path)
    return tmp_path


def test_the_same_command_writes_the_same_network(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = []
    for _ in range(2):
        assert train.main(["networks", "--variant", "crapaud"]) == 0
        written.append((small / "crapaud-1.json").read_text("utf-8"))
    assert written[0] == written[1]
    found = json.loads(written[0])
    assert (found["variant"], found["games"], set(found["explained"])) == ("crapaud", 3, {"result", "margin"})
    assert Network.from_dict(found["network"]).as_dict() == found["network"]
    assert "crapaud" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        train.main(["networks", "--variant", "vitesse"])
    assert "got 'vitesse'" in capsys.readouterr().err
