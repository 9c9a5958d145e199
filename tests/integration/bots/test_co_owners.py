"""What several owners of a bot may do, that collusion stays closed, and what a deleted account leaves."""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core import serializers
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from analysis.errors import InvalidTournament
from arena.accounts.models import User
from arena.notices.models import Notice
from bots import bots, files, limits, tokens, uploads
from bots.bots import restore_bot
from bots.errors import LimitReached, OwnerGone, OwnersRefused
from bots.models import Bot, BotAuditEntry, CheckReport, SharedPast, UploadAttempt, Version
from bots.playing.game_process import DeliveredGame
from bots.tasks import remove_forgotten
from bots.teams.co_owners import accept, decline, invite, leave, offer, take_over
from bots.teams.departures import end_invitations
from friendlies.tables.new_games import opponents
from friendlies.tables.people import Person
from people.deletion import delete_account
from people.moderation import decisions, reports
from people.moderation.decisions import Why
from people.moderation.errors import ModerationRefused
from people.moderation.models import Subject
from sandbox import Stage
from sandbox.staging import store
from tests.factories.accounts import SECRET, author, operator, sign_in_operator, token
from tests.factories.bots import accepted_bot, house_bots, judge, new_bot, shared, upload
from tests.factories.results import accept_result, delivery, lease
from tests.factories.tournaments import draft, entrants, running
from tournaments.challenges import requests as challenges
from tournaments.challenges.answers import accept as accept_challenge
from tournaments.challenges.answers import block, expire_due
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Challenge
from tournaments.challenges.requests import Wish, ask
from tournaments.events import news
from tournaments.events.creation import enterable
from tournaments.events.registration import MOST_EACH, join
from tournaments.games.search import evidence_for
from tournaments.models import Evidence, Game, RatingState, Result
from tournaments.ratings.linked_owners import has_bot_among, linked_accounts, owners_of

pytestmark = pytest.mark.django_db


LOG = "It crashed in seat 1, plainly."
OWNERS = "/bots/adas-first/owners/"


@pytest.fixture
def team(ada: User, bob: User) -> Version:
    """An accepted version of a bot of Ada's that Bob owns, too."""
    version = accepted_bot(ada)
    shared(version.bot, bob)
    return Version.objects.select_related("bot__owner").get(pk=version.pk)


def test_a_co_owner_does_with_the_bot_what_its_owner_may(as_bob: Client, team: Version, bob: User) -> None:
    second = uploads.upload_version(
        team.bot, uploads.Submission(upload("two"), "ada.py", note="for both"), by=bob
    )
    judge(second, False, LOG)
    page = as_bob.get("/bots/adas-first/versions/2/").content.decode()
    assert all(words in page for words in (LOG, "for both", "by bob"))
    assert as_bob.get("/bots/adas-first/versions/2/source.zip").status_code == 200
    as_bob.post("/bots/adas-first/edit/", {"name": "Our first", "description": "Ours."})
    as_bob.post("/bots/adas-first/withdraw/")
    as_bob.post("/bots/adas-first/restore/")
    as_bob.post("/challenges/terms/adas-first/", {"takes": "none", "per_day": "1"})
    bot = Bot.objects.get()
    assert (bot.name, bot.is_withdrawn) == ("Our first", False)
    done = list(BotAuditEntry.objects.order_by("pk").filter(actor=bob).values_list("what", flat=True))
    assert done == ["joined", "uploaded", "edited", "withdrew", "restored", "terms"]
    api, headers = "/api/v1/bots/adas-first/versions/1/", {"Authorization": f"Bearer {token(bob)}"}
    assert as_bob.get(api, headers=headers).json()["uploaded_by"] == "ada"
    # Who has left sees and does as little as a stranger.
    leave(team.bot, bob)
    assert as_bob.get(api, headers=headers).status_code == 404
    for page in ("upload/", "versions/1/source.zip", "owners/"):
        assert as_bob.get(f"/bots/adas-first/{page}").status_code == 404
    assert as_bob.post("/bots/adas-first/withdraw/").status_code == 404
    assert 'id="audit-log"' not in as_bob.get("/bots/adas-first/").content.decode()


