"""``python -m arena.run.web``: the web server of production, with the same bounds as the embedded one."""

import argparse
import os

import uvicorn

from sandbox import inherited_signals

GRACE_SECONDS = 5
"""How long open requests and websockets may take to end at a restart."""


def main() -> None:
    """Serve until a signal."""
    inherited_signals.accept()
    parser = argparse.ArgumentParser(prog="python -m arena.run.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="listen on this address (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="listen on this port (%(default)s)")
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    from arena.run.http_connections import server_options  # noqa: PLC0415 (it reads the settings)

    uvicorn.run(
        "arena.asgi:application",
        host=asked.host,
        port=asked.port,
        timeout_graceful_shutdown=GRACE_SECONDS,
        **server_options(),
    )


if __name__ == "__main__":
    main()
