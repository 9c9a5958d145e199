"""Where the site listens: bound before anything else starts, so that a taken port is known at once."""

import contextlib
import errno
import socket

FIRST_PORT = 8000
LAST_PORT = 8099


class NoAddress(Exception):
    """The site cannot listen where it was told to."""


def listen(host: str, port: int | None) -> socket.socket:
    """A socket bound to host and port; without a port the first free one from 8000 on.

    Raises NoAddress with one sentence when the port is taken or the host is not ours.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise NoAddress(
            f"--host: expected a name or address of this machine, got {host!r} ({error})."
        ) from None
    for candidate in range(FIRST_PORT, LAST_PORT + 1) if port is None else (port,):
        bound = _bind(family, str(address[0]), candidate)
        if bound is not None:
            return bound
        if port is not None:
            raise NoAddress(
                f"Port {port} of {host} is taken. Choose another with --port,"
                " or leave out --port to use a free one."
            )
    raise NoAddress(
        f"All ports from {FIRST_PORT} to {LAST_PORT} of {host} are taken. Choose one with --port."
    )


def _bind(family: int, address: str, port: int) -> socket.socket | None:
    """Return a bound socket, or None if the port is taken."""
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((address, port))
        # Listening now keeps others off the port, and callers wait instead of being refused.
        bound.listen(2048)
    except OSError as error:
        bound.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            return None
        raise NoAddress(f"Cannot listen on {address} port {port}: {error.strerror}.") from None
    return bound


def reachable_names(host: str) -> list[str]:
    """Return the names that requests may use for a site on this host (Django's ALLOWED_HOSTS)."""
    names = ["localhost", "127.0.0.1", "[::1]"]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (asked for by the operator)
        names += [socket.gethostname().lower(), socket.getfqdn().lower(), *_own_addresses()]
    else:
        names.append(f"[{host}]" if ":" in host else host.lower())
    return list(dict.fromkeys(names))


def _own_addresses() -> list[str]:
    """Return this machine's addresses, as far as its name and its default route reveal them."""
    found = []
    with contextlib.suppress(socket.gaierror):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent: connecting a datagram socket only asks the kernel for the way there.
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return [f"[{name}]" if ":" in name else name for name in found]


def url(host: str, bound: socket.socket) -> str:
    """The address to type into a browser on this machine."""
    shown = "127.0.0.1" if host == "0.0.0.0" else "localhost" if host == "::" else host  # noqa: S104 (compared)
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{bound.getsockname()[1]}/"
