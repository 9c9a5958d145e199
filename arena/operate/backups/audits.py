"""What the audit finds in a database: the same before and after a move, and nothing after a restoration."""

from __future__ import annotations

import json
import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "arena.settings")
    django.setup()

from django.db import connection, transaction

from tournaments.ratings.audit import audit_all


def audits() -> dict[str, list[str]]:
    """The differences by variant. What the audit itself would write is taken back."""
    with transaction.atomic():
        found = audit_all()
        transaction.set_rollback(True)
    connection.close()
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(audits()))
