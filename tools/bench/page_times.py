"""Page times, as seen by one visitor who requests one page after the other."""

from __future__ import annotations

import http.client
import re
import time
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

PAUSE_SECONDS = 0.02
"""Between two pages, so that the visitor is no load test."""


@dataclass
class PageTimes:
    """Milliseconds of every page fetched, by path."""

    by_path: dict[str, list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @property
    def all(self) -> list[float]:
        """Every time, sorted."""
        return sorted(ms for times in self.by_path.values() for ms in times)

    @property
    def middle(self) -> float:
        """The median."""
        return median(self.all)

    def at(self, share: float) -> float:
        """The time that this share of the pages did not exceed."""
        times = self.all
        return times[min(len(times) - 1, int(share * len(times)))]


class Visitor:
    """Fetches pages over one kept connection."""

    def __init__(self, url: str, headers: Mapping[str, str] | None = None) -> None:
        self._host = urlsplit(url).netloc
        self._headers = dict(headers or {})
        self._connection = http.client.HTTPConnection(self._host, timeout=60)

    def get(self, path: str) -> tuple[int, str, float]:
        """Status, body and milliseconds until the last byte."""
        begun = time.perf_counter()
        try:
            self._connection.request("GET", path, headers=self._headers)
            answer = self._connection.getresponse()
            body = answer.read()
        except (http.client.HTTPException, OSError):
            self._connection.close()
            return 0, "", (time.perf_counter() - begun) * 1000
        return answer.status, body.decode(errors="replace"), (time.perf_counter() - begun) * 1000

    def linked(self) -> list[str]:
        """Home and the pages that home links to, each once."""
        found = re.findall(r'href="(/[^"#]*)"', self.get("/")[1])
        return list(dict.fromkeys(["/", *(path for path in found if not path.startswith("/static/"))]))

    def visit(self, seconds: float) -> PageTimes:
        """Go round the pages linked from home for so many seconds; the links are read anew every round."""
        times = PageTimes()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for path in self.linked():
                if time.monotonic() >= deadline:
                    break
                status, _, ms = self.get(path)
                if status not in (200, 302, 304):
                    times.failed.append(f"{path}: {status}")
                times.by_path.setdefault(path, []).append(ms)
                time.sleep(PAUSE_SECONDS)
        return times
