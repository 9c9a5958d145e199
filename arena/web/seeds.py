"""Seeds of deals, which nobody can foresee."""

from __future__ import annotations

import secrets


def new_seed() -> str:
    """A secret seed from the system's randomness: 64 hex digits."""
    return secrets.token_hex(32)
