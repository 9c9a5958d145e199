"""Sequential tests: one version against another on swapped pairs, until one of two hypotheses is accepted."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from analysis import sequential_standing as judged
from analysis.errors import InvalidTournament
from analysis.sequential_standing import MOST_PAIRS, RULE, check
from analysis.verdicts import sprt
from analysis.verdicts.sequential import WINS
from analysis.verdicts.sprt import Hypotheses
from bots.errors import BotsError
from bots.locks import lock_bot
from bots.models import Bot, Version
from bots.versions import activate_version
from tournaments.events.creation import NewTournament, create_tournament
from tournaments.models import Pair, Tournament
from tournaments.pairing.finish import finish, void_unfinished
from tournaments.questions.requests import luck_still_comes
from tournaments.ratings.verdicts import count_pairs

if TYPE_CHECKING:
    from analysis.sequential_standing import SequentialStanding
    from analysis.verdicts.sprt import Verdict
    from arena.accounts.models import User


def hypotheses(tournament: Tournament) -> Hypotheses:
    """What a test was created to decide."""
    return Hypotheses.from_options(tournament.options)


def stop_by(tournament: Tournament) -> str:
    """The measure that may end a test."""
    return str(tournament.options.get("stop_by", WINS))


def counted_pairs(tournament: Tournament) -> list[Pair]:
    """The pairs that count: from the first on, up to the first that is not accepted yet.

    A quick game must not stop a test before slow ones that were begun earlier have had their say.
    """
    found: list[Pair] = []
    live = Pair.objects.filter(pairing__tournament=tournament).exclude(status=Pair.Status.VOID)
    for number, pair in enumerate(live.order_by("number"), start=1):
        if pair.number != number or pair.status != Pair.Status.ACCEPTED or pair.score is None:
            break
        found.append(pair)
    return found


def counted_scores(tournament: Tournament) -> list[int]:
    """The half points of the pairs that count."""
    return [pair.score or 0 for pair in counted_pairs(tournament)]


def current_verdict(tournament: Tournament) -> Verdict:
    """Where a test stands by wins: the ratio, the estimate and the decision, if there is one."""
    return sprt.judge(counted_scores(tournament), hypotheses(tournament))


def standing(tournament: Tournament) -> SequentialStanding:
    """Where a test stands by all three measures."""
    pairs = counted_pairs(tournament)
    seen = count_pairs(pairs, [True] * len(pairs))
    found = judged.standing(seen, hypotheses(tournament), stop_by(tournament))
    kept = tournament.options.get("verdict")
    if kept is None:
        return found
    ended = (kept.get("ended", kept["decision"]), kept.get("after", kept["pairs"]))
    return replace(found, ended=ended, rule=kept.get("rule", 1))


logger = logging.getLogger(__name__)


def create_test(
    owner: User,
    versions: tuple[int, int],
    tested: Hypotheses,
    *,
    variant: str = "crapaud",
    pairs: int = MOST_PAIRS,
    promote: bool = False,
    ended_by: str = WINS,
    name: str = "Sequential test",
) -> Tournament:
    """A test of the first version against the second, as a tournament that is not started yet.

    `pairs` are the most that are played; with `promote` the first becomes its bot's active version once H1 is
    accepted, if the owner of the test owns the bot. `ended_by` is the measure that may end the test: one
    only, since who may choose among three afterwards is wrong up to three times as often. Raises
    InvalidTournament.
    """
    check(tested, ended_by, variant)
    if promote and not Version.objects.filter(pk=versions[0], bot__in=Bot.objects.of(owner)).exists():
        raise InvalidTournament(gettext("You can activate only your own version."), "promote")
    return create_tournament(
        NewTournament(
            name=name,
            versions=versions,
            variant=variant,
            format=Tournament.Format.SPRT,
            pairs_per_pairing=pairs,
            options={**asdict(tested), "promote": promote, "stop_by": ended_by},
        ),
        owner,
    )


def decide(tournament: Tournament, *, last: bool = False) -> bool:
    """End a test that is decided, or has no more pairs (`last`); False if it goes on.

    Call with the tournament's row locked.
    """
    if stop_by(tournament) == WINS:
        wins = current_verdict(tournament)
        decision, after, words, waits = wins.decision, wins.pairs, wins.words, False
    else:
        found = standing(tournament)
        wins, decision, after, words = found.wins, found.decision, found.decided_after, found.words
        # Luck is measured a little later, unless that has failed for good.
        waits = found.measured < found.pairs and not (last and not luck_still_comes(tournament))
    if not decision and (waits or not last):
        return False
    void_unfinished(tournament, "the test was decided")
    kept = {
        "rule": RULE,
        **{name: getattr(wins, name) for name in ("pairs", "llr", "lower", "upper", "decision")},
        **wins.difference.as_dict(),
        "words": words,
        "ended": decision,
        "after": after,
    }
    finish(tournament, options={**tournament.options, "verdict": kept}, note=words[:300])
    if decision == "H1" and tournament.options.get("promote"):
        _promote(tournament)
    return True


def lock_promoted(tournament: int) -> None:
    """Lock the account and the bot that a test may activate a version for, before the test itself is locked.

    Whoever withdraws a bot locks them first, and then the events it is in.
    """
    tests = Tournament.objects.filter(format=Tournament.Format.SPRT).select_related("owner")
    test = tests.filter(pk=tournament).first()
    if test is None or test.owner is None or not test.options.get("promote"):
        return
    entry = test.entries.select_related("version__bot__owner").filter(number=1).first()
    if entry is not None:
        with contextlib.suppress(BotsError):  # then it is not promoted
            lock_bot(entry.version.bot, test.owner)


def _promote(tournament: Tournament) -> None:
    """Make the tested version its bot's active one; the test stands also if that is refused.

    Whoever asked for the test may have left the bot to its other owners meanwhile.
    """
    entry = tournament.entries.select_related("version__bot").get(number=1)
    by = tournament.owner
    if by is None or not entry.version.bot.is_owned_by(by):
        return
    try:
        activate_version(entry.version, by=by)
    except BotsError as error:
        logger.warning("%s was not promoted: %s", entry.version, error)
