"""Finished games as rows to train on, and the places where every command finds games."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

import engine
from analysis import game_record
from engine.policies.greedy import greedy
from engine.turns.moves import texts
from kit.console.command import BadUsage
from kit.records import rows
from kit.records.finished_games import game_at, games_in
from kit.records.sources import Unreadable, download_of, records


def record(variant: str, players: int = 2) -> dict[str, Any]:
    """A game that greedy seats, or the first legal actions, played to its end."""
    start = engine.deal(variant, "rows", players)
    game = engine.Game.of(start)
    events = []
    while game.acting:
        if start.rules.in_ticks:
            words = [next(word for word in game.options(seat) if word != "wait") for seat in game.acting]
            events.append(game.apply(",".join(words)))
        else:
            assert isinstance(game, engine.TurnGame)
            events.append(game.apply(str(texts(players, game.acting[0])[greedy(game.core)])))
    outcome = game.outcome()
    assert outcome is not None
    result = {"ranking": outcome.ranking, "points": outcome.points, "termination": "win"}
    head = game_record.head(
        game="one",
        variant=variant,
        seats=[game_record.seat_head(f"bot {seat}") for seat in range(players)],
        start=str(start),
        status="finished",
        result=result,
    )
    return dict(game_record.whole(head, [event.as_dict() for event in events]))


@pytest.mark.parametrize(("variant", "players"), [("crapaud", 2), ("crapette", 3), ("vitesse", 2)])
def test_every_decision_is_a_row_that_shows_only_what_was_seen(variant: str, players: int) -> None:
    played = record(variant, players)
    found = list(rows.rows(played, luck=True))

    words = engine.words_of(played["events"])
    moves = [one for word in words for one in word.split(",")]
    assert [row["move"] for row in found] == moves
    for row in found:
        assert row["move"] in row["legal"]
        assert row["bot"] == f"bot {row['seat']}"
    first = engine.Position.parse(found[0]["position"])
    assert first == engine.Position.parse(played["start"]).public()
    assert {row["luck"] is None for row in found} == {players > 2}
    best = list(played["result"]["ranking"][0])
    assert {row["seat"] for row in found if row["result"] == 1} == (set(best) if len(best) == 1 else set())
    assert abs(sum({row["seat"]: row["result"] for row in found}.values())) < 1e-9


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
