"""Whom the arena plays as when root started it."""

import os
import pwd

import pytest

from sandbox import SandboxUnavailable, identity, runner_identity


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if we were."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def test_a_plain_user_stays_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to drop."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert runner_identity({}) is None


@pytest.mark.usefixtures("root")
def test_root_drops_to_a_uid_without_an_account() -> None:
    """By default a fixed one, so that what it owns is ours the next time too."""
    assert runner_identity({}) == (64264, 64264)
    with pytest.raises(KeyError):
        pwd.getpwuid(64264)


@pytest.mark.usefixtures("root")
def test_a_uid_that_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether an account has it or a service."""
    monkeypatch.setattr(identity, "_taken", lambda uid: 64264 <= uid < 65000)
    assert runner_identity({}) == (65000, 65000)


@pytest.mark.usefixtures("root")
def test_an_operator_may_choose_the_uid() -> None:
    """From the range nobody's accounts are in."""
    assert runner_identity({"CRAPETTE_RUNNER_UID": "62000"}) == (62000, 62000)


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("setting", ["0", "1000", "65534", "nobody", "-5", "٦٢٠٠٠"])
def test_another_uid_is_refused(setting: str) -> None:
    """Root's above all."""
    with pytest.raises(SandboxUnavailable) as refusal:
        runner_identity({"CRAPETTE_RUNNER_UID": setting})
    assert str(refusal.value) == f"expected CRAPETTE_RUNNER_UID from 61184 to 65519, got {setting!r}"


@pytest.mark.usefixtures("root")
def test_a_chosen_uid_with_an_account_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may own files."""
    monkeypatch.setattr(identity, "_taken", lambda uid: True)
    with pytest.raises(
        SandboxUnavailable, match=r"^CRAPETTE_RUNNER_UID=62000 belongs to an account or a service"
    ):
        runner_identity({"CRAPETTE_RUNNER_UID": "62000"})
