"""Every kind of notice reaches its reader every way: the bell, e-mail, webhook and feed."""

import json
import socket

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from analysis.verdicts.sprt import Hypotheses
from arena.accounts.models import User
from arena.notices import delivery, preferences, sending
from arena.notices.models import Kind, Notice, Wishes
from bots.follows import follow, spread_news
from bots.uploads import Submission, upload_version
from people.moderation.decisions import dismiss_reports
from people.moderation.reports import report
from tests.factories.accounts import author, operator
from tests.factories.bots import accepted_bot, judge, upload
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import draft, rivals, running
from tests.integration.notices.test_feeds import titles
from tests.integration.notices.test_notices import Hook, hook
from tournaments.challenges.answers import accept
from tournaments.challenges.requests import Wish, ask
from tournaments.events.news import tell_beaten
from tournaments.events.organisers import invite
from tournaments.operation import benchings
from tournaments.pairing.progress import start_tournament
from tournaments.pairing.sequential_tests import create_test

pytestmark = pytest.mark.django_db
__all__ = ["hook"]


def nobody_listens() -> str:
    """An address of this machine that refuses connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/"


def everything_happens_to(ada: User) -> None:
    """Cause each kind of notice for Ada, by what really causes it."""
    bob, now = author("bob"), timezone.now()
    first, second = accepted_bot(ada, "Ada's first"), accepted_bot(ada, "Ada's second")
    theirs = accepted_bot(bob, "Bob's first")
    play_all(running(bob, [theirs, first], pairs=1, name="Cup"))
    test = create_test(ada, (first.pk, second.pk), Hypotheses(0, 20), pairs=1)
    start_tournament(test)
    play_all(test)
    accept(ask(ada, Wish(mine=first.pk, theirs=theirs.pk, pairs=1)), bob)
    ask(bob, Wish(mine=theirs.pk, theirs=first.pk, pairs=1))

    before = rating(first, 1600)
    rating(theirs, 1700)
    tell_beaten("crapaud", before, now)
    benchings.bench(second, "It crashed in its last 5 games.")
    invite(draft(bob, [theirs], name="Second cup"), bob, "ada")
    others = [theirs, *rivals(2)]
    for one in others:
        follow(ada, one.bot)
    play_all(running(bob, others, pairs=1, name="Third cup"))
    judge(upload_version(theirs.bot, Submission(upload("better"), "bot.py")), True)
    while spread_news():
        pass
    report(ada, "account", bob.pk, "spam", "")
    dismiss_reports(operator(), "account", bob.pk)


def test_every_kind_comes_every_way(client: Client, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "MOST_FAILURES", 1)
    ada = author("ada")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    secret = preferences.new_feed(ada)
    preferences.add_webhook(ada, hook.url, Kind.values)
    preferences.add_webhook(ada, nobody_listens(), ["checked"])
    everything_happens_to(ada)
    # Of accounts without an address (test_confirmed_addresses): this one has one and is told so all the same.
    sending.tell(
        [ada.pk], Kind.ADDRESS, "address", "From tomorrow on, you need a confirmed address.", "/bots/"
    )
    while delivery.deliver_due():
        pass
    texts = {
        kind: list(Notice.objects.filter(user=ada, kind=kind).values_list("text", flat=True))
        for kind in Kind.values
    }
    assert [kind for kind, found in texts.items() if not found] == []
    client.force_login(ada)
    page = client.get("/notices/").content.decode().replace("&#x27;", "'")
    by_mail = {message.subject for message in mail.outbox}
    by_webhook = {(body["kind"], body["text"]) for body in (json.loads(sent) for _, sent in hook.got)}
    by_feed = titles(client, f"/notices/feed/{secret}.atom")
    for kind, found in texts.items():
        for text in found:
            assert text in page, kind
            assert text in by_mail, kind
            assert (kind, text) in by_webhook
            assert text in by_feed, kind


def test_a_feed_is_read_by_whoever_knows_its_address_until_that_is_replaced(client: Client) -> None:
    ada = author("ada")
    sending.tell([ada.pk], Kind.CHECKED, "one", "It happened.", "/bots/")
    sending.tell([author("bob").pk], Kind.CHECKED, "two", "It did not.", "/bots/")
    client.force_login(ada)

    def made(**fields: str) -> str:
        client.post("/notices/settings/feed/", fields)
        return f"/notices/feed/{Wishes.objects.get(user=ada).feed_secret}.atom"

    assert "Make a feed" in client.get("/notices/settings/").content.decode()
    first, stranger = made(), Client()
    assert titles(stranger, first) == ["It happened."]
    assert "no-store" in stranger.get(first)["Cache-Control"]
    other = f"/notices/feed/{Wishes.objects.get(user=ada).secret}.atom"
    assert first in client.get("/notices/settings/").content.decode()
    second = made()
    assert [stranger.get(one).status_code for one in (other, first, second)] == [404, 404, 200]
    assert [stranger.get(one).status_code for one in (made(end=""), second)] == [404, 404]
