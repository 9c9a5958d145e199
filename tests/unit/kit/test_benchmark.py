"""Crapette-1000: its deals never change, and a bot's results stand beside those of the house bots."""

from pathlib import Path

import pytest

from kit.benchmark import __main__ as benchmark
from kit.benchmark.deals import DEALS, OPPONENT, VARIANTS, digest, plan, reference
from tools.bench.benchmark_bench import pairs


@pytest.mark.parametrize("variant", ["crapaud", "vitesse"])
def test_the_deals_are_those_that_were_published(variant: str) -> None:
    assert digest(variant) == reference()[variant]["digest"]


def test_every_game_has_whole_results_of_the_reference_bots() -> None:
    assert tuple(reference()) == VARIANTS
    for published in reference().values():
        assert {sum(each) for each in published["pairs"].values()} == {DEALS}


def test_the_planner_wins_most_deals_and_a_bot_is_even_with_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tools.bench.benchmark_bench.plan", lambda variant: plan(variant, 10))
    found = pairs("crapaud", "planner")
    assert sum(found) == 10
    assert found[3] + found[4] > found[0] + found[1]
    assert pairs("crapaud", OPPONENT) == [0, 0, 10, 0, 0]


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
