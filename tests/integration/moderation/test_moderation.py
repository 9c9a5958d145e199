"""Reports, decisions, appeals: nothing hidden is shown anywhere, and everybody concerned is told once."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core import mail
from django.db.models import Q
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from arena.notices import delivery
from arena.notices.models import Kind, Notice
from arena.notices.sending import tell
from bots import bots
from bots.errors import NameRefused, OwnerGone
from bots.models import Bot, Version
from people.deletion import delete_account
from people.moderation import appeals, decisions, reports, tasks
from people.moderation.acts import open_appeals
from people.moderation.errors import ModerationRefused, TooManyReports
from people.moderation.models import AbuseReport, Act, Subject
from people.moderation.reports import report_queue
from people.moderation.text_replacement import shown_notes
from tests.factories.accounts import PASSWORD, author, operator, sign_in_operator, token, with_address
from tests.factories.bots import accepted_bot, shared
from tests.factories.results import play_all
from tests.factories.tournaments import entrants, running
from tests.racing import waiting
from tournaments.challenges.answers import accept
from tournaments.challenges.requests import Wish, ask
from tournaments.events.announcements import announce
from tournaments.events.organisers import accept as accept_event
from tournaments.events.organisers import invite
from tournaments.models import Dataset, Pair, Tournament
from tournaments.pairing.progress import pause_tournament
from tournaments.ratings.ladder import ensure_ladder

pytestmark = pytest.mark.django_db


WHY = decisions.Why("offensive", "It insults the other players.")
BAD = "Zork the Vile"
PLACES = (
    "/bots/",
    "/leaderboard/",
    "/api/v1/directory/",
    "/bots/feed.atom",
    f"/bots/?q={BAD}",
    "/",
    "/games/",
)


def moderator(name: str = "mod") -> User:
    user = author(name, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def eve(db: None) -> User:
    return with_address("eve")


@pytest.fixture
def bot(eve: User) -> Bot:
    version = accepted_bot(eve, BAD)
    Version.objects.filter(pk=version.pk).update(release_notes="Vile notes")
    Bot.objects.filter(pk=version.bot_id).update(description="Vile words")
    return Bot.objects.get(pk=version.bot_id)


def report(reporter: User, one: Bot, **fields: Any) -> AbuseReport:
    return reports.report(
        reporter, **{"subject": Subject.BOT, "key": one.pk, "reason": "offensive", "words": "", **fields}
    )


def told(user: User) -> list[str]:
    return list(Notice.objects.filter(user=user).order_by("pk").values_list("text", flat=True))


def hide(one: Bot, *parts: str) -> Act:
    staff = User.objects.filter(username="mod").first() or moderator()
    return decisions.hide(staff, Subject.BOT, one.pk, parts or ("name", "description"), WHY)


def test_a_person_reports_and_hears_of_the_outcome_but_stays_unknown(bot: Bot, eve: User) -> None:
    ada, client = author("ada"), Client()
    address = f"/moderation/report/bot/{bot.pk}/"
    client.force_login(ada)
    assert client.post(address, {"reason": "other"}).status_code == 422
    sent = client.post(address, {"reason": "hate", "words": "See its name."})
    assert sent["Location"] == "/moderation/report/thanks/"
    assert client.post(address, {"reason": "hate"}).status_code == 422, "it is reported already"
    act = hide(bot)
    assert told(ada) == ["Thank you for your report. Moderators acted on it."]
    assert AbuseReport.objects.get().status == "upheld"
    page = Client().get(decisions.link_to(act)).content.decode()
    assert not re.search(r"\bada\b", page)
    assert "mod" not in page.replace("moder", "").replace("module", "")


def test_reports_have_limits_and_whoever_cries_wolf_moves_nothing_up(bot: Bot, eve: User) -> None:
    ada, wolf = author("ada"), author("wolf")
    for own_or_house in (eve, ada):
        with pytest.raises(ModerationRefused):
            report(own_or_house, bot, key=bot.pk if own_or_house == eve else 10**6)
    others = [author(f"user{number}") for number in range(12)]
    staff = moderator()
    for other in others[:3]:
        reports.report(wolf, Subject.ACCOUNT, other.pk, "spam", "")
        decisions.dismiss_reports(staff, Subject.ACCOUNT, other.pk)
    with pytest.raises(ModerationRefused, match="a few days ago"):
        reports.report(wolf, Subject.ACCOUNT, others[0].pk, "spam", "")
    for other in others[3:10]:
        reports.report(wolf, Subject.ACCOUNT, other.pk, "spam", "")
    with pytest.raises(TooManyReports):
        reports.report(wolf, Subject.ACCOUNT, others[10].pk, "spam", "")
    report(ada, bot)
    assert [(row.key, row.weight) for row in report_queue(100)][:2] == [(bot.pk, 1), (others[9].pk, 0)]


def test_a_hidden_name_is_nowhere(bot: Bot, eve: User) -> None:
    event = running(eve, [bot.versions.get(), *entrants(author("ada"), 1)], pairs=1, name="Cup")
    tell([User.objects.get(username="ada").pk], Kind.STARTED, "x", f"{BAD} is in it.", f"/bots/{bot.slug}/")
    places = (*PLACES, event.get_absolute_url(), f"/api/v1/tournaments/{event.slug}/entries/")
    bearer = {"Authorization": f"Bearer {token(author('reader'))}"}
    before = {place: Client().get(place, headers=bearer).content.decode() for place in places}
    seen = {place for place, text in before.items() if BAD in text.replace(f"“{BAD}”", "")}
    assert {"/bots/", "/api/v1/directory/", event.get_absolute_url()} <= seen, "the test looks where it was"
    hide(bot, "name", "description", "release_notes")
    bot.refresh_from_db()
    for place in (*places, bot.get_absolute_url(), f"/api/v1/bots/{bot.slug}/"):
        text = Client().get(place, headers=bearer).content.decode().replace(BAD, "", place.count(BAD) * 9)
        assert "Vile" not in text, place
        assert "zork" not in text, place
    assert told(User.objects.get(username="ada"))[-1] == f"Hidden bot {bot.pk} is in it."
    assert Notice.objects.filter(url__contains="zork").count() == 0


def test_hidden_texts_come_back_unless_something_else_came_since(bot: Bot, eve: User) -> None:
    staff, act = moderator(), hide(bot, "name", "description", "release_notes")

    def rename(name: str) -> None:
        bot.refresh_from_db()
        bots.edit_bot(bot, bots.BotDetails(name, description=bot.description, open_to_all=True))

    with pytest.raises(NameRefused):
        rename(BAD)
    decisions.lift(staff, act)
    bot.refresh_from_db()
    assert (bot.name, bot.slug, bot.description) == (BAD, "zork-the-vile", "Vile words")
    assert bot.versions.get().release_notes == "Vile notes"
    again = hide(bot, "name")
    accepted_bot(author("ada"), BAD)
    decisions.lift(staff, again)
    bot.refresh_from_db()
    assert bot.name == f"Hidden bot {bot.pk}", "somebody has the name now"
    decisions.rename(staff, Subject.BOT, bot.pk, "Zork", WHY)  # which stays until it is lifted
    with pytest.raises(NameRefused):
        rename("Kind")


def test_a_renamed_account_still_signs_in_by_its_old_name_which_nobody_else_can_have(eve: User) -> None:
    staff = moderator()
    act = decisions.hide(staff, Subject.ACCOUNT, eve.pk, ["name"], WHY)
    eve.refresh_from_db()
    assert eve.username == f"hidden-user-{eve.pk}"
    client = Client()
    assert client.post("/accounts/login/", {"login": "eve", "password": PASSWORD}).status_code == 302
    assert client.session["_auth_user_id"] == str(eve.pk)
    form = {"username": "Eve", "password1": PASSWORD, "password2": PASSWORD}
    Client().post("/accounts/signup/", form)
    assert not User.objects.filter(username="Eve").exists()
    decisions.lift(staff, act)
    assert User.objects.get(pk=eve.pk).username == "eve"


def test_a_banned_person_only_reads_the_decision_and_appeals_once(bot: Bot, eve: User) -> None:
    chief, other = operator(), moderator()
    event = running(eve, [bot.versions.get(), *entrants(author("ada"), 1)], pairs=1)
    secret, client = token(eve), Client()
    client.force_login(eve)
    act = decisions.ban(chief, eve.pk, None, WHY)
    mail.outbox.clear()
    delivery.deliver_due()
    signed = re.search(r"/moderation/decisions/([^/]+)/", str(mail.outbox[-1].body))
    assert signed is not None
    assert decisions.act_of(signed[1]) == act
    assert client.get("/notices/").status_code == 302, "signed out"
    assert Client().get("/api/v1/account/", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert Bot.objects.get(pk=bot.pk).withdrawn_at is not None
    assert event.entries.get(version__bot=bot).withdrawn
    browser = Client()
    page = browser.post("/accounts/login/", {"login": "eve", "password": PASSWORD}, follow=True)
    assert "It insults the other players." in page.content.decode()
    assert "_auth_user_id" not in browser.session
    address = decisions.link_to(act)
    assert Client().get(address[:-2] + "/").status_code == 404
    browser.post(address, {"text": "I was joking."})
    browser.post(address, {"text": "Twice."})
    act.refresh_from_db()
    assert act.appeal == "I was joking."
    with pytest.raises(ModerationRefused, match="Another moderator"):
        appeals.answer_appeal(chief, act, accept=False, words="No.")
    appeals.answer_appeal(other, act, accept=True, words="Fine, once.")
    assert User.objects.get(pk=eve.pk).is_active
    assert Bot.objects.get(pk=bot.pk).withdrawn_at is None


def test_paused_events_of_a_banned_person_go_on_unless_somebody_else_can_resume_them(
    bot: Bot, eve: User, django_capture_on_commit_callbacks: Any
) -> None:
    ada = author("ada")
    lone, shared_one = (running(eve, entrants(author(name), 2), pairs=1) for name in ("bob", "carol"))
    invite(shared_one, eve, "ada")
    accept_event(shared_one, ada)
    for event in (lone, shared_one):
        pause_tournament(event)
    with django_capture_on_commit_callbacks(execute=True):
        decisions.ban(moderator(), eve.pk, None, WHY)
    states = [Tournament.objects.get(pk=event.pk).status for event in (lone, shared_one)]
    assert states == ["running", "paused"]


def test_a_ban_ends_by_itself(eve: User) -> None:
    for swept in (True, False):
        act = decisions.ban(User.objects.filter(username="mod").first() or moderator(), eve.pk, 1, WHY)
        assert decisions.end_bans_that_are_over() == 0
        Act.objects.filter(pk=act.pk).update(until=timezone.now() - timedelta(seconds=1))
        if swept:
            assert [decisions.end_bans_that_are_over() for _ in range(2)] == [1, 0]
        else:  # before the sweep comes
            Client().post("/accounts/login/", {"login": "eve", "password": PASSWORD})
        assert User.objects.get(pk=eve.pk).is_active


def test_staff_decide_nothing_about_themselves_or_each_other() -> None:
    staff, chief, other = moderator(), operator(), moderator("other")
    own = accepted_bot(staff, "Mine").bot
    report(author("ada"), own)
    act = decisions.ban(chief, staff.pk, 1, WHY)
    appeals.appeal(act, "Unfair.")
    for refused in (
        lambda: decisions.hide(staff, Subject.BOT, own.pk, ["name"], WHY),
        lambda: decisions.dismiss_reports(staff, Subject.BOT, own.pk),
        lambda: decisions.ban(other, staff.pk, 1, WHY),
        lambda: decisions.lift(staff, act),
        lambda: decisions.lift(other, act),
        lambda: appeals.answer_appeal(other, act, accept=True, words="Yes."),
        lambda: decisions.dismiss_reports(other, Subject.ACCOUNT, staff.pk),
    ):
        with pytest.raises(ModerationRefused):
            refused()
    appeals.answer_appeal(chief, act, accept=False, words="There is no other superuser.")
    act.refresh_from_db()
    assert act.is_in_force


def test_a_decision_that_is_lifted_or_over_leaves_no_appeal_open(bot: Bot, eve: User) -> None:
    staff, other = moderator(), moderator("other")
    act = hide(bot, "name")
    appeals.appeal(act, "It is my name.")
    decisions.lift(staff, act, "You are right.")
    with pytest.raises(ModerationRefused, match="no appeal that waits"):
        appeals.answer_appeal(other, act, accept=False, words="No.")
    act = decisions.ban(staff, eve.pk, 1, WHY)
    appeals.appeal(act, "Please.")
    assert open_appeals().count() == 1
    Act.objects.filter(pk=act.pk).update(until=timezone.now() - timedelta(seconds=1))
    tasks.sweep()
    assert not open_appeals().exists()


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
    stopped = running(eve, [version, accepted_bot(ada, "Other")], pairs=1, name="Vile Cup")
    said = f"Stopped: {BAD} v1 was benched."
    Tournament.objects.filter(pk=stopped.pk).update(note=said)
    Pair.objects.filter(pairing__tournament=stopped).update(status="void", void_reason=said)
    before = event.slug
    act = hide(bot, "name")
    event.refresh_from_db()
    assert event.name == f"Hidden bot {bot.pk} v1 against Fine v1"
    assert "zork" not in event.slug
    assert not Tournament.objects.filter(note__contains=BAD).exists()
    assert not Pair.objects.filter(void_reason__contains=BAD).exists()
    assert not Notice.objects.filter(Q(text__contains=BAD) | Q(url__contains="zork")).exists()
    decisions.lift(User.objects.get(username="mod"), act)
    event.refresh_from_db()
    assert (event.slug, BAD in event.name) == (before, True)


def test_a_departed_bot_leaves_its_name_in_no_event_reason_or_notice(bot: Bot, eve: User) -> None:
    ada, fine = author("ada"), accepted_bot(author("carol"), "Fine")
    asked = ask(User.objects.get(username="carol"), Wish(fine.pk, bot.versions.get().pk, pairs=1))
    accept(asked, eve)
    Tournament.objects.update(note=f"{BAD} v1 was benched.")
    tell([ada.pk], Kind.RELEASED, "x", f"New version: {BAD} v2.", f"/bots/{bot.slug}/versions/2/")
    delete_account(asked.asker)
    delete_account(eve)
    event = Tournament.objects.get()
    assert event.name == f"Departed bot {fine.bot_id} v1 against Departed bot {bot.pk} v1"
    assert (event.note, "zork" in event.slug) == (f"Departed bot {bot.pk} v1 was benched.", False)
    assert told(ada) == [f"New version: Departed bot {bot.pk} v2."]
    assert Notice.objects.get(user=ada).url == f"/bots/departed-bot-{bot.pk}/versions/2/"


def test_events_and_announcements_of_a_deleted_account_can_be_reported_and_hidden(
    bot: Bot, eve: User, client: Client
) -> None:
    event = running(eve, [bot.versions.get(), *entrants(author("ada"), 1)], pairs=1, name="Vile Cup")
    said = announce(event, eve, "Vile news")
    delete_account(eve)
    staff, ada = moderator(), User.objects.get(username="ada")
    page = client.get(event.get_absolute_url()).content.decode()
    for subject, key, part in (("tournament", event.pk, "name"), ("announcement", said.pk, "text")):
        assert f"/moderation/report/{subject}/{key}/" in page
        reports.report(ada, subject, key, "offensive", "")
        decisions.tidy(staff, subject, key, [part])
    event.refresh_from_db()
    said.refresh_from_db()
    assert (event.name, said.text) == (f"Hidden tournament {event.pk}", "Hidden by moderators.")
    with pytest.raises(ModerationRefused):
        decisions.tidy(staff, Subject.TOURNAMENT, ensure_ladder("crapaud").pk, ["name"])


def test_a_hidden_name_that_is_a_word_changes_nothing_that_was_told_of_others() -> None:
    ada, crook, staff = author("ada"), author("Moderators"), moderator()
    bot = accepted_bot(crook, "Bots").bot
    asks = "Moderators asks you to be a co-owner of Bots."
    tell([ada.pk], Kind.TOGETHER, "x", asks, f"/bots/{bot.slug}/owners/")
    tell([ada.pk], Kind.MODERATED, "y", "Moderators looked at Bots.", "/bots/planner/")
    decisions.hide(staff, Subject.ACCOUNT, crook.pk, ["name"], WHY)
    hide(bot, "name")
    renamed = f"hidden-user-{crook.pk} asks you to be a co-owner of Hidden bot {bot.pk}."
    assert told(ada) == [renamed, "Moderators looked at Bots."]
    urls = Notice.objects.filter(user=ada).order_by("pk").values_list("url", flat=True)
    assert list(urls) == [f"/bots/hidden-bot-{bot.pk}/owners/", "/bots/planner/"]


def test_files_with_a_hidden_name_go(bot: Bot, eve: User, django_capture_on_commit_callbacks: Any) -> None:
    play_all(running(eve, [bot.versions.get(), accepted_bot(author("ada"), "Fine")], pairs=1))
    month, earlier, day_ago = f"{timezone.now():%Y-%m}", "2020-01", timezone.now() - timedelta(days=1)
    for name in ("versions", f"seats-{month}", f"seats-{earlier}"):
        Dataset.objects.create(name=name, made_at=day_ago, rows=1, size=1, sha256="")
    with django_capture_on_commit_callbacks(execute=True):
        act = hide(bot, "name")
    assert Dataset.objects.get().name == f"seats-{earlier}", "it did not play then"
    # Begun before the decision was committed.
    Dataset.objects.create(name="versions", made_at=act.at + timedelta(seconds=30), rows=1, size=1, sha256="")
    tasks.sweep()
    assert Dataset.objects.get().name == f"seats-{earlier}"


def test_a_report_becomes_a_decision_an_appeal_and_its_end_page_by_page(bot: Bot, eve: User) -> None:
    owner, desk, other = Client(), Client(), Client()
    report(author("ada"), bot, words="Look at its <name>.")
    owner.force_login(eve)
    for stranger in (Client(), owner):
        assert stranger.get("/admin/moderation/desk/").status_code in (302, 403)
    chief = sign_in_operator(desk)
    thing = f"/admin/moderation/desk/bot/{bot.pk}/"
    assert "Look at its &lt;name&gt;." in desk.get(thing).content.decode()
    wish = {"do": "hide", "parts": ["name"], "reason": "offensive", "words": "No such names."}
    desk.post(thing, wish)

    told_of = Notice.objects.filter(user=eve, kind="moderated").get().url
    page = owner.get(told_of).content.decode()
    assert ("No such names." in page, BAD in page) == (True, True)
    assert owner.post(told_of, {"text": "It is a character of a book."}).status_code == 302

    decision = f"/admin/moderation/desk/act/{Act.objects.get().pk}/"
    sign_in_operator(other, "second")
    assert other.post(decision, {"accept": "1", "words": "Right."}).status_code == 302
    bot.refresh_from_db()
    assert bot.name == BAD
    page = owner.get(told_of).content.decode()
    assert ("Right." in page, "A moderator will answer it." in page) == (True, False)
    # The desk is for staff with the permission.
    User.objects.filter(pk=chief.pk).update(is_superuser=False)
    assert desk.get("/admin/moderation/desk/").status_code == 403


DECISIONS: dict[str, Callable[[User, Bot], object]] = {
    "hide": lambda staff, bot: decisions.hide(staff, Subject.BOT, bot.pk, ["name"], WHY),
    "rename": lambda staff, bot: decisions.rename(staff, Subject.BOT, bot.pk, "Nice bot", WHY),
    "dismiss": lambda staff, bot: decisions.dismiss_reports(staff, Subject.BOT, bot.pk),
    "ban": lambda staff, bot: decisions.ban(staff, bot.owner_id or 0, 3, WHY, (Subject.BOT, bot.pk)),
    "lift": lambda staff, bot: decisions.lift(staff, Act.objects.get()),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.on_postgresql
@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("whose", ["eve", "bob", "rita", "mod"])
def test_a_decision_waits_for_an_account_that_is_being_deleted(decision: str, whose: str) -> None:
    eve, bob, staff = with_address("eve"), author("bob"), moderator()
    bot = shared(accepted_bot(eve, BAD).bot, bob)
    if decision == "lift":
        hide(bot, "name")
        bot.refresh_from_db()
    report(with_address("rita"), bot)
    account = User.objects.filter(username=whose)
    with waiting(lambda: DECISIONS[decision](staff, bot), lambda: account.select_for_update().get()):
        for model in (Bot, AbuseReport, Act):
            list(model._default_manager.select_for_update(nowait=True, of=("self",)))


def test_release_notes_that_come_after_a_decision_can_be_hidden_as_well(bot: Bot) -> None:
    first = hide(bot, "release_notes")
    later = Version.objects.get(bot=bot)
    later.pk, later.number, later.release_notes = None, 2, "Vile again"
    later._state.adding = True
    later.save()
    hide(bot, "release_notes")
    assert not shown_notes(bot.pk).exists()
    decisions.lift(User.objects.get(username="mod"), first)
    assert list(shown_notes(bot.pk).values_list("release_notes", flat=True)) == ["Vile notes"]
