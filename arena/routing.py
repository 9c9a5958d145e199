"""Every address of a websocket, and which are for programs rather than for our pages."""

from typing import Any

from channels.routing import URLRouter
from django.urls import path, re_path

from arena.web.live.rooms import no_socket
from bots.remote import socket as remote
from friendlies.consumers import friendly_socket
from tournaments.consumers import audience_socket, game_socket, programme_socket, tournament_socket

# Applications of ASGI stand here where Django expects views.
_sockets: dict[str, Any] = {
    "ws/games/<uuid:game_id>/": game_socket,
    "ws/games/<uuid:game_id>/audience/": audience_socket,
    "ws/programme/": programme_socket,
    "ws/tournaments/<slug:slug>/": tournament_socket,
    "ws/play/<uuid:friendly_id>/": friendly_socket,
    remote.PATH: remote.remote_socket,
}
_elsewhere: Any = no_socket
for_programs = frozenset({f"/{remote.PATH}"})
websockets = URLRouter(
    [*(path(address, application) for address, application in _sockets.items()), re_path("", _elsewhere)]
)
