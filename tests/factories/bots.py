"""Files of bots, and versions in each state that the site brings them to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from django.utils import timezone

from analysis.game_record import Checked
from arena.accounts.models import User
from arena.notices.models import Kind
from arena.notices.sending import tell
from bots import bots, checks
from bots import house_bots as house
from bots.bots import slug_for
from bots.checks import run_check
from bots.house import HOUSE_BOTS
from bots.models import ActiveVersion, Bot, BotAuditEntry, CheckReport, Status, Trial, Version
from bots.playing.trials import examine
from bots.teams import co_owners
from bots.uploads import Submission, create_bot, insert_version, inspect_file
from engine.boards import BOARDS
from sandbox import uploads
from tests.factories.accounts import author

PASSED = "It played a game to its end."
SLOW = Path(__file__).parents[2] / "tools/bench/bots/slow/bot.py"
GOOD_BOT = b"""\
from crapette import run


def choose(turn):
    return turn.legal[0]


run(choose)
"""


def python_bot(comment: str = "") -> bytes:
    """A good bot whose content is another for every comment."""
    return GOOD_BOT + f"# {comment}\n".encode()


def upload(comment: str = "") -> uploads.Upload:
    """What inspecting a good bot gives.

    One of them is inspected, for that starts a sandbox; the others are that one with another comment.
    """
    files = {"bot.py": python_bot(comment)}
    return replace(_inspected(), files=files, sha256=uploads.digest(files))


@cache
def _inspected() -> uploads.Upload:
    return uploads.inspect("bot.py", python_bot())


def new_bot(owner: User, name: str = "Ada's first", **details: Any) -> Version:
    """The first version of a new bot; its check is not made yet."""
    return create_bot(owner, bots.BotDetails(name, **details), Submission(upload(name), "bot.py"))


def inspect(version: Version) -> Version:
    """The version after its check has begun and its file was inspected, as it is stored now."""
    claimed = checks.claim_check(version.pk)
    assert claimed is not None
    inspect_file(claimed)
    return Version.objects.select_related("bot__owner").get(pk=version.pk)


def check(version_id: int) -> bool:
    """Check a version as the process that plays does, whosever turn it is; whether there is a verdict."""
    claimed = checks.claim_check(version_id)
    return claimed is not None and run_check(claimed, examine)


def accepted_bot(owner: User, name: str = "Ada's first", *, boards: Sequence[str] = BOARDS) -> Version:
    """The first version of a new bot, accepted and active; it plays on these boards.

    It is what `new_bot` and `judge` leave behind, without their questions: half of all tests with a database
    need several, and most of their time went there (`test_made_bots` compares the two).
    """
    bot = Bot.objects.create(name=name, slug=slug_for(name), owner=owner)
    version = insert_version(bot, Submission(upload(name), "bot.py"), by=owner, status=Status.ACCEPTED)
    BotAuditEntry.objects.create(bot=bot, actor=owner, what=BotAuditEntry.What.CREATED, version=version)
    CheckReport.objects.create(version=version, accepted=True, log=PASSED)
    now = timezone.now()
    Trial.objects.bulk_create(
        Trial(version=version, board=board, verdict=Trial.Verdict.PASSED, log=PASSED, at=now)
        for board in boards
    )
    Version.objects.filter(pk=version.pk).update(activated_at=version.created_at)
    ActiveVersion.objects.bulk_create(
        ActiveVersion(bot=bot, board=board, version=version) for board in boards
    )
    bot.active_version = version
    bot.save(update_fields=["active_version"])
    tell(
        [owner.pk], Kind.CHECKED, f"check {version.pk}", f"{version} is accepted.", version.get_absolute_url()
    )
    return version


def judge(
    version: Version,
    accepted: bool,
    log: str = "",
    record: Mapping[str, Any] | None = None,
    *,
    boards: Sequence[str] = BOARDS,
) -> bool:
    """Store a verdict as the check does: the version passed on all of ``boards``, or failed on all."""
    verdict = Trial.Verdict.PASSED if accepted else Trial.Verdict.FAILED
    reports = [checks.TrialReport(board, verdict, log) for board in boards]
    reports[0] = replace(reports[0], record=cast("Checked | None", record))
    return checks.record_check(version, reports, log)


def let_play_everywhere(versions: Iterable[Version]) -> None:
    """Have versions that no service made play on every board."""
    now = timezone.now()
    Trial.objects.bulk_create(
        Trial(version=version, board=board, verdict=Trial.Verdict.PASSED, at=now)
        for version in versions
        for board in BOARDS
    )


def same_files(version: Version, number: int, status: str = Status.ACCEPTED) -> Version:
    """A version of the same bot with the same files, which the services would refuse."""
    return Version.objects.create(
        bot=version.bot,
        number=number,
        sha256=version.sha256,
        archive=version.archive,
        filename=version.filename,
        language=version.language,
        entry=version.entry,
        size=version.size,
        file_count=version.file_count,
        status=status,
    )


def slow_bots(name: str, count: int, *, first: float = 0.0, seconds: float = 0.4) -> list[Version]:
    """Accepted bots of as many authors, which wait so many seconds before an answer, the first longer."""
    text = SLOW.read_text().replace("SECONDS = 0.4", f"SECONDS = {seconds}")
    text = text.replace("FIRST = 0.0", f"FIRST = {first}")
    made = []
    for number in range(count):
        file = uploads.inspect("bot.py", f"{text}# {number}".encode())
        owner = author(f"{name.lower()}-{number}")
        made.append(create_bot(owner, bots.BotDetails(f"{name} {number}"), Submission(file, "bot.py")))
        judge(made[-1], True)
    return made


def house_bots(*slugs: str) -> list[Version]:
    """The active versions of these bots of the house, by their names; no others are registered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "HOUSE_BOTS", {slug: HOUSE_BOTS[slug] for slug in slugs})
        house.register_house_bots()
    found = Bot.objects.filter(slug__in=slugs).order_by("slug")
    return [bot.active_version for bot in found if bot.active_version]


def shared(bot: Bot, *others: User) -> Bot:
    """The bot, which these others own with its owner now."""
    assert bot.owner is not None
    for other in others:
        co_owners.invite(bot, bot.owner, other.username)
        co_owners.accept(bot, other)
    return Bot.objects.select_related("owner").get(pk=bot.pk)
