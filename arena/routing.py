"""Every address of a websocket, and which are for programs rather than for our pages."""

from typing import Any

from channels.routing import URLRouter
from django.urls import path, re_path

from arena.web.live.rooms import no_socket
from bots.remote import socket as remote
from friendlies import routing as friendlies
from tournaments import routing as tournaments

_sockets = {**tournaments.sockets, **friendlies.sockets, remote.PATH: remote.remote_socket}
_elsewhere: Any = no_socket
for_programs = frozenset({f"/{remote.PATH}"})
websockets = URLRouter(
    [*(path(address, application) for address, application in _sockets.items()), re_path("", _elsewhere)]
)
