"""Addresses of the websockets."""

from typing import Any

from tournaments.consumers import audience_socket, game_socket, programme_socket, tournament_socket

# Applications of ASGI stand here where Django expects views.
sockets: dict[str, Any] = {
    "ws/games/<uuid:game_id>/": game_socket,
    "ws/games/<uuid:game_id>/audience/": audience_socket,
    "ws/programme/": programme_socket,
    "ws/tournaments/<slug:slug>/": tournament_socket,
}
