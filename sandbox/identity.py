"""Chooses the uid to play as when root started the site: one that belongs to nobody."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox import proc
from sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Set aside by systemd for services without an account, and above every distribution's own ranges.
FIRST_UID, LAST_UID = 61184, 65519
DEFAULT_UID = 64264
DYNAMIC_USERS = Path("/run/systemd/dynamic-uid")
SETTING = "CRAPETTE_RUNNER_UID"
SETPRIV = Path("/usr/bin/setpriv")
KEPT = "-all,+sys_chroot"
"""What the runner keeps of root's capabilities, as setpriv(1) has it: see `jail`."""
CAP_SYS_CHROOT = 18


def runner_identity(environ: Mapping[str, str] | None = None) -> tuple[int, int] | None:
    """Return the (uid, gid) to drop to before playing, or None if we are not root.

    CRAPETTE_RUNNER_UID chooses the uid. The default is the first one from 64264 that no account or service
    has. Raises `SandboxUnavailable` when the setting names root, an account, or no number.
    """
    if os.geteuid() != 0:
        return None
    setting = (os.environ if environ is None else environ).get(SETTING, "")
    if setting:
        return _chosen(setting)
    for uid in (*range(DEFAULT_UID, LAST_UID + 1), *range(FIRST_UID, DEFAULT_UID)):
        if not _taken(uid):
            return uid, uid
    raise SandboxUnavailable(f"every uid from {FIRST_UID} to {LAST_UID} is taken", f"set {SETTING}")


def as_runner(command: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the argv and the Popen arguments that start `command` as the runner.

    If we are root, the runner keeps CAP_SYS_CHROOT if we have it, and can gain nothing (no_new_privs).
    """
    identity = runner_identity()
    if identity is None:
        return [*command], {}
    uid, gid = identity
    if not (SETPRIV.exists() and holds_chroot("CapPrm")):
        return [*command], {"user": uid, "group": gid, "extra_groups": []}
    capabilities = (f"--{kind}={KEPT}" for kind in ("inh-caps", "ambient-caps", "bounding-set"))
    drop = [str(SETPRIV), f"--reuid={uid}", f"--regid={gid}", "--clear-groups", *capabilities]
    return [*drop, "--no-new-privs", "--", *command], {}


def holds_chroot(name: str) -> bool:
    """Whether CAP_SYS_CHROOT is in one of this process's sets of capabilities, CapPrm or CapInh."""
    held = proc.number(proc.field(proc.read("/proc/self/status"), name.encode()), 16)
    return bool(held >> CAP_SYS_CHROOT & 1)


def _chosen(setting: str) -> tuple[int, int]:
    if not setting.isascii() or not setting.isdigit() or not FIRST_UID <= int(setting) <= LAST_UID:
        raise SandboxUnavailable(f"expected {SETTING} from {FIRST_UID} to {LAST_UID}, got {setting!r}")
    uid = int(setting)
    if _taken(uid):
        raise SandboxUnavailable(f"{SETTING}={uid} belongs to an account or a service", "choose a free uid")
    return uid, uid


def _taken(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return (DYNAMIC_USERS / str(uid)).exists()
    return True
