"""The connection to PostgreSQL. Django finds it under this name (`ENGINE` in the settings)."""

import select
from typing import Any

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus, TransactionStatus


class DatabaseWrapper(base.DatabaseWrapper):
    """Sees from the socket whether the server has closed a connection, instead of sending it a query.

    Django asks at the start of every request. A tenth of the time of a page's queries went there.
    """

    def is_usable(self) -> bool:
        """Whether the connection still works; a query decides if there is any doubt."""
        if not self.errors_occurred and self.connection is not None and _is_quiet(self.connection):
            return True
        return super().is_usable()


def _is_quiet(connection: Any) -> bool:
    """Whether the connection waits for a query and nothing has come: a server that leaves says so."""
    link = connection.pgconn
    if link.status != ConnStatus.OK or link.transaction_status != TransactionStatus.IDLE:
        return False
    poll = select.poll()
    poll.register(link.socket, select.POLLIN)
    return not poll.poll(0)
