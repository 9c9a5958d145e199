"""Addresses of the competition, from the first page on."""

from django.urls import include, path

from tournaments.views import (
    audit,
    bundles,
    creation,
    games,
    home,
    luck,
    mistakes,
    queue,
    ratings,
    rules,
    schedule,
    tournaments,
)

tournament_patterns = [
    path("", tournaments.tournament_list, name="list"),
    path("new/", creation.new_tournament, name="new"),
    path("new/estimate/", creation.estimate, name="estimate"),
    path("test/", creation.new_test, name="test"),
    path("test/estimate/", creation.test_estimate, name="test-estimate"),
    path("bot-panel/<slug:slug>/", ratings.bot_panel, name="bot-panel"),
    path("<slug:slug>/", tournaments.tournament_detail, name="detail"),
    path("<slug:slug>/live/", tournaments.tournament_live, name="live"),
    path("<slug:slug>/bundle.jsonl", bundles.tournament_bundle, name="bundle"),
    path("<slug:slug>/rounds/", schedule.rounds, name="rounds"),
    path("<slug:slug>/meeting/<int:one>/<int:other>/", schedule.meeting, name="meeting"),
    path("<slug:slug>/match/<int:number>/<int:table>/", schedule.sheet, name="sheet"),
    path("<slug:slug>/pairs/<int:pair_id>/void/", schedule.void, name="void"),
    path("<slug:slug>/join/", creation.join, name="join"),
    path("<slug:slug>/leave/<int:number>/", creation.leave, name="leave"),
    path("<slug:slug>/clone/", creation.clone, name="clone"),
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
    path("<uuid:game_id>/record.json", games.game_record, name="record"),
    path("<uuid:game_id>/values.json", luck.game_values, name="values"),
    path("<uuid:game_id>/mistakes.json", mistakes.game_mistakes, name="mistakes"),
    path("<uuid:game_id>/explore.json", games.game_explore, name="explore"),
]
urlpatterns = [
    path("", home.home, name="home"),
    path("tournaments/", include((tournament_patterns, "tournaments"))),
    path("games/", include((game_patterns, "games"))),
    path("embed/games/<uuid:game_id>/", games.game_embed, name="embed"),
    path("leaderboard/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/<int:players>/", ratings.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:variant>/bundle.jsonl", bundles.ratings_bundle, name="leaderboard-bundle"),
    path("head-to-head/<slug:one>/<slug:other>/", schedule.head_to_head, name="head-to-head"),
    path("queue/", queue.queue, name="queue"),
    path("audit/", audit.ledger, name="audit"),
    path("integrity/", audit.integrity, name="integrity"),
    path("glossary/", rules.glossary_page, name="glossary"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:variant>/", rules.rules_variant, name="rules-variant"),
    path("rules/<slug:variant>/example.json", rules.rules_example, name="rules-example"),
]
