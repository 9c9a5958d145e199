"""Crapette-1000: its deals never change, and a bot's results stand beside those of the house bots."""

from pathlib import Path

import pytest

from kit.benchmark import __main__ as benchmark
from kit.benchmark.__main__ import digest, reference


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_the_deals_are_those_that_were_published(variant: str) -> None:
    assert digest(variant) == reference()[variant]["digest"]


def test_a_bot_is_played_on_the_first_deals_and_shown_beside_the_house(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = f"{tmp_path}/results.json"
    words = ["random", "--variant", "crapaud", "--deals", "1", "--results", results, "--unsandboxed"]
    assert benchmark.main(words) == 0
    said = capsys.readouterr().out
    assert benchmark.main(["random", "--deals", "1001"]) == 2
    assert "Crapette-1000 crapaud" in said
    assert said.rindex("planner") < said.rindex("random")
