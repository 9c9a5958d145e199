"""Deals that a stopped run of the bench has kept."""

from pathlib import Path

from tools.bench.search_bench import Board, Deal, DealFile


def test_deals_are_kept_for_the_bots_that_played_them_though_a_line_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "deals.jsonl"
    old, new = DealFile(path, "oracle 1"), DealFile(path, "oracle 2")
    first, second = Deal(24, 1.5, 30), Deal(6, 0.5, 20)
    old.add(Board("crapaud"), "search/crapaud/0", first)
    path.write_text(path.read_text() + '{"made_by": "orac')
    old.add(Board("crapaud", think_ms=3), "search/crapaud/1", second)

    assert old.read() == {
        ("crapaud", 0, "search/crapaud/0"): first,
        ("crapaud", 3, "search/crapaud/1"): second,
    }
    assert new.read() == {}
