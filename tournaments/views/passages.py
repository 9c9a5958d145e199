"""A passage of a finished game as an animated picture, and the page from which people share it."""

from __future__ import annotations

import base64
import json
import zlib
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

import engine
from arena.web.http.refusals import form_status, refusal
from arena.web.i18n.messages import STORED, reword
from tournaments.forms import PassageForm
from tournaments.models import Analysis
from tournaments.presenters import games
from tournaments.presenters.passages import share_passage
from tournaments.selectors.records import find_game
from tournaments.services.questions import passage_limits, requests
from tournaments.services.questions.passage_limits import MOST_PLIES, NoPassage
from tournaments.services.questions.responses import asker_of, thought_about

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest

    from tournaments.models import Game
    from tournaments.services.questions.passage_limits import Passage


AGAIN_SECONDS: Final = 2


@require_safe
def passage_page(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """Choose a passage; if the query names one, its picture with all that is needed to share it.

    While it is drawn, the page loads itself again every two seconds, also without scripts.
    """
    game = _game(game_id)
    ticks = engine.variant(game.tournament.variant).in_ticks
    context: dict[str, Any] = {
        "game": game,
        "row": games.row(game),
        "most": MOST_PLIES,
        "still": request.GET.get("still") == "1",
    }
    status = 200
    try:
        form = PassageForm(request.GET if "first" in request.GET else None, game=game, ticks=ticks)
    except NoPassage as refused:
        status, context["problem"] = 409, str(refused)
    else:
        context["form"] = form
        if form.is_valid() and form.passage is not None:
            context["shared"] = share_passage(form.passage, request.build_absolute_uri, ticks=ticks)
            status, found = _state(request, form.passage)
            context |= found
        else:
            status = form_status(form)
    response = render(request, "games/passage.html", context, status=status)
    if context.get("waiting"):
        response["Cache-Control"] = "no-store"
        response["Refresh"] = str(AGAIN_SECONDS)
    return response


def _state(request: HttpRequest, passage: Passage) -> tuple[int, dict[str, Any]]:
    """The status of the page, and whether the picture is there, still drawn, or why there is none."""
    try:
        row = _asked(request, passage)
    except requests.Busy as busy:
        return 429, {"problem": str(busy)}
    if row is None or not row.is_over:
        return 200, {"waiting": True}
    if row.status == Analysis.Status.DONE:
        return 200, {"ready": True}
    if row.cause in requests.FOR_GOOD:
        return 409, {"problem": reword(row.error, STORED)}
    return 503, {"problem": gettext("This passage could not be drawn. Try again in a minute.")}


@require_safe
def passage_picture(request: HttpRequest, game_id: UUID, first: int, last: int) -> HttpResponse:
    """The passage as an animated GIF; 202 while it is drawn, perhaps again (`questions.responses`).

    Other sites' pages get a 404 for what is not kept.
    """
    return _picture(request, game_id, (first, last), "gif")


@require_safe
def passage_still(request: HttpRequest, game_id: UUID, first: int, last: int) -> HttpResponse:
    """The first frame alone, for whoever wants nothing to move."""
    return _picture(request, game_id, (first, last), "still")


def _picture(request: HttpRequest, game_id: UUID, span: tuple[int, int], part: str) -> HttpResponse:
    game = _game(game_id)
    try:
        found = passage_limits.passage(game, *span)
    except NoPassage as refused:
        return refusal(refused.code, str(refused), 409 if refused.code == "not-finished" else 404)
    if _may_ask(request):
        response = thought_about(found.question, asker_of(request), _told(part))
        if response.status_code == HTTPStatus.ACCEPTED:
            # Whoever followed a link to a picture that nobody looked at for long sees it once it is drawn.
            response["Refresh"], response["Cache-Control"] = str(AGAIN_SECONDS), "no-store"
        return response
    row = requests.find(found.question)
    if row is None:
        sentence = gettext("There is no such picture now. Open the page of the passage to have it drawn.")
        return refusal("not-drawn", sentence, 404)
    return _told(part)(zlib.decompress(bytes(row.answer or b"")))


def _asked(request: HttpRequest, passage: Passage) -> Analysis | None:
    """The question's row, asked if this visitor may. Raises Busy."""
    question = passage.question
    return requests.ask(question, asker_of(request)) if _may_ask(request) else requests.find(question)


def _may_ask(request: HttpRequest) -> bool:
    """Whether somebody asks who came here; another site's page could make its visitors ask for one passage
    after the other. What is drawn may stand in other sites' pages all the same."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return site in {"same-origin", "none"} or request.headers.get("Sec-Fetch-Dest") == "document"


def _told(part: str) -> Callable[[bytes], HttpResponse]:
    def tell(answer: bytes) -> HttpResponse:
        response = HttpResponse(base64.b64decode(json.loads(answer)[part]), content_type="image/gif")
        # A finished game changes no more; its bots may get other names.
        response["Cache-Control"] = "public, max-age=3600"
        return response

    return tell


def _game(game_id: UUID) -> Game:
    game = find_game(game_id)
    if game is None:
        raise Http404(f"expected a game, got {game_id!r}")
    return game
