"""The former name of `crapette.local`."""

from crapette.local import play  # type: ignore[import-not-found]  # found where bots run

__all__ = ["play"]
