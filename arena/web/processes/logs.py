"""Log lines that say which game, version or request they belong to, as text or as JSON."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

_followed: ContextVar[dict[str, str]] = ContextVar("followed")
ABOUT: Final = "crapette_about"
"""Where an error keeps what was followed when it was raised."""


@contextmanager
def following(**what: object) -> Iterator[None]:
    """Let every log line of this thread, as long as the block lasts, name what it is about."""
    token = _followed.set({**_followed.get({}), **{name: str(value) for name, value in what.items()}})
    try:
        yield
    except Exception as error:
        # Who hears of it outside of the block learns what it was about.
        note(error, **_followed.get())
        raise
    finally:
        _followed.reset(token)


def note(error: BaseException, **what: str) -> None:
    """Let an error remember what it is about; what was noted first is nearer to it and stays."""
    vars(error)[ABOUT] = {**what, **getattr(error, ABOUT, {})}


def current_fields(error: BaseException | None = None) -> dict[str, str]:
    """What is followed now, or was where an error was raised."""
    return {**_followed.get({}), **getattr(error, ABOUT, {})}


class LineFormatter(logging.Formatter):
    """The text of a line, with what is followed at its end."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and a traceback if there is one."""
        found = _followed.get({})
        if found and not hasattr(record, "followed"):
            named = " ".join(f"{name}={value}" for name, value in found.items())
            record.followed = True
            record.msg, record.args = f"{record.getMessage()} [{named}]", ()
        return super().format(record)


class Json(logging.Formatter):
    """One JSON object a line: time, level, logger, message, what is followed, and a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_followed.get({}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
