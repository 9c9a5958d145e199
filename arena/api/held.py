"""A streamed answer that holds something until it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import StreamingHttpResponse

if TYPE_CHECKING:
    from collections.abc import Callable


class Held(StreamingHttpResponse):
    """A streamed answer with something to do once, when it is closed."""

    def when_closed(self, close: Callable[[], None]) -> None:
        """Call `close` when the answer ends, however it ends."""
        self._resource_closers.append(close)  # type: ignore[attr-defined]  # Django's own list, not in the stubs
