"""Pictures of games that other sites show: drawn one at a time for each address."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from tournaments.pages.games import games as preview_pictures
from tournaments.pages.games.games import TooManyPictures


def test_one_address_leaves_a_place_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on = threading.Semaphore(0), threading.Event()

    def draw(*_: Any, **__: Any) -> SimpleNamespace:
        began.release()
        assert go_on.wait(30)
        return SimpleNamespace(stdout=b"picture")

    monkeypatch.setattr("tournaments.pages.games.games.subprocess.run", draw)
    drawn: list[bytes] = []
    threads = []
    for address in ("one", "another"):
        thread = threading.Thread(target=lambda who=address: drawn.append(preview_pictures._drawn("", who)))
        thread.start()
        threads.append(thread)
        assert began.acquire(timeout=30)
        with pytest.raises(TooManyPictures):
            preview_pictures._drawn("", "one")
    with pytest.raises(TooManyPictures):
        preview_pictures._drawn("", "a third")
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert drawn == [b"picture"] * 2
    assert preview_pictures._drawn("", "one") == b"picture"
