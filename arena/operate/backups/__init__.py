"""Keeping a site's data: backups, restoring them, and moving a site to PostgreSQL."""


class KeepingError(Exception):
    """A backup, a restoration or a move that cannot be done; the message says why and what to do."""
