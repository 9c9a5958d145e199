"""What goes wrong when data is kept or moved: always one sentence for the operator."""


class KeepingError(Exception):
    """A backup, a restoration or a move that cannot be done; the message says why and what to do."""
