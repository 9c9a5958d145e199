"""Bundles are verified offline and of one moment; one changed byte anywhere is found and named."""

import io
import json
import random
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from analysis.event_log import body_hash, canonical, chain
from analysis.formats import committed_seeds
from analysis.verifiable_bundle import add_digests, links
from arena.accounts.models import User
from arena.run.analysis.worker import ANSWERS
from bots.house_bots import register_house_bots
from bots.models import Version
from kit.records.sources import Unreadable
from kit.verify.__main__ import main
from kit.verify.tournament import NEW_DEALS
from kit.verify.verifier import LUCK_CAVEAT, verify
from tests.conftest import ForAllTests
from tests.factories.accounts import author
from tests.factories.bundles import differences, download, downloaded, play_really
from tests.factories.remote import online, remote_bot
from tests.factories.tournaments import entrants, running
from tests.thorough import THOROUGH
from tournaments.models import Game, Pair, Rating, Tournament
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal
from tournaments.pairing.pairs import void_pair
from tournaments.pairing.planning import start_line
from tournaments.pairing.progress import advance
from tournaments.questions.worker import work_off
from tournaments.ratings.audit import audit
from tournaments.ratings.ladder import tend_open_boards
from tournaments.ratings.ratings import compute_ratings

pytestmark = pytest.mark.django_db

PLACES_A_LINE, PLACES = (2, 40) if THOROUGH else (1, 10)
"""Where a byte of a tournament is changed: in each line, and all over."""


def verdict(content: bytes) -> str:
    """What the command would say: differences, or the sentence of an input that cannot be read."""
    try:
        return "\n".join(differences(content))
    except Unreadable as error:
        return str(error)


class World(NamedTuple):
    """A tournament of Ada's three versions, one of its pairs voided and played again, and its bundle."""

    ada: User
    trio: list[Version]
    cup: Tournament
    bundle: bytes


def played_to_its_end() -> World:
    ada = author("ada")
    trio = entrants(ada, 3)
    cup = running(ada, trio, pairs=1)
    play_really(cup, 3)
    void_pair(Pair.objects.filter(status="accepted")[0], "the host ran out of memory")
    play_really(cup)
    assert cup.status == "finished"
    return World(ada, trio, cup, downloaded(cup))


@pytest.fixture(scope="module")
def world(for_all_tests: ForAllTests[World]) -> World:
    return for_all_tests(played_to_its_end)


@pytest.fixture
def bundle(world: World) -> bytes:
    return world.bundle


@pytest.fixture
def record(world: World) -> Any:
    game = Game.objects.filter(status="finished")[0]
    return json.loads(download(f"/games/{game.pk}/record.json"))


