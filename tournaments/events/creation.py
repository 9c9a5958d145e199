"""Creates tournaments, and says in a sentence what is wrong with a request."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy

import engine
from analysis.errors import InvalidTournament
from analysis.formats import committed_seeds, matches
from analysis.formats.committed_seeds import commitment
from analysis.formats.plans import Size, size
from analysis.formats.swiss import usual_rounds
from arena.accounts.confirmation import assert_confirmed
from arena.web.database import database_clock
from arena.web.i18n.phrases import either
from arena.web.slugs import is_page, store
from arena.web.variants import board_title, variant_title
from bots.models import Bot, Trial, Version, VersionQuerySet
from engine.boards import board_name
from tournaments.models import Entry, Tournament
from tournaments.pairing.embargo import Hiding, check_hiding, hide, hiding_again
from tournaments.pairing.groups import assert_enough, group_rule, with_settled_groups
from tournaments.ratings.rated_pool import why_unrated

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from arena.accounts.models import User

NAME_LENGTH = 60
LONGEST_SLUG = 60
MOST_ENTRANTS = 64
MOST_PAIRS = 200
MOST_TEST_PAIRS = 5_000
MOST_CYCLES = 8
MOST_GAMES = 20_000
MOST_RUNNING = 3
MOST_AHEAD = timedelta(days=90)
BANK_MS = (1_000, 600_000)
INCREMENT_MS = (0, 10_000)


@dataclass(frozen=True, slots=True)
class NewTournament:
    """A tournament as it is asked for. `versions` are keys of `bots.Version`, in the order of the draw.

    `agreed` says that the owner of every version agreed to this very event: so any of them may enter, the
    limit of tournaments at a time does not bind, and nothing is rated.
    """

    name: str
    versions: tuple[int, ...]
    variant: str = "crapaud"
    players: int = 2
    format: str = Tournament.Format.ROUND_ROBIN
    cycles: int = 1
    rounds: int = 0
    pairs_per_pairing: int = 10
    bank_ms: int = 60_000
    increment_ms: int = 500
    rated: bool = True
    description: str = ""
    registration_until: datetime | None = None
    starts_at: datetime | None = None
    invited: bool = False
    admits_remote: bool = False
    agreed: bool = False
    hiding: Hiding | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def size(self) -> Size:
        """How many rounds, pairings, pairs and games it will be; raises InvalidTournament."""
        rule = group_rule(self)
        if rule is not None:
            assert_enough(rule, len(self.versions))
        return size(
            self.format,
            len(self.versions),
            players=self.players,
            cycles=self.cycles,
            rounds=self.rounds,
            pairs=self.pairs_per_pairing,
            groups=rule,
        )


@transaction.atomic
def create_tournament(new: NewTournament, owner: User | None, *, promised: bool = False) -> Tournament:
    """Store a draft with its entrants; `owner` None is the house, whom the limits do not bind.

    Raises InvalidTournament with one sentence, or AddressNotConfirmed unless the owner was `promised` it when
    they asked; then nothing was stored. The seed is drawn here and committed to.
    """
    if not promised:
        assert_confirmed(owner)
    if not new.registration_until:
        new = with_usual_rounds(new)
    name, versions = check_request(new, owner)
    because = why_unrated(
        owner,
        new.format,
        (new.bank_ms, new.increment_ms),
        kept_out=not new.rated,
        agreed=new.agreed,
        admits_remote=new.admits_remote,
    )
    fields: dict[str, Any] = dict(
        name=name,
        description=new.description.strip()[:2000],
        owner=owner,
        variant=new.variant,
        players=new.players,
        format=new.format,
        cycles=new.cycles,
        rounds=new.rounds,
        pairs_per_pairing=new.pairs_per_pairing,
        bank_ms=new.bank_ms,
        increment_ms=new.increment_ms,
        rated=not because,
        unrated_because=because,
        admits_remote=new.admits_remote,
        options=new.options,
        registration_until=new.registration_until,
        starts_at=new.starts_at,
        join_key=new_join_key() if new.invited else "",
        **new_seed(),
    )
    tournament = store(lambda slug: Tournament.objects.create(slug=slug, **fields), lambda: _slug(name))
    Entry.objects.bulk_create(
        Entry(tournament=tournament, version=version, number=number)
        for number, version in enumerate(versions, start=1)
    )
    if new.hiding is not None:
        hide(tournament, new.hiding)
    return tournament


def check_request(new: NewTournament, owner: User | None) -> tuple[str, list[Version]]:
    """The tidied name and the entrants of a tournament that may be created. Raises InvalidTournament."""
    name = _name(new.name)
    _game(new)
    _match(new)
    _assert_may_be_open(new)
    group_rule(new)
    _dates(new)
    if new.hiding is not None:
        check_hiding(new.hiding, new.format)
    _limits(new, owner)
    return name, _versions(new, owner)


def check_changes(new: NewTournament, before: Tournament) -> str:
    """The tidied name of a draft that may be changed to this wish. Raises InvalidTournament."""
    name = _name(new.name)
    _game(new)
    _dates(new, kept=(before.registration_until, before.starts_at))
    is_open = new.registration_until is not None and new.registration_until > database_clock.now()
    if not is_open and len(new.versions) > 1:
        with_usual_rounds(new).size()
    _bounds(new, before.owner)
    return name


def with_usual_rounds(new: NewTournament) -> NewTournament:
    """The same, a Swiss with as many rounds as find one winner if none were asked for, and as many groups."""
    new = with_settled_groups(new)
    if new.format == Tournament.Format.SWISS and not new.rounds:
        return replace(new, rounds=usual_rounds(len(new.versions)))
    return new


def as_asked(tournament: Tournament) -> NewTournament:
    """The wish a tournament was made of, with the entrants it has now."""
    options = {name: value for name, value in tournament.options.items() if name != "verdict"}
    return NewTournament(
        name=tournament.name,
        versions=tuple(tournament.entries.order_by("number").values_list("version", flat=True)),
        variant=tournament.variant,
        players=tournament.players,
        format=tournament.format,
        cycles=tournament.cycles,
        rounds=tournament.rounds,
        pairs_per_pairing=tournament.pairs_per_pairing,
        bank_ms=tournament.bank_ms,
        increment_ms=tournament.increment_ms,
        rated=tournament.rated,
        description=tournament.description,
        registration_until=tournament.registration_until,
        starts_at=tournament.starts_at,
        invited=bool(tournament.join_key),
        admits_remote=tournament.admits_remote,
        hiding=hiding_again(tournament),
        options=options,
    )


def new_seed() -> dict[str, str]:
    """A fresh secret seed and its commitment, as fields of a tournament."""
    seed = committed_seeds.new_seed()
    return {"seed": seed, "seed_commitment": commitment(seed)}


def _name(name: str) -> str:
    """The name with its spaces tidied."""
    tidy = " ".join(name.split())
    if not 3 <= len(tidy) <= NAME_LENGTH:
        raise InvalidTournament(
            gettext("A name has 3 to %(most)s characters. This one has %(count)s.")
            % {"most": NAME_LENGTH, "count": len(tidy)},
            "name",
        )
    if not tidy.isprintable():
        raise InvalidTournament(gettext("The name has characters that cannot be displayed."), "name")
    return tidy


def _game(new: NewTournament) -> None:
    """The variant, its number of seats, and the clock."""
    if new.variant not in engine.VARIANTS:
        raise InvalidTournament(gettext("Choose a game from the list."), "variant")
    seats = engine.VARIANTS[new.variant].players
    if new.players not in seats:
        raise InvalidTournament(
            gettext("%(game)s has %(allowed)s seats, not %(asked)s.")
            % {
                "game": variant_title(new.variant),
                "allowed": either([str(number) for number in seats]),
                "asked": new.players,
            },
            "players",
        )
    bank = gettext("The time bank must be from %(least)s to %(most)s ms. You asked for %(asked)s.")
    _between(bank, new.bank_ms, BANK_MS, "bank_ms")
    increment = gettext("The increment must be from %(least)s to %(most)s ms. You asked for %(asked)s.")
    _between(increment, new.increment_ms, INCREMENT_MS, "increment_ms")


def _assert_may_be_open(new: NewTournament) -> None:
    """Raise InvalidTournament for an event that admits remote bots where there are none, or for a test."""
    if not new.admits_remote:
        return
    if not settings.REMOTE:
        raise InvalidTournament(gettext("Remote bots are switched off on this site."), "admits_remote")
    if new.format == Tournament.Format.SPRT:
        raise InvalidTournament(gettext("Sequential tests admit no remote bots."), "admits_remote")


def _match(new: NewTournament) -> None:
    """A match to points, if that is what two play who meet."""
    rule = matches.rule_of(new.options)
    if rule is None:
        return
    if new.players != 2 or new.format in (Tournament.Format.SPRT, Tournament.Format.LADDER):
        raise InvalidTournament(
            gettext("Only two-seat tournaments have matches. Tests and ladders count pairs instead."), "match"
        )
    matches.check(new.variant, rule.kind, rule.target)


def _dates(new: NewTournament, kept: Collection[datetime | None] = ()) -> None:
    """When registration closes and the event starts: in this order, in the future, and not for ever.

    Times that an event `kept` may have passed.
    """
    now = database_clock.now()
    for moment, field_name in ((new.registration_until, "closes"), (new.starts_at, "starts")):
        if moment is not None and moment not in kept and not now < moment <= now + MOST_AHEAD:
            raise InvalidTournament(
                gettext("Choose a time in the future, at most %(days)s days from now.")
                % {"days": MOST_AHEAD.days},
                field_name,
            )
    if new.starts_at and new.registration_until and new.starts_at < new.registration_until:
        raise InvalidTournament(gettext("The event cannot start before its registration closes."), "starts")
    if new.invited and new.registration_until is None:
        raise InvalidTournament(gettext("Only an event with registration has a join key."), "invited")


def new_join_key() -> str:
    """A key that nobody guesses (72 bits), short enough to be read out."""
    return secrets.token_urlsafe(9)


def _limits(new: NewTournament, owner: User | None) -> None:
    """How large a tournament may be, and how many one owner may have at a time."""
    _bounds(new, owner)
    if owner is not None and not new.agreed and room_for(owner) == 0:
        raise InvalidTournament(
            gettext(
                "You already have %(most)s unfinished tournaments, the most one account can have. "
                "Wait for one to finish, or cancel one."
            )
            % {"most": MOST_RUNNING}
        )


def _bounds(new: NewTournament, owner: User | None) -> None:
    """How large a tournament may be."""
    most = MOST_TEST_PAIRS if new.format == Tournament.Format.SPRT else MOST_PAIRS
    pairs = gettext("The number of pairs must be from %(least)s to %(most)s. You asked for %(asked)s.")
    _between(pairs, new.pairs_per_pairing, (1, most), "pairs_per_pairing")
    cycles = gettext("The number of cycles must be from %(least)s to %(most)s. You asked for %(asked)s.")
    _between(cycles, new.cycles, (1, MOST_CYCLES), "cycles")
    games = 0 if new.registration_until else new.size().games
    if owner is None or owner.is_staff:
        return
    if len(new.versions) > MOST_ENTRANTS:
        raise InvalidTournament(
            gettext("A tournament can have %(most)s entrants. You chose %(count)s.")
            % {"most": MOST_ENTRANTS, "count": len(new.versions)},
            "versions",
        )
    if games > MOST_GAMES:
        raise InvalidTournament(
            gettext("This would be %(games)s games. The limit is %(most)s: choose fewer entrants or pairs.")
            % {"games": intcomma(games), "most": intcomma(MOST_GAMES)},
            "pairs_per_pairing",
        )


def room_for(owner: User) -> int | None:
    """How many more tournaments a user may have now; None without limit."""
    if owner.is_staff:
        return None
    alive = (Tournament.Status.DRAFT, Tournament.Status.RUNNING, Tournament.Status.PAUSED)
    return max(0, MOST_RUNNING - Tournament.objects.filter(owner=owner, status__in=alive).count())


def _versions(new: NewTournament, owner: User | None) -> list[Version]:
    """The entrants in the order asked for: checked, in play, and the owner's to enter, also with others."""
    if len(set(new.versions)) < len(new.versions):
        raise InvalidTournament(gettext("A version can enter only once."), "versions")
    board = board_name(new.variant, new.players)
    among = enterable(owner, board, remote=new.admits_remote)
    if new.agreed:
        among = Version.objects.fit_for(remote=new.admits_remote).select_related("bot")
    found = {version.pk: version for version in among.filter(pk__in=new.versions)}
    missing = [key for key in new.versions if key not in found]
    if missing:
        raise InvalidTournament(
            gettext(
                "%(count)s of the chosen versions cannot enter. Each must have passed its check, and be "
                "yours, a house bot, or the active version of a bot that is open to all."
            )
            % {"count": len(missing)},
            "versions",
        )
    versions = [found[key] for key in new.versions]
    for version in versions:
        assert_plays(version, new.variant, new.players)
    return versions


