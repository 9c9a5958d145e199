"""The pages that a process keeps, for tests that want them made again."""

from arena.web.cache.pages import asked, plain


def clear_shelves() -> None:
    """Drop all cached pages."""
    plain.clear()
    asked.clear()
