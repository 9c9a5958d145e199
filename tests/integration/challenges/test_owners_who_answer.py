"""Who answers a challenge when the bot that was asked changes hands."""

import pytest
from django.test import Client

from arena.accounts.models import User
from bots.teams.co_owners import leave, offer, take_over
from tests.factories.accounts import author, token
from tests.factories.bots import accepted_bot, shared
from tournaments.challenges import requests
from tournaments.challenges.models import Challenge
from tournaments.challenges.requests import Wish, ask

pytestmark = pytest.mark.django_db


def post(user: User, address: str) -> int:
    """What the site answers to a user."""
    client = Client()
    client.force_login(user)
    return client.post(address).status_code


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw"])
def test_a_former_owner_answers_no_challenge_of_a_bot_that_is_no_longer_theirs(
    client: Client, ada: User, bob: User, answer: str
) -> None:
    carol = author("carol")
    team = accepted_bot(ada, "team")
    bot = shared(team.bot, bob)
    asked = ask(carol, Wish(accepted_bot(carol, "carol's").pk, team.pk, pairs=1))
    offer(bot, ada, bob)
    take_over(bot, bob)
    assert asked in requests.waiting_for(ada), "still a co-owner"
    leave(bot, ada)
    assert asked not in requests.waiting_for(ada)
    assert asked in requests.waiting_for(bob)
    assert post(ada, f"/challenges/{asked.pk}/{answer}/") == 404, "it is no longer in their lists"
    headers = {"Authorization": f"Bearer {token(ada)}"}
    told = client.post(f"/api/v1/challenges/{asked.pk}/{answer}/", headers=headers)
    assert told.status_code == 404
    assert Challenge.objects.get().is_open
    right = carol if answer == "withdraw" else bob
    assert post(right, f"/challenges/{asked.pk}/{answer}/") == 302
    assert not Challenge.objects.get().is_open
