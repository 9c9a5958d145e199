"""A passage of a finished game as an animated picture, and the page from which people share it."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

import engine
from arena.web.http.refusals import form_status, refusal
from arena.web.i18n.messages import STORED, reword
from arena.web.paths import path
from tournaments.games.records import find_game
from tournaments.games.search import result_of
from tournaments.models import Analysis
from tournaments.pages.games import game_rows as games
from tournaments.questions import requests
from tournaments.questions.passage_limits import MOST_PLIES, NoPassage, length, passage
from tournaments.questions.responses import asker_of, thought_about

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.http import HttpRequest

    from tournaments.models import Game
    from tournaments.questions.passage_limits import Passage


AGAIN_SECONDS: Final = 2
PROPOSED: Final = 20
"""Moves that a choice begins with."""


class PassageForm(forms.Form):
    """A passage by its first and its last ply, or tick. After `is_valid`, `passage` is it."""

    first = forms.IntegerField(label=gettext_lazy("From ply"), min_value=0)
    last = forms.IntegerField(label=gettext_lazy("To ply"), min_value=0)

    def __init__(self, *args: Any, game: Game, ticks: bool, **kwargs: Any) -> None:
        """Raises NoPassage while the game is not over."""
        super().__init__(*args, **kwargs)
        self._game = game
        self.passage: Passage | None = None
        if ticks:
            self.fields["first"].label = gettext_lazy("From tick")
            self.fields["last"].label = gettext_lazy("To tick")
        for name in ("first", "last"):
            self.fields[name].widget.attrs |= {"max": length(game), "inputmode": "numeric"}

    def clean(self) -> dict[str, Any]:
        """Find the passage."""
        data: dict[str, Any] = self.cleaned_data
        if {"first", "last"} <= data.keys():
            try:
                self.passage = passage(self._game, data["first"], data["last"])
            except NoPassage as refused:
                raise forms.ValidationError(str(refused), refused.code) from refused
        return data


@dataclass(frozen=True, slots=True)
class SharedPassage:
    """The picture's address and that of its first frame, each from the root, and what can be copied.

    `alt` says in words what the picture shows, `link` is the picture's whole address, and `embed` is HTML for
    another page.
    """

    picture: str
    still: str
    alt: str
    link: str
    embed: str
    file: str


def last_passage(game: Game) -> tuple[int, int] | None:
    """From where to where the last moves of a game go, to begin a choice with; None while it is not over."""
    result = result_of(game)
    if result is None or game.status != game.Status.FINISHED:
        return None
    return max(0, result.plies - PROPOSED), result.plies


def share_passage(passage: Passage, absolute: Callable[[str], str], *, ticks: bool) -> SharedPassage:
    """The passage, with addresses that `absolute` makes whole."""
    span = passage.game.pk, passage.first, passage.last
    told = {"first": passage.first, "last": passage.last, "game": " – ".join(passage.names)}
    if ticks:
        alt = gettext("The table from tick %(first)s to tick %(last)s of %(game)s, move by move.") % told
    else:
        alt = gettext("The table from ply %(first)s to ply %(last)s of %(game)s, move by move.") % told
    link = absolute(path("games:passage-picture", *span))
    game = f"{absolute(path('games:detail', passage.game.pk))}#{passage.first}"
    return SharedPassage(
        picture=path("games:passage-picture", *span),
        still=path("games:passage-still", *span),
        alt=alt,
        link=link,
        embed=format_html('<a href="{}"><img src="{}" alt="{}"></a>', game, link, alt),
        file=f"crapette-{passage.first}-{passage.last}.gif",
    )


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
        found = passage(game, *span)
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
