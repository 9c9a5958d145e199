"""A passage of a game is shared as an animated picture: asked for, drawn elsewhere, kept for a while."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from arena.run.analysis.worker import ANSWERS
from tests.factories.results import lease, play_all
from tests.factories.tournaments import rivals, running
from tests.thinking import get
from tournaments.models import Analysis, Game
from tournaments.models.embargo import EVERY_ROUND, seeing_hidden
from tournaments.pairing.embargo import Hiding
from tournaments.pairing.reveal import reveal
from tournaments.questions import leases, passages, requests
from tournaments.questions.passage_limits import MOST_PLIES, Passage
from tournaments.questions.requests import Asker, ask
from tournaments.questions.worker import work_off

pytestmark = pytest.mark.usefixtures("no_counts")

ADA = Asker("user-1", "a")
CROSS = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"}
PASSAGES = Analysis.objects.filter(kind="passage")


@pytest.fixture
def drawn_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of one frame, for tests that do not look at them."""
    draw = passages.draw_passage

    def one_frame(start: str, log: Any, span: tuple[int, int], names: list[str]) -> Any:
        return draw(start, log, (span[0], span[0]), names)

    monkeypatch.setattr("tournaments.questions.handlers.draw_passage", one_frame)


def page(game: Game, first: int, last: int) -> str:
    return f"/games/{game.pk}/passage/?first={first}&last={last}"


def picture(game: Game, first: int, last: int) -> str:
    return f"/games/{game.pk}/passage/{first}-{last}.gif"


def test_a_passage_is_drawn_elsewhere_and_then_shown_to_all(greedy_game: Game, client: Client) -> None:
    waiting = client.get(page(greedy_game, 10, 13))
    assert (waiting.status_code, waiting["Cache-Control"], waiting["Refresh"]) == (200, "no-store", "2")
    waiting = client.get(picture(greedy_game, 10, 13))
    assert (waiting.status_code, waiting["Retry-After"]) == (202, "1")
    assert work_off(ANSWERS, arena=False) == 1
    found = client.get(picture(greedy_game, 10, 13))
    assert (found.status_code, found["Content-Type"]) == (200, "image/gif")
    assert Image.open(io.BytesIO(found.content)).n_frames >= 4  # type: ignore[attr-defined]
    still = client.get(f"/games/{greedy_game.pk}/passage/10-13-still.gif")
    assert Image.open(io.BytesIO(still.content)).n_frames == 1  # type: ignore[attr-defined]
    assert PASSAGES.count() == 1
    ready = client.get(page(greedy_game, 10, 13))
    assert "Refresh" not in ready
    shown = ready.content.decode()
    assert f'<img src="{picture(greedy_game, 10, 13)}"' in shown
    assert '<img src="http' not in shown, "the HTML to copy is text"
    bot = greedy_game.seats.get(seat=0).version.bot
    before = Passage(greedy_game, 0, 1).question.key
    bot.name = "Другой"
    bot.save()
    renamed = Passage(Game.objects.get(pk=greedy_game.pk), 0, 1)
    assert renamed.question.key != before, "it is drawn again"
    assert renamed.names[0] == bot.slug, "in letters that can be drawn"


def test_a_game_that_goes_on_has_no_passages(greedy_game: Game, client: Client) -> None:
    for first, last in ((5, 4), (0, MOST_PLIES + 1), (10**6, 10**6)):
        assert client.get(page(greedy_game, first, last)).status_code == 422
        assert client.get(picture(greedy_game, first, last)).status_code == 404
    assert client.get(f"/games/{greedy_game.pk}/passage/?first=a&last=").status_code == 422
    game = Game.objects.get(pk=lease().game)
    assert client.get(f"/games/{game.pk}/passage/").status_code == 409
    assert client.get(picture(game, 0, 1)).status_code == 409
    assert not PASSAGES.exists()


def test_a_hidden_game_has_no_passages_until_it_is_revealed(db: None, client: Client) -> None:
    event = running(None, rivals(2), hiding=Hiding(EVERY_ROUND), pairs=1)
    play_all(event)
    with seeing_hidden():
        game = Game.objects.filter(status="finished")[0]
    for address in (f"/games/{game.pk}/passage/", page(game, 0, 1), picture(game, 0, 1)):
        assert client.get(address).status_code == 404
    assert not PASSAGES.exists()
    row = ask(Passage(game, 0, 1).question, ADA)
    work_off(ANSWERS, arena=False)
    row.refresh_from_db()
    assert (row.status, row.cause) == ("failed", "gone"), "nor does an analysis process see it"
    reveal(event)
    assert client.get(picture(game, 0, 2)).status_code == 202


@pytest.mark.usefixtures("drawn_quickly")
def test_another_site_shows_what_is_drawn_but_makes_nobody_ask(greedy_game: Game, client: Client) -> None:
    assert client.get(picture(greedy_game, 0, 2), headers=CROSS).status_code == 404
    assert client.get(page(greedy_game, 0, 2), headers=CROSS).status_code == 200
    assert not PASSAGES.exists()
    get(client, picture(greedy_game, 0, 2))
    assert client.get(picture(greedy_game, 0, 2), headers=CROSS).status_code == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.get(picture(greedy_game, 0, 3), headers=link).status_code == 202, "somebody followed a link"


@pytest.mark.usefixtures("drawn_quickly")
def test_too_many_are_refused(greedy_game: Game, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as few:
        few.setattr(requests, "PASSAGES_AN_HOUR", 1)
        get(client, picture(greedy_game, 0, 1))
        assert client.get(picture(greedy_game, 0, 1)).status_code == 200, "what is there costs nothing"
        refused = client.get(picture(greedy_game, 0, 2))
        assert (refused.status_code, int(refused["Retry-After"]) > 0) == (429, True)
    for days, kept in ((29, 1), (31, 0)):
        PASSAGES.update(finished_at=timezone.now() - timedelta(days=days))
        leases.sweep()
        assert PASSAGES.count() == kept
