"""What is rated, what is not, and who may take something back."""

from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.errors import WrongStatus
from analysis.formats.matches import MatchRule
from arena.accounts.models import User
from bots.house_bots import register_house_bots
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.results import accepted_pairs, delivery, play_all, play_one
from tests.factories.tournaments import rivals, running
from tournaments.games.claims import claim_next
from tournaments.games.results import accept_result
from tournaments.models import (
    AccountLink,
    Analysis,
    Pair,
    Rating,
    RatingAnchor,
    RatingInputs,
    RatingState,
    Tournament,
    VoidRequest,
)
from tournaments.pages.events.standings import StandingsTable, table
from tournaments.pairing.progress import advance, cancel_tournament
from tournaments.pairing.void_requests import ask_to_void, decide, must_not_gain
from tournaments.questions.handlers import ANSWERS
from tournaments.questions.performances import REST
from tournaments.questions.worker import work_off
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import candidates, ensure_ladder, known_together
from tournaments.ratings.ratings import compute_ratings, freeze_anchors

pytestmark = pytest.mark.django_db


def rated() -> set[str]:
    """The bots that are rated in Crapaud, once everything is counted."""
    RatingState.objects.update(requested=F("requested") + 1)
    compute_ratings("crapaud")
    return set(Rating.objects.filter(variant="crapaud").values_list("version__bot__name", flat=True))


def test_an_event_of_an_author_counts_for_nothing_and_its_page_says_so(ada: User, client: Client) -> None:
    own, other = rivals(2)
    own.bot.owner = ada
    own.bot.save()
    other.bot.open_to_all = True
    other.bot.save()
    cup = running(ada, [own, other], pairs=3)
    play_all(cup)
    assert rated() == set()
    assert "#performance" in client.get(cup.get_absolute_url()).content.decode()
    assert not any(line.performance for line in table(cup)), "not worked out yet"
    assert work_off(ANSWERS, arena=False) == 1
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "Not rated. Only ladders and house events are rated." in page
    assert "Performances count" not in page
    lines = table(cup)
    assert sum(int(line.performance) for line in lines) == pytest.approx(3000, abs=1)
    assert all(line.interval in page for line in lines)


def test_performances_say_of_how_many_pairs_they_are_until_the_rest_is_counted(ada: User) -> None:
    cup = running(ada, rivals(2), pairs=3)
    assert StandingsTable(cup).performances() is None, "nothing was played"
    for _ in range(2):
        play_one()
    assert StandingsTable(cup).performances() is None
    work_off(ANSWERS, arena=False)
    first = StandingsTable(cup).performances()
    assert first is not None
    assert (first.pairs, first.behind, len(first.rows)) == (1, 0, 2)
    for _ in range(2):
        play_one()
    later = StandingsTable(cup).performances()
    assert later is not None
    assert (later.pairs, later.behind) == (1, 1)
    assert work_off(ANSWERS, arena=False) == 0, "while it goes on, they stand for a moment"
    Analysis.objects.update(finished_at=timezone.now() - REST)
    StandingsTable(cup).performances()
    assert work_off(ANSWERS, arena=False) == 1, "asked for again, once"
    play_all(cup)
    cup.refresh_from_db()
    last = StandingsTable(cup).performances()
    assert last is not None
    assert (last.pairs, last.behind) == (2, 1)
    assert work_off(ANSWERS, arena=False) == 1, "once it is over, without a rest"
    end = StandingsTable(cup).performances()
    assert end is not None
    assert (end.pairs, end.behind) == (3, 0)
    assert work_off(ANSWERS, arena=False) == 0


@pytest.mark.parametrize(
    "more",
    [
        {"variant": "crapette", "players": 3},
        {"variant": "crapette", "options": MatchRule("deals", 2, most=3).as_options()},
    ],
    ids=["three seats", "matches to points"],
)
def test_every_event_shows_performances(ada: User, more: dict[str, Any]) -> None:
    cup = running(ada, rivals(3), pairs=2, **more)
    play_all(cup)
    assert StandingsTable(cup).performances() is None
    work_off(ANSWERS, arena=False)
    lines = table(cup)
    assert len(lines) == 3
    assert sum(int(line.performance) for line in lines) == pytest.approx(4500, abs=2)
    assert all(line.interval for line in lines)
    found = StandingsTable(cup).performances()
    assert found is not None
    assert (found.pairs, found.behind) == (accepted_pairs(cup), 0)


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("staff", "more", "because"),
    [
        (True, {}, ""),
        (False, {}, "Only ladders and house events are rated."),
        (
            True,
            {"bank_ms": 1_000},
            "Only games with the standard time limits are rated: 60 s, plus 0.5 s per turn.",
        ),
        (True, {"rated": False}, "Its owner kept it out of the ratings."),
        (
            True,
            {"format": "sprt", "options": {"elo0": 0.0, "elo1": 9.0, "alpha": 0.1, "beta": 0.1}},
            "Sequential tests are never rated.",
        ),
    ],
)
def test_only_house_and_staff_events_at_the_standard_clock_are_rated(
    ada: User, staff: bool, more: dict[str, object], because: str
) -> None:
    ada.is_staff = staff
    ada.save()
    versions = rivals(2)
    for version in versions:
        version.bot.open_to_all = True
        version.bot.save()
    cup = running(ada, versions, pairs=1, **more)
    assert (cup.rated, cup.unrated_because) == (not because, because)


