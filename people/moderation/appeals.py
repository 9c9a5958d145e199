"""Appeals: once for each decision, answered by another moderator where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from arena.notices.models import Kind
from arena.notices.sending import tell
from people.moderation.decisions import assert_may_decide, end_for_appeal, link_to, log_answer
from people.moderation.errors import ModerationRefused
from people.moderation.models import Act
from people.moderation.subjects import lock_person

if TYPE_CHECKING:
    from arena.accounts.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def appeal(act: Act, text: str) -> None:
    """Store what the person concerned says against a decision, once. Raises ModerationRefused."""
    if not act.is_in_force or not Act.objects.filter(pk=act.pk, appealed_at=None, ended_at=None).update(
        appeal=text.strip(), appealed_at=timezone.now()
    ):
        raise ModerationRefused(gettext("You have already appealed, or the decision is no longer in force."))


@transaction.atomic
def answer_appeal(staff: User, act: Act, *, accept: bool, words: str) -> None:
    """Accept an appeal, which undoes the act, or refuse it, once. Raises ModerationRefused."""
    assert_may_decide(staff, act.person)
    if staff.pk == act.by_id and _others(staff, act):
        raise ModerationRefused("You made this decision. Another moderator must answer the appeal.")
    lock_person(staff, act)
    waiting = Act.objects.filter(pk=act.pk, appealed_at__isnull=False, answered_at=None, ended_at=None)
    answered = waiting.update(answer=words.strip(), answered_at=timezone.now(), answered_by=staff)
    if not answered:
        raise ModerationRefused("There is no appeal that waits for an answer.")
    act.refresh_from_db()
    if accept:
        end_for_appeal(staff, act)
    log_answer(staff, act, f"Appeal {'accepted' if accept else 'refused'}. {act.answer}")
    said = (
        gettext_lazy("Moderators accepted your appeal. Their decision is undone.")
        if accept
        else gettext_lazy("Moderators answered your appeal: their decision stands.")
    )
    tell([act.person_id], Kind.MODERATED, f"appeal {act.pk}", said, link_to(act), also_closed=True)


def _others(staff: User, act: Act) -> bool:
    """Whether somebody else may answer."""
    moderators = get_user_model().objects.with_perm("moderation.moderate", backend=BACKEND)
    if act.person.is_staff:
        moderators = moderators.filter(is_superuser=True)
    return moderators.filter(is_staff=True).exclude(pk__in=[staff.pk, act.person_id]).exists()
