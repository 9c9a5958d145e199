"""Upload a bot from the command line and wait for its check: ``python3 upload.py bot.py --bot SLUG``.

Needs only the standard library. Create a token on the account page of the site and put it in the environment
variable CRAPETTE_TOKEN. It is never read from the command line, where others could see it.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

DEFAULT_SITE = "http://127.0.0.1:8000"
LEFT_OUT = frozenset({"__pycache__", ".git", ".venv", "node_modules"})
ASK_EVERY_SECONDS = 1.0
ANSWER_SECONDS = 60.0


class Refused(Exception):
    """The site refused, or could not be reached; ``str()`` is a sentence."""


def main(arguments: list[str] | None = None) -> int:
    """Upload, wait and return the exit status: 0 accepted (or not waited for), 1 rejected, 2 refused."""
    options = _parser().parse_args(arguments)
    try:
        secret = os.environ.get("CRAPETTE_TOKEN", "")
        if not secret:
            raise Refused("Expected a token in the environment variable CRAPETTE_TOKEN, got none.")
        site = options.site.rstrip("/")
        name, content = packed(options.path)
        fields = {"note": options.note} if options.bot else {"name": options.new}
        address = f"{site}/api/v1/bots/{options.bot}/versions/" if options.bot else f"{site}/api/v1/bots/"
        version = ask(address, secret, body=multipart(fields, name, content))
        sys.stdout.write(f"{version['bot']} version {version['version']}: {version['url']}\n")
        sys.stdout.flush()
        return 0 if options.no_wait else wait(version["status_url"], secret)
    except Refused as refusal:
        sys.stderr.write(f"{refusal}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="upload", description="Upload a bot and wait for its check.")
    parser.add_argument("path", type=Path, help="a file, or a folder with a bot.py, bot.js or bot")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--bot", metavar="SLUG", help="upload a new version of the bot whose page is /bots/SLUG/"
    )
    which.add_argument("--new", metavar="NAME", help="create a bot with this name")
    parser.add_argument("--note", default="", help="what is new in this version")
    parser.add_argument(
        "--site",
        default=os.environ.get("CRAPETTE_SITE", DEFAULT_SITE),
        help="address of the arena (default: %(default)s)",
    )
    parser.add_argument("--no-wait", action="store_true", help="do not wait for the check")
    return parser


def packed(path: Path) -> tuple[str, bytes]:
    """The name and content to send: a file as it is, a folder as a zip. Raises Refused."""
    try:
        if not path.is_dir():
            return path.name, path.read_bytes()
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(path.rglob("*")):
                inside = file.relative_to(path)
                if file.is_file() and LEFT_OUT.isdisjoint(inside.parts):
                    archive.write(file, inside.as_posix())
        return f"{path.resolve().name}.zip", target.getvalue()
    except OSError as error:
        raise Refused(f"Expected a readable file or folder, got {str(path)!r}: {error}.") from None


def multipart(fields: dict[str, str], name: str, content: bytes) -> tuple[str, bytes]:
    """Return the content type and body of a form with a file."""
    boundary = secrets.token_hex(16)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in fields.items()
    ]
    clean = "".join(letter if letter.isprintable() and letter not in '"\\' else "_" for letter in name)
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{clean}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n".encode()
    )
    parts += [content, f"\r\n--{boundary}--\r\n".encode()]
    return f"multipart/form-data; boundary={boundary}", b"".join(parts)


def ask(address: str, secret: str, body: tuple[str, bytes] | None = None) -> dict[str, Any]:
    """Return the site's answer, parsed from JSON. Raises Refused with the site's message."""
    if not address.startswith(("http://", "https://")):
        raise Refused(f"Expected an address that begins with http:// or https://, got {address!r}.")
    headers = {"Authorization": f"Bearer {secret}"} | ({"Content-Type": body[0]} if body else {})
    request = urllib.request.Request(address, data=body[1] if body else None, headers=headers)  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        raise Refused(_sentence(error)) from None
    except (OSError, ValueError) as error:
        raise Refused(f"Expected an answer from {address}, got: {error}.") from None


def _sentence(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"Expected an answer from the arena, got status {error.code}."


def wait(address: str, secret: str) -> int:
    """Wait for the end of the check and print its result."""
    while True:
        version = ask(address, secret)
        if version["status"] in ("accepted", "rejected"):
            sys.stdout.write(_harmless(f"{version['status']}. {version['log'] or ''}".rstrip()) + "\n")
            return 0 if version["status"] == "accepted" else 1
        time.sleep(ASK_EVERY_SECONDS)


def _harmless(text: str) -> str:
    """Return the text without characters that a terminal would act on or display in another order."""
    return "".join(
        letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


if __name__ == "__main__":
    sys.exit(main())
