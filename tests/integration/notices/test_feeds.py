"""Atom feeds of bots, tournaments and ladders."""

import re
from datetime import datetime
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.utils import timezone

from bots.bots import withdraw_bot
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot, new_bot
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import running
from tournaments.events.news import tell_beaten

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


def assert_valid(feed: ET.Element) -> None:
    """What RFC 4287 demands of a feed and its entries, so far as we could get it wrong."""
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    ids = [feed.findtext(f"{ATOM}id", ""), *(one.text or "" for one in feed.findall(f"{ATOM}entry/{ATOM}id"))]
    assert all(re.fullmatch(r"(?:https?://|tag:)[^\s<>\"]+", one) for one in ids), ids
    assert len(set(ids)) == len(ids)
    for one in (feed, *feed.findall(f"{ATOM}entry")):
        assert datetime.fromisoformat(one.findtext(f"{ATOM}updated", "")).tzinfo is not None
        assert all(
            link.get("href", "").startswith("http://testserver/") for link in one.findall(f"{ATOM}link")
        )
        assert one.findtext(f"{ATOM}title")


def titles(client: Client, address: str) -> list[str | None]:
    answer = client.get(address)
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)
    assert feed.findtext(f"{ATOM}title")
    assert_valid(feed)
    return [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]


@pytest.mark.any_database
def test_feeds_tell_what_everyone_may_know(client: Client) -> None:
    ada, bob = author("ada"), author("bob")
    mine, theirs = accepted_bot(ada, "Ada's first"), accepted_bot(bob, "Bob's first")
    new_bot(ada, "Not checked")
    assert titles(client, "/bots/feed.atom") == ["Bob's first v1", "Ada's first v1"]
    assert titles(client, "/bots/adas-first/feed.atom") == ["Ada's first v1"]
    cup = running(ada, [mine, theirs], pairs=1, name="Cup")
    assert titles(client, "/tournaments/feed.atom") == ["Cup has started"]
    play_all(cup)
    assert titles(client, "/tournaments/feed.atom") == ["Cup is over"]
    rating(mine, 1510, games=9)
    tell_beaten("crapaud", None, timezone.now())
    assert titles(client, "/leaderboard/crapaud/feed.atom") == ["Ada's first v1 took first place"]
    assert titles(client, "/leaderboard/crapette/3/feed.atom") == []
    assert client.get("/leaderboard/whist/feed.atom").status_code == 404
    withdraw_bot(theirs.bot)
    assert titles(client, "/bots/feed.atom") == ["Ada's first v1"]
