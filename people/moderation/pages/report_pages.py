"""Reporting something, and reading what moderators decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arena.accounts.confirmation import needs_confirmed_address
from arena.web.http.refusals import form_status
from people.moderation import appeals, decisions, reports
from people.moderation.acts import decisions_about
from people.moderation.errors import ModerationRefused, TooManyReports
from people.moderation.models import OTHER, REASONS, Subject
from people.moderation.subjects import find_thing, may_report

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User


class ReportForm(forms.Form):
    """What is wrong with a thing."""

    reason = forms.ChoiceField(
        choices=REASONS, widget=forms.RadioSelect, label=gettext_lazy("What is wrong?")
    )
    words = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=gettext_lazy("In your words"),
        help_text=gettext_lazy("Only moderators read this."),
    )

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError if the reason says nothing and there are no words."""
        data: dict[str, Any] = super().clean() or {}
        if data.get("reason") == OTHER and not data.get("words", "").strip():
            self.add_error("words", gettext("Say what is wrong."))
        return data


class AppealForm(forms.Form):
    """What the person concerned says against a decision."""

    text = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 6}),
        label=gettext_lazy("Why the decision is wrong"),
        help_text=gettext_lazy("You can appeal once. Another moderator reads it."),
    )


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


@login_required
@needs_confirmed_address
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, subject: str, key: int) -> HttpResponse:
    """Tell moderators about a thing."""
    thing = find_thing(subject, key) if key < 2**63 else None
    # Who numbers accounts through learns no name of one that is suspended or not let in yet.
    closed = thing is not None and subject == Subject.ACCOUNT and not (thing.owner and thing.owner.is_active)
    if thing is None or closed or not may_report(_user(request), subject, key):
        raise Http404(f"expected a thing that can be reported, got {subject} {key}")
    form = ReportForm(request.POST if request.method == "POST" else None)
    status = 0
    if form.is_bound and form.is_valid():
        data = form.cleaned_data
        try:
            reports.report(_user(request), subject, key, data["reason"], data["words"])
        except TooManyReports as error:
            form.add_error(None, str(error))
            status = 429
        except ModerationRefused as error:
            form.add_error(None, str(error))
        else:
            return redirect("moderation:thanks")
    context = {"form": form, "thing": thing}
    return render(request, "moderation/report.html", context, status=status or form_status(form))


@login_required
@never_cache
@require_safe
def thanks(request: HttpRequest) -> HttpResponse:
    """What happens with a report."""
    return render(request, "moderation/thanks.html")


@login_required
@never_cache
@require_safe
def decision_list(request: HttpRequest) -> HttpResponse:
    """What moderators decided about the user's own things."""
    found = [(one, decisions.link_to(one)) for one in decisions_about(_user(request))]
    return render(request, "moderation/list.html", {"decisions": found})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def decision(request: HttpRequest, signed: str) -> HttpResponse:
    """A decision for the person concerned, who may appeal. The link is all they need."""
    act = decisions.act_of(signed)
    if act is None:
        raise Http404("expected a link to a decision")
    form = AppealForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            appeals.appeal(act, form.cleaned_data["text"])
        except ModerationRefused as error:
            messages.error(request, str(error))
        else:
            messages.success(request, gettext("Your appeal is with the moderators."))
        return redirect("moderation:decision", signed)
    thing = find_thing(act.subject, act.key)
    context = {"act": act, "thing": thing, "form": form}
    return render(request, "moderation/decision.html", context, status=form_status(form))
