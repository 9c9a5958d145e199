"""Pages of events and bots begin with their point: who won or leads, what is decided, who is next and why."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from tests.factories.ratings import rating
from tests.factories.results import play_all
from tests.factories.tournaments import draft, rivals, running
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.models import Pairing, Rating, Tournament
from tournaments.pages.events import bracket, standings
from tournaments.pages.events.event_story import TournamentStory, story
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.events.listing import tournament_list
from tournaments.pages.ratings.bot_profiles import profile
from tournaments.pages.ratings.rating_rows import rows
from tournaments.pairing.progress import cancel_tournament, pause_tournament
from tournaments.ratings.ladder import ensure_ladder, ensure_ladders
from tournaments.ratings.leaderboards import board

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


def told(tournament: Tournament) -> TournamentStory:
    """The story of a tournament as its page shows it."""
    tournament.refresh_from_db()
    table = standings.StandingsTable(tournament)
    drawing = bracket.drawing(tournament) if "elimination" in tournament.format else None
    progress = progress_of(tournament, count([tournament])[tournament.pk], table.entrants)
    return story(tournament, table.lines(), drawing, progress)


def test_a_finished_event_begins_with_its_winner_and_the_tie_break_that_decided(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1)
    assert told(cup).headline == "No result yet"
    play_all(cup)
    cup.pairings.update(wins=0, draws=2, losses=0, margin_sum=0)
    assert told(cup).headline.endswith("share first place")
    best = cup.entries.get(number=1)
    cup.pairings.filter(first=best).update(margin_sum=4)
    cup.pairings.filter(second=best).update(margin_sum=-4)
    assert told(cup).headline == f"{best.version.bot.name} won"
    assert "margin decides" in told(cup).detail
    # The list names its winner again after pairs were played again.
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now())
    assert tournament_list(None).over[0].winners == [best]


def test_a_running_event_says_who_can_no_longer_be_caught_and_who_still_can(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=2)
    lead, second, third = (entry.pk for entry in cup.entries.order_by("number"))
    met = {(one.first_id, one.second_id): one for one in cup.pairings.all()}

    def result(one: int, other: int, wins: int) -> None:
        row = met.get((one, other)) or met[(other, one)]
        values = (wins, 4 - wins) if row.first_id == one else (4 - wins, wins)
        Pairing.objects.filter(pk=row.pk).update(wins=values[0], losses=values[1], pairs_done=2)

    result(lead, second, 4)
    assert any("can still reach" in one for one in told(cup).open)
    result(lead, third, 4)  # 8 points; the others have 4 games left between them
    assert told(cup).decided == [f"{told(cup).podium[0].bot} can no longer be caught."]


def test_a_bracket_has_byes_a_champion_and_says_how_a_level_match_was_won(client: Client, ada: User) -> None:
    cup = running(ada, rivals(3), pairs=1, format=Tournament.Format.SINGLE_ELIMINATION)
    drawing = bracket.drawing(cup)
    assert drawing is not None
    assert [match.state for match in drawing.parts[0].columns[0].matches] == ["bye", "upcoming"]
    play_all(cup)
    drawing = bracket.drawing(Tournament.objects.get(pk=cup.pk))
    assert drawing is not None
    assert drawing.champion
    assert told(cup).headline == f"{drawing.champion} is the champion"

    last = cup.pairings.exclude(second=None).order_by("-round")[0]
    level = {"wins": 4, "losses": 4, "draws": 0, "pairs_planned": 4, "pairs_done": 4, "margin_sum": 6}
    Pairing.objects.filter(pk=last.pk).update(**level)
    Tournament.objects.filter(pk=cup.pk).update(options={})  # older events had no more in a final
    assert " after a level 4–4, on margin." in page(client, cup.get_absolute_url())


def test_who_is_still_being_measured_stands_below_and_leads_nothing(client: Client) -> None:
    lucky, first, second = rivals(3)
    rating(lucky, 1900, error=90, provisional=True)
    rating(second, 1450)
    rating(first, 1500)
    order = [first.bot.name, second.bot.name, lucky.bot.name]
    assert [row.bot for row in rows(board("crapaud"))] == order
    for address in ("/leaderboard/crapaud/", "/", "/bots/"):
        shown = page(client, address).partition("<main")[2]
        found = [shown.index(f">{text}<") for text in (*order[:2], "Still being measured", order[2])]
        assert found == sorted(found), address
    # The anchor leads no ladder while others are rated above it.
    Rating.objects.exclude(version=first).update(provisional=True)
    Rating.objects.filter(version=first).update(error=0)
    headline = ladder_page(ensure_ladder("crapaud"), idle=False).headline
    assert headline == "Nobody is measured well enough to lead"


def test_a_bots_page_begins_with_its_strength(client: Client, ada: User, trio: list[Version]) -> None:
    play_all(running(ada, trio, pairs=1))
    for version, elo in zip(trio, (1520, 1610, 1400), strict=True):
        rating(version, elo)
    found = profile(trio[0].bot)
    assert (found.strengths[0].elo, found.strengths[0].place, found.strengths[0].of) == ("1520", 2, 3)
    assert found.style is not None
    assert (found.style.variant, found.style.games) == ("Crapaud", 4)
    whole = page(client, f"/tournaments/bot-panel/{trio[0].bot.slug}/")
    assert ("Place 2 of 3" in whole, trio[1].bot.name in whole) == (True, True)


def test_events_come_by_what_they_mean_now(client: Client, ada: User, trio: list[Version]) -> None:
    ensure_ladders()
    over = running(None, trio, pairs=1, name="Over")
    play_all(over)
    later, sooner = draft(None, trio, name="Later", hours=9), draft(None, trio, name="Sooner", hours=2)
    starts = timezone.now() + timedelta(hours=20)
    Tournament.objects.filter(pk=later.pk).update(starts_at=starts)
    assert f"starts {starts.day} " in told(later).headline, "not when registration closes"
    paused, now, gone = (running(None, trio, pairs=1, name=name) for name in ("Paused", "Now", "Gone"))
    pause_tournament(paused)
    cancel_tournament(gone, by=ada)
    found = tournament_list(None)
    assert [one.tournament for one in found.now] == [now, paused]
    assert [one.tournament for one in found.coming] == [sooner, later]
    assert [one.row.tournament for one in found.over] == [gone, over]
    assert found.idle == len(found.ladders) > 5
