"""Reads environment variables.

Each function returns a checked value, or says what was expected and what came.
"""

import ipaddress
import os
import secrets
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

TRUE = ("1", "true", "yes", "on")
FALSE = ("0", "false", "no", "off")
SECRET_LENGTH = 50
# A process that is stopped in the middle of a transaction holds locks, and with them all that others play.
SESSION = "-c idle_in_transaction_session_timeout=30s"
# A network that drops everything says nothing. Without these a process would wait two hours for an answer.
LINK = {
    "connect_timeout": "10",
    "tcp_user_timeout": "20000",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}
BUCKET_OPTIONS = frozenset({"endpoint_url", "region_name", "addressing_style", "signature_version"})


def say_in_a_sentence(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """An exception hook: a wrong variable ends any program with one sentence and no traceback."""
    if isinstance(error, ImproperlyConfigured):
        sys.stderr.write(f"{error}\n")
    else:
        sys.__excepthook__(kind, error, trace)


def text(name: str, default: str | None = None, *, environ: Mapping[str, str] = os.environ) -> str:
    """Return the variable's text. Without a default, it must be set and not empty."""
    value = environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"{name} must be set, but it is missing or empty.")
    return default


def choice(
    name: str,
    options: tuple[str, ...],
    default: str | None = None,
    *,
    environ: Mapping[str, str] = os.environ,
) -> str:
    """Return the variable's text, which must be one of the options."""
    value = text(name, default, environ=environ)
    if value not in options:
        raise ImproperlyConfigured(f"{name}: expected one of {', '.join(options)}, got {value!r}.")
    return value


def some(
    name: str, options: tuple[str, ...], default: str, *, environ: Mapping[str, str] = os.environ
) -> list[str]:
    """Return those of the options that the variable names, and the first one in any case, in their order."""
    named = words(name, default, environ=environ)
    for value in named:
        choice(name, options, environ={name: value})
    return [one for one in options if one in named or one == options[0]]


def boolean(name: str, default: bool, *, environ: Mapping[str, str] = os.environ) -> bool:
    """Return a boolean, given as 1/0, true/false, yes/no or on/off."""
    value = text(name, "1" if default else "0", environ=environ).lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name}: expected one of {', '.join(TRUE + FALSE)}, got {value!r}.")


def integer(
    name: str, default: int, *, least: int = 0, most: int = 2**31, environ: Mapping[str, str] = os.environ
) -> int:
    """Return an integer between `least` and `most`."""
    value = text(name, str(default), environ=environ)
    number = int(value) if value.isascii() and value.isdigit() and len(value) < 12 else None
    if number is None or not least <= number <= most:
        raise ImproperlyConfigured(f"{name}: expected a whole number from {least} to {most}, got {value!r}.")
    return number


def words(name: str, default: str | None = None, *, environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return a list of words separated by commas; without a default, at least one."""
    found = [word.strip() for word in text(name, default, environ=environ).split(",")]
    return [word for word in found if word]


def folder(name: str, default: Path, *, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the absolute path of a folder, which need not exist yet."""
    path = Path(text(name, str(default), environ=environ)).expanduser()
    if path.exists() and not path.is_dir():
        raise ImproperlyConfigured(f"{name}: expected a folder, but {str(path)!r} is something else.")
    return path.resolve()


def make_folder(path: Path, name: str) -> Path:
    """Return the folder at `path`, creating it (private) if necessary.

    `name` is the variable that chose it.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"{name}: expected a writable folder, but cannot create {str(path)!r}: {error.strerror}."
        ) from None
    return path


def secret(name: str, *, environ: Mapping[str, str] = os.environ) -> str:
    """Return the variable's text, which must be long enough for a secret. Messages never repeat it."""
    value = text(name, environ=environ)
    if len(value) < SECRET_LENGTH:
        raise ImproperlyConfigured(
            f"{name}: expected a secret of at least {SECRET_LENGTH} characters, got {len(value)}."
        )
    return value


def kept_secret(path: Path) -> str:
    """Return the secret in the file at `path`. The first caller creates it, readable only by its owner."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.exists():
        # Written aside and linked into place, so that two first starts agree and none reads half a
        # secret.
        aside = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        aside.touch(mode=0o600)
        aside.write_text(secrets.token_urlsafe(48), encoding="ascii")
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
        finally:
            aside.unlink()
    kept = path.read_text(encoding="ascii").strip()
    if len(kept) < SECRET_LENGTH:
        raise ImproperlyConfigured(
            f"{str(path)!r}: expected a secret of at least {SECRET_LENGTH} characters; remove the file."
        )
    return kept


def database(url: str) -> dict[str, Any]:
    """Django's DATABASES entry of a URL.

    ``postgresql://user:password@host:port/name?option=value`` (``host`` may be given as an option, as the
    folder of a Unix socket) or ``sqlite:////absolute/path``. A message never repeats the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL: {error}.") from None
    if parts.scheme == "sqlite":
        return sqlite(Path(unquote(parts.path.removeprefix("/") or "")))
    if parts.scheme not in ("postgres", "postgresql"):
        raise ImproperlyConfigured(
            f"DATABASE_URL: expected postgresql://… or sqlite:///…, got the scheme {parts.scheme!r}."
        )
    return _postgresql(parts, port)


