"""The database role of workers, and what it may do: play games, and nothing else.

It cannot read who has an account, who is signed in or what proves it, and changes no bot and no account. What
it may write, a dishonest host could write wrongly: results of games are results of whoever played them.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

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
    "tournaments_analysis": WRITE,
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
