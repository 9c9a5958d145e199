"""The desk of moderators: what was reported, what to do about it, and appeals."""

from __future__ import annotations

from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from arena.web.http.refusals import form_status
from people.moderation import appeals, decisions
from people.moderation.acts import decisions_about, open_appeals
from people.moderation.decisions import LONGEST_BAN
from people.moderation.errors import ModerationRefused
from people.moderation.models import REASONS, AbuseReport, Act, Subject
from people.moderation.reports import report_queue, reporter_records
from people.moderation.subjects import Thing, find_thing
from people.moderation.text_replacement import PARTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User
    from people.moderation.subjects import Thing


class ActForm(forms.Form):
    """What a moderator does about a thing."""

    HIDE, RENAME, BAN, DISMISS = "hide", "rename", "ban", "dismiss"
    DOES = (
        (DISMISS, "Dismiss the reports"),
        (HIDE, "Hide texts"),
        (RENAME, "Give another name"),
        (BAN, "Suspend the account"),
    )

    do = forms.ChoiceField(choices=DOES, label="What to do")
    parts = forms.MultipleChoiceField(
        required=False, widget=forms.CheckboxSelectMultiple, label="Texts to hide"
    )
    name = forms.CharField(required=False, max_length=80, label="New name")
    days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_BAN.days,
        label="Days",
        help_text="How long the account is suspended. Empty: for good.",
    )
    reason = forms.ChoiceField(choices=REASONS, label="Reason")
    words = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="To the person concerned",
        help_text="They read this with the decision. It does not say who reported it.",
    )

    def __init__(self, thing: Thing, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._concerns_somebody = not thing.left_behind
        parts = PARTS[Subject(thing.subject)]
        self.fields["parts"].choices = [  # type: ignore[attr-defined]
            (part, part.replace("_", " ")) for part in parts if thing.texts.get(part)
        ]

    def fields_by_decision(self) -> list[tuple[forms.BoundField, str]]:
        """The fields in order, each with the decision that it belongs to; ``act`` is all but a dismissal."""
        needs = {"parts": self.HIDE, "name": self.RENAME, "days": self.BAN, "reason": "act", "words": "act"}
        return [(field, needs.get(field.name, "")) for field in self]

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError if the person would read no words."""
        data: dict[str, Any] = super().clean() or {}
        decides = data.get("do") != self.DISMISS and self._concerns_somebody
        if decides and not data.get("words", "").strip():
            self.add_error("words", "Tell the person concerned why.")
        return data


class AnswerForm(forms.Form):
    """A moderator lifts a decision, or answers its appeal."""

    words = forms.CharField(
        required=False, max_length=1000, widget=forms.Textarea(attrs={"rows": 4}), label="Words"
    )


Arguments = ParamSpec("Arguments")

MOST = 100
PERMISSION = "moderation.moderate"


def _moderators(
    view: Callable[Concatenate[HttpRequest, Arguments], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Arguments], HttpResponse]:
    """Only for staff with the permission to moderate."""

    @wraps(view)
    def call(request: HttpRequest, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> HttpResponse:
        if not request.user.has_perm(PERMISSION):
            raise PermissionDenied
        return view(request, *arguments, **named)

    return call


def _page(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    return render(request, template, {**admin.site.each_context(request), **context}, status=status)


def _user(request: HttpRequest) -> User:
    return cast("User", request.user)


@require_safe
@_moderators
def queue(request: HttpRequest) -> HttpResponse:
    """Appeals, and what was reported."""
    context = {
        "title": "Moderation",
        "appeals": open_appeals()[:MOST],
        "rows": report_queue(MOST),
        "latest": Act.objects.select_related("person", "by")[:20],
    }
    return _page(request, "admin/moderation/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@_moderators
def thing(request: HttpRequest, subject: str, key: int) -> HttpResponse:
    """One thing: its texts, who reported it and why, the history of its owner, and what to do."""
    found = find_thing(subject, key)
    reports = list(AbuseReport.objects.filter(subject=subject, key=key).select_related("reporter")[:MOST])
    if found is None:
        if not reports:
            raise Http404(f"expected a thing, got {subject} {key}")
        if request.method == "POST":
            with suppress(ModerationRefused):  # another moderator was first
                decisions.dismiss_reports(_user(request), subject, key)
            return redirect("desk:queue")
        return _page(request, "admin/moderation/thing.html", {"title": f"{subject} {key} is gone"})
    form = ActForm(found, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            done = _do(_user(request), found, form)
        except ModerationRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, done)
            return redirect("desk:queue")
    records = reporter_records(one.reporter_id for one in reports)
    context = {
        "title": f"{found.subject.capitalize()}: {found.title}",
        "thing": found,
        "reports": [(one, records[one.reporter_id]) for one in reports],
        "acts": decisions_about(found.owner).select_related("by")[:MOST] if found.owner else [],
        "form": form,
    }
    return _page(request, "admin/moderation/thing.html", context, form_status(form))


def _do(staff: User, found: Thing, form: ActForm) -> str:
    """Do what the form says; a sentence about it."""
    data = form.cleaned_data
    why = decisions.Why(data["reason"], data["words"])
    if found.left_behind and data["do"] in (form.HIDE, form.RENAME):
        renames = data["do"] == form.RENAME
        if renames and not data["name"].strip():
            raise ModerationRefused("Give the new name.")
        parts, name = (["name"], data["name"]) if renames else (data["parts"], "")
        decisions.tidy(staff, found.subject, found.key, parts, name)
        return "The texts are changed."
    match data["do"]:
        case form.HIDE:
            decisions.hide(staff, found.subject, found.key, data["parts"], why)
            return "The texts are hidden."
        case form.RENAME:
            decisions.rename(staff, found.subject, found.key, data["name"], why)
            return f"It is called {data['name']} now."
        case form.BAN:
            if found.owner is None:
                raise ModerationRefused("It belongs to the house. Change it in the administration.")
            decisions.ban(staff, found.owner.pk, data["days"], why, about=(found.subject, found.key))
            return "The account is suspended."
    closed = decisions.dismiss_reports(staff, found.subject, found.key)
    return f"{closed} reports dismissed."


@require_http_methods(["GET", "HEAD", "POST"])
@_moderators
def act(request: HttpRequest, key: int) -> HttpResponse:
    """One decision: lift it, or answer its appeal."""
    found = get_object_or_404(Act.objects.select_related("person", "by", "answered_by", "ended_by"), pk=key)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        words, staff = form.cleaned_data["words"], _user(request)
        try:
            if "lift" in request.POST:
                decisions.lift(staff, found, words)
            elif not words.strip():
                raise ModerationRefused("Answer in a few words.")
            else:
                appeals.answer_appeal(staff, found, accept="accept" in request.POST, words=words)
        except ModerationRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Done.")
            return redirect("desk:queue")
    context = {"title": f"Decision {found.pk}", "act": found, "form": form}
    return _page(request, "admin/moderation/act.html", context, form_status(form))
