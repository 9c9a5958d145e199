"""Addresses of the websockets."""

from typing import Any

from friendlies.consumers import friendly_socket

# Applications of ASGI stand here where Django expects views.
sockets: dict[str, Any] = {"ws/play/<uuid:friendly_id>/": friendly_socket}
