"""Near-twins: the same questions to every version, one of an owner's on the board, one record for all."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.utils import timezone

from analysis import likeness
from arena.accounts.models import User
from bots import bots
from bots import house_bots as house
from bots.errors import Unplayable
from bots.house import HOUSE_BOTS
from bots.models import Bot, Version
from bots.uploads import Submission, create_bot, upload_version
from sandbox import uploads
from tests.factories.bots import accepted_bot, judge, same_files
from tests.factories.bundles import differences
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import running
from tournaments.games.bundles import ratings_lines
from tournaments.models import (
    AccountLink,
    NearTwin,
    ProbeAnswers,
    ProbeSet,
    Rating,
    Tournament,
)
from tournaments.pages.ratings.rating_rows import rows as lines
from tournaments.pairing.progress import advance
from tournaments.ratings import twin_search as twins
from tournaments.ratings.audit import audit_all
from tournaments.ratings.ladder import candidates, ensure_ladder
from tournaments.ratings.leaderboards import board
from tournaments.ratings.ratings import compute_ratings
from tournaments.ratings.twins import COMPARED_WITHIN, records, shadowed_versions, to_compare

pytestmark = pytest.mark.django_db

RENAMED = {"choose": "decide_upon", "houses": "piles", "rank": "worth"}


def answering(version: Version, **choices: str) -> None:
    """Have a version answered these questions and be compared."""
    edition = ProbeSet.objects.first() or ProbeSet.objects.create(edition=1, games=[])
    twins._store(version, edition, choices)


def same(count: int, choice: str = "draw", *, but: int = 0) -> dict[str, str]:
    """Answers to so many questions, of which the first few are others."""
    return {f"q{number}": "pass" if number < but else choice for number in range(count)}


def set_aside(*versions: Version) -> bool:
    return {one.pk for one in versions} == shadowed_versions("crapaud")


def alike(*versions: Version) -> None:
    """Have all of these answered the same."""
    for version in versions:
        answering(version, **same(40))


def on_ladder(ladder: Tournament) -> set[int]:
    advance(ladder.pk)
    return set(ladder.entries.filter(withdrawn=False).values_list("version", flat=True))


def test_of_an_owners_near_twins_one_is_on_the_ladder(ada: User, bob: User) -> None:
    first, second = accepted_bot(ada, "First"), accepted_bot(ada, "Second")
    other = accepted_bot(bob, "Bob's")
    alike(first, second, other)
    assert set_aside(second)
    ladder = ensure_ladder("crapaud")
    assert on_ladder(ladder) == {first.pk, other.pk}
    for version in (first, second, other):
        rating(version)
    assert {row.bot for row in lines(board("crapaud"))} == {"First", "Bob's"}
    # Whoever stood for it is benched or withdrawn: the other takes its place.
    Version.objects.filter(pk=first.pk).update(benched_at=first.created_at)
    assert set_aside(first)
    bots.withdraw_bot(first.bot)
    assert set_aside()
    assert second.pk in on_ladder(ladder)
    # Linked accounts are one owner, and bots of the house are in nobody's way.
    assert not set_aside(other)
    AccountLink.objects.create(one=ada, other=bob, reason="one address")
    assert set_aside(other)
    Bot.objects.update(owner=None, is_house=True)
    assert set_aside()


def test_the_version_that_plays_stands_for_an_earlier_one_and_two_copies_not_side_by_side(ada: User) -> None:
    old = accepted_bot(ada, "Steady")
    new = upload_version(old.bot, Submission(upload_of("greedy", "# two"), "bot.zip"))
    judge(new, True)
    alike(old, new)
    assert set_aside(old)
    bots.withdraw_bot(old.bot)
    first, *copies = (accepted_bot(ada, name) for name in ("first", "second", "third"))
    for copy in copies:
        NearTwin.objects.create(one=first, other=copy, same=66, common=70)
    assert set_aside(*copies)
    bots.withdraw_bot(first.bot)
    assert set_aside(copies[1])


def upload_of(name: str, more: str = "", renamed: Mapping[str, str] | None = None) -> uploads.Upload:
    """A house bot's files as an author might send them, with names changed and a line more."""
    directory = HOUSE_BOTS[name].directory
    files = {path.name: path.read_bytes() for path in directory.glob("*.py")}
    text = files["bot.py"].decode()
    for before, after in (renamed or {}).items():
        text = text.replace(before, after)
    files["bot.py"] = f"{text}\n{more}\n".encode()
    return uploads.Upload(files, "python", "bot.py", uploads.digest(files))


@pytest.mark.at_length
@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_a_copy_with_other_names_is_found_out(ada: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "GAMES", 1)
    monkeypatch.setattr(twins, "A_GAME", 3)
    monkeypatch.setattr(likeness, "LEAST_COMMON", 12)
    house.register_house_bots()
    others = Bot.objects.filter(is_house=True).exclude(slug__in=("greedy", "planner"))
    others.update(withdrawn_at=timezone.now())
    assert not twins.compare_next(), "nobody is asked before an author's bot plays"
    for owner, name, file in (
        (ada, "Copy", upload_of("greedy", "# mine", RENAMED)),
        (bob, "Luck", upload_of("random", "# mine")),
    ):
        judge(create_bot(owner, bots.BotDetails(name), Submission(file, "bot.zip")), True)
    while twins.compare_next():
        pass
    assert ProbeSet.objects.count() == 1
    answers = ProbeAnswers.objects.select_related("version__bot")
    assert {one.version.bot.name for one in answers} == {"Copy", "Luck", "Greedy", "Planner"}
    assert all(one.done for one in answers)
    found = NearTwin.objects.values_list("one__bot__name", "other__bot__name")
    assert set(map(frozenset, found)) == {frozenset(("Copy", "Greedy"))}


