"""What can go wrong in ``bots``: each error is a sentence for the user, with a code and a field."""

from __future__ import annotations


class BotsError(Exception):
    """A request that was refused: ``str()`` is a sentence for the user, ``field`` the form field to blame.

    ``status`` is the HTTP status of the answer; after ``retry_after`` seconds the same request may do.
    """

    code = "refused"
    status = 422

    def __init__(self, sentence: str, field: str | None = None, retry_after: int | None = None) -> None:
        super().__init__(sentence)
        self.field = field
        self.retry_after = retry_after


class NameRefused(BotsError):
    """The name is taken, reserved, or has nothing in it to make an address of."""

    code = "name"


class OwnerGone(BotsError):
    """The account was deleted while its upload was inspected."""

    code = "account"
    status = 410


class LimitReached(BotsError):
    """The user has as many bots, or uploaded as many versions today, as one may."""

    code = "limit"
    status = 429


class UploadRefused(BotsError):
    """The file is not a bot that could be checked."""

    code = "upload"


class ArenaUnavailable(BotsError):
    """The arena cannot check anything at present; the upload is not to blame."""

    code = "unavailable"
    status = 503


class ArenaBusy(BotsError):
    """As many uploads as the arena can take are being inspected."""

    code = "busy"
    status = 503


class NotActivatable(BotsError):
    """Only an accepted version of a bot that was not withdrawn can be active."""

    code = "activation"


class FilesMissing(BotsError):
    """A version's files are no longer stored, or are not what they were."""

    code = "files"


class TokenRefused(BotsError):
    """The token is unknown, revoked, or there are too many of them."""

    code = "token"
