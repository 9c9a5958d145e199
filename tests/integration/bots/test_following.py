"""People follow bots, and are told what these do: once, and only what everybody may know."""

from typing import Any

import pytest
from django.test import Client

from arena.accounts.models import User
from arena.notices.models import Kind, Notice
from bots import follows, tasks, uploads
from bots.bots import withdraw_bot
from bots.errors import FollowRefused
from bots.models import Follow, News, Version
from bots.versions import activate_version
from people.account_data import rows_of
from people.deletion import delete_account
from people.moderation import decisions
from people.moderation.decisions import Why
from people.moderation.models import Subject
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, judge, new_bot, upload
from tests.factories.results import play_all
from tests.factories.tournaments import created, rivals, running
from tests.racing import at_once
from tournaments.models.embargo import EVERY_ROUND
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.hidden_results_reveal import reveal
from tournaments.pairing.progress import cancel_tournament, start_tournament

pytestmark = pytest.mark.django_db


def told(user: User, kind: Kind | None = None) -> list[str]:
    """What somebody was told of the bots they follow, oldest first."""
    while follows.spread_news():
        pass
    kinds = [kind] if kind else list(follows.FOLLOWED_KINDS.values())
    found = Notice.objects.filter(user=user, kind__in=kinds).order_by("pk")
    return list(found.values_list("text", flat=True))


def next_version(version: Version, comment: str, **more: Any) -> Version:
    made = uploads.upload_version(version.bot, uploads.Submission(upload(comment), "bot.py", **more))
    judge(made, True)
    return made


@pytest.mark.any_database
def test_a_visitor_signs_in_comes_back_and_follows_with_the_button_or_by_a_program(
    client: Client, ada: User, bob: User
) -> None:
    theirs = accepted_bot(bob, "Bob's first").bot
    page = theirs.get_absolute_url()
    assert f'href="{page}follow/"' in client.get(page).content.decode()
    assert client.get(f"{page}follow/")["Location"] == f"/accounts/login/?next={page}follow/"
    client.force_login(ada)
    assert client.get(f"{page}follow/")["Location"] == page
    assert not Follow.objects.exists(), "looking follows nothing"
    for _ in range(2):
        client.post(f"{page}follow/", {"next": page})
    assert Follow.objects.get().user == ada
    shown = client.get(page).content.decode()
    assert f'action="{page}unfollow/"' in shown
    assert "1 follower" in shown
    assert client.post(f"{page}unfollow/", {"next": "/bots/?q=bob"})["Location"] == "/bots/?q=bob"
    assert not Follow.objects.exists()
    program, api = (
        Client(headers={"authorization": f"Bearer {token(ada)}"}),
        f"/api/v1/directory/{theirs.slug}/follow/",
    )
    assert program.post(api).json() == {"bot": theirs.slug, "following": True, "followers": 1}
    assert [one["bot"] for one in program.get("/api/v1/followed/").json()["items"]] == [theirs.slug]
    assert program.delete(api).json()["followers"] == 0


def test_nobody_follows_their_own_bot_one_that_does_not_play_or_too_many(
    ada: User, bob: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follows, "MOST_FOLLOWED", 1)
    theirs, other = accepted_bot(bob, "Bob's first").bot, accepted_bot(bob, "Bob's second").bot
    for bot in (accepted_bot(ada).bot, new_bot(bob, "Bob's third").bot):
        with pytest.raises(FollowRefused):
            follows.follow(ada, bot)
    for _ in range(2):
        follows.follow(ada, theirs)
    client.force_login(ada)
    refused = client.post(f"/bots/{other.slug}/follow/", follow=True)
    assert "the most one account can" in refused.content.decode()
    follows.unfollow(ada, theirs)
    withdraw_bot(other)
    with pytest.raises(FollowRefused):
        follows.follow(ada, other)
    assert not Follow.objects.exists()


