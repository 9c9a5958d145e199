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


def test_a_site_answers_to_the_names_of_where_it_listens_and_shows_what_can_be_typed_here() -> None:
    assert address.reachable_names("127.0.0.1") == ["localhost", "127.0.0.1", "[::1]"]
    assert socket.gethostname().lower() in address.reachable_names("0.0.0.0")
    for host in ("127.0.0.1", "0.0.0.0"):
        with address.listen(host, 0) as bound:
            assert address.url(host, bound) == f"http://127.0.0.1:{bound.getsockname()[1]}/"
