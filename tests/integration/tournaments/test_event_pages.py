"""Pages of events and bots begin with their point: who won or leads, what is decided, who is next and why."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from arena.accounts.models import User
from bots.models import Version
from tests.factories.ratings import rating
from tests.factories.results import play_all, play_one
from tests.factories.tournaments import draft, rivals, running
from tournaments.events.standings import count
from tournaments.events.standings import progress as progress_of
from tournaments.models import Entry, Pair, Pairing, Rating, RatingPoint, Tournament
from tournaments.pages.events import bracket, standings
from tournaments.pages.events.event_story import TournamentStory, story
from tournaments.pages.events.ladder import ladder_page
from tournaments.pages.events.listing import tournament_list
from tournaments.pages.ratings.bot_profiles import profile
from tournaments.pages.ratings.rating_rows import rows
from tournaments.pairing.progress import advance, cancel_tournament, pause_tournament
from tournaments.ratings.ladder import ensure_ladder, ensure_ladders, enter_active_versions
from tournaments.ratings.leaderboards import board
from tournaments.ratings.tallies import opponents

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


def won_by(cup: Tournament, entry: Entry) -> None:
    """Let an entrant have won everything, as if pairs had been voided and played again."""
    zero = {"wins": 0, "losses": 0, "draws": 0}
    cup.pairings.update(**zero)
    cup.pairings.filter(first=entry).update(**{**zero, "wins": 9})
    cup.pairings.filter(second=entry).update(**{**zero, "losses": 9})
    Tournament.objects.filter(pk=cup.pk).update(finished_at=timezone.now())


def opening(cup: Tournament) -> str:
    return told(cup).headline


def test_a_finished_event_begins_with_its_winner_and_the_tie_break_that_decided(ada: User) -> None:
    cup = running(ada, rivals(5), pairs=1)
    assert opening(cup) == "No result yet"
    assert [
        progress_of(cup, count([cup])[cup.pk], 5).done,
        progress_of(cup, count([cup])[cup.pk], 5).total,
    ] == [0, 10]
    play_all(cup)
    over = progress_of(cup, count([cup])[cup.pk], 5)
    assert (over.done, over.total, over.percent, over.running) == (10, 10, 100, 0)
    found = told(cup)
    # Invented results may end level at the top.
    assert found.headline.startswith(found.podium[0].bot) or found.headline.endswith("share first place")
    assert next(line.row.place for line in found.podium) == 1
    assert len(found.podium) >= 3
    assert not found.decided
    assert not found.open
    cup.pairings.update(wins=0, draws=2, losses=0, margin_sum=0)
    assert opening(cup) == "5 bots share first place"
    best = cup.entries.get(number=1)
    cup.pairings.filter(first=best).update(margin_sum=4)
    cup.pairings.filter(second=best).update(margin_sum=-4)
    assert opening(cup) == f"{best.version.bot.name} won"
    assert "margin decides" in told(cup).detail
    # The list names its winner again after pairs were played again.
    for entry in cup.entries.all()[:2]:
        won_by(cup, entry)
        assert tournament_list(None).over[0].winners == [entry]


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
    assert [(row.bot, row.place) for row in rows(board("crapaud"))] == list(
        zip(order, (1, 2, 3), strict=True)
    )
    for address in ("/leaderboard/crapaud/", "/", "/bots/"):
        shown = page(client, address).partition("<main")[2]
        found = [shown.index(f">{text}<") for text in (*order[:2], "Still being measured", order[2])]
        assert found == sorted(found), address
    # The anchor leads no ladder while others are rated above it.
    Rating.objects.exclude(version=first).update(provisional=True)
    Rating.objects.filter(version=first).update(error=0)
    ladder = ensure_ladder("crapaud")
    assert ladder_page(ladder, idle=False).headline == "Nobody is measured well enough to lead"
    Rating.objects.filter(version=lucky).update(elo=1400)
    assert ladder_page(ladder, idle=False).headline.startswith(f"{first.bot.name} leads at 1500")


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


def test_the_list_of_bots_is_by_strength_on_the_board_asked_for_and_seats_have_boards(client: Client) -> None:
    one, two, three = rivals(3)
    rating(two, 1700)
    rating(one, 1500)
    rating(three, 1900, board="vitesse")

    def order(path: str) -> list[int]:
        shown = page(client, path)
        places = [shown.index(f">{version.bot.name}</a>") for version in (one, two, three)]
        return sorted(range(3), key=places.__getitem__)

    assert order("/bots/") == order("/bots/?game=nonsense") == [1, 0, 2]
    assert order("/bots/?game=vitesse") == [2, 0, 1]
    Rating.objects.all().delete()
    rating(one, 1520, "crapette/3", error=30, games=6, wins=4, losses=2)
    panel = page(client, f"/tournaments/bot-panel/{one.bot.slug}/")
    seats = page(client, "/leaderboard/crapette/3/")
    assert '<a href="/leaderboard/crapette/3/">Crapette, 3 seats</a>' in panel
    assert "Ratings in Crapette, 3 seats" in seats
    assert "/leaderboard/crapette/bundle.jsonl?players=3" in seats
    assert "1520" in seats
    assert page(client, "/leaderboard/") == seats
    for address in ("/leaderboard/crapette/5/", "/leaderboard/crapaud/3/"):
        assert client.get(address).status_code == 404


def test_a_bots_panel_has_the_game_of_its_headline_in_front_its_opponents_and_the_history_of_its_rating(
    client: Client, ada: User, trio: list[Version]
) -> None:
    play_all(running(ada, trio, pairs=2))
    bot = trio[0].bot
    mine, theirs = ({row.bot: row for row in opponents(one.bot)} for one in trio[:2])
    met, seen = mine[trio[1].bot.name], theirs[bot.name]
    assert (met.wins, met.losses) == (seen.losses, seen.wins)
    assert met.wins + met.draws + met.losses == 4
    now = timezone.now()
    for name, played in (("crapaud", 10), ("crapo", 50), ("russian-bank", 4)):
        rating(trio[0], board=name, games=played, error=20)
    for hours, elo in ((3, 1400), (2, 1450), (1, 1500)):
        at = now - timedelta(hours=hours)
        RatingPoint.objects.create(version=trio[0], variant="crapaud", at=at, elo=elo, error=20, games=9)
    address = f"/tournaments/bot-panel/{bot.slug}/"
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    for said in (trio[1].bot.name, trio[2].bot.name, "Latest games"):
        assert said in part
    whole = page(client, address)
    assert "<html" in whole
    table = whole.partition('<th scope="col">Version')[2]
    order = [table.index(one) for one in ("Crapô", "Crapaud", "More games", "Russian Bank")]
    assert order == sorted(order)
    for said in (
        "Rating in Crapaud",
        'class="chart__line chart__line--first"',
        "1361 to 1439",
        "1461 to 1539",
    ):
        assert said in whole


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
    versions = rivals(2)

    def duel(name: str, *ends: dict[str, Any]) -> Tournament:
        cup = running(ada, versions, pairs=1, name=name)
        assert "Duel in" in page(client, cup.get_absolute_url())
        for end in ends:
            play_one(**end)
        advance(cup.pk)
        return cup

    level = {"seat": 0, "left": [0, 5]}  # each wins once from the first seat
    shown = page(client, duel("Level", level, level).get_absolute_url())
    assert 'story__headline">Rival 1 1–1 Rival 2, drawn</h2>' in shown
    assert "share first place" not in shown
    assert "Round-robin" not in shown
    assert "1 pair of games" in shown
    # One had the larger margin, which breaks ties in a table but wins no duel.
    duel("Margin", level, {"seat": 0, "left": [0, 9]})
    duel("Won", {"seat": 0}, {"seat": 1})
    listed = page(client, "/tournaments/")
    assert len(re.findall("Rival 1 1–1 Rival 2, drawn|Rival 2 1–1 Rival 1, drawn", listed)) == 2
    assert re.search(r"Rival \d</b> 2–0 Rival \d", listed)


def test_events_come_by_what_they_mean_now_and_ladders_beside_them(
    client: Client, ada: User, trio: list[Version]
) -> None:
    ensure_ladders()
    over = running(None, trio, pairs=1, name="Over")
    play_all(over)
    later, sooner = draft(None, trio, name="Later", hours=9), draft(None, trio, name="Sooner", hours=2)
    paused = running(None, trio, pairs=1, name="Paused")
    pause_tournament(paused)
    now = running(None, trio, pairs=1, name="Now")
    gone = running(None, trio, pairs=1, name="Gone")
    cancel_tournament(gone, by=ada)

    found = tournament_list(None)

    assert [one.tournament for one in found.now] == [now, paused]
    assert [one.tournament for one in found.coming] == [sooner, later]
    assert [one.row.tournament for one in found.over] == [gone, over]
    assert found.idle == len(found.ladders) > 5
    page = client.get("/tournaments/").content.decode()
    names = ["Now", "Paused", "Sooner", "Later", "Gone", "Over", 'id="ladders"']
    places = [page.index(f">{name}<" if name.isalpha() else name) for name in names]
    assert places == sorted(places)
