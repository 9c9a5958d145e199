"""The site's viewer without a site: a small server on this machine, with one page, one record and our files.

It answers only requests that name this machine, so that no page of a stranger can read the record through a
name that it has pointed here.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from kit.versions import ROOT

STATIC: Final = ROOT / "arena" / "static"
PAGE: Final = Path(__file__).resolve().parent / "page.html"
MAP: Final = '<script type="importmap"></script>'
KINDS: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


class Site(NamedTuple):
    """Everything that is served, by path: its type, and its bytes or where they are; and the policy."""

    files: dict[str, tuple[str, bytes | Path]]
    policy: str


def site(record: bytes) -> Site:
    """The viewer with one record."""
    found: dict[str, tuple[str, bytes | Path]] = {}
    modules: dict[str, str] = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and path.suffix in KINDS:
            name = path.relative_to(STATIC).as_posix()
            found[f"/static/{name}"] = KINDS[path.suffix], path
            if path.suffix == ".js":
                modules[f"arena/{name.removeprefix('js/').removesuffix('.js')}"] = f"/static/{name}"
    imports = json.dumps({"imports": modules}, separators=(",", ":")).replace("<", "\\u003c")
    page = PAGE.read_text(encoding="utf-8").replace(MAP, f'<script type="importmap">{imports}</script>')
    found["/"] = "text/html; charset=utf-8", page.encode()
    found["/record.json"] = "application/json", record
    return Site(found, _policy(imports))


def _policy(imports: str) -> str:
    """What the page may load: our own files, and no inline script except the import map."""
    digest = base64.b64encode(hashlib.sha256(imports.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self';"
        " img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    )


class Server(http.server.ThreadingHTTPServer):
    """Serves the files on a free port of this machine."""

    daemon_threads = True

    def __init__(self, served: Site, port: int = 0) -> None:
        """Listen; raises OSError if the port is taken."""
        super().__init__(("127.0.0.1", port), _Handler)
        self.served = served
        self.hosts = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, *_: Any) -> None:
        """A browser that leaves is no error."""


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    server: Server
    timeout = 30

    def do_GET(self) -> None:
        """Answer with a file."""
        found = self.server.served.files.get(self.path.partition("?")[0])
        if self.headers.get("Host") not in self.server.hosts or found is None:
            self.send_error(404)
            return
        kind, content = found
        data = content if isinstance(content, bytes) else content.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Content-Security-Policy", self.server.served.policy)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(data)

    do_HEAD = do_GET  # noqa: N815 (http.server's name)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
