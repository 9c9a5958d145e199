"""What the referee makes of a bot whose process is gone."""

import contextlib
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from referee.errors import Infrastructure
from referee.player import PlayerFault
from referee.result import Termination
from referee.sandboxed import SandboxedPlayer
from sandbox import Exit, KilledByHost, SandboxUnavailable


def player(error: Exception, *, doubted: bool) -> SandboxedPlayer:
    """A player in seat 1 whose process answers every question with an error."""

    def fail(*_: object) -> NoReturn:
        raise error

    process: Any = SimpleNamespace(
        cpu_ns=int, fileno=int, pause=list, resume=list, send=fail, ask=fail, read_line=fail
    )
    return SandboxedPlayer(process, 0, 1, doubted=doubted)


def conversations(mine: SandboxedPlayer) -> list[Callable[[], object]]:
    send, ask = partial(mine.send, b"{}\n", 1.0), partial(mine.ask, b"{}\n", 1.0, 1)
    return [send, ask, partial(mine.receive, 1.0)]


def killed(*, proved: bool) -> KilledByHost:
    words = "was ended by the kernel because the host ran out of memory"
    return KilledByHost(Exit(None, 9, 0, 0, b"", cause="host", words=words, proved=proved))


@pytest.mark.parametrize(("doubted", "proved"), [(False, False), (False, True), (True, True)])
def test_a_bot_that_the_host_ended_loses_nothing(doubted: bool, proved: bool) -> None:
    with pytest.raises(Infrastructure) as void:
        player(killed(proved=proved), doubted=doubted).ask(b"{}\n", 1.0, 1)
    assert str(void.value) == (
        "seat 1: a bot was ended by the kernel because the host ran out of memory"
        " (give the host memory, or play fewer games at once)"
    )
    assert void.value.seat == 1


def test_a_doubted_bot_needs_proof() -> None:
    words = r"^was killed by SIGKILL once more than the arena tolerates$"
    for conversation in conversations(player(killed(proved=False), doubted=True)):
        with pytest.raises(PlayerFault, match=words) as fault:
            conversation()
        assert fault.value.termination is Termination.CRASH


def test_a_failure_that_affects_no_bot_names_no_seat() -> None:
    with pytest.raises(Infrastructure, match=r"^a pipe broke$") as void:
        player(SandboxUnavailable("a pipe broke"), doubted=True).receive(1.0)
    assert void.value.seat is None


@pytest.mark.parametrize(
    "error", [ValueError("int(b'x')"), OSError(12, "no memory"), killed(proved=True)], ids=type
)
def test_nothing_is_raised_once_the_game_is_over(error: Exception) -> None:
    mine = player(error, doubted=False)
    with contextlib.suppress(PlayerFault, Infrastructure):
        mine.send(b"last words\n", 1.0)

    def fail(*_: object) -> NoReturn:
        raise error

    vars(mine._process).update(farewell=fail, close=fail, kill=fail)
    mine.farewell(b"end\n")
    left = mine.close()
    mine.kill()
    assert left.messages == [("to", "last words"), ("to", "end")]
    assert left.exit.startswith("caused an error that the arena did not expect (")
