"""Challenges between owners: asked, answered once, played unrated, and no way to flood anybody."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.errors import InvalidTournament, WrongStatus
from arena.accounts.models import User
from arena.notices.models import Notice
from bots import bots
from bots.errors import LimitReached
from bots.models import Bot, Version
from bots.teams.co_owners import leave, offer, take_over
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, shared
from tests.factories.results import play_all
from tournaments.challenges import answers, requests
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Challenge, Terms
from tournaments.challenges.requests import Wish
from tournaments.models import Rating, Tournament
from tournaments.operation import benchings

pytestmark = pytest.mark.django_db

Status = Challenge.Status


@pytest.fixture
def mine(ada: User) -> Version:
    return accepted_bot(ada, "Ada's first")


@pytest.fixture
def theirs(bob: User) -> Version:
    """Bob's version; nobody else may enter it in tournaments."""
    version = accepted_bot(bob, "Bob's first")
    Bot.objects.filter(pk=version.bot_id).update(open_to_all=False)
    Notice.objects.all().delete()
    return version


def ask(user: User, mine: Version, theirs: Version, **more: Any) -> Challenge:
    return requests.ask(user, Wish(mine=mine.pk, theirs=theirs.pk, **{"pairs": 1, **more}))


def told(user: User) -> list[str]:
    """The kinds of a user's notices, oldest first."""
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("kind", flat=True))


def test_a_challenge_is_accepted_played_and_told(
    ada: User, bob: User, mine: Version, theirs: Version
) -> None:
    challenge = ask(ada, mine, theirs, variant="vitesse", bank_ms=5_000, increment_ms=20)
    assert (challenge.status, challenge.tournament) == (Status.OPEN, None)
    assert Notice.objects.get(user=bob).url == f"/challenges/#c{challenge.pk}"
    answers.accept(challenge, bob)
    event = Tournament.objects.get()
    assert (event.owner, event.variant, event.bank_ms, event.increment_ms) == (ada, "vitesse", 5_000, 20)
    assert (event.rated, event.unrated_because) == (False, "Challenges are never rated.")
    assert play_all(event) == 2
    assert event.status == Tournament.Status.FINISHED
    assert told(ada) == ["answered", "over"]
    assert told(bob) == ["challenged", "over"], "who accepted need not be told that it starts"
    assert not Rating.objects.exists()


def test_the_second_answer_is_told_the_first(ada: User, bob: User, mine: Version, theirs: Version) -> None:
    ada.is_staff = True
    ada.save()
    challenge = ask(ada, mine, theirs)
    again = Challenge.objects.get()
    answers.accept(challenge, bob)
    for late in (answers.decline, answers.withdraw, lambda one: answers.accept(one, bob)):
        with pytest.raises(WrongStatus, match=r"^This challenge is accepted\."):
            late(again)
    assert not Tournament.objects.get().rated, "though it is by staff"
    declined = ask(ada, mine, theirs)
    answers.decline(declined)
    withdrawn = ask(ada, mine, theirs)
    answers.withdraw(withdrawn)
    expired = ask(ada, mine, theirs)
    Challenge.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    expired.refresh_from_db()
    for one, said in ((declined, "declined"), (withdrawn, "withdrawn"), (expired, "expired")):
        with pytest.raises(WrongStatus, match=f"is {said}"):
            answers.accept(one, bob)
    assert (answers.expire_due(), answers.expire_due()) == (1, 0)
    Challenge.objects.update(created_at=timezone.now() - timedelta(days=91))
    assert answers.forget_old() == 3, "what was played stays"


def test_a_bot_accepts_by_itself_so_often_a_day(ada: User, bob: User, mine: Version, theirs: Version) -> None:
    requests.set_terms(theirs.bot, Terms.Takes.AUTOMATIC, 1)
    first, second = ask(ada, mine, theirs), ask(ada, mine, theirs)
    assert (first.status, first.automatic) == (Status.ACCEPTED, True)
    assert told(bob)[0] == "started"
    assert (second.status, second.automatic) == (Status.OPEN, False)
    requests.set_terms(theirs.bot, Terms.Takes.AUTOMATIC, 5)
    requests.set_terms(theirs.bot, Terms.Takes.NONE, 5)
    with pytest.raises(ChallengeRefused, match="does not accept challenges"):
        ask(ada, mine, theirs)
    # Bots of the house accept at once.
    Tournament.objects.update(status=Tournament.Status.FINISHED)
    Bot.objects.filter(pk=theirs.bot_id).update(owner=None, is_house=True)
    challenge = ask(ada, mine, theirs)
    assert (challenge.status, challenge.asked) == (Status.ACCEPTED, None)