def assert_plays(version: Version, variant: str, players: int = 2) -> None:
    """Raise InvalidTournament if a version does not play the game."""
    board = board_name(variant, players)
    trial = Trial.objects.filter(version=version, board=board).first()
    if trial is None:
        raise InvalidTournament(
            gettext("%(version)s has not been checked for %(game)s yet.")
            % {"version": version, "game": board_title(board)},
            "versions",
        )
    if trial.verdict != Trial.Verdict.PASSED:
        raise InvalidTournament(
            gettext("%(version)s does not play %(game)s, as its check showed.")
            % {"version": version, "game": board_title(board)},
            "versions",
        )


def enterable(owner: User | None, board: str = "", *, remote: bool = False) -> VersionQuerySet:
    """The versions that `owner` (None: the house) may enter on a board, or on some, with their bots.

    Of other people's bots they are those that are active there. Remote ones are among them only if asked for.
    """
    versions = Version.objects.fit_for(remote=remote).select_related("bot")
    if owner is None or owner.is_staff:
        return versions
    active = Version.objects.active_on(board) if board else Version.objects.active()
    others = active.filter(Q(bot__is_house=True) | Q(bot__open_to_all=True))
    return versions.filter(Q(bot__in=Bot.objects.of(owner)) | Q(pk__in=others))


