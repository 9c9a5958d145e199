"""A line to a bot and the line that comes back."""

import os
from collections.abc import Iterator

import pytest

from sandbox import timer
from sandbox.exchange import Exchange


class Ends:
    """An exchange, and the bot's ends of its pipes."""

    def __init__(self, tick: int) -> None:
        self.heard, to = os.pipe()
        back, self.said = os.pipe()
        for fd in (to, back):
            os.set_blocking(fd, False)
        self.exchange = Exchange(to, back, tick, 64)
        self.fds = [self.heard, to, back, self.said]


@pytest.fixture(params=["ticking", "no timer"])
def ends(request: pytest.FixtureRequest) -> Iterator[Ends]:
    made = Ends(timer.ticking() if request.param == "ticking" else -1)
    yield made
    for fd in made.fds:
        os.close(fd)


def test_a_whole_line_comes_back_without_its_end(ends: Ends) -> None:
    os.write(ends.said, b"yes\n")
    assert ends.exchange.ask(b"well?\n", 1) == b"yes"
    assert os.read(ends.heard, 64) == b"well?\n"
    assert (ends.exchange.sent, ends.exchange.kept) == (6, b"")


@pytest.mark.parametrize("said", [b"ye", b"yes\nno\n", b"yes\nn", b"\n\n", b"x" * 64])
def test_what_is_not_one_line_is_kept_and_nothing_more_is_asked_until_it_is_taken(
    ends: Ends, said: bytes
) -> None:
    os.write(ends.said, said)
    assert ends.exchange.ask(b"well?\n", 1) is None
    assert (ends.exchange.sent, ends.exchange.kept) == (6, said)
    assert ends.exchange.ask(b"and?\n", 1) is None
    assert ends.exchange.sent == 0
    ends.exchange.kept.clear()
    os.write(ends.said, b"\n")
    assert ends.exchange.ask(b"now?\n", 1) == b""
    assert os.read(ends.heard, 64) == b"well?\nnow?\n"


def test_a_bot_that_does_not_read_is_not_waited_for(ends: Ends) -> None:
    line = b"x" * (1 << 20)
    os.write(ends.said, b"early\n")
    assert ends.exchange.ask(line, 1) is None
    assert 0 < ends.exchange.sent < len(line)
    assert ends.exchange.ask(line, 1) is None
    assert (ends.exchange.sent, ends.exchange.kept) == (0, b"")


def test_a_bot_that_is_gone_gives_no_answer(ends: Ends) -> None:
    for fd in (ends.said, ends.heard):
        os.close(fd)
    assert ends.exchange.ask(b"well?\n", 1) is None
    assert ends.exchange.sent == 0
    ends.fds = ends.fds[1:3]
    ends.exchange.close()
    assert ends.exchange.ask(b"well?\n", 1) is None
