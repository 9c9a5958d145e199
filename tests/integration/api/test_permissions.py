"""Every route as nobody, another user, the owner and staff. The routes come from the document itself."""

from dataclasses import replace
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.db import transaction

from arena.api.application import openapi
from tests.api import Filled, filled, one_connection, send
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
    "get_account": ANYBODY,
    "revoke_this_token": ANYBODY,
    "list_own_bots": ANYBODY,
    "create_bot": ANYBODY,
    "get_bot": PUBLIC,
    "edit_bot": OWNER,
    "withdraw_bot": OWNER,
    "restore_bot": OWNER,
    "list_own_versions": OWNER,
    "upload_version": OWNER,
    "get_own_version": OWNER,
    "get_source": OWNER,
    "get_check_game": OWNER,
    "activate_version": OWNER,
    "deactivate_version": OWNER,
    "check_again": OWNER,
    "list_checks": ANYBODY,
    "list_bots": PUBLIC,
    "list_versions": PUBLIC,
    "list_online_bots": PUBLIC,
    "create_remote_bot": ANYBODY,
    "get_person": PUBLIC,
    "list_followed_bots": ANYBODY,
    "follow_bot": ANYBODY,
    "unfollow_bot": ANYBODY,
    "list_games": PUBLIC,
    "get_game": PUBLIC,
    "get_record": PUBLIC,
    "get_evidence": ANYBODY,
    "get_values": PUBLIC,
    "get_mistakes": PUBLIC,
    "get_luck": PUBLIC,
    "try_what_if": PUBLIC,
    "get_performances": PUBLIC,
    "download_tournament": PUBLIC,
    "download_month": PUBLIC,
    "download_records": PUBLIC,
    "list_datasets": PUBLIC,
    "get_dictionary": PUBLIC,
    "download_dataset": PUBLIC,
    "list_tournaments": PUBLIC,
    "create_tournament": ANYBODY,
    "get_tournament": PUBLIC,
    "edit_tournament": MANAGER,
    "get_standings": PUBLIC,
    "list_entries": PUBLIC,
    "enter_tournament": ANYBODY,
    "leave_tournament": MANAGER,
    "clone_tournament": ANYBODY,
    "list_matches": PUBLIC,
    "list_pairs": PUBLIC,
    "void_pair": MANAGER,
    "estimate_tournament": ANYBODY,
    "list_announcements": PUBLIC,
    "announce": MANAGER,
    "withdraw_announcement": MANAGER,
    "list_organisers": PUBLIC,
    "invite_organiser": MANAGER,
    "answer_invitation": OWNER,
    "remove_organiser": MANAGER,
    "get_join_key": MANAGER,
    "renew_join_key": MANAGER,
    "get_reveal": PUBLIC,
    "reveal_results": MANAGER,
    "get_sheet": PUBLIC,
    "list_ladders": PUBLIC,
    "manage_tournament": MANAGER,
    "list_tests": PUBLIC,
    "create_sequential_test": ANYBODY,
    "get_test": PUBLIC,
    "list_challenges": ANYBODY,
    "create_challenge": ANYBODY,
    "get_challenge": OWNER,
    "answer_challenge": OWNER,
    "get_terms": OWNER,
    "set_terms": OWNER,
    "list_blocks": ANYBODY,
    "add_block": ANYBODY,
    "remove_block": OWNER,
    "list_classes": ANYBODY,
    "join_class": ANYBODY,
    "get_class": OWNER,
    "leave_class": OWNER,
    "list_series": PUBLIC,
    "create_series": ANYBODY,
    "get_series": PUBLIC,
    "get_series_standings": PUBLIC,
    "add_series_event": MANAGER,
    "remove_series_event": MANAGER,
    "close_series_season": MANAGER,
    "list_ladder_seasons": PUBLIC,
    "list_boards": PUBLIC,
    "get_leaderboard": PUBLIC,
    "list_leads": PUBLIC,
    "get_ratings_of_bot": PUBLIC,
    "get_rating_history": PUBLIC,
    "get_opponents": PUBLIC,
    "get_queue": PUBLIC,
    "get_audit": PUBLIC,
    "stream_live": PUBLIC,
    "list_site_notices": PUBLIC,
    "list_notices": ANYBODY,
    "mark_notices_read": ANYBODY,
    "get_wishes": ANYBODY,
    "set_wishes": ANYBODY,
    "get_feed": ANYBODY,
    "renew_feed": ANYBODY,
    "end_feed": ANYBODY,
    "list_webhooks": ANYBODY,
    "add_webhook": ANYBODY,
    "remove_webhook": OWNER,
}
"""Whose each route is. A new route is refused by the test below until it is here."""


def operations() -> list[tuple[str, str, str, dict[str, Any]]]:
    """Path, method, name and description of every route in the document."""
    return [
        (path, method, one["operationId"], one)
        for path, methods in openapi()["paths"].items()
        for method, one in methods.items()
    ]


def test_every_route_is_somebodys() -> None:
    assert {name for _, _, name, _ in operations()} == set(WHOSE)


def asked(arena: Filled, path: str, method: str, name: str, who: str) -> tuple[int, str]:
    """The status and body of an answer; whatever the request did is undone."""
    cache.clear()
    undo = RuntimeError()
    try:
        with transaction.atomic():
            answer = send(arena, path, method, name, who)
            raise undo
    except RuntimeError as error:
        if error is not undo:
            raise
    if not answer.streaming:
        return answer.status_code, answer.content.decode("utf-8", "replace")
    if not answer.is_async:
        with analysis_beside_a_download():
            return answer.status_code, b"".join(answer).decode("latin-1")
    with one_connection():
        answer.close()
    return answer.status_code, ""


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
    """An arena with something at every route."""
    return for_all_tests(filled)


def test_everyone_may_do_what_is_theirs_and_nothing_else(arena: Filled) -> None:
    wrong = []
    for path, method, name, one in operations():
        schemes = one["security"]
        needs = None if {} in schemes else schemes[0]["Token"]
        answers = {who: asked(arena, path, method, name, who) for who in arena.tokens}
        for who, (status, body) in answers.items():
            if status not in expected(WHOSE[name], who, needs):
                wrong.append(f"{method} {path} as {who}: {status} {body[:200]}")
            if who in ("nobody", "other", "staff"):
                wrong += [f"{method} {path} tells {who} {word!r}" for word in arena.secrets if word in body]
        if WHOSE[name] == PUBLIC and name not in ("get_audit", *STREAMED):
            same = {body for who, (_, body) in answers.items()}
            assert len(same) == 1, f"{method} {path} differs by who asks"
    assert not wrong, "\n".join(wrong[:20])


def test_a_running_game_hides_its_cards_and_its_seeds(arena: Filled) -> None:
    arena = replace(arena, values={**arena.values, "game": arena.games["going"]})
    for path in ("/api/v1/games/{game}/", "/api/v1/games/{game}/record/"):
        status, body = asked(arena, path, "get", "get_game", "owner")
        assert status == 200
        assert not [word for word in arena.secrets if word in body]


@pytest.mark.any_database
def test_what_a_token_gets_is_kept_by_nobody(arena: Filled) -> None:
    wrong = []
    for path, method, name, _ in operations():
        if method == "get":
            with one_connection(), analysis_beside_a_download():
                answer = send(arena, path, method, name, "owner")
                if answer.streaming:
                    answer.close()
            if answer["Cache-Control"] != "private, no-store":
                wrong.append((path, answer.status_code, answer["Cache-Control"]))
    assert not wrong, "\n".join(map(str, wrong))
