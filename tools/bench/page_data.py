"""A small site whose pages look like those of a busy one: ratings, finished and running games."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.test import Client
from django.urls import reverse

from bots.models import Version
from tests.factories.accounts import author
from tests.factories.games import played
from tools.bench.scale_data import make_versions
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.games.attempts import renew
from tournaments.games.claims import claim_next
from tournaments.games.results import accept_results
from tournaments.models import Game
from tournaments.pairing.progress import start_tournament
from tournaments.ratings.ratings import compute_ratings

VERSIONS: Final = 60
ENTRANTS: Final = 10
GAMES: Final = 60


def make() -> tuple[dict[str, str], str]:
    """The pages by what they are, and the cookie of somebody who is signed in."""
    versions = make_versions(VERSIONS)
    for number in range(2):
        asked = NewTournament(f"Cup {number}", tuple(versions[:ENTRANTS]), pairs_per_pairing=2)
        start_tournament(create_tournament(asked, None))
    for _ in range(GAMES):
        held = claim_next("bench")
        if held is not None:
            accept_results([(held, played(held.game, plies=300))])
    compute_ratings("crapaud")
    running = []
    for _ in range(2):
        held = claim_next("bench")
        if held is not None:
            events = played(held.game, plies=200).events[:-1]
            for first in range(0, len(events), 50):
                renew(held, first + 50, events[first : first + 50])
            running.append(held)
    finished = Game.objects.filter(status=Game.Status.FINISHED).latest("finished_at")
    assert Version.objects.count() == VERSIONS
    client = Client()
    client.force_login(author("visitor"))
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    return {
        "home": reverse("home"),
        "tournament": reverse("tournaments:detail", args=["cup-0"]),
        "game": finished.get_absolute_url(),
        "leaderboard": reverse("leaderboard", args=["crapaud"]),
        "websockets of a tournament": "/ws/tournaments/cup-0/",
        "websockets of a running game": f"/ws/games/{running[0].game}/",
    }, cookie