def test_the_page_of_the_owners_is_for_them_and_whoever_is_asked(
    anonymous: Client, as_ada: Client, as_bob: Client, ada: User, bob: User
) -> None:
    bot = accepted_bot(ada).bot
    assert anonymous.get(OWNERS).status_code == 302
    assert as_bob.get(OWNERS).status_code == 404
    assert as_bob.post(f"{OWNERS}answer/accept/").status_code == 404
    assert as_bob.post(f"{OWNERS}invite/", {"user": "bob"}).status_code == 404
    as_ada.post(f"{OWNERS}invite/", {"user": "bob"})
    page = as_bob.get(OWNERS).content.decode()
    assert "You are invited" in page
    assert 'id="audit-log"' not in page
    as_bob.post(f"{OWNERS}answer/accept/")
    assert Bot.objects.get().is_owned_by(bob)
    assert as_bob.post(f"{OWNERS}remove/{bob.pk}/").status_code == 302
    assert as_bob.post(f"{OWNERS}offer/{bob.pk}/").status_code == 302
    stranger = author("held", is_active=False)
    assert {as_ada.post(f"{OWNERS}{act}/{stranger.pk}/").status_code for act in ("remove", "offer")} == {404}
    as_bob.post(f"{OWNERS}answer/take-over/")
    assert Bot.objects.get().owner == ada
    as_ada.post(f"{OWNERS}offer/{bob.pk}/")
    as_bob.post(f"{OWNERS}answer/take-over/")
    assert Bot.objects.get(pk=bot.pk).owner == bob


def test_a_closed_bot_is_entered_and_played_by_all_its_owners_and_counts_for_each(
    team: Version, ada: User, bob: User
) -> None:
    Bot.objects.update(open_to_all=False)
    carol = author("carol")
    assert team in enterable(bob)
    assert team not in enterable(carol)
    assert team in opponents(Person(user=bob))
    cup = draft(carol, entrants(carol, 2))
    assert join(cup, team.pk, bob).version == team
    assert news.owners_of_bots(cup) == {ada.pk, bob.pk, carol.pk}
    for number in range(MOST_EACH - 1):
        join(cup, accepted_bot(ada, f"more {number}").pk, ada)
    second = accepted_bot(bob, "Second team")
    shared(second.bot, ada)
    with pytest.raises(InvalidTournament, match="ada, who owns this bot with you"):
        join(cup, second.pk, bob)
    with pytest.raises(InvalidTournament, match="You already have"):
        join(cup, second.pk, ada)


