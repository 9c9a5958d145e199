"""Every address of a websocket."""

from typing import Any

from channels.routing import URLRouter
from django.urls import path, re_path

from arena.web.live.rooms import no_socket
from friendlies import routing as friendlies
from tournaments import routing as tournaments

_sockets = {**tournaments.sockets, **friendlies.sockets}
_elsewhere: Any = no_socket
websockets = URLRouter(
    [*(path(address, application) for address, application in _sockets.items()), re_path("", _elsewhere)]
)
