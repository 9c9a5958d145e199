"""Errors of the competition."""


class CompetitionError(Exception):
    """Base class of errors in tournaments. The text is a sentence for the person who asked."""

    code = "competition"


class InvalidTournament(CompetitionError):
    """The requested tournament is impossible. `field` names the form field at fault, or is empty."""

    code = "invalid-tournament"

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class WrongStatus(CompetitionError):
    """The status of a tournament or pair does not allow the request."""

    code = "wrong-status"


class StaleAttempt(CompetitionError):
    """An attempt that does not hold the game's current token tried to deliver."""

    code = "stale-attempt"


class ResultRefused(CompetitionError):
    """A result was delivered that differs from the accepted one."""

    code = "result-refused"


class BrokenChain(CompetitionError):
    """An event log does not fit its hash chain, or its numbers have gaps."""

    code = "broken-chain"


class UnknownValues(CompetitionError):
    """There is no value function for such games."""

    code = "unknown-values"


class BrokenRecord(CompetitionError):
    """The moves of a record are not a game that begins at its start."""

    code = "broken-record"


class InvalidFriendly(CompetitionError):
    """The requested friendly is impossible. `field` names the form field at fault, or is empty."""

    code = "invalid-friendly"

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field