def _postgresql(parts: SplitResult, port: int | None) -> dict[str, Any]:
    """Django's DATABASES entry of a parsed PostgreSQL URL."""
    options = {**LINK, "options": SESSION, **dict(parse_qsl(parts.query))}
    name = unquote(parts.path.removeprefix("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL: expected the name of a database after the host, got none.")
    return {
        "ENGINE": "arena.web.database.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or parts.hostname or "",
        "PORT": str(port or ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def sqlite(path: Path) -> dict[str, Any]:
    """Django's DATABASES entry of an SQLite file, set up for several writing threads.

    WAL lets pages be read while a game is written; IMMEDIATE takes the write lock at the start of a
    transaction, so that two writers wait for each other instead of failing in the middle.
    """
    if not path.is_absolute():
        raise ImproperlyConfigured(
            f"DATABASE_URL: expected an absolute path of an SQLite file, got {str(path)!r}."
        )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": 20,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def redis(url: str) -> str:
    """The URL of a Redis, checked for its scheme."""
    if not url.startswith(("redis://", "rediss://", "unix://")):
        scheme = url.partition(":")[0]
        raise ImproperlyConfigured(
            f"REDIS_URL: expected redis://, rediss:// or unix://, got the scheme {scheme!r}."
        )
    return url


def mail(url: str) -> dict[str, Any]:
    """Django's settings of a mail server: ``smtp://user:password@host:587``, or ``smtps://`` for TLS at once.

    After ``smtp://`` the connection is encrypted by STARTTLS, unless the port is 25 or 1025 (a relay beside
    the site). A message never repeats the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"CRAPETTE_MAIL_URL: {error}.") from None
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ImproperlyConfigured(
            f"CRAPETTE_MAIL_URL: expected smtp://host or smtps://host, got the scheme {parts.scheme!r}."
        )
    secure = parts.scheme == "smtps"
    port = port or (465 if secure else 587)
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": secure,
        "EMAIL_USE_TLS": not secure and port not in (25, 1025),
    }


def archives(
    name: str, default: Path, *, environ: Mapping[str, str] = os.environ
) -> dict[str, str | dict[str, str]]:
    """Django's STORAGES entry for records of old games.

    An absolute path of a folder, or ``s3://bucket/prefix?endpoint_url=https://…&region_name=…``. Keys of the
    bucket come from where boto3 looks for them, such as ``AWS_ACCESS_KEY_ID``.
    """
    value = text(name, str(default), environ=environ)
    parts = urlsplit(value)
    if parts.scheme != "s3":
        path = Path(value).expanduser()
        if parts.scheme or not path.is_absolute():
            raise ImproperlyConfigured(
                f"{name}: expected the absolute path of a folder or s3://bucket/prefix, got {value!r}."
            )
        return {"BACKEND": "arena.web.storage.archives.FolderArchives", "OPTIONS": {"location": str(path)}}
    options = dict(parse_qsl(parts.query))
    unknown = sorted(set(options) - BUCKET_OPTIONS)
    if unknown or not parts.netloc:
        raise ImproperlyConfigured(
            f"{name}: expected s3://bucket/prefix, with none but the options"
            f" {', '.join(sorted(BUCKET_OPTIONS))}, got {unknown[0] if unknown else value!r}."
        )
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured(
            f"{name}: a bucket needs the packages in requirements-extras.txt. Install them into .venv first."
        )
    options |= {"bucket_name": parts.netloc, "location": parts.path.strip("/")}
    return {"BACKEND": "arena.web.storage.s3_bucket.BucketArchives", "OPTIONS": options}


def site(name: str, default: str, *, environ: Mapping[str, str] = os.environ) -> str:
    """The address of the site, such as ``https://arena.example``, without a slash at its end."""
    value = text(name, default, environ=environ).rstrip("/")
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment or parts.username:
        raise ImproperlyConfigured(f"{name}: expected https://host or http://host:port, got {value!r}.")
    return value


def sentry(name: str, *, environ: Mapping[str, str] = os.environ) -> str:
    """A DSN of Sentry, checked for its form; empty if there is none. A message never repeats the key."""
    value = text(name, "", environ=environ)
    if not value:
        return ""
    try:
        parts = urlsplit(value)
        known = (
            parts.scheme in ("http", "https") and parts.username and parts.hostname and parts.path.strip("/")
        )
    except ValueError:
        known = False
    if not known:
        raise ImproperlyConfigured(f"{name}: expected https://key@host/project, got something else.")
    if find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            f"{name}: Sentry needs the packages in requirements-extras.txt. Install them into .venv first."
        )
    return value


def networks(name: str, *, environ: Mapping[str, str] = os.environ) -> list[Network]:
    """Networks such as ``10.1.0.0/16``, separated by commas; none if the variable is not set."""
    found: list[Network] = []
    for word in words(name, "", environ=environ):
        try:
            found.append(ipaddress.ip_network(word))
        except ValueError:
            raise ImproperlyConfigured(
                f"{name}: expected networks such as 10.1.0.0/16, got {word!r}."
            ) from None
    return found
