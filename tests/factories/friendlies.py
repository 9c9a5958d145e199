"""Games of people against bots, begun through the site's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from friendlies.models import Friendly

if TYPE_CHECKING:
    from django.test import Client

    from bots.models import Version


def sit_down(client: Client, version: Version, **more: Any) -> Friendly:
    """A game that whoever the client is begins against a version, in the first seat and without a clock."""
    chosen = {"variant": "crapaud", "version": version.pk, "seat": "0", "clock": "none", **more}
    reply = client.post(reverse("play:new"), chosen)
    assert reply.status_code == 302, reply.content.decode()
    return Friendly.objects.get(pk=reply["Location"].rstrip("/").rpartition("/")[2])