def test_bots_of_one_author_and_of_linked_accounts_are_never_rated_against_each_other(ada: User) -> None:
    first, second, third = rivals(3)
    assert first.bot.owner is not None
    assert second.bot.owner is not None
    cup = running(None, [first, second], pairs=3)
    play_all(cup)
    assert rated() == {"Rival 1", "Rival 2"}
    link = AccountLink.objects.create(one=first.bot.owner, other=ada, reason="one address")
    assert rated() == {"Rival 1", "Rival 2"}
    AccountLink.objects.create(one=ada, other=second.bot.owner, reason="one address")
    assert rated() == set()
    link.delete()
    assert rated() == {"Rival 1", "Rival 2"}
    second.bot.owner = first.bot.owner
    second.bot.save()
    assert rated() == set()
    assert third.bot.name not in rated()


def test_an_event_becomes_unrated_if_its_owner_cancels_or_voids(ada: User, client: Client) -> None:
    cup = running(None, rivals(2), pairs=3)
    Tournament.objects.filter(pk=cup.pk).update(owner=ada)  # who was staff when it was made
    for _ in range(2):
        play_one()
    assert len(rated()) == 2
    client.force_login(ada)
    client.post(f"/tournaments/{cup.slug}/action/", {"action": "cancel"})
    cup.refresh_from_db()
    assert (cup.status, cup.rated, cup.unrated_because) == ("cancelled", False, "Its owner cancelled it.")
    assert rated() == set()


@pytest.mark.any_database
@pytest.mark.parametrize("interest", ["none", "organises it", "has a bot in it", "is linked to one who has"])
def test_an_event_becomes_unrated_if_staff_cancel_who_may_gain_and_no_others(
    ada: User, bob: User, interest: str
) -> None:
    ada.is_staff = True
    ada.save()
    versions = rivals(2)
    if interest == "has a bot in it":
        versions.append(accepted_bot(ada))
    elif interest == "is linked to one who has":
        versions.append(accepted_bot(bob))
        AccountLink.objects.create(one=ada, other=bob, reason="one address")
    cup = running(ada if interest == "organises it" else None, versions, pairs=3)
    assert cup.rated
    cancel_tournament(cup, by=ada)
    cup.refresh_from_db()
    assert cup.rated is (interest == "none")


def test_not_even_staff_void_a_rated_pair_whose_result_they_see(ada: User, client: Client) -> None:
    ada.is_staff = ada.is_superuser = True
    ada.save()
    mine = accepted_bot(ada)
    cup = running(None, [mine, *rivals(1)], pairs=1)
    play_all(cup)
    pair = Pair.objects.get()
    client.force_login(ada)
    page = client.get(f"/tournaments/{cup.slug}/meeting/1/2/").content.decode()
    assert "Ask staff" in page
    assert "Void and replay" not in page
    client.post(f"/tournaments/{cup.slug}/pairs/{pair.pk}/void/", {"reason": "the host was out of memory"})
    pair.refresh_from_db()
    assert pair.status == "accepted"
    assert VoidRequest.objects.get().asked_by == ada
    # Nor blindly, where their own bot plays.
    with pytest.raises(WrongStatus, match=r"^Your bot plays in this pair\."):
        must_not_gain(ada, pair)


