"""The outer wall at level `full`: namespaces and an empty, read-only file system, made by bubblewrap."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BWRAP = Path("/usr/bin/bwrap")
NAMESPACES = ("user", "pid", "net", "ipc", "uts", "mnt", "cgroup")
OF_ZYGOTE = ("user", "mnt")
"""The namespaces that a zygote has of its own. Its bots have others of every kind."""
CLONE_FLAGS = {"pid": 0x20000000, "net": 0x40000000, "ipc": 0x08000000, "uts": 0x04000000}
CLONE_ALWAYS = 0x00020000 | 0x02000000
"""mnt and cgroup."""
DEVICES = ("/dev/null", "/dev/urandom")
UNSHARE = {"pid": "--unshare-pid", "net": "--unshare-net", "ipc": "--unshare-ipc", "uts": "--unshare-uts"}
STUB, BOT = "/arena/stub.pyc", "/bot"
PLAYER = "/arena/player"
WHEELS = "/arena/wheels"
USERNS_SYSCTLS = {
    Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"): (
        "1",
        "Ubuntu keeps user namespaces from programs without an AppArmor profile: install the profile "
        "bwrap-userns-restrict (package apparmor-profiles) or set "
        "kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    Path("/proc/sys/kernel/unprivileged_userns_clone"): ("0", "set kernel.unprivileged_userns_clone=1"),
    Path("/proc/sys/user/max_user_namespaces"): ("0", "set user.max_user_namespaces to 10000 or so"),
}


def command(
    bwrap: Path,
    binds: Sequence[tuple[Path | str, str]],
    copies: Sequence[tuple[int, str, int]],
    environment: Mapping[str, str],
    drop: frozenset[str],
    *,
    links: Sequence[tuple[Path, Path]] = (),
    zygote: bool = False,
) -> list[str]:
    """Return the argv up to and including `--`.

    `binds` are (path here, path inside), read-only. `copies` are (descriptor, path inside, mode): files that
    belong to this sandbox alone and are removed with it. `drop` is for the tests of single layers: the names
    of namespaces to share ("pid", "net", "ipc", "uts"), "readonly-root", "no-proc"; empty in every real
    start. `links` are (link, target) besides the host's own. A `zygote` gets the files alone, and the right
    to make its bots' namespaces itself.
    """
    argv = [str(bwrap), "--unshare-user", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    if zygote:
        argv += ["--cap-add", "CAP_SYS_ADMIN"]
    else:
        argv += [flag for name, flag in UNSHARE.items() if name not in drop]
        argv += ["--unshare-cgroup", "--disable-userns", "--assert-userns-disabled"]
        argv += ["--hostname", "bot"] if "uts" not in drop else []
    argv += ["--uid", "65534", "--gid", "65534", "--clearenv"]
    for path, inside in binds:
        argv += ["--ro-bind", str(path), inside]
    argv += ["--dir", BOT]
    for descriptor, inside, mode in copies:
        argv += ["--perms", f"{mode:o}", "--file", str(descriptor), inside]
    for link, leads_to in (*system_links(), *links):
        argv += ["--symlink", str(leads_to), str(link)]
    for device in DEVICES:
        argv += ["--dev-bind", device, device]
    if "no-proc" in drop:
        argv += ["--proc", "/proc"]
    argv += ["--dir", "/tmp"]  # noqa: S108  (empty and read-only: some programs want it to be there)
    if "readonly-root" not in drop:
        argv += ["--remount-ro", "/"]
    for name, value in environment.items():
        argv += ["--setenv", name, value]
    return [*argv, "--chdir", BOT, "--"]


def system_links() -> list[tuple[Path, Path]]:
    """Return (link, target) for the host's links to program directories, which programs rely on."""
    links = (Path("/bin"), Path("/lib"), Path("/lib64"))
    return [(link, link.readlink()) for link in links if link.is_symlink()]


def host_system() -> list[tuple[Path | str, str]]:
    """The host's own programs. Bots see them only in tests that leave out the image in memory."""
    real = [
        path for path in ("/bin", "/lib", "/lib64") if Path(path).is_dir() and not Path(path).is_symlink()
    ]
    return [(path, path) for path in ("/usr", *real)]


def find() -> Path:
    """Return the bwrap program. Raises `SandboxUnavailable` if there is none."""
    if not BWRAP.exists():
        raise SandboxUnavailable("bubblewrap is not installed", "apt-get install bubblewrap (0.8 or newer)")
    return BWRAP


def explain(message: str) -> SandboxUnavailable:
    """Say why bwrap did not start, from what it printed, and what an operator can do about it."""
    said = message.strip().splitlines()[-1] if message.strip() else "it printed nothing"
    return SandboxUnavailable(f"the sandbox did not start: {said}", hint(message))


def hint(message: str) -> str:
    """Return advice for an operator about what bwrap printed; empty if there is none."""
    if "bwrap: " not in message:
        return ""
    if "unknown option" in message.lower():
        return "bubblewrap 0.8 or newer is needed"
    for path, (bad, advice) in USERNS_SYSCTLS.items():
        try:
            if path.read_text().strip() == bad:
                return advice
        except OSError:
            continue
    if in_container() and not message.rstrip().endswith("No such file or directory"):
        return (
            "in a container: let the runner's container make namespaces (see docs/operate/sandbox.md), or "
            "choose CRAPETTE_SANDBOX=confined knowing what it does not contain"
        )
    if "namespace" in message or "uid map" in message:
        return "this host does not let unprivileged users make namespaces: see docs/operate/sandbox.md"
    return ""


def in_container() -> bool:
    """Whether this looks like the inside of a container."""
    return Path("/.dockerenv").exists() or Path("/run/.containerenv").exists()
