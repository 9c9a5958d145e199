"""The ASGI application: pages over HTTP, games and tournaments over websockets."""

import gc
import os

import django
from channels.routing import ProtocolTypeRouter
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
django.setup(set_prefix=False)

# They need the settings and the apps, hence after the line above.
from analysis import lazy_numpy, serving_guard  # noqa: E402
from arena.api import document_cache  # noqa: E402
from arena.routing import for_programs, websockets  # noqa: E402
from arena.web import worker_messages  # noqa: E402
from arena.web.http.body_limit import BodyLimit  # noqa: E402
from arena.web.http.handler import Pages  # noqa: E402
from arena.web.live.websocket_limits import Door  # noqa: E402
from arena.web.processes import incidents  # noqa: E402
from bots.remote.bus import shorten_turns  # noqa: E402

if settings.PRODUCTION:  # the embedded site says it itself, and tests do both in one process
    serving_guard.forbid()
    # Now, and not in the first request that needs it.
    worker_messages.send_behind()
    lazy_numpy.load()
    document_cache.prepare()
    incidents.note_start("web")

shorten_turns()
application = ProtocolTypeRouter(
    {"http": BodyLimit(Pages()), "websocket": Door(websockets, for_programs=for_programs)}
)
# Code and classes stay for good. Looking through them for garbage would hold all pages up for 0.1 s.
gc.freeze()
# A page makes thousands of objects, and nearly all are gone with its last reference: to look for cycles after
# each 700, as Python does, is a thirtieth of its time.
gc.set_threshold(10_000, 10, 10)
