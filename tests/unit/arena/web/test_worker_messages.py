"""Messages that a serving process sends."""

import threading
from typing import Any

import pytest

from arena.web import worker_messages


def test_a_broker_that_does_not_answer_keeps_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    answers, sent = threading.Event(), threading.Semaphore(0)
    got: list[str] = []

    def send(task: str, _arguments: list[Any], _delay: float) -> None:
        assert answers.wait(60)
        got.append(task)
        sent.release()
        if task == "first":
            raise ConnectionError("lost")

    monkeypatch.setattr(worker_messages, "_send", send)
    monkeypatch.setattr(worker_messages._Carrier, "carrier", None)
    worker_messages.send_behind()
    for task in ("first", "second"):
        worker_messages.send(task)
    assert got == []
    answers.set()
    for _ in range(2):
        assert sent.acquire(timeout=60)
    assert got == ["first", "second"]