def test_in_a_rated_event_owners_ask_and_staff_decide(client: Client) -> None:
    versions = rivals(2)
    cup = running(None, versions, pairs=2)
    play_all(cup)
    pair = Pair.objects.get(number=1)
    owner, stranger = versions[0].bot.owner, author("stranger")
    assert owner is not None
    address = f"/tournaments/{cup.slug}/pairs/{pair.pk}/void/"
    client.force_login(owner)
    client.post(address, {"reason": "the host was out of memory"})
    pair.refresh_from_db()
    assert pair.status == "accepted"
    asked = VoidRequest.objects.get()
    assert (asked.pair, asked.asked_by, asked.granted) == (pair, owner, None)
    with pytest.raises(WrongStatus, match=r"^Staff have already been asked about this pair\.$"):
        ask_to_void(pair, owner, "again")
    with pytest.raises(WrongStatus, match=r"^Only the owner of a bot in this pair can ask for that\.$"):
        ask_to_void(pair, stranger, "I bet on it")
    before = pair.score
    owner.is_staff = stranger.is_staff = True
    with pytest.raises(
        WrongStatus, match=r"^Your bot plays in this pair\. Another member of staff must decide"
    ):
        decide(asked, "I am sure", granted=True, by=owner)
    decide(asked, "the kernel log shows it", granted=True, by=stranger)
    with pytest.raises(WrongStatus, match=r"^This request has already been answered\.$"):
        decide(asked, "no", granted=False, by=stranger)
    pair.refresh_from_db()
    assert (pair.status, pair.void_reason) == ("void", "the kernel log shows it")
    assert Tournament.objects.get().rated
    cup.refresh_from_db()
    play_all(cup)
    again = Pair.objects.get(number=1, status="accepted")
    page = client.get("/audit/").content.decode()
    assert f"{before} of 4, {again.score} of 4" in " ".join(page.split())
    assert "voided: the kernel log shows it" in client.get("/integrity/").content.decode()


@pytest.mark.any_database
def test_the_scale_hangs_on_frozen_house_versions_not_on_the_newest_one() -> None:
    register_house_bots()
    ladder = ensure_ladder("crapaud", measures_house=True)
    advance(ladder.pk)
    for _ in range(24):
        held = claim_next("a worker")
        if held is None:
            break
        accept_result(held, delivery(held.game))
        advance(ladder.pk)
    compute_ratings("crapaud")
    first = RatingAnchor.objects.get()
    assert (first.version.bot.slug, first.elo) == ("greedy", 1500)
    other = Rating.objects.filter(anchored=True).exclude(version=first.version).order_by("pk")[0]
    assert freeze_anchors("crapaud") == 0
    Rating.objects.filter(pk=other.pk).update(error=10.0, pairs=400)
    assert freeze_anchors("crapaud") == 1
    # Greedy gets a new version; the old one stays on the ladder and holds the scale with the other.
    bot = first.version.bot
    bot.active_versions.all().delete()
    advance(ladder.pk)
    assert not ladder.entries.get(version=first.version).withdrawn
    RatingState.objects.update(requested=F("requested") + 1)
    compute_ratings("crapaud")
    known = Rating.objects.in_bulk(field_name="pk")
    moved = [
        row.elo - anchor.elo
        for anchor in RatingAnchor.objects.all()
        for row in known.values()
        if row.version_id == anchor.version_id
    ]
    assert len(moved) == 2
    assert sum(moved) == pytest.approx(0, abs=1e-6)
    assert audit_all() == {"crapaud": []}


@pytest.mark.any_database
def test_the_ladder_schedules_by_what_the_ratings_say_together(ada: User, bob: User) -> None:
    register_house_bots()
    hers = accepted_bot(ada, "Hers")
    ladder = ensure_ladder("crapaud", measures_house=True)
    advance(ladder.pk)
    for _ in range(30):
        play_one()
        advance(ladder.pk)
    compute_ratings("crapaud")
    newcomer = accepted_bot(bob, "His")
    advance(ladder.pk)
    field = candidates(ladder)
    covariance, met = known_together(ladder, field)
    place = {one.entry: index for index, one in enumerate(field)}
    entry = ladder.entries.get(version=hers)
    row = Rating.objects.get(version=hers)
    assert covariance[place[entry.pk], place[entry.pk]] == pytest.approx(row.error**2, rel=1e-3)
    assert abs(covariance - covariance.T).max() < 1e-3
    new = place[ladder.entries.get(version=newcomer).pk]
    assert covariance[new, new] == 350**2
    assert sum(count for (one, _), count in met.items() if one == entry.pk) >= row.pairs
    assert {owner for one, owner in met if one == entry.pk} <= {0, bob.pk}
    assert RatingInputs.objects.get(board="crapaud").covariance


@pytest.mark.any_database
def test_the_night_flags_a_rating_that_hangs_on_one_owner(client: Client) -> None:
    register_house_bots()
    versions = rivals(3)
    cup = running(None, versions, pairs=12)
    play_all(cup)
    pairing = cup.pairings.get(first__version=versions[0], second__version=versions[1])
    kept = {f"penta_{k}": 0 for k in range(5)}
    type(pairing).objects.filter(pk=pairing.pk).update(**{**kept, "penta_4": 12})
    RatingAnchor.objects.create(variant="crapaud", version=versions[2], elo=1500)
    audit_all()
    page = client.get("/integrity/").content.decode()
    assert "Results more than 4 standard errors" in page or "Ratings that move by more" in page
    assert "Rival 1" in page
    assert "to look into</h2>" in page
    assert 'class="odd__size"' in page
