"""How workers of other hosts get at the database: a secret in one word, a role that may play games.

It cannot read who has an account, who is signed in or what proves it, and changes no bot and no account. What
it may write, a dishonest host could write wrongly: results of games are results of whoever played them.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlencode

from django.db import connection, transaction
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Mapping


READ: Final = "SELECT"
ADD: Final = "SELECT, INSERT"
CHANGE: Final = "SELECT, UPDATE"
WRITE: Final = "SELECT, INSERT, UPDATE"
ALL: Final = "SELECT, INSERT, UPDATE, DELETE"

RIGHTS: Final[Mapping[str, str]] = {
    "django_migrations": READ,
    "django_content_type": READ,
    "bots_bot": READ,
    "bots_version": READ,
    "bots_archive": READ,
    "bots_coowner": READ,
    "bots_sharedpast": READ,
    "common_worker": ALL,
    "common_host": WRITE,
    "common_heartbeat": WRITE,
    "common_incident": ADD,
    "common_limit": READ,
    "common_stamp": WRITE,
    "tournaments_tournament": CHANGE,
    "tournaments_hiddenresults": CHANGE,
    "tournaments_entry": READ,
    "tournaments_pairing": CHANGE,
    "tournaments_pair": WRITE,
    "tournaments_game": WRITE,
    "tournaments_seat": WRITE,
    "tournaments_attempt": WRITE,
    "tournaments_eventbatch": ALL,
    "tournaments_result": ADD,
    "tournaments_record": ADD,
    "tournaments_evidence": ADD,
    "tournaments_analysis": ALL,
    "tournaments_alarm": WRITE,
    "tournaments_ratingstate": WRITE,
    "tournaments_rating": READ,
    "tournaments_accountlink": READ,
}
"""Tables, and what playing needs of each."""


def role_name() -> str:
    """The name of this site's workers' role: roles are shared by all databases of a server."""
    return f"{connection.settings_dict['NAME']}_worker"[:63]


def make_role() -> tuple[str, str]:
    """Make the role, or give it a new password, with its rights; return name and password."""
    name, password = role_name(), secrets.token_urlsafe(24)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        # A new role is no superuser, and only a superuser may say so of one that exists.
        verb = sql.SQL("ALTER" if cursor.fetchone() else "CREATE")
        cursor.execute(
            sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(verb, sql.Identifier(name), sql.Literal(password))
        )
        _grant(cursor, name)
    return name, password


def grant_again() -> bool:
    """Give the role its rights on tables that are new, if there is such a role; whether there is."""
    name = role_name()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
        if not cursor.fetchone():
            return False
        _grant(cursor, name)
    return True


def _grant(cursor: object, name: str) -> None:
    """Take every right of the role away and give it those of `RIGHTS`."""
    execute = cursor.execute  # type: ignore[attr-defined]
    role, database = sql.Identifier(name), sql.Identifier(str(connection.settings_dict["NAME"]))
    execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, role))
    execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(role))
    execute(sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(role))
    execute(sql.SQL("REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {}").format(role))
    for table, rights in RIGHTS.items():
        execute(sql.SQL("GRANT {} ON TABLE {} TO {}").format(sql.SQL(rights), sql.Identifier(table), role))
        if "INSERT" not in rights:
            continue
        execute(
            "SELECT s.relname FROM pg_class s JOIN pg_depend d ON d.objid = s.oid"
            " JOIN pg_class t ON t.oid = d.refobjid WHERE s.relkind = 'S' AND t.relname = %s",
            [table],
        )
        for (sequence,) in cursor.fetchall():  # type: ignore[attr-defined]
            execute(sql.SQL("GRANT USAGE ON SEQUENCE {} TO {}").format(sql.Identifier(sequence), role))


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
