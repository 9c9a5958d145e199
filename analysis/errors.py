"""The error tree of the competition."""


class CompetitionError(Exception):
    """Root of what can go wrong in a tournament; its text is a sentence for the person who asked."""

    code = "competition"


class InvalidTournament(CompetitionError):
    """A tournament was asked for that cannot be held. `field` names the form field at fault, or is empty."""

    code = "invalid-tournament"

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class WrongStatus(CompetitionError):
    """Something was asked of a tournament or pair that its status does not allow."""

    code = "wrong-status"


class StaleAttempt(CompetitionError):
    """An attempt that does not hold the game's current token tried to deliver."""

    code = "stale-attempt"


class ResultRefused(CompetitionError):
    """Another result than the accepted one was delivered."""

    code = "result-refused"


class BrokenChain(CompetitionError):
    """An event log does not fit its hash chain, or its numbers have gaps."""

    code = "broken-chain"


class UnknownValues(CompetitionError):
    """There is no value function for such games."""

    code = "unknown-values"


class BrokenRecord(CompetitionError):
    """A record's moves are not those of a game from its start."""

    code = "broken-record"


class InvalidFriendly(CompetitionError):
    """A person asked for a game that cannot be played. `field` names the form field at fault, or is empty."""

    code = "invalid-friendly"

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field
