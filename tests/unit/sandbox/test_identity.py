"""Whom the arena plays as when root started it."""

import os
import pwd

import pytest

from sandbox import SandboxUnavailable, identity, runner_identity


def test_a_plain_user_stays_itself_and_root_drops_to_a_uid_without_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By default a fixed one, so that what it owns is ours the next time too; one that an account
    or a service has is passed over."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert runner_identity({}) is None
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert runner_identity({}) == (64264, 64264)
    with pytest.raises(KeyError):
        pwd.getpwuid(64264)
    monkeypatch.setattr(identity, "_taken", lambda uid: 64264 <= uid < 65000)
    assert runner_identity({}) == (65000, 65000)


def test_an_operator_may_choose_the_uid_from_the_range_that_nobodys_accounts_are_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert runner_identity({"CRAPETTE_RUNNER_UID": "62000"}) == (62000, 62000)
    for setting in ("0", "1000", "65534", "nobody", "-5", "٦٢٠٠٠"):
        with pytest.raises(SandboxUnavailable) as refusal:
            runner_identity({"CRAPETTE_RUNNER_UID": setting})
        assert str(refusal.value) == f"expected CRAPETTE_RUNNER_UID from 61184 to 65519, got {setting!r}"
    monkeypatch.setattr(identity, "_taken", lambda uid: True)
    with pytest.raises(
        SandboxUnavailable, match=r"^CRAPETTE_RUNNER_UID=62000 belongs to an account or a service"
    ):
        runner_identity({"CRAPETTE_RUNNER_UID": "62000"})
