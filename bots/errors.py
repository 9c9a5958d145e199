"""Errors of ``bots``. A `BotsError` is a sentence for the user, with a code and a field; `Unplayable` is the
arena's own fault, which nobody is told."""

from __future__ import annotations


class BotsError(Exception):
    """A request that was refused: ``str()`` is a sentence for the user, ``field`` the form field to blame.

    ``status`` is the HTTP status of the answer. After ``retry_after`` seconds the same request may succeed.
    """

    code = "refused"
    status = 422

    def __init__(self, sentence: str, field: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.retry_after = retry_after


class NameRefused(BotsError):
    """The name is taken, reserved, or has no characters that an address could use."""

    code = "name"


class OwnerGone(BotsError):
    """The account was deleted while its upload was inspected."""

    code = "account"
    status = 410


class LimitReached(BotsError):
    """The user has reached the limit of bots, or of versions uploaded today."""

    code = "limit"
    status = 429


class UploadRefused(BotsError):
    """The file is not a bot that could be checked."""

    code = "upload"


class RemoteRefused(BotsError):
    """The program of a remote bot cannot connect, or there can be none; `code` says why to a program."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class FollowRefused(BotsError):
    """The bot cannot be followed: it is one's own, or plays no more."""

    code = "follow"


class ArenaBusy(BotsError):
    """As many uploads wait for their inspection as the arena keeps."""

    code = "busy"
    status = 429


class NotActivatable(BotsError):
    """Only an accepted version of a bot that was not withdrawn can be active."""

    code = "activation"


class FilesMissing(BotsError):
    """A version's files are no longer stored, or are not what they were."""

    code = "files"


class TokenRefused(BotsError):
    """The token is unknown, revoked, or there are too many of them."""

    code = "token"


class OwnersRefused(BotsError):
    """An invitation or an answer to one that the owners of a bot cannot give (any more)."""

    code = "owners"
    status = 409


class Unplayable(Exception):
    """The game could not be played by no bot's fault.

    `sandbox_down` says that no other could be either, `died` that the playing process ended and did not say
    why. `seat` is the one whose bot's process it befell, None if it befell nobody's in particular.
    """

    def __init__(
        self, reason: str, *, sandbox_down: bool = False, died: bool = False, seat: int | None = None
    ) -> None:
        super().__init__(reason)
        self.seat = seat
        self.sandbox_down = sandbox_down
        self.died = died


class BotAway(Unplayable):
    """A remote bot that was online when the game was claimed was not there when it began."""


class Interrupted(Unplayable):
    """The game was broken off because this process is about to end."""
