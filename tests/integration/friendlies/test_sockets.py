"""A person's game over its websocket: to the pages of the person who plays, and to nobody else."""

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client

import engine
from arena.routing import websockets
from arena.web.live.publisher import publisher
from bots.models import Version
from friendlies.consumers import NOT_YOURS
from friendlies.games.turns import Awaits
from friendlies.models import Friendly
from tests.factories.accounts import author
from tests.factories.bots import house_bots
from tests.factories.friendlies import act, sit_down
from tests.watcher import Watcher

pytestmark = pytest.mark.django_db(transaction=True)

HOST = "arena.test:8000"
OURS = f"http://{HOST}"


@pytest.fixture
def greedy(transactional_db: None) -> Version:
    return house_bots("greedy")[0]


def seated(client: Client, version: Version) -> Friendly:
    key = sit_down(client, version).pk
    deals = (engine.TurnGame.deal("crapaud", f"{number:064x}") for number in range(100))
    start = next(str(game.position) for game in deals if game.turn == 0)
    Friendly.objects.filter(pk=key).update(start=start, awaits=Awaits.PERSON)
    return Friendly.objects.get(pk=key)


def act_and_tell(client: Client, game: Friendly, **action: Any) -> dict[str, Any]:
    """Do something at the table and wait until the news of it has been sent; what the page is answered."""
    found = act(client, game, **action)
    publisher().flush()
    return found


async def listen(client: Client, game: Friendly, query: str = "", origin: str = OURS) -> Watcher:
    cookie = client.cookies.get(settings.SESSION_COOKIE_NAME)
    headers = {"host": HOST, "origin": origin}
    if cookie is not None:
        headers["cookie"] = f"{settings.SESSION_COOKIE_NAME}={cookie.value}"
    return await Watcher(websockets, f"/ws/play/{game.pk}/{query}", headers).connect()


async def refused(watcher: Watcher) -> bool:
    return await watcher.output() == {"type": "websocket.close", "code": NOT_YOURS}


@pytest.mark.any_database
async def test_nobody_else_hears_of_a_game_and_no_other_site_in_the_persons_browser(greedy: Version) -> None:
    person, other = Client(), Client()
    game = await sync_to_async(seated)(person, greedy)
    await sync_to_async(seated)(other, greedy)
    assert await refused(await listen(other, game))
    assert await refused(await listen(Client(), game))
    for origin in ("http://arena.test:8001", "http://evil.test", "null"):
        assert await refused(await listen(person, game, origin=origin)), origin


@pytest.mark.on_postgresql
async def test_a_person_who_signs_out_hears_nothing_more(greedy: Version) -> None:
    client, user = Client(), await sync_to_async(author)("ada")
    await sync_to_async(client.force_login)(user)
    game = await sync_to_async(seated)(client, greedy)
    page, elsewhere = await listen(client, game), Client()
    assert (await page.receive())["type"] == "state"
    await sync_to_async(elsewhere.force_login)(user)
    await sync_to_async(client.logout)()
    await sync_to_async(act_and_tell)(elsewhere, game, do="resign")
    assert await refused(page)
