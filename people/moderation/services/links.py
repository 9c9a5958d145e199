"""Links to a decision that only the person concerned gets.

A banned account cannot sign in. Whoever has such a link reads the decision and may appeal, and can do nothing
else: the person gets it in a notice and by e-mail, and by giving their right password at the sign-in.
"""

from __future__ import annotations

from typing import Final

from django.core import signing
from django.urls import reverse

from people.moderation.models import Act

SALT: Final = "moderation.decision"


def link_to(act: Act) -> str:
    """The path of the page of a decision."""
    return reverse("moderation:decision", args=[signing.dumps(act.pk, salt=SALT)])


def act_of(signed: str) -> Act | None:
    """The decision that a link leads to; None if we did not make the link."""
    try:
        key = signing.loads(signed, salt=SALT)
    except signing.BadSignature:
        return None
    return Act.objects.select_related("person").filter(pk=key).first()
