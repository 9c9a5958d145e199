"""A service that tells people from programs, as Turnstile and hCaptcha do, on this machine."""

import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs

from arena.accounts.captcha_services import Captcha

SITE_KEY, SECRET = "key-of-the-site", "secret-of-the-site"
CLASS = "cf-turnstile"
SCRIPT = """
for (const place of document.querySelectorAll(".cf-turnstile")) {
  const frame = document.createElement("iframe");
  frame.src = "ORIGIN/frame";
  frame.title = "captcha";
  const token = document.createElement("input");
  token.type = "hidden";
  token.name = "cf-turnstile-response";
  token.value = `person-${place.dataset.sitekey}-${Date.now()}`;
  place.append(frame, token);
}
"""


class CaptchaService:
    """What it was asked, and how it answers.

    It takes each token that begins with "person" once, with the right secret. `says` replaces its answer, and
    `seconds` is how long it takes.
    """

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}"
        self.asked: list[dict[str, str]] = []
        self.taken: set[str] = set()
        self.says: tuple[int, bytes] | None = None
        self.seconds = 0.0

    @property
    def captcha(self) -> Captcha:
        """The setting of a site that asks it."""
        script, verify = f"{self.origin}/api.js", f"{self.origin}/siteverify"
        return Captcha("Test captcha", SITE_KEY, SECRET, script, verify, CLASS, (self.origin,))

    @property
    def environment(self) -> dict[str, str]:
        """The same as variables, without the prefix that they all have."""
        one = self.captcha
        addresses = {"CAPTCHA_SCRIPT_URL": one.script_url, "CAPTCHA_VERIFY_URL": one.verify_url}
        return {"CAPTCHA": "turnstile", "CAPTCHA_SITE_KEY": SITE_KEY, "CAPTCHA_SECRET": SECRET, **addresses}

    def verdict(self, form: dict[str, str]) -> tuple[int, bytes]:
        """The answer to a form."""
        self.asked.append(form)
        time.sleep(self.seconds)
        if self.says is not None:
            return self.says
        token, errors = form.get("response", ""), []
        if form.get("secret") != SECRET:
            errors = ["invalid-input-secret"]
        elif not token.startswith("person"):
            errors = ["invalid-input-response"]
        elif token in self.taken:
            errors = ["timeout-or-duplicate"]
        self.taken.add(token)
        return 200, json.dumps({"success": not errors, "error-codes": errors}).encode()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Any

    def do_GET(self) -> None:
        """Give the script, or what its frame shows."""
        script = self.path == "/api.js"
        body = SCRIPT.replace("ORIGIN", self.server.service.origin) if script else "<p>captcha"
        self._answer(200, body.encode(), "text/javascript" if script else "text/html")

    def do_POST(self) -> None:
        """Judge a token."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {key: values[0] for key, values in parse_qs(body).items()}
        status, said = self.server.service.verdict(form)
        self._answer(status, said, "application/json")

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def captcha_service() -> Iterator[CaptchaService]:
    """A running service."""
    server: Any = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.service = CaptchaService(server.server_address[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.service
    finally:
        server.shutdown()
        server.server_close()
