"""Fails before it is ready."""

import no_such_module  # noqa: F401