def test_what_cannot_be_played_is_refused(ada: User, bob: User, mine: Version, theirs: Version) -> None:
    own = accepted_bot(ada, "Ada's second")
    with pytest.raises(ChallengeRefused, match="Both bots are yours"):
        ask(ada, mine, own)
    with pytest.raises(ChallengeRefused, match="Choose a version of your own"):
        ask(ada, theirs, mine)
    theirs.trials.filter(board="vitesse").update(verdict="failed")
    for wrong in ({"variant": "vitesse"}, {"pairs": 201}, {"bank_ms": 10}):
        with pytest.raises(InvalidTournament):
            ask(ada, mine, theirs, **wrong)
    benchings.bench(theirs, "It crashed.")
    with pytest.raises(ChallengeRefused, match="no longer plays"):
        ask(ada, mine, theirs)
    assert not Challenge.objects.exists()
    Version.objects.update(benched_at=None)
    challenge = ask(ada, mine, theirs)
    bots.withdraw_bot(theirs.bot)
    with pytest.raises(ChallengeRefused, match="cannot play now: it is withdrawn or benched"):
        answers.accept(challenge, bob)
    assert Challenge.objects.get().status == Status.OPEN
    assert not Tournament.objects.exists()
    bots.restore_bot(theirs.bot)
    answers.accept(Challenge.objects.get(), bob)


def test_nobody_can_be_flooded_or_kept_from_asking(
    ada: User, mine: Version, theirs: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = Challenge.objects.filter(status=Status.OPEN)
    for _ in range(2):
        ask(ada, mine, theirs)
    with pytest.raises(LimitReached, match="bob already has 2 open challenges from you"):
        ask(ada, mine, theirs)
    for _ in range(3):
        answers.withdraw(waiting[0])
        ask(ada, mine, theirs)
    answers.withdraw(waiting[0])
    with pytest.raises(LimitReached, match="You challenged bob 5 times in 24 hours"):
        ask(ada, mine, theirs)

    Challenge.objects.all().delete()
    monkeypatch.setattr(requests, "MOST_WAITING", 1)
    eve = author("eve")
    ask(eve, accepted_bot(eve, "Eve's first"), theirs)
    with pytest.raises(LimitReached):
        ask(eve, accepted_bot(eve, "Eve's second"), theirs)
    assert ask(ada, mine, theirs).status == "open"


def test_who_is_blocked_cannot_ask(ada: User, bob: User, mine: Version, theirs: Version) -> None:
    ask(ada, mine, theirs)
    answers.block(bob, ada)
    answers.block(bob, ada)
    assert Challenge.objects.get().status == Status.DECLINED
    assert told(ada) == []
    assert theirs not in requests.challengeable(ada)
    with pytest.raises(ChallengeRefused, match="bob does not accept challenges from you"):
        ask(ada, mine, theirs)
    ask(bob, theirs, mine)
    assert requests.unblock(bob, "ada")
    ask(ada, mine, theirs)
    with pytest.raises(ChallengeRefused):
        answers.block(bob, bob)


def test_a_copy_is_no_way_around_owners(
    ada: User, bob: User, mine: Version, theirs: Version, client: Client
) -> None:
    answers.accept(ask(ada, mine, theirs), bob)
    event = Tournament.objects.get()
    client.force_login(ada)
    client.post(f"/tournaments/{event.slug}/clone/", follow=True)
    copies = Tournament.objects.exclude(pk=event.pk)
    assert theirs.pk not in copies.values_list("entries__version", flat=True)


def test_the_pages_ask_answer_and_set_terms(
    ada: User, bob: User, mine: Version, theirs: Version, client: Client
) -> None:
    client.force_login(ada)
    form = {"mine": mine.pk, "theirs": theirs.pk, "variant": "crapaud", "bank": 60, "increment": 500}
    sent = [client.post("/challenges/new/", {**form, "pairs": pairs}).status_code for pairs in (0, 2, 2, 2)]
    assert sent == [422, 302, 302, 429]
    key = Challenge.objects.order_by("pk")[0].pk

    def post(address: str, **said: object) -> Any:
        return client.post(f"/challenges/{address}/", said, follow=True)

    assert (post(f"{key}/accept").status_code, post(f"{key}/burn").status_code) == (403, 404)
    client.force_login(author("eve"))
    assert post(f"{key}/accept").status_code == 404
    client.force_login(bob)
    assert post(f"{key}/withdraw").status_code == 403
    assert "Challenges are never rated." in post(f"{key}/accept").content.decode()
    post(f"terms/{theirs.bot.slug}", takes="automatic", per_day=7)
    found = requests.terms_of(theirs.bot)
    assert (found.takes, found.per_day) == ("automatic", 7)
    assert post(f"terms/{mine.bot.slug}", takes="none", per_day=7).status_code == 404


def test_a_former_owner_answers_no_challenge(client: Client, ada: User, bob: User) -> None:
    carol, team = author("carol"), accepted_bot(ada, "team")
    bot = shared(team.bot, bob)
    asked = ask(carol, accepted_bot(carol, "carol's"), team)
    offer(bot, ada, bob)
    take_over(bot, bob)
    assert asked in requests.waiting_for(ada), "still a co-owner"
    leave(bot, ada)
    assert [asked in requests.waiting_for(user) for user in (ada, bob)] == [False, True]
    address = f"/challenges/{asked.pk}/accept/"
    client.force_login(ada)
    assert client.post(address).status_code == 404, "it is no longer in their lists"
    program = Client(headers={"Authorization": f"Bearer {token(ada)}"})
    assert program.post(f"/api/v1{address}").status_code == 404
    assert Challenge.objects.get().is_open
    client.force_login(bob)
    assert client.post(address).status_code == 302
    assert not Challenge.objects.get().is_open
