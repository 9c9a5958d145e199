"""The tokens that this user keeps for arenas: one private file, one token for each site.

A token goes to no site but its own. The file can be read by nobody else: it is created that way, and refused
if somebody has opened it to others.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kit.console.command import CommandError

CLOSED: Final = 0o077
"""The bits of a file's mode that let others in."""


class TokensUnusable(CommandError):
    """The file cannot be read or written, or others could read it; the message is one sentence."""


def tokens_file() -> Path:
    """Where the tokens are: below XDG_CONFIG_HOME or ~/.config, on Windows below APPDATA."""
    if os.name == "nt":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "crapette" / "tokens.json"


def token_for(origin: str) -> str | None:
    """The token kept for a site, or None. Raises TokensUnusable."""
    found = _read()["tokens"].get(origin)
    return str(found) if found is not None else None


def sites() -> list[str]:
    """The origins of the sites for which a token is kept. Raises TokensUnusable."""
    return list(_read()["tokens"])


def last_site() -> str | None:
    """The origin of the site last logged in to, or None. Raises TokensUnusable."""
    found = _read().get("last")
    return str(found) if found is not None else None


def keep(origin: str, token: str) -> None:
    """Keep a token for a site, in place of the former one. Raises TokensUnusable."""
    kept = _read()
    kept["tokens"][origin] = token
    kept["last"] = origin
    _write(kept)


def forget(origin: str) -> bool:
    """Forget the token of a site; return whether there was one. Raises TokensUnusable."""
    kept = _read()
    if origin not in kept["tokens"]:
        return False
    del kept["tokens"][origin]
    if kept.get("last") == origin:
        kept["last"] = next(iter(kept["tokens"]), None)
    _write(kept)
    return True


def _read() -> dict[str, Any]:
    path = tokens_file()
    try:
        if os.name == "posix" and (mode := path.stat().st_mode & 0o777) & CLOSED:
            raise TokensUnusable(
                f"Others can read {path} (mode {mode:o}). Run chmod 600 {path}, and revoke its tokens if you"
                " share this machine."
            )
        kept = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(kept["tokens"], dict):
            raise TypeError("tokens")
    except FileNotFoundError:
        return {"tokens": {}}
    except OSError as error:
        raise TokensUnusable(f"Cannot read {path}: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise TokensUnusable(f"{path} is not a file of tokens. Move it away and log in again.") from None
    return dict(kept)


def _write(kept: dict[str, Any]) -> None:
    """Write the file whole or not at all, and never readable by others, not even for a moment."""
    path = tokens_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(prefix=".tokens-", dir=path.parent)  # made with mode 0600
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file, indent=1)
            Path(fresh).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(fresh).unlink()
            raise
    except OSError as error:
        raise TokensUnusable(f"Cannot write {path}: {error.strerror}.") from None
