"""Every command finds games in the same places: folders, files of any layout and packing, pages of a site."""

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from kit.console.arguments import BadUsage
from kit.records.finished_games import game_at, games_in
from kit.records.sources import Unreadable, download_of, records
from tests.unit.kit.records.test_rows import record

SITE = "https://arena.example"
GAME = "6f9b0c52-3c1f-4c3a-9d8e-0d5a4f1b2c3d"


RECORD = f"/games/{GAME}/record.json"
CUP = ("/tournaments/cup/bundle.jsonl", "cup.jsonl")
DOWNLOADS = {
    f"/games/{GAME}/": (RECORD, f"{GAME}.json"),
    f"/games/{GAME}/table/": (RECORD, f"{GAME}.json"),
    f"/api/v1/games/{GAME}/": (RECORD, f"{GAME}.json"),
    RECORD: (RECORD, "record.json"),
    "/tournaments/cup": CUP,
    "/tournaments/cup/rounds/?page=2#3": CUP,
    "/leaderboard/crapo/": ("/leaderboard/crapo/bundle.jsonl", "leaderboard-crapo.jsonl"),
    "/leaderboard/crapette/3/": (
        *("/leaderboard/crapette/bundle.jsonl?players=3", "leaderboard-crapette-3.jsonl"),
    ),
}


def test_the_address_of_a_page_leads_to_its_download_if_it_has_one() -> None:
    for page, (url, name) in DOWNLOADS.items():
        found = download_of(SITE + page)
        assert found is not None
        assert (found.url, found.name) == (SITE + url, name)
    for page in ("/", "/bots/greedy/", "/leaderboard/", "/games/"):
        assert download_of(SITE + page) is None, page


def test_games_are_found_in_files_of_every_packing_and_layout(tmp_path: Path) -> None:
    played = record("crapaud")
    line = json.dumps(played).encode()
    (tmp_path / "0001-1.json").write_text(json.dumps(played, indent=2))
    (tmp_path / "bundle.jsonl").write_bytes(b'{"kind":"tournament"}\n' + line + b"\n" + line + b"\n")
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(line + b"\n"))
    (tmp_path / "packed.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(line + b"\n"))
    (tmp_path / "notes.txt").write_text("no game")

    assert [len(list(records(str(path)))) for path in sorted(tmp_path.glob("*.json*"))] == [1, 2, 1, 1]
    assert {game.words[0] for game in games_in([str(tmp_path)])} == {
        game_at(f"{tmp_path}/0001-1.json").words[0]
    }
    with pytest.raises(BadUsage, match="got more"):
        game_at(str(tmp_path / "bundle.jsonl"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{\n  "events": [\n', "Expected JSON in"),
        (b"\x28\xb5\x2f\xfdbroken", "Cannot read"),
        (b"\x1f\x8bbroken", "Cannot read"),
        (gzip.compress(b'{"events": []}\n' * 999, mtime=0)[:-30], "Cannot read"),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    source = tmp_path / "games.json"
    source.write_bytes(content)

    with pytest.raises(Unreadable, match=words):
        list(records(str(source)))
