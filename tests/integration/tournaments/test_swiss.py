"""A Swiss from its first round to the last: pairings that can be verified, and standings that add up."""

import csv
import io
import json
import re
from typing import Any

import pytest
from django.test import Client

from analysis import bundle
from arena.accounts.models import User
from bots.bots import withdraw_bot
from bots.models import Version
from kit.verify.findings import Findings
from kit.verify.tournament import BundledTournament
from kit.verify.verifier import verify
from tests.factories.results import play_all
from tests.factories.tournaments import entrants, rivals, running
from tests.integration.tournaments.test_verify import download, play
from tournaments.games.bundles import tournament_lines
from tournaments.models import Pairing, Tournament
from tournaments.pairing.progress import advance

pytestmark = pytest.mark.django_db


def lines_of(tournament: Tournament) -> list[dict[str, Any]]:
    return [json.loads(line) for line in tournament_lines(tournament)]


def checked(lines: list[dict[str, Any]]) -> tuple[list[str], str]:
    """What `verify` says of who met whom in a bundle: differences, and what it did not check."""
    found = Findings()
    read = BundledTournament(lines[0], found)
    for line in lines[1:-1]:
        if "events" not in line:
            read.add(line)
    read.check()
    return [str(one) for one in found if one.field in ("entrants", "tables")], " ".join(read.caveats)


@pytest.mark.parametrize("leaves", [False, True])
def test_every_round_follows_from_the_results_before_it(leaves: bool) -> None:
    cup = running(None, rivals(7), pairs=2, format="swiss", rounds=4)
    if leaves:
        withdraw_bot(cup.entries.get(number=3).version.bot)
    play_all(cup)
    assert cup.status == "finished"
    lines = lines_of(cup)
    assert checked(lines) == ([], "")
    byes = [one["entrants"][0] for one in lines if one["kind"] == "pairing" and len(one["entrants"]) == 1]
    left = cup.pairings.exclude(forfeited_by=None)
    won = [one.won_by_forfeit for one in left if one.won_by_forfeit is not None]
    sat_out = byes + list(cup.entries.filter(pk__in=won).values_list("number", flat=True))
    assert len(sat_out) == len(set(sat_out)) == (2 if leaves else 4)
    # Who met is changed in the third round, where both tables are as good but for their wishes.
    first, second = [one for one in lines if one["kind"] == "pairing" and one["round"] == 3][:2]
    first["entrants"][1], second["entrants"][1] = second["entrants"][1], first["entrants"][1]
    found, _ = checked(lines)
    assert any(one.startswith("round 3, table 1: entrants: expected [") for one in found)


def test_what_cannot_be_checked_is_said() -> None:
    cup = running(None, rivals(4), pairs=1, format="swiss")
    play_all(cup)
    lines = lines_of(cup)
    next(one for one in lines if one["kind"] == "pair")["status"] = "void"
    assert checked(lines) == (
        [],
        "Not checked: who met whom in round 2, because a result before it was voided later, or is hidden.",
    )
    del lines[0]["options"]["pairing_rule"]
    assert "paired by another rule" in checked(lines)[1]


@pytest.mark.any_database
def test_an_event_paired_by_the_former_rule_goes_on_and_is_not_checked(client: Client) -> None:
    cup = running(None, rivals(4), pairs=1, format="swiss")
    cup.options.pop("pairing_rule")
    cup.save()
    play(cup)
    assert (cup.status, cup.pairings.count()) == ("finished", 4)
    found, text = verify(io.BytesIO(download(client, f"/tournaments/{cup.slug}/bundle.jsonl")))
    assert not list(found)
    assert "Not checked: who met whom" in text


@pytest.mark.any_database
def test_a_download_from_before_ties_were_broken_as_now_is_verified_without_them(
    client: Client, ada: User, trio: list[Version]
) -> None:
    cup = running(ada, trio, pairs=1)
    play(cup)
    made = bundle.BundleWriter()
    whole = b""
    for line in download(client, f"/tournaments/{cup.slug}/bundle.jsonl").splitlines(keepends=True):
        one = json.loads(line)
        if one["kind"] == "end":
            whole += made.end()
            break
        one.pop("digests")
        if one["kind"] == "tournament":
            del one["statistics"]
        if one["kind"] == "standing":
            one |= {"head_to_head": 77.0, "buchholz": 77.0}
        whole += made.line(one.pop("kind"), one)
    found, text = verify(io.BytesIO(whole))
    assert list(map(str, found)) == []
    assert "Not checked: how ties are broken" in text


