"""Ladders and what is rated, what is not, who may take something back, and how long curves are kept."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.utils import timezone

from analysis.errors import WrongStatus
from arena.accounts.models import User
from arena.run.embedded.first_tasks import take_up_work
from arena.web import worker_messages
from bots import bots
from bots.errors import OwnersRefused
from bots.models import Bot, CoOwner, Version
from bots.teams.co_owners import accept, invite
from bots.versions import activate_version
from engine.boards import BOARDS
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, house_bots, shared
from tests.factories.results import accept_result, delivery, group_delivery, play_all, play_one
from tests.factories.tournaments import created, rivals, running
from tournaments import tasks
from tournaments.games.claims import claim_next
from tournaments.models import (
    AccountLink,
    Game,
    Pair,
    Rating,
    RatingAnchor,
    RatingPoint,
    RatingState,
    Result,
    Tournament,
    VoidRequest,
)
from tournaments.operation import retention
from tournaments.pairing.pairs import ask_to_void, decide, must_not_gain
from tournaments.pairing.progress import advance, cancel_tournament
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import candidates, ensure_ladder, ensure_ladders, known_together
from tournaments.ratings.leaderboards import ladder_slug
from tournaments.ratings.ratings import compute_ratings, freeze_anchors

pytestmark = pytest.mark.django_db


def rated() -> set[str]:
    """The bots that are rated in Crapaud, once everything is counted."""
    RatingState.objects.update(requested=F("requested") + 1)
    compute_ratings("crapaud")
    return set(Rating.objects.filter(variant="crapaud").values_list("version__bot__name", flat=True))


def opened(count: int) -> list[Version]:
    """Versions of other authors that anybody may enter."""
    versions = rivals(count)
    Bot.objects.update(open_to_all=True)
    return versions


@pytest.mark.any_database
def test_only_house_and_staff_events_at_the_standard_clock_are_rated(ada: User) -> None:
    versions = opened(2)
    sprt = {"format": "sprt", "options": {"elo0": 0.0, "elo1": 9.0, "alpha": 0.1, "beta": 0.1}}
    cases: list[tuple[bool, dict[str, Any], bool]] = [
        (True, {}, True),
        (False, {}, False),
        (True, {"bank_ms": 1_000}, False),
        (True, {"rated": False}, False),
        (True, sprt, False),
    ]
    for staff, more, counts in cases:
        ada.is_staff = staff
        ada.save()
        cup = created(ada, versions, pairs_per_pairing=1, **more)
        assert (cup.rated, not cup.unrated_because) == (counts, counts)


def test_bots_of_one_author_and_of_linked_accounts_are_never_rated_against_each_other(ada: User) -> None:
    first, second = rivals(2)
    one, other = first.bot.owner, second.bot.owner
    assert one is not None
    assert other is not None
    play_all(running(None, [first, second], pairs=3))
    both = {"Rival 1", "Rival 2"}
    assert rated() == both
    link = AccountLink.objects.create(one=one, other=ada, reason="one address")
    assert rated() == both
    AccountLink.objects.create(one=ada, other=other, reason="one address")
    assert rated() == set()
    link.delete()
    assert rated() == both
    second.bot.owner = one
    second.bot.save()
    assert rated() == set()


def test_rated_games_are_not_taken_back_by_owning_a_bot_together(ada: User, bob: User) -> None:
    hers, his, unplayed = accepted_bot(ada, "hers"), accepted_bot(bob, "his"), accepted_bot(ada, "unplayed")
    carol = author("carol")
    asked = invite(unplayed.bot, ada, "bob")
    play_all(running(None, [hers, his], pairs=1))
    third = accepted_bot(carol, "third")
    shared(third.bot, ada)  # nor by way of a third person who has met neither
    another = accepted_bot(bob, "another").bot
    for take_back in (
        lambda: accept(unplayed.bot, bob),
        lambda: invite(another, bob, "ada"),
        lambda: invite(third.bot, carol, "bob"),
    ):
        with pytest.raises(OwnersRefused, match="rated games"):
            take_back()
    AccountLink.objects.create(one=ada, other=bob)
    accept(unplayed.bot, bob)
    assert CoOwner.objects.get(pk=asked.pk).status == CoOwner.Status.ACCEPTED


@pytest.mark.any_database
@pytest.mark.parametrize("interest", ["none", "organises it", "has a bot in it", "is linked to one who has"])
def test_staff_who_may_gain_make_it_unrated(ada: User, bob: User, interest: str) -> None:
    ada.is_staff = True
    ada.save()
    versions = rivals(2)
    if interest == "has a bot in it":
        versions.append(accepted_bot(ada))
    elif interest == "is linked to one who has":
        versions.append(accepted_bot(bob))
        AccountLink.objects.create(one=ada, other=bob, reason="one address")
    cup = running(ada if interest == "organises it" else None, versions, pairs=3)
    for _ in range(2):
        play_one()
    assert (cup.rated, len(rated())) == (True, 2)
    cancel_tournament(cup, by=ada)
    cup.refresh_from_db()
    assert (cup.rated, len(rated())) == ((True, 2) if interest == "none" else (False, 0))


def test_not_even_staff_void_a_rated_pair_whose_result_they_see(ada: User, client: Client) -> None:
    ada.is_staff = ada.is_superuser = True
    ada.save()
    mine = accepted_bot(ada)
    cup = running(None, [mine, *rivals(1)], pairs=1)
    play_all(cup)
    pair = Pair.objects.get()
    client.force_login(ada)
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
    client.force_login(owner)
    client.post(f"/tournaments/{cup.slug}/pairs/{pair.pk}/void/", {"reason": "the host was out of memory"})
    pair.refresh_from_db()
    assert pair.status == "accepted"
    asked = VoidRequest.objects.get()
    assert (asked.pair, asked.asked_by, asked.granted) == (pair, owner, None)
    for asker, said in ((owner, "Staff have already been asked"), (stranger, "Only the owner of a bot")):
        with pytest.raises(WrongStatus, match=f"^{said}"):
            ask_to_void(pair, asker, "again")
    owner.is_staff = stranger.is_staff = True
    with pytest.raises(WrongStatus, match=r"^Your bot plays in this pair\. Another member of staff must"):
        decide(asked, "I am sure", granted=True, by=owner)
    decide(asked, "the kernel log shows it", granted=True, by=stranger)
    with pytest.raises(WrongStatus, match=r"^This request has already been answered\.$"):
        decide(asked, "no", granted=False, by=stranger)
    pair.refresh_from_db()
    assert (pair.status, pair.void_reason) == ("void", "the kernel log shows it")
    assert Tournament.objects.get().rated


@pytest.mark.any_database
def test_the_scale_hangs_on_frozen_house_versions(house: list[Version], ada: User) -> None:
    hers = accepted_bot(ada, "Hers")
    ladder = ensure_ladder("crapaud", measures_house=True)
    advance(ladder.pk)
    for _ in range(16):
        play_one()
        advance(ladder.pk)
    compute_ratings("crapaud")

    entry = ladder.entries.get(version=hers)
    field = candidates(ladder)
    covariance, met = known_together(ladder, field)
    place = [one.entry for one in field].index(entry.pk)
    row = Rating.objects.get(version=hers)
    assert covariance[place, place] == pytest.approx(row.error**2, rel=1e-3)
    assert sum(count for (one, _), count in met.items() if one == entry.pk) >= row.pairs

    first = RatingAnchor.objects.get()
    assert (first.version.bot.slug, first.elo) == ("greedy", 1500)
    others = Rating.objects.filter(anchored=True, version__bot__is_house=True).exclude(version=first.version)
    assert freeze_anchors("crapaud") == 0
    Rating.objects.filter(pk=others.order_by("pk")[0].pk).update(error=10.0, pairs=400)
    assert freeze_anchors("crapaud") == 1
    # Greedy gets a new version; the old one stays on the ladder and holds the scale with the other.
    first.version.bot.active_versions.all().delete()
    advance(ladder.pk)
    assert not ladder.entries.get(version=first.version).withdrawn
    RatingState.objects.update(requested=F("requested") + 1)
    compute_ratings("crapaud")
    known = dict(Rating.objects.filter(variant="crapaud").values_list("version", "elo"))
    moved = [known[one.version_id] - one.elo for one in RatingAnchor.objects.all()]
    assert len(moved) == 2
    assert sum(moved) == pytest.approx(0, abs=1e-6)
    assert audit_all() == {"crapaud": []}


def test_old_points_become_one_a_day_the_last_of_each_board_and_version_and_then_one_a_week() -> None:
    one, other = rivals(2)
    now = timezone.now()
    curves = ((one, "crapette", 500), (one, "crapaud", 60), (other, "crapette", 60))
    RatingPoint.objects.bulk_create(
        RatingPoint(version=version, variant=board, at=at, elo=1500, error=20, games=9)
        for shift, (version, board, days) in enumerate(curves)
        for at in (now - timedelta(hours=8 * step + shift) for step in range(days * 3))
    )

    def moments() -> list[list[datetime]]:
        mine = (RatingPoint.objects.filter(version=version, variant=board) for version, board, _ in curves)
        return [list(points.values_list("at", flat=True)) for points in mine]

    before = moments()
    retention.remove_all()
    for was, left in zip(before, moments(), strict=True):
        assert {at for at in was if at > now - timedelta(days=29)} <= set(left)
        days = [at for at in left if now - timedelta(days=58) < at < now - timedelta(days=32)]
        assert len({at.date() for at in days}) == len(days) >= 25, "each day has exactly one"
        assert all(at == max(same for same in was if same.date() == at.date()) for at in days), "its last"
    weeks = [at.isocalendar()[:2] for at in moments()[0] if at < now - timedelta(days=373)]
    assert len(weeks) == len(set(weeks)) in {18, 19, 20}


@pytest.fixture
def house() -> list[Version]:
    return house_bots("greedy", "planner", "random")


def ladder_of(board: str) -> Tournament:
    return Tournament.objects.get(slug=ladder_slug(board))


def look() -> None:
    """Let every ladder bring its field up to date and make games."""
    for ladder in Tournament.objects.filter(format="ladder"):
        advance(ladder.pk)


def play(ladder: Tournament, games: int) -> int:
    """Play up to so many games of a ladder with invented ends; how many there were."""
    Game.objects.exclude(tournament=ladder).delete()
    deliver = delivery if ladder.players == 2 else group_delivery
    for played in range(games):
        found = claim_next("a worker")
        if found is None:
            return played
        accept_result(found, deliver(found.game))
        advance(ladder.pk)
    return games


def test_every_board_has_a_ladder_and_the_first_alone_plays(house: list[Version]) -> None:
    assert take_up_work().endswith("10 ladders started; 2 tournaments running")
    assert ensure_ladders() == 0
    Game.objects.exclude(tournament__format="ladder").delete()
    look()
    assert set(Game.objects.values_list("tournament__slug", flat=True)) == {"ladder-crapaud"}
    # The house bots are on all of them, so that the first newcomer has opponents at once.
    assert all(ladder_of(board).entries.filter(version__bot__slug="greedy").exists() for board in BOARDS)
    assert {ladder_of(f"crapette/{seats}").players for seats in (3, 4)} == {3, 4}


def test_a_bot_enters_ladders_it_passed_for(house: list[Version], ada: User) -> None:
    ensure_ladders()
    look()
    version = accepted_bot(ada, "Two games", boards=("crapo", "crapette/3"))
    look()
    entered = set(Tournament.objects.filter(entries__version=version).values_list("slug", flat=True))
    assert entered == {"ladder-crapo", "ladder-crapette-3"}
    assert set(Game.objects.values_list("tournament__slug", flat=True)) == entered
    # Without it they are idle again, and make no more games.
    Pair.objects.all().delete()
    Game.objects.all().delete()
    bots.withdraw_bot(version.bot)
    look()
    assert not Game.objects.exists()


def test_a_change_of_the_field_is_told_to_the_ladders(
    ada: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    ensure_ladders()
    version = accepted_bot(ada, "Coming and going", boards=("crapo",))
    sent: list[str] = []
    monkeypatch.setattr(worker_messages._Carrier, "carrier", lambda task, *_: sent.append(task))
    with django_capture_on_commit_callbacks(execute=True):
        activate_version(version)
        bots.withdraw_bot(version.bot)
        bots.restore_bot(version.bot)
    assert sent == ["tournaments.field_changed"] * 3
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        tasks.field_changed()
    assert sorted(sent) == [*["tournaments.advance"] * len(BOARDS), "tournaments.compare"]


@pytest.mark.any_database
def test_three_seats_have_a_ladder_and_ratings_of_their_own(
    house: list[Version], ada: User, bob: User
) -> None:
    seats, board = 3, "crapette/3"
    ensure_ladders()
    mine = [accepted_bot(ada, f"Ada {number}", boards=(board,)) for number in (1, 2)]
    his = accepted_bot(bob, "Bob's", boards=(board,))
    look()
    assert play(ladder_of(board), 3 * seats) == 3 * seats
    tables = [
        [seat.version.bot.owner_id for seat in game.seats.select_related("version__bot")]
        for game in ladder_of(board).games.all()
    ]
    assert {len(table) for table in tables} == {seats}
    # Two bots of one author never sit together; of the house as many as are needed.
    assert not any(table.count(ada.pk) > 1 for table in tables)
    compute_ratings("crapette")
    rated = Rating.objects.filter(variant=board)
    assert {one.pk for one in (*mine, his)} & set(rated.values_list("version", flat=True))
    assert not Rating.objects.filter(variant="crapette").exists()
    assert audit_all()["crapette"] == []


@pytest.mark.any_database
def test_a_ladder_plays_until_all_are_known_and_a_new_version_is_served_first(ada: User, bob: User) -> None:
    accepted_bot(ada, "A")
    accepted_bot(bob, "B")
    ladder = ensure_ladder("crapaud")
    assert ensure_ladder("crapaud") == ladder
    advance(ladder.pk)
    assert play(ladder, 16) == 16
    owners = {frozenset(seat.version.bot.owner_id for seat in one.seats.all()) for one in ladder.games.all()}
    assert owners == {frozenset((ada.pk, bob.pk))}
    compute_ratings("crapaud")
    assert [row.pairs for row in Rating.objects.filter(variant="crapaud")] == [8, 8]
    assert audit_all() == {"crapaud": []}

    newcomer = accepted_bot(ada, "Newcomer")
    advance(ladder.pk)
    # What waited before is played first: one pair more than games are played at once.
    play(ladder, 2 * (settings.GAMES_AT_ONCE + 1) + 8)
    assert Result.objects.filter(game__seats__version=newcomer).count() >= 7
