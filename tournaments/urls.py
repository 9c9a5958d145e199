"""Addresses of the competition, from the first page on."""

from django.urls import include, path

from tournaments.pages import (
    feeds,
    following,
    home,
    public_ledger,
    queue,
    rules,
)
from tournaments.pages.creation import new_events
from tournaments.pages.events import exports, organisers, reveal, schedule, tournaments
from tournaments.pages.games import (
    games,
    passages,
)
from tournaments.pages.ratings import (
    diary,
)
from tournaments.pages.ratings import (
    leaderboard as ratings,
)

tournament_patterns = [
    path("", tournaments.tournament_list, name="list"),
    path("feed.atom", feeds.TournamentFeed(), name="feed"),
    path("new/", new_events.new_tournament, name="new"),
    path("new/estimate/", new_events.estimate, name="estimate"),
    path("test/", new_events.new_test, name="test"),
    path("test/estimate/", new_events.test_estimate, name="test-estimate"),
    path("bot-panel/<slug:slug>/", ratings.bot_panel, name="bot-panel"),
    path("bot-panel/<slug:slug>/diary/", diary.bot_diary, name="diary"),
    path("bot-panel/<slug:slug>/turns/", diary.worst_turns, name="worst-turns"),
    path("bot-panel/<slug:slug>/v<int:number>/", diary.first_steps, name="first-steps"),
    path("calendar.ics", organisers.calendar, name="calendar"),
    path("<slug:slug>/", tournaments.tournament_detail, name="detail"),
    path("<slug:slug>/calendar.ics", organisers.calendar, name="dates"),
    path("<slug:slug>/results.csv", organisers.results, name="results"),
    path("<slug:slug>/announce/", organisers.announce, name="announce"),
    path("<slug:slug>/announcements/<int:number>/withdraw/", organisers.withdraw, name="withdraw"),
    path("<slug:slug>/organisers/", organisers.organisers_page, name="organisers"),
    path("<slug:slug>/organisers/invite/", organisers.invite, name="invite"),
    path("<slug:slug>/organisers/answer/<slug:answer>/", organisers.answer, name="answer"),
    path("<slug:slug>/organisers/remove/<int:user>/", organisers.remove, name="remove-organiser"),
    path("<slug:slug>/key/", organisers.renew_key, name="renew-key"),
    path("<slug:slug>/reveal/", reveal.reveal_page, name="reveal"),
    path("<slug:slug>/reveal/rows/", reveal.reveal_rows, name="reveal-rows"),
    path("<slug:slug>/reveal/now/", reveal.reveal_now, name="reveal-now"),
    path("<slug:slug>/live/", tournaments.tournament_live, name="live"),
    path("<slug:slug>/bundle.jsonl", exports.tournament_bundle, name="bundle"),
    path("<slug:slug>/rounds/", schedule.rounds, name="rounds"),
    path("<slug:slug>/meeting/<int:one>/<int:other>/", schedule.meeting, name="meeting"),
    path("<slug:slug>/match/<int:number>/<int:table>/", schedule.sheet, name="sheet"),
    path("<slug:slug>/pairs/<int:pair_id>/void/", schedule.void, name="void"),
    path("<slug:slug>/edit/", new_events.edit_tournament, name="edit"),
    path("<slug:slug>/join/", new_events.join, name="join"),
    path("<slug:slug>/leave/<int:number>/", new_events.leave, name="leave"),
    path("<slug:slug>/clone/", new_events.clone, name="clone"),
    path("<slug:slug>/action/", tournaments.tournament_action, name="action"),
]
game_patterns = [
    path("", games.game_list, name="list"),
    path("tv/", games.tv, name="tv"),
    path("programme.json", games.game_programme, name="programme"),
    path("open/", games.open_record, name="open"),
    path("<uuid:game_id>/", games.game_detail, name="detail"),
    path("<uuid:game_id>/table/", games.game_table, name="table"),
    path("<uuid:game_id>/picture.png", games.game_picture, name="picture"),
    path("<uuid:game_id>/final.svg", games.game_final, name="final"),
    path("<uuid:game_id>/passage/", passages.passage_page, name="passage"),
    path(
        "<uuid:game_id>/passage/<int:first>-<int:last>.gif", passages.passage_picture, name="passage-picture"
    ),
    path(
        "<uuid:game_id>/passage/<int:first>-<int:last>-still.gif",
        passages.passage_still,
        name="passage-still",
    ),
    path("<uuid:game_id>/record.json", games.game_record, name="record"),
    path("<uuid:game_id>/moves.json", games.game_moves, name="moves"),
    path("<uuid:game_id>/values.json", games.game_values, name="values"),
    path("<uuid:game_id>/mistakes.json", games.game_mistakes, name="mistakes"),
    path("<uuid:game_id>/deep.json", games.game_deep, name="deep"),
    path("<uuid:game_id>/explore.json", games.game_explore, name="explore"),
]
urlpatterns = [
    path("", home.home, name="home"),
    path("tournaments/", include((tournament_patterns, "tournaments"))),
    path("games/", include((game_patterns, "games"))),
    path("embed/games/<uuid:game_id>/", games.game_embed, name="embed"),
    path("leaderboard/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/open/<slug:variant>/", ratings.open_board, name="open-board"),
    path("leaderboard/open/<slug:variant>/<int:players>/", ratings.open_board, name="open-board"),
    path("leaderboard/<slug:variant>/feed.atom", feeds.LadderFeed(), name="leaderboard-feed"),
    path(
        "leaderboard/<slug:variant>/<int:players>/feed.atom",
        feeds.LadderFeed(),
        name="leaderboard-feed",
    ),
    path("leaderboard/<slug:variant>/<int:players>/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/bundle.jsonl", exports.ratings_bundle, name="leaderboard-bundle"),
    path("leaderboard/open/<slug:variant>/bundle.jsonl", exports.open_bundle, name="open-board-bundle"),
    path("head-to-head/<slug:one>/<slug:other>/", schedule.head_to_head, name="head-to-head"),
    path("followed/", following.followed_page, name="followed"),
    path("queue/", queue.queue, name="queue"),
    path("audit/", public_ledger.ledger, name="audit"),
    path("integrity/", public_ledger.integrity, name="integrity"),
    path("glossary/", rules.glossary_page, name="glossary"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:variant>/", rules.rules_variant, name="rules-variant"),
    path("rules/<slug:variant>/layout.svg", rules.rules_layout, name="rules-layout"),
    path("rules/<slug:variant>/example.json", rules.rules_example, name="rules-example"),
]
