"""The one rating that speaks for a bot: the same at home, on people's and its own page, and in the API."""

import pytest
from django.test import Client

from arena.accounts.models import User
from bots.models import ActiveVersion, Bot, Version
from tests.factories.accounts import token
from tests.factories.bots import accepted_bot
from tests.factories.ratings import rating

pytestmark = pytest.mark.django_db
PAGE = "/bots/adas-first/"


@pytest.fixture
def version(ada: User) -> Version:
    """A version that is rated on three boards, most played on the second."""
    found = accepted_bot(ada)
    rating(found, 1553, low=1500.0, high=1600.0)
    rating(found, 1414, "crapette/3", games=90, low=1400.0, high=1450.0)
    rating(found, 1575, "vitesse", games=60, low=1540.0, high=1600.0)
    return found


def shown(client: Client, as_ada: Client) -> set[str]:
    """The first number that each page shows of the bot."""
    pages = {
        "home": as_ada.get("/").content.decode().split('class="own__rating"')[1],
        "person": client.get("/people/ada/").content.decode().split(f'href="{PAGE}"')[1],
        "bot": client.get("/tournaments/bot-panel/adas-first/").content.decode().split("story__headline")[1],
        "api": f"{client.get('/api/v1/bots/adas-first/').json()['headline']['elo']:.0f}",
        "directory": f"{client.get('/api/v1/directory/').json()['items'][0]['headline']['elo']:.0f}",
    }
    return {min(("1553", "1414", "1575"), key=lambda elo: (text + elo).index(elo)) for text in pages.values()}


def test_every_page_shows_the_most_played_or_the_chosen_board_while_the_bot_plays_there(
    client: Client, as_ada: Client, ada: User, version: Version
) -> None:
    assert shown(client, as_ada) == {"1414"}
    said = {"name": "Ada's first", "open_to_all": "on", "headline_board": "vitesse"}
    assert as_ada.post(f"{PAGE}edit/", said).status_code == 302
    assert '<option value="vitesse" selected>' in as_ada.get(f"{PAGE}edit/").content.decode()
    assert shown(client, as_ada) == {"1575"}
    ActiveVersion.objects.filter(bot=version.bot, board="vitesse").delete()
    assert shown(client, as_ada) == {"1414"}  # it no longer plays on the chosen one
    bearer = {"Authorization": f"Bearer {token(ada)}"}
    address = "/api/v1/bots/adas-first/"
    for sent, answer in (({"headline_board": "whist"}, 422), ({"headline_board": "crapaud"}, 200)):
        told = client.patch(address, sent, content_type="application/json", headers=bearer)
        assert told.status_code == answer
    assert Bot.objects.get().headline_board == "crapaud"
    assert shown(client, as_ada) == {"1553"}