def _between(sentence: str, value: int, bounds: tuple[int, int], field_name: str) -> None:
    """Refuse, with a sentence about `least`, `most` and `asked`, what is out of bounds."""
    least, most = bounds
    if not least <= value <= most:
        raise InvalidTournament(
            sentence % {"least": intcomma(least), "most": intcomma(most), "asked": intcomma(value)},
            field_name,
        )


def _slug(name: str) -> str:
    """A slug that is not taken: the name's, with a number behind if need be."""
    base = slugify(name)[:LONGEST_SLUG] or "tournament"
    # The ladders of the house are known by their slugs.
    if is_page("tournaments:detail", base) or base.startswith("ladder-"):
        base = f"{base}-tournament"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


FORMATS = (
    Tournament.Format.ROUND_ROBIN,
    Tournament.Format.SWISS,
    Tournament.Format.SINGLE_ELIMINATION,
    Tournament.Format.DOUBLE_ELIMINATION,
    Tournament.Format.GROUPS,
    Tournament.Format.GAUNTLET,
)
"""What may be asked for here; sequential tests have a form of their own, ladders are the arena's."""


UNTIL = -1


REGISTRATION = {
    0: gettext_lazy("Closed: only these bots"),
    10: gettext_lazy("Open to everyone for 10 minutes"),
    60: gettext_lazy("Open to everyone for an hour"),
    24 * 60: gettext_lazy("Open to everyone for a day"),
    7 * 24 * 60: gettext_lazy("Open to everyone for a week"),
    UNTIL: gettext_lazy("Open until the date below"),
}
"""How long others may enter, in minutes."""
