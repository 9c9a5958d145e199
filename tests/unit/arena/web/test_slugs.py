"""Names that would have the address of a page, and names that several people give at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import IntegrityError, connections, transaction
from django.test import Client
from django.urls import reverse

from arena.web.slugs import is_page, store
from tests.factories.accounts import author
from tests.factories.tournaments import entrants
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.models import Tournament
from tournaments.ratings.ladder import ensure_ladder


def test_the_words_come_from_the_sites_own_addresses() -> None:
    taken = {
        word for word in ("new", "test", "bot-panel", "live", "cup") if is_page("tournaments:detail", word)
    }
    assert taken == {"new", "test", "bot-panel"}
    assert [word for word in ("new", "account", "tokens", "edit") if is_page("bots:detail", word)] == [
        "new",
        "account",
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["Test", "NEW", "Bot panel", "Ladder crapaud"])
def test_a_tournament_named_like_a_page_is_shown_at_an_address_of_its_own(name: str, client: Client) -> None:
    ada = author()
    tournament = create_tournament(NewTournament(name, tuple(one.pk for one in entrants(ada, 2))), ada)
    for page in ("detail", "live"):
        answer = client.get(reverse(f"tournaments:{page}", args=[tournament.slug]))
        assert answer.context["tournament"] == tournament
    assert ensure_ladder("crapaud") != tournament


@pytest.mark.django_db(transaction=True)
def test_a_name_that_several_give_at_once_gets_several_addresses() -> None:
    ada = author()
    asked = NewTournament("Cup", tuple(one.pk for one in entrants(ada, 2)))

    def create(_: int) -> str:
        try:
            return create_tournament(asked, None).slug
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        slugs = list(pool.map(create, range(6)))
    assert sorted(slugs) == ["cup", "cup-2", "cup-3", "cup-4", "cup-5", "cup-6"]


@pytest.mark.django_db
def test_another_constraint_that_is_broken_is_not_taken_for_a_slug_that_is_taken() -> None:
    tries = []

    def make(slug: str) -> Tournament:
        tries.append(slug)
        return Tournament.objects.create(slug=slug, name=None)  # type: ignore[misc]

    with pytest.raises(IntegrityError), transaction.atomic():
        store(make, lambda: "cup")
    assert tries == ["cup"]
