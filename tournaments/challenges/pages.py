"""The page of one's challenges, the forms that ask for one and say on what terms, and the answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import get_user_model
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import F, Q
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.errors import CompetitionError, InvalidTournament
from arena.accounts.confirmation import needs_confirmed_address
from arena.web.http.refusals import form_status
from arena.web.variants import CHOICES
from bots.errors import BotsError
from bots.models import Bot, Version
from bots.pages.common import attempt
from tournaments.challenges import answers, requests
from tournaments.challenges import requests as challenge_terms
from tournaments.challenges.models import Terms
from tournaments.challenges.requests import MOST_PER_DAY, Wish, challengeable, challengers
from tournaments.events.creation import MOST_PAIRS
from tournaments.pages.creation.fields import VersionField, bank_field, increment_field

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User


class ChallengeForm(forms.Form):
    """One of your versions, one of somebody else's, and what they play."""

    mine = VersionField(queryset=None, label=gettext_lazy("Your bot"), empty_label=None)
    theirs = VersionField(
        queryset=None,
        label=gettext_lazy("Against"),
        empty_label=None,
        help_text=gettext_lazy("House bots accept at once, as do other bots if their owners allow it."),
    )
    variant = forms.ChoiceField(label=pgettext_lazy("kind of game", "Game"))
    pairs = forms.IntegerField(
        min_value=1,
        max_value=MOST_PAIRS,
        initial=10,
        label=gettext_lazy("Pairs of games"),
        help_text=gettext_lazy(
            "A pair is one deal played twice with seats swapped, so that much of the luck cancels out."
        ),
    )
    bank = bank_field()
    increment = increment_field()

    def __init__(self, user: User, *args: Any, bot: str = "", version: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["variant"].choices = CHOICES  # type: ignore[attr-defined]
        own = challengers(user)
        named = (
            Q(bot__slug=bot, number=int(version))
            if bot and version.isdecimal() and len(version) < 10
            else Q(pk=None)
        )
        chosen = str(self.data.get("theirs", ""))
        sent = Q(pk=int(chosen)) if chosen.isdecimal() and len(chosen) < 19 else Q(pk=None)
        found = challengeable(user)
        shown = found.filter(Q(pk__in=Version.objects.active()) | named | sent)
        self.fields["mine"].queryset = own  # type: ignore[attr-defined]
        self.fields["theirs"].queryset = shown  # type: ignore[attr-defined]
        if bot:
            # Of several that play, the one on most boards.
            most = shown.filter(bot__slug=bot, bot__active_version=F("pk"))
            wanted = shown.filter(named).first() or most.first() or shown.filter(bot__slug=bot).first()
            self.initial["theirs"] = wanted.pk if wanted else None
        active = own.filter(bot__active_version=F("pk")).first()
        self.initial["mine"] = active.pk if active else None

    @property
    def wish(self) -> Wish:
        """What a valid form asks for."""
        data = self.cleaned_data
        return Wish(
            mine=data["mine"].pk,
            theirs=data["theirs"].pk,
            variant=data["variant"],
            pairs=data["pairs"],
            bank_ms=data["bank"] * 1000,
            increment_ms=data["increment"],
        )


class TermsForm(forms.Form):
    """How a bot takes challenges."""

    takes = forms.ChoiceField(choices=Terms.Takes.choices, label=gettext_lazy("Challenges"))
    per_day = forms.IntegerField(
        min_value=1,
        max_value=MOST_PER_DAY,
        initial=5,
        label=gettext_lazy("At most, per day"),
        help_text=gettext_lazy("Only if it accepts challenges by itself. Beyond this number, you are asked."),
    )


class BlockForm(forms.Form):
    """Somebody who shall challenge the user no more."""

    user = forms.CharField(max_length=150, label=gettext_lazy("User name"))


PER_PAGE = 20
FIELDS = {"pairs_per_pairing": "pairs", "bank_ms": "bank", "increment_ms": "increment"}
"""Fields of the form that have other names in the services."""


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


@login_required
@never_cache
@require_safe
def challenge_list(request: HttpRequest) -> HttpResponse:
    """What waits for the user's answer, what they asked for, and how their bots take challenges."""
    user = _user(request)
    page = Paginator(requests.challenges_of(user), PER_PAGE).get_page(request.GET.get("page"))
    bots = Bot.objects.of(user).in_play().exclude(active_version=None).order_by("name")
    own = []
    for bot in bots:
        found = requests.terms_of(bot)
        initial = {"takes": found.takes, "per_day": found.per_day}
        own.append((bot, TermsForm(initial=initial, auto_id=f"id_{bot.pk}_%s")))
    context: dict[str, Any] = {
        "waiting": requests.waiting_for(user),
        "page": page,
        "own": own,
        "blocks": requests.blocks_of(user),
        "block_form": BlockForm(),
    }
    return render(request, "challenges/list.html", context)


@login_required
@needs_confirmed_address
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_challenge(request: HttpRequest) -> HttpResponse:
    """Ask for a challenge, of the bot ``?bot=`` and its version ``?version=`` if they are given."""
    user, status, wait = _user(request), 0, None
    form = ChallengeForm(
        user,
        request.POST if request.method == "POST" else None,
        bot=request.GET.get("bot", ""),
        version=request.GET.get("version", "")[:9],
    )
    if request.method == "POST" and form.is_valid():
        try:
            challenge = requests.ask(user, form.wish)
        except InvalidTournament as error:
            name = FIELDS.get(error.field, error.field)
            form.add_error(name if name in form.fields else None, str(error))
        except BotsError as error:
            form.add_error(None, str(error))
            status, wait = error.status, error.retry_after
        else:
            if challenge.tournament is not None:
                return redirect(challenge.tournament)
            messages.success(
                request,
                gettext("We asked %(name)s. You will get a notification when they answer.")
                % {"name": challenge.theirs.bot.owner},
            )
            return redirect("challenges:list")
    context = {"form": form, "has_bots": requests.challengers(user).exists()}
    answer = render(request, "challenges/new.html", context, status=status or form_status(form))
    if wait is not None:
        answer["Retry-After"] = str(wait)
    return answer


DONE: Final = {
    "accept": gettext_lazy("The challenge is accepted."),
    "decline": gettext_lazy("The challenge is declined."),
    "withdraw": gettext_lazy("The challenge is withdrawn."),
}
"""What is said of a challenge that was answered, by the answer."""


@login_required
@require_POST
def answer(request: HttpRequest, key: int, answer: str) -> HttpResponse:
    """Accept or decline a challenge, as one of those who were asked; withdraw it, as the one who asked."""
    user = _user(request)
    challenge = get_object_or_404(requests.challenges_of(user), pk=key)
    if answer not in DONE:
        raise Http404("expected accept, decline or withdraw")
    if not challenge.may_be_answered(answer, user):
        raise PermissionDenied
    try:
        if answer == "accept":
            answers.accept(challenge, user)
        elif answer == "decline":
            answers.decline(challenge)
        else:
            answers.withdraw(challenge)
    except CompetitionError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, str(DONE[answer]))
        if challenge.tournament is not None:
            return redirect(challenge.tournament)
    return redirect("challenges:list")


