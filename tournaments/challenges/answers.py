"""What becomes of a challenge: accepted and played, declined, withdrawn, expired, its bot with another owner.

Each is a conditional update of an open challenge, so whoever comes second is told that it is answered.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, gettext_lazy

from analysis.errors import WrongStatus
from arena.notices.models import Kind
from arena.notices.sending import tell
from arena.web.database import database_clock
from arena.web.i18n.phrases import fill
from bots.locks import lock_owner
from bots.models import Version, program_gone
from tournaments.challenges.errors import ChallengeRefused
from tournaments.challenges.models import Block, Challenge
from tournaments.events.creation import NAME_LENGTH, NewTournament, create_tournament
from tournaments.pairing.progress import start_in_a_worker

if TYPE_CHECKING:
    from collections.abc import Collection

    from arena.accounts.models import User
    from bots.models import Bot
    from tournaments.models import Tournament


KEPT: Final = timedelta(days=90)
"""How long a challenge that came to nothing stays in the lists of its two sides."""
MOST_BLOCKED: Final = 500
Status = Challenge.Status
TOLD: Final = {
    Status.ACCEPTED: gettext_lazy("%(name)s accepted your challenge: %(mine)s against %(theirs)s."),
    Status.DECLINED: gettext_lazy("%(name)s declined your challenge: %(mine)s against %(theirs)s."),
    Status.EXPIRED: gettext_lazy("%(name)s did not answer your challenge: %(mine)s against %(theirs)s."),
}
"""What the asker is told of a challenge, by what became of it."""


def event_of(challenge: Challenge) -> NewTournament:
    """The tournament that is played once it is accepted."""
    with translation.override(None):  # its name is kept
        name = f"{challenge.mine} against {challenge.theirs}"[:NAME_LENGTH].strip()
    return NewTournament(
        name=name,
        description="A challenge that both owners agreed to.",
        versions=(challenge.mine_id, challenge.theirs_id),
        variant=challenge.variant,
        pairs_per_pairing=challenge.pairs,
        bank_ms=challenge.bank_ms,
        increment_ms=challenge.increment_ms,
        agreed=True,
        admits_remote=challenge.mine.is_remote or challenge.theirs.is_remote,
    )


def begin(challenge: Challenge, by: User | None = None) -> Tournament:
    """Accept an open challenge and have it played; `by` is who accepted. Returns its tournament.

    The tournament belongs to the asker, so its games take the asker's turn in the queue. Raises WrongStatus
    or InvalidTournament; then nothing has changed.
    """
    with transaction.atomic():
        _answer(challenge, Status.ACCEPTED)
        _assert_playable(challenge)
        tournament = create_tournament(event_of(challenge), challenge.asker, promised=True)
        Challenge.objects.filter(pk=challenge.pk).update(tournament=tournament)
        challenge.tournament = tournament
        start_in_a_worker(tournament, by=by)
    return tournament


def accept(challenge: Challenge, user: User) -> None:
    """Accept a challenge to a bot of the user. Raises WrongStatus or InvalidTournament."""
    with transaction.atomic():
        tournament = begin(challenge, user)
        _tell_asker(challenge, Status.ACCEPTED, tournament.get_absolute_url())


def decline(challenge: Challenge) -> None:
    """Decline a challenge. Raises WrongStatus."""
    with transaction.atomic():
        _answer(challenge, Status.DECLINED)
        _tell_asker(challenge, Status.DECLINED, reverse("challenges:list"))


def withdraw(challenge: Challenge) -> None:
    """Take a challenge back. Raises WrongStatus."""
    _answer(challenge, Status.WITHDRAWN)


def block(user: User, other: User) -> Block:
    """Let `other` challenge this user no more; what they asked already counts as declined.

    Raises ChallengeRefused.
    """
    if other.pk == user.pk:
        raise ChallengeRefused(gettext("You cannot block yourself."), "user")
    with transaction.atomic():
        lock_owner(user)
        if Block.objects.filter(owner=user).exclude(blocked=other).count() >= MOST_BLOCKED:
            raise ChallengeRefused(
                gettext("You already block %(most)s people, the most one account can.")
                % {"most": MOST_BLOCKED},
                "user",
            )
        made, _ = Block.objects.get_or_create(owner=user, blocked=other)
        unanswered = Challenge.objects.filter(asker=other, asked=user, status=Status.OPEN)
        unanswered.update(status=Status.DECLINED, answered_at=database_clock.now())
    return made


def expire_due() -> int:
    """Close the challenges that nobody answered in time, and tell who asked; how many."""
    due = Challenge.objects.filter(status=Status.OPEN, expires_at__lte=database_clock.now())
    closed = 0
    for challenge in due.select_related("asker", "asked", "mine__bot", "theirs__bot"):
        with transaction.atomic():
            mine = Challenge.objects.filter(pk=challenge.pk, status=Status.OPEN)
            if mine.update(status=Status.EXPIRED, answered_at=database_clock.now()):
                closed += 1
                _tell_asker(challenge, Status.EXPIRED, reverse("challenges:list"))
    return closed


def forget_old() -> int:
    """Delete challenges that came to nothing three months ago; how many there were."""
    nothing = Challenge.objects.filter(tournament=None).exclude(status=Status.OPEN)
    return nothing.filter(created_at__lt=database_clock.now() - KEPT).delete()[0]


def tell_off(challenge: Challenge) -> None:
    """Tell who asked that the bot that was challenged is gone; it has no name any more."""
    tell(
        [challenge.asker_id],
        Kind.ANSWERED,
        f"challenge {challenge.pk} answered",
        fill(
            gettext_lazy("A bot that you challenged with %(mine)s is gone, so your challenge is off."),
            mine=challenge.mine,
        ),
        reverse("challenges:list"),
    )


def _assert_playable(challenge: Challenge) -> None:
    """Raise ChallengeRefused if something has happened to a version since the challenge was made."""
    keys = (challenge.mine_id, challenge.theirs_id)
    fit = set(Version.objects.fit_for(remote=True).filter(pk__in=keys).values_list("pk", flat=True))
    for version in (challenge.mine, challenge.theirs):
        if version.pk not in fit:
            raise ChallengeRefused(
                gettext("%(version)s cannot play now: it is withdrawn or benched.") % {"version": version}
            )
    if not challenge.asker.is_active:
        raise ChallengeRefused(
            gettext("The account of %(name)s is closed.") % {"name": challenge.asker.get_username()}
        )


def _answer(challenge: Challenge, status: Challenge.Status) -> None:
    """Give an open challenge its answer; WrongStatus says what it is instead."""
    now = database_clock.now()
    still = Challenge.objects.filter(pk=challenge.pk, status=Status.OPEN, expires_at__gt=now)
    if still.update(status=status, answered_at=now):
        challenge.status, challenge.answered_at = status, now
        return
    found = Challenge.objects.filter(pk=challenge.pk).values_list("status", flat=True).first()
    if found is None:
        raise WrongStatus(gettext("This challenge is gone: an account or a bot was deleted."))
    words = Status.EXPIRED if found == Status.OPEN else Status(found)
    raise WrongStatus(
        gettext("This challenge is %(status)s. It can no longer be answered.")
        % {"status": str(words.label).lower()}
    )


def _tell_asker(challenge: Challenge, became: Challenge.Status, url: str) -> None:
    name = challenge.asked.get_username() if challenge.asked else gettext_lazy("The house")
    tell(
        [challenge.asker_id],
        Kind.ANSWERED,
        f"challenge {challenge.pk} answered",
        fill(TOLD[became], name=name, mine=challenge.mine, theirs=challenge.theirs),
        url,
    )


def close_challenges(versions: Collection[int]) -> None:
    """Take back what was asked for with versions without files, and decline what was asked of them.

    Others may play again before the challenge expires, and until then whoever accepts is told why not.
    """
    still, now = Challenge.objects.filter(status=Challenge.Status.OPEN), database_clock.now()
    asked_for = still.filter(program_gone("mine__"), mine__in=versions)
    asked_for.update(status=Challenge.Status.WITHDRAWN, answered_at=now)
    rows = still.filter(program_gone("theirs__"), theirs__in=versions)
    rows = rows.select_related("mine__bot", "theirs__bot")
    for challenge in rows:
        if still.filter(pk=challenge.pk).update(status=Challenge.Status.DECLINED, answered_at=now):
            tell_off(challenge)


def ask_new_owner(bot: Bot, owner: User) -> None:
    """Have the new owner be asked what is still open, so that it bears their name and stays with the bot.

    Who was asked and has answered stays in the lists. Nobody is asked by themselves.
    """
    still = Challenge.objects.filter(theirs__bot=bot, status=Challenge.Status.OPEN, asked__isnull=False)
    still.exclude(asker=owner).update(asked=owner)