def test_people_who_own_a_bot_together_are_one_author_in_the_ratings_for_good(
    team: Version, ada: User, bob: User, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    hers, his, other = (
        accepted_bot(ada, "hers"),
        accepted_bot(bob, "his"),
        accepted_bot(author("carol"), "other"),
    )
    keys = [team.pk, hers.pk, his.pk, other.pk]
    together = owners_of(keys)
    assert together[team.pk] == together[hers.pk] == together[his.pk] != together[other.pk]
    assert has_bot_among(bob, [hers.pk])
    offer(team.bot, ada, bob)
    take_over(team.bot, bob)
    leave(team.bot, ada)
    assert owners_of(keys) == together, "leaving buys nothing"
    dora = author("dora")
    invite(team.bot, bob, "dora")
    assert dora.pk not in linked_accounts(), "an invitation links nobody"
    RatingState.objects.create(variant="crapaud", requested=0)
    with django_capture_on_commit_callbacks(execute=True):
        shared(other.bot, author("emil"))
    assert RatingState.objects.get().requested == 1


def test_owners_cannot_challenge_bots_of_which_one_is_theirs_and_each_may_answer(
    team: Version, ada: User, bob: User
) -> None:
    hers, his, carol = accepted_bot(ada, "hers"), accepted_bot(bob, "his"), author("carol")
    for who, mine, theirs, words in ((bob, his, team, "Both bots are yours"), (ada, team, his, "in common")):
        with pytest.raises(ChallengeRefused, match=words):
            ask(who, Wish(mine.pk, theirs.pk))
    assert ask(ada, Wish(hers.pk, his.pk)).asked == bob, "two people, two bots"
    asked = ask(carol, Wish(accepted_bot(carol, "carol's").pk, team.pk))
    told = Notice.objects.filter(key=f"challenge {asked.pk}").values_list("user", flat=True)
    assert set(told) == {ada.pk, bob.pk}
    assert asked in challenges.waiting_for(bob)
    assert (asked.is_received_by(bob), asked.is_received_by(carol)) == (True, False)
    accept_challenge(asked, bob)
    block(bob, carol)
    with pytest.raises(ChallengeRefused, match="bob does not accept"):
        ask(carol, Wish(asked.mine_id, team.pk))
    assert team not in {*challenges.challengeable(carol), *challenges.challengeable(bob)}


def test_the_heir_of_a_bot_is_asked_what_is_still_open(team: Version, ada: User, bob: User) -> None:
    carol = author("carol")
    asked = ask(carol, Wish(accepted_bot(carol, "one").pk, team.pk))
    delete_account(ada)
    asked.refresh_from_db()
    assert (asked.asked, asked.is_open) == (bob, True)
    Challenge.objects.update(expires_at=asked.expires_at - timedelta(days=30))
    assert expire_due() == 1
    assert Notice.objects.filter(user=carol, text__startswith="bob did not answer").exists()


def test_a_suspended_owner_takes_the_bot_along_and_a_co_owner_does_not(
    team: Version, ada: User, bob: User
) -> None:
    chief = operator()
    act = decisions.ban(chief, ada.pk, 3, Why("spam", ""))
    assert Bot.objects.get().is_withdrawn
    assert Notice.objects.filter(user=bob, kind="moderated", url="/bots/adas-first/").count() == 1
    with pytest.raises(OwnerGone, match="suspended"):
        bots.restore_bot(Bot.objects.get(), by=bob)
    decisions.lift(chief, act)
    assert not Bot.objects.get().is_withdrawn
    decisions.ban(chief, bob.pk, 3, Why("spam", ""))
    assert not Bot.objects.get().is_withdrawn


def test_nobody_reports_or_moderates_a_bot_that_they_share(team: Version, ada: User, bob: User) -> None:
    with pytest.raises(ModerationRefused):
        reports.report(bob, Subject.BOT, team.bot_id, "spam", "")
    chief = operator()
    decisions.hide(chief, Subject.BOT, team.bot_id, ["name"], Why("spam", ""))
    assert Notice.objects.filter(user=bob, text__startswith="Moderators made a decision").count() == 1
    second = accepted_bot(ada, "second")
    shared(second.bot, chief)
    with pytest.raises(ModerationRefused, match="your own"):
        decisions.hide(chief, Subject.BOT, second.bot_id, ["name"], Why("spam", ""))


def remembers(*couples: tuple[Bot, Bot]) -> bool:
    """Whether these, and no other two bots, had an owner in common whose account is gone."""
    wanted = {tuple(sorted((one.pk, other.pk))) for one, other in couples}
    return wanted == set(SharedPast.objects.values_list("one", "other"))


def test_bots_of_a_deleted_account_that_had_two_owners_stay_one_authors(ada: User, bob: User) -> None:
    played = [accepted_bot(ada, name) for name in ("one", "two", "three")]
    shared(played[0].bot, bob)
    leave(played[0].bot, bob)
    carol = author("carol")
    others = [accepted_bot(carol, name) for name in ("four", "five")]
    invite(others[0].bot, carol, "bob")
    decline(others[0].bot, bob)
    running(None, [*played, *others])
    delete_account(ada)
    delete_account(carol)
    one, two, three = (version.bot for version in played)
    assert all(bot.is_departed for bot in Bot.objects.all())
    assert remembers((one, two), (one, three))


def test_a_bot_that_is_deleted_later_takes_no_others_apart(ada: User, bob: User) -> None:
    carol, dora = author("carol"), author("dora")
    first = shared(accepted_bot(bob, "first").bot, ada)
    middle = shared(new_bot(carol, "middle").bot, ada)
    last = shared(accepted_bot(dora, "last").bot, ada)
    delete_account(ada)
    assert remembers((first, middle), (first, last), (middle, last))
    delete_account(carol)
    assert not Bot.objects.filter(pk=middle.pk).exists()
    assert remembers((first, last))


def test_an_heir_gets_the_bots_for_which_there_is_room_and_the_rest_withdrawn(
    ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [shared(accepted_bot(ada, name).bot, bob) for name in ("one", "two", "three")]
    new_bot(bob, "his own")
    monkeypatch.setattr(limits, "BOTS_PER_USER", 2)
    delete_account(ada)
    found = [Bot.objects.get(pk=bot.pk) for bot in bots]
    assert [bot.owner for bot in found] == [bob] * 3
    assert [bot.is_withdrawn for bot in found] == [False, True, True]
    told = dict(Notice.objects.filter(user=bob, key__endswith="inherited").values_list("key", "text"))
    assert ["withdrawn" in told[f"bot {bot.pk} inherited"] for bot in bots] == [False, True, True]
    with pytest.raises(LimitReached):
        restore_bot(found[1], by=bob)


def test_nobody_joins_a_bot_that_is_being_deleted(
    ada: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = shared(new_bot(ada).bot, bob)
    leave(bot, bob)
    invite(bot, ada, "bob")
    refused: list[str] = []

    def forget(key: int, since: datetime | None = None) -> None:
        with pytest.raises(OwnersRefused):
            accept(bot, bob)
        refused.append("accept")

    monkeypatch.setattr("people.deletion.forget_evidence", forget)
    delete_account(ada)
    assert refused
    assert not Bot.objects.exists()


WROTE = "Traceback of a heron"
RECORD = {"events": [], "evidence": [{"stderr": WROTE, "messages": []}]}


@pytest.fixture(scope="module")
def built() -> Iterator[Stage]:
    """A stage of this module's own."""
    with tempfile.TemporaryDirectory(prefix="crapette-stage-") as name:
        Path(name).chmod(0o755)
        yield Stage.ensure(Path(name, "stage"))
        store.remove_tree(Path(name, "stage"))


@pytest.fixture
def stage(built: Stage, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The same without any bot."""
    root = built.path.parents[1]
    monkeypatch.setenv("CRAPETTE_STAGE", str(root))
    yield built
    for bot in root.glob("bots*/*"):
        store.remove_tree(bot)


def ended(game: Any) -> DeliveredGame:
    """An invented end of a game in which each bot wrote its own name to standard error."""
    end = delivery(game)
    seats = Game.objects.get(pk=game).seats.order_by("seat").select_related("version__bot")
    wrote = [{"stderr": f"{WROTE}: {seat.version.bot.name}"} for seat in seats]
    return DeliveredGame(end.events, end.result, wrote, end.sandbox)


def heron_with_everything() -> tuple[User, Version]:
    """A user with all that the site can know of one, and a bot that has played Bob's."""
    owner, bob = author("heron"), author("bob")
    version = accepted_bot(owner, "Heron's bot")
    bots.edit_bot(version.bot, bots.BotDetails("Heron's bot", description="By heron.", open_to_all=True))
    EmailAddress.objects.create(user=owner, email="heron@birds.example")
    TOTP.activate(owner, SECRET)
    tokens.create_token(owner, "heron laptop")
    UploadAttempt.objects.create(owner=owner, at=timezone.now())
    Client().force_login(owner)
    running(bob, [version, accepted_bot(bob, "Bob's bot")], pairs=2, name="Cup")
    found = lease()
    accept_result(found, ended(found.game))
    file = uploads.Submission(upload("two"), "heron.py", note="for heron", release_notes="heron’s best")
    judge(uploads.upload_version(version.bot, file), False, f"{WROTE} in seat 1.", RECORD)
    for row in (owner, version.bot):
        kind = ContentType.objects.get_for_model(row)
        entry = {"object_id": str(row.pk), "object_repr": str(row), "action_flag": CHANGE}
        LogEntry.objects.create(user=bob, content_type=kind, **entry)
    return owner, version


def everything() -> str:
    """Every row of the database, in clear."""
    rows = [row for model in apps.get_models() if not model._meta.proxy for row in model._base_manager.all()]
    sessions = [session for session in rows if isinstance(session, Session)]
    kept = [row for row in rows if not isinstance(row, Session)]
    return str(serializers.serialize("json", kept)) + str([session.get_decoded() for session in sessions])


def test_nothing_of_a_departed_owner_is_left_in_the_database_but_results(
    stage: Stage, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    owner, version = heron_with_everything()
    directory = files.materialise(version, stage)
    under_way = lease()
    assert "heron" in everything().lower()
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(owner)
    # A game that was under way is delivered afterwards.
    end, wrote = ended(under_way.game), [f"{WROTE}: {one}" for one in ("Bob's bot", "x", "y")]
    late = [{"stderr": one} for one in wrote[1:]]
    accept_result(under_way, DeliveredGame(end.events, end.result, late, end.sandbox))
    left = everything()
    for one in wrote:
        left = left.replace(one, "")
    assert "heron" not in left.lower()
    assert not Session.objects.exists()
    assert not directory.exists()
    assert Result.objects.count() == 2
    for evidence in Evidence.objects.all():
        seats = evidence.game.seats.order_by("seat").select_related("version__bot")
        theirs = [seat.version.bot.is_departed for seat in seats]
        assert [left == {} for left in evidence.parts()[0]] == theirs
        assert sorted(theirs) == [False, True]


def test_what_comes_of_departed_bots_while_their_owner_leaves_or_later_is_kept_nowhere(stage: Stage) -> None:
    owner, version = heron_with_everything()
    waiting = uploads.upload_version(version.bot, uploads.Submission(upload("three"), "heron.py"))
    under_way = lease()
    assert end_invitations(owner) == {version.bot_id}
    accept_result(under_way, ended(under_way.game))
    assert sorted(len(left) for left in Evidence.objects.get(game=under_way.game).parts()[0]) == [0, 1]
    stays = files.materialise(Version.objects.get(bot__name="Bob's bot"), stage)
    delete_account(owner)
    goes = stage.store_bot(version.sha256, {"bot.py": b"unpacked by another host"}, "bot.py")
    remove_forgotten()
    assert (goes.exists(), stays.exists()) == (False, True)
    judge(waiting, False, f"{WROTE}.", RECORD)
    assert not CheckReport.objects.filter(version=waiting).exists()
    assert not waiting.trials.exists()


def test_what_a_bot_wrote_is_shown_to_its_owner_and_to_no_operator(stage: Stage, client: Client) -> None:
    owner, _ = heron_with_everything()
    chief = sign_in_operator(client)
    evidence = Evidence.objects.get()
    assert len(evidence_for(evidence.game, owner)) == 1
    assert evidence_for(evidence.game, chief) == []
    assert WROTE not in client.get(evidence.game.get_absolute_url()).content.decode()
    page = client.get(f"/admin/tournaments/evidence/{evidence.pk}/change/")
    assert page.status_code == 200
    assert WROTE not in page.content.decode()
    client.force_login(owner)
    page = client.get(evidence.game.get_absolute_url())
    assert "only you can see this" in page.content.decode()
    assert WROTE in page.content.decode()


def test_what_a_house_bot_wrote_is_kept_only_where_it_was_at_fault() -> None:
    [house], mine = house_bots("greedy"), accepted_bot(author("ada"), "Mine")
    running(None, [house, mine], pairs=1)
    for fault in (False, True):
        found = lease()
        seat = Game.objects.get(pk=found.game).seats.get(version=house).seat
        end = ended(found.game)
        if fault:
            result = {**end.result, "seat": seat, "termination": "crash"}
            end = replace(end, result=result)
        accept_result(found, end)
        left, _ = Evidence.objects.get(game=found.game).parts()
        assert left[seat] == ({"stderr": f"{WROTE}: {house.bot.name}"} if fault else {})
        assert left[1 - seat] == {"stderr": f"{WROTE}: Mine"}