def test_standings_add_up_with_byes_named_in_the_page_the_file_and_the_api(client: Client, ada: User) -> None:
    cup = running(ada, entrants(ada, 5), pairs=3, format="swiss")
    play_all(cup)
    byes = {one.first.number: one.round for one in Pairing.objects.filter(second=None)}
    assert len(byes) == 3
    items = client.get(f"/api/v1/tournaments/{cup.slug}/standings/").json()["items"]
    for one in items:
        assert one["points"] == one["wins"] + one["draws"] / 2 + one["bye_points"]
        number = one["entry"]["number"]
        assert one["bye_rounds"] == ([byes[number]] if number in byes else [])
        assert one["bye_points"] == (3 if number in byes else 0)
        assert sum(made["points"] for made in one["rounds"]) == one["points"]
        assert [made["round"] for made in one["rounds"] if made["opponent"] is None] == one["bye_rounds"]
    matches = client.get(f"/api/v1/tournaments/{cup.slug}/matches/").json()["items"]
    assert {one["bye_points"] for one in matches if one["label"] == "bye"} == {3}
    assert {one["bye_points"] for one in matches if one["label"] != "bye"} == {None}
    text = client.get(f"/tournaments/{cup.slug}/results.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        parts = float(row["wins"]) + float(row["draws"]) / 2 + float(row["bye points"])
        assert float(row["points"]) == parts
        assert sum(float(row[f"round {number}"]) for number in (1, 2, 3)) == parts
    assert sorted(row["bye rounds"] for row in rows) == ["", "", "1", "2", "3"]
    page = client.get(cup.get_absolute_url()).content.decode()
    assert page.count("+3<small>bye</small>") == 3
    first = page.split("<tbody>")[1].split("</tr>")[0]
    made = re.findall(r'class="cell cell--\w+".*?>\s*(?:<a [^>]*>)?\+?([\d½]+)', first)
    assert len(made) == 3
    worth = [float(one.replace("½", "") or 0) + 0.5 * ("½" in one) for one in made]
    assert sum(worth) == items[0]["points"]
    best = cup.entries.get(number=min(byes))
    Pairing.objects.exclude(second=None).update(wins=0, draws=6, losses=0)
    cup.pairings.filter(first=best).exclude(second=None).update(wins=6, draws=0)
    cup.pairings.filter(second=best).update(losses=6, draws=0)
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "15 points from 12 games and a bye" in page
    first = client.get(f"/tournaments/{cup.slug}/rounds/?round=1").content.decode()
    assert "+3" in first


@pytest.mark.any_database
def test_a_gauntlet_is_won_by_points_per_game(client: Client, ada: User) -> None:
    cup = running(ada, entrants(ada, 5), pairs=1, format="gauntlet")
    play_all(cup)
    Pairing.objects.update(wins=0, draws=1, losses=1, margin_sum=0)
    items = client.get(f"/api/v1/tournaments/{cup.slug}/standings/").json()["items"]
    assert [(one["place"], one["points"]) for one in items] == [(1, 1.5)] * 4 + [(5, 2)]
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "share first place" in page
    assert "ahead of" not in page


@pytest.mark.any_database
def test_in_a_knock_out_that_goes_on_a_bye_puts_nobody_below_those_who_are_out(
    client: Client, ada: User
) -> None:
    cup = running(ada, entrants(ada, 3), pairs=2, format="single-elimination")
    Pairing.objects.update(pairs_done=2, wins=3, losses=1)
    advance(cup.pk)
    items = client.get(f"/api/v1/tournaments/{cup.slug}/standings/").json()["items"]
    assert [(one["entry"]["number"], one["place"]) for one in items] == [(2, 1), (1, 1), (3, 3)]


@pytest.mark.any_database
@pytest.mark.parametrize("kind", ["swiss", "double-elimination"])
def test_a_download_of_an_event_that_goes_on_is_verified(
    client: Client, ada: User, trio: list[Version], kind: str
) -> None:
    cup = running(ada, trio, pairs=1, format=kind)
    play(cup, 3)
    assert cup.status == "running"
    found, _ = verify(io.BytesIO(download(client, f"/tournaments/{cup.slug}/bundle.jsonl")))
    assert list(map(str, found)) == []
