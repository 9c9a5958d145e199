"""Every page of a contest begins with its point: who won or leads, what is decided, who is next and why."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from arena.accounts.models import User
from bots.models import Version
from tests.factories.accounts import author
from tests.factories.bots import accepted_bot
from tests.factories.ratings import rating
from tests.factories.results import play_all, play_one
from tests.factories.tournaments import draft, rivals, running
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.models import Entry, Pair, Pairing, Tournament
from tournaments.pages.events import bracket, standings
from tournaments.pages.events.event_story import TournamentStory, story
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.ratings.bot_profiles import profile
from tournaments.pages.ratings.rating_rows import rows
from tournaments.pairing.progress import advance, pause_tournament
from tournaments.ratings.ladder import ensure_ladder, enter_active_versions
from tournaments.ratings.leaderboards import board

pytestmark = pytest.mark.django_db


def told(tournament: Tournament) -> TournamentStory:
    """The story of a tournament as its page shows it."""
    tournament.refresh_from_db()
    table = standings.StandingsTable(tournament)
    drawing = bracket.drawing(tournament) if "elimination" in tournament.format else None
    progress = progress_of(tournament, count([tournament])[tournament.pk], table.entrants)
    return story(tournament, table.lines(), drawing, progress)


def test_a_finished_event_begins_with_its_winner_and_the_first_three(ada: User) -> None:
    cup = running(ada, rivals(4), pairs=1)
    assert told(cup).headline == "No result yet"
    play_all(cup)
    found = told(cup)
    first = found.podium[0]
    # Four invented results may end level at the top.
    assert found.headline.startswith(first.bot)
    assert found.headline.endswith(("won", "share first place"))
    assert next(line.row.place for line in found.podium) == 1
    assert len(found.podium) >= 3
    assert not found.decided
    assert not found.open


def test_the_tie_break_that_decided_is_named_and_many_who_share_are_counted(ada: User) -> None:
    cup = running(ada, rivals(5), pairs=1)
    play_all(cup)
    cup.pairings.update(wins=0, draws=2, losses=0, margin_sum=0)
    assert told(cup).headline == "5 bots share first place"
    best = cup.entries.get(number=1)
    cup.pairings.filter(first=best).update(margin_sum=4)
    cup.pairings.filter(second=best).update(margin_sum=-4)
    assert told(cup).headline == f"{best.version.bot.name} won"
    assert "margin decides" in told(cup).detail


def test_a_running_event_says_who_can_no_longer_be_caught_and_who_still_can(ada: User) -> None:
    cup = running(ada, rivals(3), pairs=2)
    lead, second, third = (entry.pk for entry in cup.entries.order_by("number"))
    met = {(one.first_id, one.second_id): one for one in cup.pairings.all()}

    def result(one: int, other: int, wins: int) -> None:
        row = met.get((one, other)) or met[(other, one)]
        values = (wins, 4 - wins) if row.first_id == one else (4 - wins, wins)
        Pairing.objects.filter(pk=row.pk).update(wins=values[0], losses=values[1], pairs_done=2)

    result(lead, second, 4)
    found = told(cup)
    assert "leads" in found.headline
    assert any("can still reach" in one for one in found.open)
    result(lead, third, 4)  # 8 points; the others have 4 games left between them
    assert told(cup).decided == [f"{told(cup).podium[0].bot} can no longer be caught."]
    pause_tournament(cup)
    assert told(cup).headline.endswith("while it is paused")


def test_a_bracket_has_byes_lines_a_champion_and_says_how_a_level_match_was_won(
    client: Client, ada: User
) -> None:
    cup = running(ada, rivals(3), pairs=1, format=Tournament.Format.SINGLE_ELIMINATION)
    drawing = bracket.drawing(cup)
    assert drawing is not None
    first, final = drawing.parts[0].columns
    assert [match.state for match in first.matches] == ["bye", "upcoming"]
    assert first.joins
    assert final.title == "Final"
    assert not drawing.champion
    play_all(cup)
    drawing = bracket.drawing(Tournament.objects.get(pk=cup.pk))
    assert drawing is not None
    assert drawing.champion
    assert told(cup).headline == f"{drawing.champion} is the champion"
    assert told(cup).podium[0].bot == drawing.champion

    last = cup.pairings.exclude(second=None).order_by("-round")[0]
    Pairing.objects.filter(pk=last.pk).update(
        wins=4, losses=4, draws=0, pairs_planned=4, pairs_done=4, margin_sum=6
    )
    Tournament.objects.filter(pk=cup.pk).update(options={})  # older events had no more in a final
    shown = client.get(cup.get_absolute_url()).content.decode()
    assert "Level after 3 extra pairs: the larger margin advances" in shown
    assert " after a level 4–4, on margin." in shown
    assert "beat" not in told(cup).detail


def test_a_ladder_ranks_by_rating_and_says_who_is_next_and_why(client: Client) -> None:
    strong, weak, new = rivals(3)
    ladder = ensure_ladder("crapaud")
    enter_active_versions(ladder)
    rating(weak, 1400, provisional=True)
    rating(strong, 1600, error=90, provisional=True)
    entries = {entry.version_id: entry for entry in ladder.entries.all()}
    one, other = sorted((entries[strong.pk], entries[weak.pk]), key=lambda entry: entry.pk)
    # Points say the opposite: the weak bot was asked more often.
    row = Pairing.objects.create(
        tournament=ladder, round=1, table=1, first=one, second=other, pairs_planned=9, pairs_done=8
    )
    Pairing.objects.filter(pk=row.pk).update(
        **({"losses": 16} if one.version_id == strong.pk else {"wins": 16})
    )
    Pair.objects.create(pairing=row, number=9, deal_seed="0" * 64, status=Pair.Status.RUNNING)

    page = ladder_page(ladder, idle=False)
    assert [row.bot for row in page.rows] == [strong.bot.name, weak.bot.name]
    assert page.headline.startswith(f"{strong.bot.name} leads at 1600")
    assert [(found.playing, found.why) for found in page.next] == [
        (True, f"It is the most informative about {strong.bot.name}, known to ± 176 Elo.")
    ]
    lines = standings.StandingsTable(ladder).lines()
    assert [line.bot for line in lines][:2] == [strong.bot.name, weak.bot.name]
    assert [line.row.place for line in lines] == [1, 2, 3]
    assert new.bot.name in [line.bot for line in lines]
    assert "known to ± 176 Elo" in client.get(ladder.get_absolute_url()).content.decode()


def test_a_rating_that_is_still_being_measured_stands_below_the_others(client: Client) -> None:
    lucky, first, second = rivals(3)
    rating(lucky, 1900, error=90, provisional=True)
    rating(second, 1450)
    rating(first, 1500)
    order = [first.bot.name, second.bot.name, lucky.bot.name]
    assert [row.bot for row in rows(board("crapaud"))] == order
    for address in ("/leaderboard/crapaud/", "/", "/bots/"):
        page = client.get(address).content.decode().partition("<main")[2]
        found = [page.index(f">{text}<") for text in (*order[:2], "Still being measured", order[2])]
        assert found == sorted(found), address
    assert [row.place for row in rows(board("crapaud"))] == [1, 2, 3]


def test_a_bots_page_begins_with_its_strength_and_its_best_wins(client: Client, ada: User) -> None:
    mine, his = rivals(2)
    cup = running(ada, [mine, his], pairs=1, rated=True)
    play_one(seat=0)
    play_one(seat=1)
    rating(mine, 1520)
    rating(his, 1610)
    found = profile(mine.bot)
    assert (found.strengths[0].elo, found.strengths[0].place, found.strengths[0].of) == ("1520", 2, 2)
    won = Pairing.objects.get(tournament=cup, first=Entry.objects.get(tournament=cup, version=mine))
    expected = [his.bot.slug] if won.wins > won.losses else []
    assert [win.slug for win in found.best_wins] == expected
    assert found.style is not None
    assert found.style.games == 2
    running(ada, [mine, his], pairs=1, variant="crapo", name="Another game")
    play_one()
    later = profile(mine.bot).style
    assert later is not None
    assert (later.variant, later.games) == ("Crapaud", 2), "its style in the game of its headline"
    shown = client.get(f"/tournaments/bot-panel/{mine.bot.slug}/").content.decode()
    assert "Place 2 of 2" in " ".join(shown.split())


def test_the_list_of_bots_is_by_strength_on_the_board_asked_for(client: Client) -> None:
    one, two, three = rivals(3)
    rating(two, 1700)
    rating(one, 1500)
    rating(three, 1900, board="vitesse")

    def order(path: str) -> list[int]:
        shown = client.get(path).content.decode()
        return [shown.index(f">{version.bot.name}</a>") for version in (one, two, three)]

    first = order("/bots/")
    assert first[1] < first[0] < first[2]
    vitesse = order("/bots/?game=vitesse")
    assert vitesse[2] < vitesse[0] < vitesse[1]
    assert order("/bots/?game=nonsense") == first


def test_an_event_to_come_says_when_it_starts_and_not_when_its_registration_closes(ada: User) -> None:
    cup = draft(ada, rivals(2))
    starts = datetime(2030, 11, 28, 1, 49, tzinfo=UTC)
    Tournament.objects.filter(pk=cup.pk).update(
        registration_until=starts - timedelta(hours=3), starts_at=starts
    )
    assert told(cup).headline == "2 bots entered; starts 28 Nov 2030, 01:49 UTC"
    Tournament.objects.filter(pk=cup.pk).update(starts_at=None)
    assert told(cup).headline == "2 bots entered; starts 27 Nov 2030, 22:49 UTC"


def test_a_duel_has_its_score_as_headline_and_a_drawn_one_is_drawn_on_its_page_and_in_the_list(
    client: Client, ada: User
) -> None:
    cup = running(ada, rivals(2), pairs=1)
    assert "Duel in" in client.get(cup.get_absolute_url()).content.decode()
    for _ in range(2):
        play_one(seat=0, left=[0, 5])  # each wins once from the first seat
    advance(cup.pk)
    drawn = "Rival 1 1–1 Rival 2, drawn"
    page = " ".join(client.get(cup.get_absolute_url()).content.decode().split())
    assert f'story__headline">{drawn}</h2>' in page
    assert "share first place" not in page
    assert "Round-robin" not in page
    assert "1 pair of games" in page
    # One had the larger margin, which breaks ties in a table but wins no duel.
    other = running(ada, rivals_named("Left", "Right"), pairs=1)
    play_one(seat=0, left=[0, 5])
    play_one(seat=0, left=[0, 9])
    advance(other.pk)
    listed = " ".join(client.get("/tournaments/").content.decode().split())
    assert drawn in listed
    assert re.search("(Left 1–1 Right|Right 1–1 Left), drawn", listed)
    third = running(ada, rivals_named("Up", "Down"), pairs=1)
    play_one(seat=0)
    play_one(seat=1)
    advance(third.pk)
    listed = " ".join(client.get("/tournaments/").content.decode().split())
    assert re.search(r"(Up|Down)</b> 2–0 (Down|Up)", listed)


def rivals_named(*names: str) -> list[Version]:
    return [accepted_bot(author(name.lower()), name) for name in names]


def test_the_anchor_leads_no_ladder_while_others_are_rated_above_it() -> None:
    anchor, other = rivals(2)
    rating(anchor, 1500, error=0)
    measured = rating(other, 1700, provisional=True)
    ladder = ensure_ladder("crapaud")
    assert ladder_page(ladder, idle=False).headline == "Nobody is measured well enough to lead"
    measured.elo = 1400
    measured.save()
    assert ladder_page(ladder, idle=False).headline.startswith(f"{anchor.bot.name} leads at 1500")