def test_followers_hear_of_a_new_active_version_with_its_release_notes_once(ada: User, bob: User) -> None:
    first = accepted_bot(bob, "Bob's first")
    follows.follow(ada, first.bot)
    second = next_version(first, "two", release_notes="Looks\nfurther ahead.")
    assert told(ada) == ["New version: Bob's first v2. Looks further ahead."]
    activate_version(first)
    activate_version(second)
    next_version(first, "three", activate_when_accepted=False)
    # The first version became the active one as well, but was none any more when that was to be told.
    assert (told(ada), told(bob)) == (["New version: Bob's first v2. Looks further ahead."], [])
    assert not News.objects.filter(done_at=None).exists()
    # Moderators hide release notes here as well. Whoever goes takes along what they follow.
    decisions.hide(
        author("chief", is_staff=True), Subject.BOT, first.bot.pk, ["release_notes"], Why("spam", "")
    )
    assert "Looks" not in told(ada)[0]
    assert rows_of("bots.Follow", ada).count() == 1
    delete_account(ada)
    assert not Follow.objects.exists()


def test_an_event_tells_followers_of_its_start_and_once_that_is_revealed_of_the_first_places(
    ada: User,
) -> None:
    versions = rivals(4)
    for one in versions:
        follows.follow(ada, one.bot)
    fan = author("fan")
    follows.follow(fan, versions[3].bot)
    more: dict[str, Any] = {"format": "single-elimination", "hiding": Hiding(EVERY_ROUND)}
    cup = created(None, versions, name="Spring Cup", pairs_per_pairing=1, **more)
    start_tournament(cup)
    tasks.spread_news()
    assert told(ada) == ["Rival 1 plays in Spring Cup, which has started."]
    assert told(fan) == ["Rival 4 plays in Spring Cup, which has started."]
    play_all(cup)
    assert told(ada, Kind.PLACED) == []
    reveal(cup)
    (won,) = told(ada, Kind.PLACED)
    assert won.endswith("won Spring Cup."), "of several, the best is told"
    owners = {one.bot.owner for one in versions}
    assert not [text for owner in owners if owner for text in told(owner)], "they know by other notices"


def test_what_is_cancelled_or_withdrawn_when_it_is_told_is_told_to_nobody(ada: User) -> None:
    versions = rivals(3)
    follows.follow(ada, versions[0].bot)
    cancel_tournament(running(None, versions, pairs=1), "Rain.")
    assert told(ada) == []
    running(None, versions, pairs=1, name="Another")
    next_version(versions[0], "two")
    withdraw_bot(versions[0].bot)
    assert told(ada) == []


def test_what_breaks_is_left_and_the_rest_is_told(
    ada: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    first = accepted_bot(bob, "Bob's first")
    follows.follow(ada, first.bot)
    News.objects.create(what="started", key=1)
    monkeypatch.setattr("tournaments.events.news.tell_of_start", lambda event: 1 / 0)
    next_version(first, "two")
    assert told(ada) == ["New version: Bob's first v2."]
    assert "could not be told" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_tell_everybody_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follows, "AT_ONCE", 2)
    bob = author("bob")
    first = accepted_bot(bob, "Bob's first")
    for number in range(6):
        follows.follow(author(f"fan {number}"), first.bot)
    next_version(first, "two")
    for _ in range(20):
        at_once(follows.spread_news, follows.spread_news)
        if not News.objects.filter(done_at=None).exists():
            break
    users = list(Notice.objects.filter(kind=Kind.RELEASED).values_list("user", flat=True))
    assert len(users) == len(set(users)) == 6


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_keep_the_limit_and_a_bot_that_goes_meanwhile_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follows, "MOST_FOLLOWED", 1)
    ada, bob = author("ada"), author("bob")
    bots = [accepted_bot(bob, f"Bob's {word}").bot for word in ("first", "second")]
    at_once(*(lambda bot=bot: follows.follow(ada, bot) for bot in (*bots, *bots)))
    followed = Follow.objects.get(user=ada).bot
    follows.unfollow(ada, followed)
    deleted, _refused = at_once(lambda: delete_account(bob), lambda: follows.follow(ada, followed))
    assert deleted == ""
    assert not Follow.objects.exists()