@pytest.mark.any_database
def test_a_whole_one_is_verified(bundle: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_bytes(bundle)
    assert main([str(file)]) == 0
    assert "8 games" in capsys.readouterr().out
    whole = bundle.splitlines(keepends=True)
    for rest in (b"".join(whole[:6]) + whole[6][:40], b"".join(whole[:-1])):
        file.write_bytes(rest)
        assert main([str(file)]) == 2
        assert "The bundle is cut off after" in capsys.readouterr().err


@pytest.mark.any_database
def test_one_changed_byte_anywhere_in_a_tournament_is_found_and_named(bundle: bytes) -> None:
    dice = random.Random(5)
    lines = bundle.splitlines(keepends=True)
    ends = [sum(map(len, lines[: number + 1])) for number in range(len(lines))]
    # Some places in each line, so that every kind of line is met, and more all over.
    places = [
        end - 1 - dice.randrange(len(line))
        for line, end in zip(lines, ends, strict=True)
        for _ in range(PLACES_A_LINE)
    ]
    # A digit of a game's own name is one of them: what no longer has its name is named by its line.
    places += [bundle.index(b'"game":"') + 12, *dice.sample(range(len(bundle)), PLACES)]
    for place in places:
        changed = bytearray(bundle)
        changed[place] ^= 1 << dice.randrange(8)
        said = verdict(bytes(changed))
        number = next(index for index, end in enumerate(ends) if place < end)
        line = json.loads(lines[number])
        game = rf"game {line.get('game')}|line {number + 1}\b"
        pattern = {"game": game, "end": "last line|cut off"}.get(line["kind"])
        first = "|[Tt]he first line|Expected " if number == 0 else ""
        # Without the line break at its end, the line before the last swallows the last one.
        swallowed = rf"|cut off after {number + 1} lines" if place == ends[-2] - 1 else ""
        assert re.search(pattern or rf"line {number + 1}\b{first}{swallowed}", said), (place, said)


@pytest.mark.any_database
def test_a_result_forged_with_all_digests_is_found_by_playing_the_game_again(record: Any) -> None:
    """Who controls the site can make digests anew, but not make other moves lead to the result."""
    for result in (record["result"], record["events"][-1]["result"]):
        result["ranking"] = result["ranking"][::-1]
    record["proof"]["chain"] = chain(record["start"], record["events"])
    record["proof"]["body"] = body_hash(record["game"], record["proof"]["chain"], record["result"])
    record["links"] = links(record["start"], record["events"])
    ranking = record["result"]["ranking"]
    said = differences(canonical(add_digests({k: v for k, v in record.items() if k != "digests"})))
    assert said == [f"game {record['game']}: result.ranking: expected {ranking[::-1]!r}, got {ranking!r}"]


def test_while_it_is_played_a_tournament_shows_commitments_and_no_seed(world: World) -> None:
    tournament = running(world.ada, world.trio, pairs=2)
    play_really(tournament, 4)
    whole = downloaded(tournament)
    lines = [json.loads(line) for line in whole.splitlines()]
    assert lines[0]["seed"] is None
    assert lines[0]["seed_commitment"] == committed_seeds.commitment(tournament.seed)
    batches = {line["batch"]: line for line in lines if line["kind"] == "batch"}
    # Round 1 is over and revealed, the next ones only committed to, one more than is paired.
    assert batches[1]["seed"] == committed_seeds.round_seed(tournament.seed, 1)
    assert [batches[number]["seed"] for number in (2, 3, 4)] == [None] * 3
    hidden = [line["deal_seed"] for line in lines if line["kind"] == "pair" and line["status"] != "accepted"]
    assert hidden == [None] * 4
    assert verdict(whole) == ""
    assert tournament.seed.encode() not in whole


@pytest.mark.any_database
@pytest.mark.parametrize(
    "more",
    [
        {"format": "swiss", "rounds": 2},
        {"variant": "crapette", "players": 3},
        {"hiding": Hiding(last_rounds=1)},
    ],
)
def test_tournaments_of_all_kinds_are_verified(world: World, more: dict[str, Any]) -> None:
    tournament = running(world.ada, world.trio, pairs=1, **more)
    play_really(tournament, 3)
    if "players" not in more:
        assert tournament.status == "running"
        assert differences(downloaded(tournament)) == []
    play_really(tournament)
    if "hiding" in more:
        assert differences(downloaded(tournament)) == []
        reveal(tournament)
        tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert differences(downloaded(tournament)) == []


@pytest.mark.any_database
def test_an_open_event_is_verified_and_whoever_knows_its_seed_knows_no_cards(world: World) -> None:
    bot = remote_bot(author("bob"))
    online(bot, "crapaud", games=2)
    cup = running(world.ada, [bot.versions.get(), world.trio[0]], pairs=2, admits_remote=True)
    play_really(cup, 2)
    # While others are to be played, nothing tells the seed that all deals of a number follow from.
    pair = Pair.objects.get(pairing__tournament=cup, status="accepted")
    early = downloaded(cup)
    assert differences(early) == []
    assert b'"own_seed"' in early
    assert pair.deal_seed.encode() not in early
    void_pair(pair, "the host ran out of memory")
    play_really(cup)
    assert cup.status == "finished"
    bundle = downloaded(cup)
    found, checked = verify(io.BytesIO(bundle))
    assert (list(found), checked.partition("\n")[2]) == ([], NEW_DEALS)
    again = Pair.objects.get(pairing__tournament=cup, run=2)
    known = committed_seeds.deal_seed(cup.seed, again.batch, again.deal)
    for one in again.games.all():
        own = committed_seeds.own_seed(known, again.pairing.table, again.run, one.leg)
        assert one.start != start_line("crapaud", 2, own, one.suits), "whoever knows the seed knows the cards"


@pytest.mark.any_database
def test_an_open_board_counts_results_without_luck_and_its_leaderboard_is_verified(
    world: World,
) -> None:
    register_house_bots()
    bot = remote_bot(author("bob"))
    online(bot, "crapaud", games=4)
    tend_open_boards()
    ladder = Tournament.objects.get(slug="ladder-open-crapaud")
    advance(ladder.pk)
    play_really(ladder, 4)
    assert compute_ratings("open:crapaud")
    raw = Rating.every.get(version__bot=bot)
    work_off(ANSWERS)
    assert compute_ratings("open:crapaud"), "measured luck asks for ratings again"
    fair = Rating.every.get(version__bot=bot)
    assert (fair.games, fair.wins) == (raw.games, raw.wins)
    assert fair.elo != raw.elo
    assert audit("open:crapaud") == []
    bundle = download("/leaderboard/open/crapaud/bundle.jsonl")
    found, checked = verify(io.BytesIO(bundle))
    assert list(found) == []
    assert checked.partition("\n")[2] == LUCK_CAVEAT.strip()
    other = re.sub(rb'"fair":\[', rb'"fair":[1', bundle, count=1)
    assert any("elo" in one for one in differences(other))
