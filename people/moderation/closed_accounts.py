"""How signing in to an account that moderators closed differs from signing in to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect

from arena.accounts.adapter import AccountAdapter
from people.moderation import decisions
from people.moderation.acts import ban_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from arena.accounts.models import User


class ModeratedAccountAdapter(AccountAdapter):
    """Sign-up and sign-in (`settings.ACCOUNT_ADAPTER`), for a site whose moderators close accounts."""

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Lead whoever gave the right password of a closed account to the decision that closed it.

        Once its time is over they can sign in again.
        """
        act = ban_of(user.pk)
        if act is None:
            answer: HttpResponse = super().respond_user_inactive(request, user)
            return answer
        return redirect("account_login" if decisions.end_if_over(act) else decisions.link_to(act))
