"""System calls that no bot in Python may make, one a line, and a bot that makes them."""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """A call: its number and arguments in Python's words, its answer, and without which layers it is made.

    `room(…)` is a buffer of so many bytes.
    A "denied" call is refused by the filter, and who makes a "forbidden" one is ended by it. A "newer" one is
    denied by some kernels themselves, which do not know it.
    """

    name: str
    words: str
    answer: str
    without: str
    does: str


# Those at the end stop, split or move who makes them.
LINES = """
tiocsti | 16, 0, 0x5412, b"x" | denied | seccomp | types into the terminal of whoever started the arena
mincore | 27, None, 0, None | denied | seccomp | asks which pages of shared files are in memory
sysv_shared_memory | 29, 0, 1 << 20, 0o1600 | denied | seccomp | takes shared memory, which outlives it
socket_alg | 41, 38, 5, 0 | denied | seccomp | uses the kernel's ciphers, a large door
socket_bluetooth | 41, 31, 3, 1 | denied | seccomp | uses protocols nobody maintains
socket_netlink | 41, 16, 3, 0 | denied | seccomp | configures the network
socket_packet | 41, 17, 3, 0 | denied |  | listens to the network
socket_raw | 41, 2, 3, 1 | denied |  | forges packets
socket_tcp | 41, 2, 1, 0 | denied | seccomp | talks to the world
socket_tcp6 | 41, 10, 1, 0 | denied | seccomp | talks to the world by the newer protocol
socket_udp | 41, 2, 2, 0 | denied | seccomp | asks a name server, and tells it things
socket_unix | 41, 1, 1, 0 | denied | seccomp | talks to the host's services, or to another bot
socket_vsock | 41, 40, 1, 0 | denied | seccomp | talks to the hypervisor, past every network namespace
sendmsg_fd | 46, -1, None, 0 | denied |  | sends descriptors, which may wait in a socket unseen
recvmsg | 47, -1, None, 0 | denied | seccomp | receives descriptors
sysv_semaphores | 64, 0, 32000, 0o1600 | denied | seccomp | takes System V semaphores
sysv_messages | 68, 0, 0o1600 | denied | seccomp | takes System V message queues
dnotify | 72, 0, 1026, 1 | denied | seccomp | hears of changes in a shared directory
lease | 72, 0, 1025 | denied | seccomp | takes a lease on a shared file, to learn who opens it
posix_lock | 72, 0, 6, room(32) | denied | seccomp | locks a shared file's range
sigio_owner | 72, 0, 8, 1 | denied | seccomp | has the kernel signal another process
flock | 73, 0, 2 | denied | seccomp | locks a shared file, to send a bit to another bot
sysinfo | 99, room(128) | denied | seccomp | reads the host's free memory, which another bot can change
sigqueue | 129, 1, 0, room(128) | denied |  | signals another with a message
personality | 135, 0x0040000 | denied | seccomp | switches off the randomised layout of its memory
statfs | 137, b"/usr", room(120) | denied | seccomp | reads the host's free disk space
mlock | 149, None, 0 | denied | seccomp rlimits | pins memory
modify_ldt | 154, 0, None, 0 | denied | seccomp | changes its descriptor table
pivot_root | 155, b"/", b"/" | forbidden | seccomp | changes the root
clear_pdeathsig | 157, 1, 0, 0, 0, 0 | denied | seccomp | asks not to die with its parent
chroot | 161, b"/usr" | forbidden | seccomp | changes the root
acct | 163, None | denied |  | switches process accounting
mount | 165, b"none", b"/tmp", b"tmpfs", 0, None | forbidden | seccomp | mounts a file system to write in
reboot | 169, 0xFEE1DEAD, 672274793, 0x1234567, None | forbidden | seccomp | restarts the machine
sethostname | 170, b"x", 1 | denied |  | renames the machine
quotactl | 179, 0, None, 0, None | denied |  | reads disk quotas
tkill | 200, 1, 0 | denied | signals landlock | signals a thread of another by the old call
timer_create | 222, 0, None, room(8) | denied | seccomp | has a timer wake it when it is stopped
clock_settime | 227, 0, None | denied |  | sets the clock
tgkill | 234, 1, 1, 0 | denied | signals landlock | signals a thread of another
set_mempolicy | 238, 0, None, 0 | denied | seccomp | chooses its memory's node
posix_message_queue | 240, b"q", 0o102, 0o600, None | denied | seccomp | takes a POSIX message queue
kexec | 246, 0, 0, None, 0 | forbidden | seccomp | boots another kernel
add_key | 248, b"user", b"note", b"hand", 4, -3 | forbidden | seccomp | leaves another bot a note
request_key | 249, b"user", b"note", None, -3 | forbidden | seccomp | reads another bot's note
keyctl | 250, 0, -3, 0 | forbidden | seccomp | looks at the session's keyring, shared by all bots of a uid
inotify | 253 | denied | seccomp | watches shared files, to hear another bot open them
splice | 275, -1, None, -1, None, 0, 0 | denied | seccomp | moves pages between pipes
vmsplice | 278, -1, None, 0, 0 | denied | seccomp | pins pages in pipes
perf_event | 298, None, 0, -1, -1, 0 | forbidden | seccomp | counts events of the machine, a fine side channel
fanotify | 300, 0x200, 0 | denied |  | watches a whole file system
name_to_handle | 303, -100, None, None, None, 0 | denied | seccomp | turns paths into handles
open_by_handle | 304, -1, None, 0 | forbidden | seccomp | opens files by handle, past every path
setns | 308, 0, 0 | forbidden | seccomp | joins another namespace
process_vm_readv | 310, 1, None, 0, None, 0, 0 | forbidden | seccomp | reads another process's memory
process_vm_writev | 311, 1, None, 0, None, 0, 0 | forbidden | seccomp | writes another process's memory
kcmp | 312, 1, 1, 0, 0, 0 | denied |  | compares kernel objects of two processes
finit_module | 313, -1, b"", 0 | forbidden | seccomp | loads a kernel module
seccomp_again | 317, 0x7FFFFFFF, 0, None | denied | seccomp | plays with filters
memfd | 319, b"x", 0 | denied | seccomp | keeps data in a file in memory
bpf | 321, 0, None, 0 | forbidden | seccomp | loads a program into the kernel
userfaultfd | 323, 0 | forbidden | seccomp | handles page faults itself, to hold the kernel still
io_uring | 425, 8, room(256) | newer | seccomp | makes system calls past the filter through a ring
open_tree | 428, -100, b"/", 1 | denied |  | clones a mount
fsopen | 430, b"tmpfs", 0 | denied |  | uses the new mount interface
pidfd_open | 434, 1, 0 | denied | seccomp | takes hold of another process
pidfd_getfd | 438, -1, 0, 0 | denied | seccomp | takes a descriptor out of another process
process_madvise | 440, -1, None, 0, 0, 0 | denied | seccomp | advises on another process's memory
mount_setattr | 442, -100, b"/", 0, None, 0 | denied |  | makes mounts writable again
landlock_more | 444, None, 0, 1 | denied | seccomp | makes rule sets, kernel memory nobody counts
memfd_secret | 447, 0 | newer | seccomp | memory even the kernel does not map
futex_waitv | 449, None, 0, 0, None, 0 | newer | seccomp | uses a newer futex call
map_shadow_stack | 453, 0, 0, 0 | denied | seccomp | a call newer than the list
unknown_call | 999 | denied | seccomp | a call that does not exist yet
ptrace | 101, 16, 1, 0, 0 | forbidden | seccomp | attaches to another process as a debugger
unshare_user | 272, 0x10000000 | forbidden | seccomp | makes a user namespace, to be root in it
clone3 | 435, room(88), 88 | newer | seccomp | clones by the new call, whose flags no filter can read
raw_clone | 56, 17, None, None, None, None | denied | seccomp rlimits | clones itself past libc
"""
CALLS = [Call(*line.split(" | ")) for line in LINES.strip().splitlines()]

BOT = """
import ctypes, json

libc, room = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer
input()
found = {{}}
for name, call in (
{calls}
):
    got = libc.syscall(*call)
    found[name] = [got, ctypes.get_errno()]
print(json.dumps(found), flush=True)
"""


def bot(calls: list[Call]) -> bytes:
    """A bot that makes these calls and says what came of each: what it returned, and errno."""
    return BOT.format(calls="\n".join(f"    ({call.name!r}, ({call.words},))," for call in calls)).encode()
