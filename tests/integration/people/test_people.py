"""A person's page: public things for everybody, how they play only if they wish so."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from friendlies.models import PersonRating
from friendlies.ratings import rate_person
from people.profiles.person import ENOUGH_GAMES
from tests.factories.accounts import author, with_address
from tests.factories.bots import accepted_bot, house_bots
from tests.factories.friendlies import rated_game
from tests.factories.ratings import rating
from tests.factories.series import league
from tests.factories.tournaments import running

pytestmark = pytest.mark.django_db
BOARD = "/leaderboard/crapaud/people/"


def ranked(
    user: User, low: float | None, *, elo: float = 1600, shows: bool = True, games: int = 40
) -> PersonRating:
    User.objects.filter(pk=user.pk).update(shows_play=shows)
    return PersonRating.objects.create(
        user=user, variant="crapaud", elo=elo, low=low, high=1800, games=games,
        wins=games, draws=0, losses=0, lucky=0, computed_at=timezone.now(),
        curve=[[20, 1500, 1300, None], [games, 1600, low, 1800]],
    )  # fmt: skip


def page(client: Client, name: str) -> str:
    reply = client.get(f"/people/{name}/")
    assert reply.status_code == 200
    return str(reply.content.decode())


def test_strangers_see_what_is_public_until_somebody_shows_how_they_play(client: Client, bob: User) -> None:
    greedy = house_bots("greedy")[0]
    ada = with_address("ada")
    bot = accepted_bot(ada, "Counter")
    rating(bot, 1777)
    cup = running(ada, [bot, accepted_bot(bob, "Rival")])
    series = league(ada)
    game = rated_game(ada, greedy, won=True)
    rate_person(ada.pk, "crapaud")
    PersonRating.objects.update(games=30)
    replay = reverse("play:replay", args=[game.pk])

    seen = page(client, "ada")
    for public in ("Counter", "1777", cup.get_absolute_url(), series.get_absolute_url(), "noindex"):
        assert public in seen
    for private in (replay, "member since", "house bots", "ada@example.org", "rated games"):
        assert private not in seen

    client.force_login(bob)
    assert replay not in page(client, "ada")
    assert client.post("/people/ada/show/", {"show": "1"}).status_code == 404
    client.force_login(ada)
    assert replay in page(client, "ada")
    assert client.post("/people/ada/show/", {"show": "1"}).status_code == 302
    client.logout()
    seen = page(client, "ada")
    for shown in (replay, "member since", "Against house bots"):
        assert shown in seen
    assert "noindex" not in seen
    assert "ada@example.org" not in seen

    client.force_login(ada)
    client.post("/people/ada/show/", {"show": "0"})
    client.logout()
    assert replay not in page(client, "ada")


def test_the_board_ranks_who_wishes_to_be_there_and_the_unmeasured_below(client: Client) -> None:
    places: dict[str, tuple[float | None, float]] = {"first": (1400, 1650), "second": (1500, 1600)}
    places |= {"wide": (1399, 1700), "bound": (None, 1800)}
    for name, (low, elo) in reversed(places.items()):
        ranked(author(name), low, elo=elo)
    PersonRating.objects.filter(user__username="wide").update(high=1900)
    ranked(author("hidden"), 1900, shows=False)
    ranked(author("fresh"), 1900, games=ENOUGH_GAMES - 1)
    suspended = author("suspended")
    ranked(suspended, 1900)
    User.objects.filter(pk=suspended.pk).update(is_active=False)
    seen = client.get(BOARD).content.decode()
    at = [seen.index(f"/people/{name}/") for name in places]
    assert at == sorted(at)
    for name in ("hidden", "fresh", "suspended"):
        assert f"/people/{name}/" not in seen
    assert seen.index("/people/second/") < seen.index("Still being measured") < seen.index("/people/bound/")
    for place, name in enumerate(places, start=1):
        assert f"Place {place} of 4 people" in " ".join(page(client, name).split())


def test_suspended_renamed_and_unknown_people_are_not_found(client: Client, ada: User, bob: User) -> None:
    report = reverse("moderation:report", args=["account", ada.pk])
    assert report in page(client, "ada")
    client.force_login(ada)
    assert report not in page(client, "ada"), "nobody reports their own page"
    client.logout()
    assert client.get("/people/nobody/").status_code == 404
    User.objects.filter(pk=ada.pk).update(former_name="ada", username="hidden-user-7")
    assert client.get("/people/ada/").status_code == 404
    assert client.get("/people/hidden-user-7/").status_code == 200
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert client.get("/people/hidden-user-7/").status_code == 404
