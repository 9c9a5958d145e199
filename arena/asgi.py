"""The ASGI application: pages over HTTP, games and tournaments over websockets."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

from arena.common.body_limit import BodyLimit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
pages = BodyLimit(get_asgi_application())

# Its models need the apps loaded, hence after the line above.
from tournaments.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": pages,
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)
