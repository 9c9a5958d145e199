"""Addresses of the websockets."""

from typing import Any

from tournaments.consumers import game_socket, tournament_socket

# Applications of ASGI stand here where Django expects views.
sockets: dict[str, Any] = {
    "ws/games/<uuid:game_id>/": game_socket,
    "ws/tournaments/<slug:slug>/": tournament_socket,
}
