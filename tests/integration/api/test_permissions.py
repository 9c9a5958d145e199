"""Every route as nobody, another user, the owner and staff. The routes come from the document itself."""

import json
from dataclasses import replace
from typing import Any, Final, NamedTuple

import pytest
from django.core.cache import cache

from tests.api import Filled, filled, flaws, one_connection, send, the_document, undone
from tests.conftest import ForAllTests
from tests.thinking import analysis_beside_a_download

pytestmark = pytest.mark.django_db

PUBLIC: Final = "everyone gets the same"
ANYBODY: Final = "everyone with a token does it for themselves"
OWNER: Final = "others are told that there is none"
MANAGER: Final = "others than the owner and staff are refused"

STREAMED: Final = ("download_tournament", "download_month", "download_records")
"""What everyone gets of these is the same as well, but compressed in other blocks."""
WHOSE: Final = {
    name: whose
    for whose, names in {
        PUBLIC: """
            get_bot list_bots list_versions list_online_bots get_person list_games get_game
            get_record get_values get_mistakes get_luck try_what_if get_performances
            download_tournament download_month download_records list_datasets get_dictionary
            download_dataset list_tournaments get_tournament get_standings list_entries list_matches
            list_pairs list_announcements list_organisers get_reveal get_sheet list_ladders
            list_tests get_test list_series get_series get_series_standings list_ladder_seasons
            list_boards get_leaderboard list_leads get_ratings_of_bot get_rating_history
            get_opponents get_queue get_audit stream_live list_site_notices
        """,
        ANYBODY: """
            get_account revoke_this_token list_own_bots create_bot list_checks create_remote_bot
            list_followed_bots follow_bot unfollow_bot get_evidence create_tournament
            enter_tournament clone_tournament estimate_tournament create_sequential_test
            list_challenges create_challenge list_blocks add_block list_classes join_class
            create_series list_notices mark_notices_read get_wishes set_wishes get_feed renew_feed
            end_feed list_webhooks add_webhook
        """,
        OWNER: """
            edit_bot withdraw_bot restore_bot list_own_versions upload_version get_own_version
            get_source get_check_game activate_version deactivate_version check_again
            answer_invitation get_challenge answer_challenge get_terms set_terms remove_block
            get_class leave_class remove_webhook
        """,
        MANAGER: """
            edit_tournament leave_tournament void_pair announce withdraw_announcement
            invite_organiser remove_organiser get_join_key renew_join_key reveal_results
            manage_tournament add_series_event remove_series_event close_series_season
        """,
    }.items()
    for name in names.split()
}
"""Whose each route is. A new route is refused by the test below until it is here."""


def operations() -> list[tuple[str, str, str, dict[str, Any]]]:
    """Path, method, name and description of every route in the document."""
    return [
        (path, method, one["operationId"], one)
        for path, methods in the_document()["paths"].items()
        for method, one in methods.items()
    ]


def test_every_route_is_somebodys() -> None:
    assert {name for _, _, name, _ in operations()} == set(WHOSE)


class Told(NamedTuple):
    """What somebody was answered."""

    status: int
    body: str
    kind: str
    kept: str
    """What its `Cache-Control` says."""


def asked(arena: Filled, path: str, method: str, name: str, who: str) -> Told:
    """The answer that somebody gets; whatever the request did is undone."""
    cache.clear()
    with undone():
        answer = send(arena, path, method, name, who)
    body = ""
    if not answer.streaming:
        body = answer.content.decode("utf-8", "replace")
    elif not answer.is_async:
        with analysis_beside_a_download():
            body = b"".join(answer).decode("latin-1")
    else:
        with one_connection():
            answer.close()
    kind = answer.get("Content-Type", "").partition(";")[0]
    return Told(answer.status_code, body, kind, answer.get("Cache-Control", ""))


def expected(whose: str, who: str, needs: list[str] | None) -> set[int]:
    """The statuses that a proper request may have; 409 and 422 are the caller's doing and no refusal."""
    done = {200, 201, 202, 204, 409, 422}
    if needs is not None and who == "nobody":
        return {401}
    if needs and who == "narrow":
        return {403}
    if whose in (PUBLIC, ANYBODY) or who in ("owner", "narrow"):
        return done
    if whose == MANAGER:
        return done if who == "staff" else {403}
    return {404}


@pytest.fixture(scope="module")
def arena(for_all_tests: ForAllTests[Filled]) -> Filled:
    return for_all_tests(filled)


def test_everyone_may_do_what_is_theirs_and_nothing_else_and_hears_what_the_document_says(
    arena: Filled,
) -> None:
    wrong = []
    for path, method, name, one in operations():
        schemes = one["security"]
        needs = None if {} in schemes else schemes[0]["Token"]
        # Where no token is needed, one that may do little is like any other.
        askers = [who for who in arena.tokens if who != "narrow" or needs is not None]
        answers = {who: asked(arena, path, method, name, who) for who in askers}
        for who, told in answers.items():
            if told.status not in expected(WHOSE[name], who, needs):
                wrong.append(f"{method} {path} as {who}: {told.status} {told.body[:200]}")
            if who in ("nobody", "other", "staff"):
                secret = [word for word in arena.secrets if word in told.body]
                wrong += [f"{method} {path} tells {who} {word!r}" for word in secret]
            if told.body and told.kind in ("application/json", "application/problem+json"):
                found = flaws(name, told.status, json.loads(told.body))
                wrong += [f"{method} {path} as {who}: {told.status} {flaw}" for flaw in found]
        if method == "get" and answers["owner"].kept != "private, no-store":
            wrong.append(f"{method} {path}: what a token gets is kept: {answers['owner'].kept!r}")
        if WHOSE[name] == PUBLIC and name not in ("get_audit", *STREAMED):
            same = {told.body for told in answers.values()}
            assert len(same) == 1, f"{method} {path} differs by who asks"
    assert not wrong, "\n".join(wrong[:20])


def test_a_running_game_hides_its_cards_and_its_seeds(arena: Filled) -> None:
    arena = replace(arena, values={**arena.values, "game": arena.games["going"]})
    for path in ("/api/v1/games/{game}/", "/api/v1/games/{game}/record/"):
        told = asked(arena, path, "get", "get_game", "owner")
        assert told.status == 200
        assert not [word for word in arena.secrets if word in told.body]
