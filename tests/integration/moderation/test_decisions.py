"""What a decision of moderators has to reach: reports, appeals, other rows with the name, files."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from arena.accounts.confirmation import AddressNotConfirmed
from arena.accounts.models import User
from arena.notices.models import Notice
from bots import bots
from bots.errors import NameRefused, OwnerGone
from bots.models import Bot
from people.deletion import delete_account
from people.moderation import appeals, decisions, reports, tasks
from people.moderation.acts import open_appeals
from people.moderation.errors import ModerationRefused
from people.moderation.models import AbuseReport, Act, Subject
from people.moderation.reports import count_work
from tests.factories.accounts import author, sign_in_operator, with_address
from tests.factories.bots import accepted_bot
from tests.factories.results import play_all
from tests.factories.tournaments import running
from tests.integration.moderation.test_moderation import BAD, WHY, hide, moderator, report, told
from tournaments.challenges.answers import accept
from tournaments.challenges.requests import Wish, ask
from tournaments.games import datasets
from tournaments.models import Dataset, Pair, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def eve(db: None) -> User:
    return with_address("eve")


@pytest.fixture
def bot(eve: User) -> Bot:
    return accepted_bot(eve, BAD).bot


def test_reports_need_a_confirmed_address_where_the_site_asks_for_one(bot: Bot, settings: Any) -> None:
    settings.CONFIRMS_ADDRESSES = True
    ada = with_address("ada", verified=False)
    User.objects.filter(pk=ada.pk).update(confirm_by=timezone.now() - timedelta(days=1))
    with pytest.raises(AddressNotConfirmed):
        report(User.objects.get(pk=ada.pk), bot)
    assert not AbuseReport.objects.exists()


def test_whoever_suspends_an_account_for_a_bot_closes_the_reports_of_the_bot(bot: Bot, eve: User) -> None:
    ada, client, address = author("ada"), Client(), f"/moderation/report/account/{eve.pk}/"
    client.force_login(ada)
    assert client.get(address).status_code == 200
    report(ada, bot)
    reports.report(ada, Subject.ACCOUNT, eve.pk, "spam", "")
    decisions.ban(moderator(), eve.pk, 3, WHY, about=(Subject.BOT, bot.pk))
    assert set(AbuseReport.objects.values_list("status", flat=True)) == {"upheld"}
    assert count_work()["reports"] == 0
    # Names of closed accounts are not found by counting through reports.
    assert client.get(address).status_code == 404


def test_a_decision_that_is_lifted_or_over_leaves_no_appeal_open(bot: Bot, eve: User) -> None:
    staff, other = moderator(), moderator("other")
    act = hide(bot, "name")
    appeals.appeal(act, "It is my name.")
    decisions.lift(staff, act, "You are right.")
    act.refresh_from_db()
    assert act.answer == "You are right."
    with pytest.raises(ModerationRefused, match="no appeal that waits"):
        appeals.answer_appeal(other, act, accept=False, words="No.")
    assert "You are right." in Client().get(decisions.link_to(act)).content.decode()
    act = decisions.ban(staff, eve.pk, 1, WHY)
    appeals.appeal(act, "Please.")
    assert open_appeals().count() == 1
    Act.objects.filter(pk=act.pk).update(until=timezone.now() - timedelta(seconds=1))
    tasks.sweep()
    assert not open_appeals().exists()
    assert "A moderator will answer it." not in Client().get(decisions.link_to(act)).content.decode()


def test_an_edit_that_was_open_while_moderators_decided_writes_nothing_over(bot: Bot) -> None:
    opened = Bot.objects.get(pk=bot.pk)
    Bot.objects.filter(pk=bot.pk).update(description="Vile")
    hide(bot, "description")
    with pytest.raises(NameRefused):
        bots.edit_bot(opened, bots.BotDetails(BAD, description="Vile again", open_to_all=True))
    assert Bot.objects.get(pk=bot.pk).description == "Hidden by moderators."


def test_what_a_suspended_person_had_under_way_is_not_stored(bot: Bot, eve: User) -> None:
    """The request began before the decision, and asks for the lock after it."""
    decisions.ban(moderator(), eve.pk, 3, WHY)
    with pytest.raises(OwnerGone):
        bots.restore_bot(bot)
    with pytest.raises(OwnerGone):
        report(eve, accepted_bot(author("ada"), "Fine").bot)
    delete_account(eve)
    assert not User.objects.filter(username="eve").exists(), "it can still be deleted"


def test_events_named_after_a_bot_and_reasons_that_name_it_are_hidden_with_it(bot: Bot, eve: User) -> None:
    ada, version = author("ada"), bot.versions.get()
    asked = ask(eve, Wish(version.pk, accepted_bot(ada, "Fine").pk, variant="crapaud", pairs=1))
    accept(asked, ada)
    event = Tournament.objects.get()
    assert BAD in event.name
    stopped = running(eve, [version, accepted_bot(ada, "Other")], pairs=1, name="Vile Cup")
    said = f"Stopped: {BAD} v1 was benched."
    Tournament.objects.filter(pk=stopped.pk).update(note=said)
    Pair.objects.filter(pairing__tournament=stopped).update(status="void", void_reason=said)
    before = event.slug
    assert any(BAD in one for one in told(eve))
    act = hide(bot, "name")
    event.refresh_from_db()
    assert event.name == f"Hidden bot {bot.pk} v1 against Fine v1"
    assert "zork" not in event.slug
    assert not Tournament.objects.filter(note__contains=BAD).exists()
    assert not Pair.objects.filter(void_reason__contains=BAD).exists()
    assert not Notice.objects.filter(Q(text__contains=BAD) | Q(url__contains="zork")).exists()
    stopped.refresh_from_db()
    assert stopped.name == "Vile Cup", "what somebody wrote is a thing of its own"
    decisions.lift(User.objects.get(username="mod"), act)
    event.refresh_from_db()
    assert (event.slug, BAD in event.name) == (before, True)


def test_files_with_a_hidden_name_go(bot: Bot, eve: User, django_capture_on_commit_callbacks: Any) -> None:
    play_all(running(eve, [bot.versions.get(), accepted_bot(author("ada"), "Fine")], pairs=1))
    month, earlier = f"{timezone.now():%Y-%m}", "2020-01"

    def add(name: str, at: datetime) -> None:
        Dataset.objects.create(name=name, made_at=at, rows=1, size=1, sha256="")

    def made() -> set[str]:
        return set(Dataset.objects.values_list("name", flat=True))

    for name in ("versions", f"seats-{month}", f"seats-{earlier}"):
        add(name, timezone.now() - timedelta(days=1))
    with django_capture_on_commit_callbacks(execute=True):
        act = hide(bot, "name")
    assert made() == {f"seats-{earlier}"}, "it did not play then"
    assert "versions" in datasets.want_datasets()
    # Begun before the decision was committed, and after.
    add("versions", act.at + timedelta(seconds=30))
    add("ratings", act.at + timedelta(minutes=2))
    tasks.sweep()
    assert made() == {f"seats-{earlier}", "ratings"}


def test_a_report_becomes_a_decision_an_appeal_and_its_end_page_by_page(bot: Bot, eve: User) -> None:
    owner, desk, other = Client(), Client(), Client()
    report(author("ada"), bot, words="Its name.")
    sign_in_operator(desk)
    thing = f"/admin/moderation/desk/bot/{bot.pk}/"
    assert f'href="{thing}"' in desk.get("/admin/moderation/desk/").content.decode()
    wish = {"do": "hide", "parts": ["name"], "reason": "offensive", "words": "No such names."}
    assert desk.post(thing, wish)["Location"] == "/admin/moderation/desk/"
    assert desk.post(thing, wish).status_code == 422, "a second click"

    owner.force_login(eve)
    told_of = Notice.objects.filter(user=eve, kind="moderated").get().url
    page = owner.get(told_of).content.decode()
    assert ("No such names." in page, BAD in page) == (True, True)
    assert owner.post(told_of, {"text": "It is a character of a book."}).status_code == 302
    assert "A moderator will answer it." in owner.get(told_of).content.decode()

    decision = f"/admin/moderation/desk/act/{Act.objects.get().pk}/"
    assert decision in desk.get("/admin/moderation/desk/").content.decode()
    moderator()
    own = desk.post(decision, {"accept": "1", "words": "Right."})
    assert "Another moderator must answer the appeal." in own.content.decode()
    sign_in_operator(other, "second")
    assert other.post(decision, {"accept": "1", "words": "Right."}).status_code == 302
    bot.refresh_from_db()
    assert bot.name == BAD
    page = owner.get(told_of).content.decode()
    assert ("Right." in page, "A moderator will answer it." in page) == (True, False)


def test_a_long_name_that_was_cut_off_in_the_name_of_a_challenge_is_hidden_as_well(eve: User) -> None:
    ada, long = author("ada"), "Vile words of a long name without an"
    mine = accepted_bot(ada, "A quite harmless name of a bot that")
    asked = ask(ada, Wish(mine=mine.pk, theirs=accepted_bot(eve, long).pk, variant="crapaud", pairs=1))
    accept(asked, eve)
    event = Tournament.objects.get(challenge=asked)
    assert (long in event.name, "Vile" in event.name) == (False, True)
    hide(Bot.objects.get(name=long), "name")
    event.refresh_from_db()
    assert (event.name, "vile" in event.slug) == (f"Challenge {event.pk}", False)
