"""Where the site listens."""

import socket

import pytest

from arena.run.embedded import address


def test_a_port_that_was_asked_for_and_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(address.NoAddress) as caught:
            address.listen("127.0.0.1", port)
    assert str(caught.value).startswith(f"Port {port} of 127.0.0.1 is taken. Choose another with --port")


def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(address, "FIRST_PORT", port)
        monkeypatch.setattr(address, "LAST_PORT", port + 20)
        with address.listen("127.0.0.1", None) as bound:
            assert port < bound.getsockname()[1] <= port + 20