def test_two_workers_never_ask_the_same_version(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = accepted_bot(ada, "First"), accepted_bot(ada, "Second")
    edition = ProbeSet.objects.create(edition=1, games=[])
    assert [twins._claim(edition), twins._claim(edition), twins._claim(edition)] == [first, second, None]
    ProbeAnswers.objects.filter(version=first).update(at=first.created_at - twins.CLAIM)
    assert twins._claim(edition) == first
    assert twins._claim(ProbeSet.objects.create(edition=2, games=[])) == first

    def broken(*_: Any) -> dict[str, str]:
        raise Unplayable("the process was killed")

    monkeypatch.setattr(twins, "ask", broken)
    assert twins.compare_next(), "the next one has its turn all the same"
    assert not twins.compare_next()
    assert not ProbeAnswers.objects.filter(done=True).exists()


def test_an_owners_near_twins_share_one_record_whatever_is_active_or_withdrawn(ada: User, bob: User) -> None:
    old, rival = accepted_bot(ada, "Steady"), accepted_bot(bob, "Rival")
    alike(old)
    play_all(running(None, [old, rival], pairs=3))
    compute_ratings("crapaud")
    new = upload_version(old.bot, Submission(upload_of("greedy", "# two"), "bot.zip"))
    judge(new, True)
    play_all(running(None, [new, rival], pairs=2, name="Second cup"))
    compute_ratings("crapaud")
    assert Rating.objects.get(version=new).pairs == 2
    answering(new, **same(40, but=2))
    assert compute_ratings("crapaud"), "the comparison asks for new ratings"
    rows = {row.version_id: row for row in Rating.objects.filter(variant="crapaud")}
    # What the near-twin played before it was compared does not count.
    assert {(rows[key].pairs, rows[key].games) for key in rows} == {(3, 6)}
    assert (rows[old.pk].elo, rows[old.pk].low) == (rows[new.pk].elo, rows[new.pk].low)
    assert differences(b"".join(ratings_lines("crapaud", "crapaud", 2))) == []
    assert records() == {new.pk: old.pk}
    assert audit_all() == {"crapaud": []}
    # A copy uploaded after withdrawing the bot goes on with its record, too.
    bots.withdraw_bot(new.bot)
    again = accepted_bot(ada, "Luckier")
    alike(again)
    assert records() == {new.pk: old.pk, again.pk: old.pk}
    compute_ratings("crapaud")
    assert Rating.objects.get(version=again).elo == rows[new.pk].elo


@pytest.mark.any_database
def test_a_record_is_shared_with_near_twins_of_its_first_version_only(ada: User, bob: User) -> None:
    versions = [accepted_bot(ada, f"Step {number}") for number in range(4)]
    for number, version in enumerate(versions):
        answering(version, **same(40, but=3 * number))
    answering(accepted_bot(bob), **same(40))
    first, second, third, fourth = (version.pk for version in versions)
    # Each is a near-twin of the next; the third is too far from the first and has a record of its own.
    assert records() == {second: first, fourth: third}


def test_a_version_that_may_be_a_near_twin_has_its_first_pairs_and_waits(ada: User, bob: User) -> None:
    old, other = accepted_bot(ada, "First"), accepted_bot(bob, "Bob's")
    assert to_compare([old.pk, other.pk]) == set()
    answering(old, **same(40))
    new = accepted_bot(ada, "Second")
    assert to_compare([old.pk, new.pk, other.pk]) == {new.pk}
    ladder = ensure_ladder("crapaud")
    advance(ladder.pk)
    waits = {one.entry: one.waits for one in candidates(ladder)}
    assert waits == {entry.pk: entry.version_id == new.pk for entry in ladder.entries.all()}
    answering(new, **same(40, but=20))
    assert to_compare([new.pk]) == set()
    ProbeAnswers.objects.filter(version=new).delete()
    Version.objects.filter(pk=new.pk).update(created_at=timezone.now() - COMPARED_WITHIN)
    assert to_compare([new.pk]) == set(), "nobody waits for ever"


def test_a_twin_of_a_withdrawn_bot_is_found(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(twins, "OWN_COMPARED", 3)
    first = accepted_bot(ada, "Zebra")
    alike(first)
    for number in range(5):
        answering(same_files(first, 10 + number), **same(40, f"t{number}-x"))
    bots.withdraw_bot(first.bot)
    copy = accepted_bot(ada, "Aardvark")
    alike(copy)
    found = NearTwin.objects.filter(one=first, other=copy)
    assert found.exists()
    ProbeSet.objects.create(edition=2, games=[])
    answering(copy, **same(40, "turn"))
    assert found.exists()
    answering(first, **same(40))
    assert not found.exists()
