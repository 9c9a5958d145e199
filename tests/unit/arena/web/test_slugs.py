"""Names that would have the address of a page, and names that several people give at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse

from tests.factories.accounts import author
from tests.factories.tournaments import entrants
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.ratings.ladder import ensure_ladder


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
