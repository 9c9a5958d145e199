"""Addresses of the websockets."""

from typing import Any

from django.urls import path, re_path

from tournaments.consumers import friendly_socket, game_socket, no_socket, tournament_socket

# Applications of ASGI stand here where Django expects views.
_sockets: dict[str, Any] = {
    "ws/games/<uuid:game_id>/": game_socket,
    "ws/play/<uuid:friendly_id>/": friendly_socket,
    "ws/tournaments/<slug:slug>/": tournament_socket,
}
_elsewhere: Any = no_socket
websocket_urlpatterns = [
    *(path(address, application) for address, application in _sockets.items()),
    re_path("", _elsewhere),
]
