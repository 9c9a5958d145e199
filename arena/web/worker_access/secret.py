"""A worker's secret: all that a host needs to know to play for a site, in one word."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from typing import Final
from urllib.parse import quote, urlencode

PREFIX: Final = "crapette-worker-1."


class WrongSecret(Exception):
    """What was given is no worker's secret."""


@dataclass(frozen=True, slots=True)
class WorkerSecret:
    """Where the site's database and Redis are, with the role that workers have there."""

    database: str
    redis: str

    def word(self) -> str:
        """The secret as one word, which fits into a command line, a file or a variable."""
        packed = json.dumps(asdict(self), separators=(",", ":")).encode()
        return PREFIX + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def parse(cls, word: str) -> WorkerSecret:
        """Read the word. Raises WrongSecret, which never repeats it."""
        word = word.strip()
        if not word.startswith(PREFIX):
            raise WrongSecret(f"Expected a worker's secret, which begins with {PREFIX!r}.")
        body = word.removeprefix(PREFIX)
        try:
            found = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
            database, redis = found["database"], found["redis"]
        except (binascii.Error, ValueError, TypeError, KeyError):
            raise WrongSecret("This worker's secret is damaged. Copy it again, the whole line.") from None
        if not (isinstance(database, str) and isinstance(redis, str)):
            raise WrongSecret("This worker's secret is damaged. Copy it again, the whole line.")
        return cls(database, redis)


def database_url(entry: dict[str, object], user: str, password: str, host: str = "", port: str = "") -> str:
    """The URL of a database of Django's DATABASES, for another role; `host` replaces the host's address."""
    where = host or str(entry["HOST"] or "localhost")
    at = port or str(entry["PORT"] or "")
    login = f"{quote(user, safe='')}:{quote(password, safe='')}"
    name = quote(str(entry["NAME"]), safe="")
    if where.startswith("/"):  # the folder of a Unix socket
        return f"postgresql://{login}@/{name}?{urlencode({'host': where, **({'port': at} if at else {})})}"
    address = f"[{where}]" if ":" in where else where
    return f"postgresql://{login}@{address}{':' + at if at else ''}/{name}"