@login_required
@require_POST
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Say how one of the user's bots takes challenges."""
    bot = get_object_or_404(Bot.objects.of(_user(request)), slug=slug)
    form = TermsForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        done = gettext("Your changes have been saved.")
        act = challenge_terms.set_terms
        attempt(request, done, act, bot, data["takes"], data["per_day"], by=_user(request))
    else:
        messages.error(request, str(next(iter(form.errors.values()))[0]))
    return redirect("challenges:list")


@login_required
@require_POST
def block(request: HttpRequest) -> HttpResponse:
    """Block somebody by name."""
    name = request.POST.get("user", "").strip()
    other = get_user_model().objects.filter(username=name[:150]).first()
    if other is None:
        messages.error(request, gettext("There is no user named %(name)s.") % {"name": name[:150]})
        return redirect("challenges:list")
    done = gettext("%(name)s can no longer challenge you.") % {"name": other.get_username()}
    attempt(request, done, answers.block, _user(request), other)
    return redirect("challenges:list")


@login_required
@require_POST
def unblock(request: HttpRequest) -> HttpResponse:
    """Let somebody challenge the user again."""
    name = request.POST.get("user", "")[:150]
    if challenge_terms.unblock(_user(request), name):
        messages.success(request, gettext("%(name)s can challenge you again.") % {"name": name})
    return redirect("challenges:list")
