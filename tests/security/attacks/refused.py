# Attacks of bots in Python that are refused. One bot tries one after the other (corpus.TRIES): each leaves in
# `found` what it could do, and has `opened` and `did`, which say what of a list could be done.

# background_thread (processes): thinks in a thread during the other's turn
# contained by: seccomp: no clone; SIGSTOP stops all threads
# without: seccomp rlimits; alone: yes
import threading
found = did(thread=threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start)

# daemon (processes): leaves a daemon that outlives the game
# contained by: seccomp: no fork; the pid namespace ends with the bot
# without: seccomp rlimits; alone: yes
import time
with suppress(OSError):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
        os._exit(0)
    found = ["a daemon lives on"]

# exec_preload (processes): starts itself afresh with a library of its own
# contained by: seccomp: no exec; Landlock allows no program
# without: seccomp landlock; alone: yes
again, library = "print('escaped: again, without the stub')", {"LD_PRELOAD": "/bot/evil.so"}
found = did(exec=lambda: os.execve(sys.executable or "/usr/bin/python3", ["python3", "-c", again], library))

# exec_shell (processes): becomes a shell
# contained by: seccomp: no exec for Python; Landlock allows no program
# without: seccomp landlock memory-image; alone: yes
found = did(shell=lambda: os.execv("/bin/sh", ["sh", "-c", "echo escaped: a shell"]))

# execveat_memory (processes): writes a program to memory and executes it there
# contained by: seccomp: no memfd_create, no execveat
# without: seccomp
fd = libc.syscall(319, b"x", 0)
got = libc.syscall(322, fd, b"", None, None, 0x1000)
found = [] if fd == -1 and got == -1 else [f"memfd {fd}"]

# fork_bomb (processes): forks until nothing else can
# contained by: seccomp: no fork; RLIMIT_NPROC behind it
# without: seccomp rlimits; alone: yes
with suppress(OSError):
    while len(found) < 40:
        if os.fork() == 0:
            while True:
                pass
        found.append("a child")

# new_session (processes): leaves its session, so that signals to the group miss it
# contained by: seccomp: no setsid
found = did(session=os.setsid, group=lambda: os.setpgid(0, 0))

# setuid_program (processes): gains privileges through a setuid program
# contained by: seccomp and Landlock: no exec; no_new_privs behind them
for path in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/mount", "/usr/bin/passwd"):
    found += did(**{path: lambda: os.execv(path, [path, "--version"])})

# subprocess_run (processes): runs a program of the host
# contained by: seccomp: no fork, no exec
import subprocess
found = did(id=lambda: subprocess.run(["/usr/bin/id"], capture_output=True))

# thread_bomb (processes): starts threads without end
# contained by: seccomp: no clone; RLIMIT_NPROC behind it
# without: seccomp rlimits; alone: yes
import _thread, time
with suppress(RuntimeError):
    while len(found) < 500:
        _thread.start_new_thread(time.sleep, (30,))
        found.append("a thread")

# vfork (processes): forks by the oldest trick
# contained by: seccomp: no vfork; RLIMIT_NPROC behind it
pid = libc.syscall(58)
if pid == 0:
    os._exit(0)
found = [] if pid == -1 else [pid]

# bigger_pipes (memory): makes pipes hold more of the kernel's memory
# contained by: seccomp: no F_SETPIPE_SZ
# without: seccomp
import fcntl
found = did(megabyte=lambda: fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))

# dev_zero_read_only (memory): maps /dev/zero shared to read only: every page read is a page taken
# contained by: the mount namespace has no /dev/zero; Landlock does not allow it
read = mmap.PROT_READ
found = did(zero=lambda: mmap.mmap(os.open("/dev/zero", os.O_RDONLY), 1 << 20, flags=mmap.MAP_SHARED, prot=read))

# dev_zero_shared (memory): maps /dev/zero shared, which is shared memory by another name
# contained by: the mount namespace has no /dev/zero; Landlock does not allow it
found = did(zero=lambda: mmap.mmap(os.open("/dev/zero", os.O_RDWR), 1 << 20, flags=mmap.MAP_SHARED))

# raise_limits (memory): raises its own limits
# contained by: the kernel: hard limits, no capabilities
import resource
for name in ("RLIMIT_AS", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_FSIZE", "RLIMIT_CPU", "RLIMIT_MEMLOCK"):
    found += did(**{name: lambda: resource.setrlimit(getattr(resource, name), (resource.RLIM_INFINITY,) * 2)})

# shared_memory (memory): maps shared memory, which no process's size counts
# contained by: seccomp: mmap shared and anonymous
# without: seccomp
found = did(shared=lambda: mmap.mmap(-1, 1 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))

# priority (time): chooses its priority, its scheduler and its core
# contained by: seccomp: no calls that set them
# without: seccomp; alone: yes
found = did(
    nice=lambda: os.setpriority(os.PRIO_PROCESS, 0, 5),
    scheduler=lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)),
    affinity=lambda: os.sched_setaffinity(0, {0}),
)

# attributes (files): changes a file's times, mode or attributes, to leave a mark
# contained by: seccomp: no such calls; files belong to another uid or are read only
found = did(
    chmod=lambda: os.chmod(__file__, 0o777),
    chown=lambda: os.chown(__file__, os.getuid(), -1),
    utime=lambda: os.utime(__file__),
    xattr=lambda: os.setxattr(__file__, "user.x", b"x"),
    truncate=lambda: os.truncate(__file__, 0),
    unlink=lambda: os.unlink(__file__),
)

# devices (files): opens devices
# contained by: the mount namespace, or the jail at confined, has null and urandom alone; Landlock allows no other
# without: landlock chroot at confined
names = "tty kmsg mem vda sda kvm fuse ptmx net/tun shm mqueue full zero random".split()
found = opened(*("/dev/" + name for name in names))

# disk_bomb (files): fills the disk, or the memory that pretends to be one
# contained by: no directory is writable; RLIMIT_FSIZE
# without: landlock rlimits readonly-root
for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/dev"):
    with suppress(OSError):
        fd = os.open(f"{place}/bomb", os.O_WRONLY | os.O_CREAT)
        for _ in range(64):
            found.append(os.write(fd, bytes(1 << 20)))

# inode_bomb (files): makes directories without end: no byte, and all of the kernel's memory
# contained by: no directory is writable; seccomp: no mkdir
# without: seccomp landlock readonly-root
for place in ("/tmp", ".", "/dev/shm", "/var/tmp", "/", "/dev"):
    with suppress(OSError):
        for number in range(20000):
            os.mkdir(f"{place}/bomb{number}")
            found.append(number)

# leave_by_cwd (files): climbs up from its directory
# contained by: the mount namespace; Landlock
# without: landlock
with suppress(OSError):
    for _ in range(64):
        os.chdir("..")
with suppress(OSError):
    found = [*os.listdir("."), os.getcwd()]

# links (files): makes links to what it may not read
# contained by: seccomp: no link calls; no directory is writable
# without: seccomp landlock readonly-root
found = did(
    symlink=lambda: os.symlink("/etc/passwd", "/tmp/here"),
    link=lambda: os.link(__file__, "/tmp/there"),
    rename=lambda: os.rename(__file__, "/tmp/there"),
)

# list_root (files): looks at what there is
# contained by: Landlock
# without: landlock
found = opened("/", "/usr", "/dev", "/tmp", "/usr/share", "/usr/local")

# null_attributes (files): leaves a mark on the one device it may write
# contained by: seccomp: no such calls; the device is the host's
found = did(
    chmod=lambda: os.chmod("/dev/null", 0o600),
    utime=lambda: os.utime("/dev/null"),
    xattr=lambda: os.setxattr("/dev/null", "user.x", b"x"),
)

# other_bots (files): looks for the other bots' code
# contained by: the mount namespace shows it its own; Landlock allows no other
# without: landlock at confined
above = os.path.dirname(HERE)
for path in (above, HERE + "/..", "/var/lib/crapette", "/var/lib/crapette/bots", "/arena", "/arena/runner", "/bots"):
    with suppress(OSError):
        found += os.listdir(path)

# packages_of_others (files): takes NumPy and ONNX Runtime, which its language does not have
# contained by: the mount namespace shows them only to bots of that language; Landlock
sys.path += ["/arena/wheels/packages"]
for name in ("numpy", "onnxruntime"):
    with suppress(ImportError, OSError):
        found.append(__import__(name))
sys.path.pop()
found += opened("/arena/wheels/packages/numpy/__init__.py", "/arena/wheels/cpuinfo", "/proc/cpuinfo")

# read_accounts (files): reads the host's accounts
# contained by: the mount namespace, or the jail at confined, has no /etc; Landlock does not allow it
# without: landlock chroot at confined
found = opened("/etc/passwd", "/etc/shadow", "/etc/hostname", "/etc/os-release")

# read_environment (files): reads the environment and the memory of others
# contained by: the mount namespace, or the jail at confined, has no /proc; Landlock does not allow it
# without: landlock chroot at confined
parent = f"/proc/{os.getppid()}"
found = opened("/proc/1/environ", "/proc/self/environ", f"{parent}/environ", "/proc/self/mem", f"{parent}/mem")

# read_homes (files): looks into homes
# contained by: the mount namespace, or the jail at confined, has none; Landlock does not allow them
# without: landlock chroot at confined
found = opened(
    "/root", "/home", "/root/.ssh", "/root/.bashrc", "/var/log", "/srv", "/opt", "/mnt", "/work"
)

# read_kernel (files): reads what the kernel tells of the host
# contained by: the mount namespace, or the jail at confined, has neither /proc nor /sys; Landlock does not allow them
# without: landlock chroot at confined
names = ("meminfo", "stat", "sys/kernel", "net/unix", "kallsyms", "sysvipc/shm")
found = opened("/sys/kernel", *("/proc/" + name for name in names))

# read_programs (files): reads the host's programs
# contained by: the mount namespace shows it none; Landlock
# without: landlock memory-image
found = opened(
    "/usr/bin/env", "/usr/bin/su", "/usr/bin/python3", "/usr/share/dict", "/usr/include", "/usr/src"
)

# referee_code (files): reads the referee's code and the filter
# contained by: the mount namespace shows the player's tree alone; Landlock allows no other
# without: landlock at confined
for base in {os.path.dirname(entry) for entry in sys.path if "player" in entry} | {"/arena"}:
    names = ("/runner/referee/turns/loop.py", "/MANIFEST", "/filters/python.bpf", "/stub.pyc")
    found += opened(*(base + name for name in names))

# special_files (files): makes pipes, devices and directories with names
# contained by: seccomp: no such calls; no directory is writable
# without: seccomp landlock readonly-root
found = did(
    fifo=lambda: os.mkfifo("/tmp/fifo"),
    device=lambda: os.mknod("/tmp/device", 0o020600, os.makedev(1, 3)),
    directory=lambda: os.mkdir("/tmp/directory"),
)

# stat_host (files): asks which files exist
# contained by: the mount namespace; at confined the jail, and nothing where there can be none
# without a jail expects: leaks; without: chroot at confined
paths = ("/root", "/home", "/etc/passwd", "/var/lib", "/proc/1", "/sys/kernel")
found = [path for path in paths if os.path.exists(path)]

# tmpfile (files): makes a file without a name
# contained by: no directory is writable: read-only mounts, Landlock
# without: landlock readonly-root
found = opened("/tmp", "/var/tmp", ".", "/", "/dev/shm", "/dev", "/usr", how=os.O_TMPFILE | os.O_RDWR)

# write_new (files): makes a file anywhere
# contained by: no directory is writable: read-only mounts, Landlock
# without: landlock readonly-root
places = ("/tmp", "/var/tmp", "/dev/shm", "/run", ".", "", "/usr", "/dev", "/arena", os.path.expanduser("~"))
found = opened(*(place + "/x" for place in places), how=os.O_WRONLY | os.O_CREAT)

# write_self (files): rewrites itself, for the next game
# contained by: read-only mounts, Landlock, and files nobody may write
found = opened(__file__, HERE + "/__pycache__/x.pyc", os.__file__, how=os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

# write_urandom (files): writes to the kernel's random pool
# contained by: Landlock: read only
# without: landlock
found = opened("/dev/urandom", how=os.O_WRONLY)

# foreign_clock (other processes): reads the processor time of others, to see the opponent think
# contained by: seccomp: the common clocks alone
# without: seccomp
import time
for pid in {os.getppid(), 1, *range(2, 2000)} - {0}:
    found += did(**{f"{pid}": lambda: time.clock_gettime((~pid << 3) | 2)})

# foreign_limits (other processes): takes the referee's processor time away by setting its limits
# contained by: seccomp: prlimit for itself alone
# without: seccomp
room = ctypes.create_string_buffer(16)
found = [pid for pid in (os.getppid(), 1, os.getpid()) if libc.syscall(302, pid, 0, None, room) == 0]

# kill_all (other processes): ends every process it may signal, the referee first
# contained by: the filter for signals; the pid namespace behind it
# without: signals
found = did(
    everybody=lambda: os.kill(-1, 0), group=lambda: os.kill(0, 0), too=lambda: os.killpg(os.getpgrp(), 0)
)

# kill_parent (other processes): stops the referee and everybody else it finds
# contained by: the filter for signals; the pid namespace and Landlock's scope behind it
for pid in {1, os.getppid(), *range(2, 5000)} - {os.getpid()}:
    found += did(**{f"asks {pid}": lambda: os.kill(pid, 0), f"stops {pid}": lambda: os.kill(pid, 19)})

# scan_processes (other processes): looks for processes
# contained by: seccomp: asked about itself alone; the pid namespace, in which there is one other
for pid in {*range(1, 40000)} - {os.getpid()}:
    found += did(**{f"{pid}": lambda: os.getpgid(pid)})
found = found[1:]

# loopback (network): talks to the arena's own web server
# contained by: seccomp: no sockets; the network namespace; Landlock
# without: seccomp landlock
import socket
try:
    found = [socket.create_connection(("127.0.0.1", 8000), timeout=1)]
except PermissionError:
    pass
except OSError as error:
    found = [error]

# identities (kernel interfaces): becomes somebody else
# contained by: seccomp: no such calls; an unprivileged uid
found = did(
    setuid=lambda: os.setuid(0),
    setgid=lambda: os.setgid(0),
    setgroups=lambda: os.setgroups([0]),
    setresuid=lambda: os.setresuid(0, 0, 0),
)
found += ["is root"] * (0 in (os.getuid(), os.geteuid()))

# madvise (kernel interfaces): has pages that others have too merged, put out of memory or made huge, and times them
# contained by: seccomp: none of this advice
# without: seccomp
PAGEOUT, COLD, COLLAPSE, MERGEABLE = 21, 20, 25, 12
shared = shared_page()
own = libc.mmap(None, 4096, 3, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
for page, advice in ((shared, COLD), (shared, PAGEOUT), (shared, COLLAPSE), (own, MERGEABLE)):
    if libc.madvise(ctypes.c_void_p(page), 4096, advice) == 0 or ctypes.get_errno() != 1:
        found.append(advice)

# memory_protection (kernel interfaces): uses memory keys and remapped pages
# contained by: seccomp: not on the list
calls = ((329, 0, 0, 0, -1), (330, 0, 3), (216, 0, 0, 0, 0, 0))
found = [call for call in calls if libc.syscall(*call) != -1]

# out_of_band (kernel interfaces): uses out-of-band data on its own sockets, a corner of the kernel with a history
# contained by: seccomp: the flags of send and recv
# without: seccomp
ends = (ctypes.c_int * 2)()
libc.socketpair(1, 1, 0, ends)
found = permitted(libc.send(ends[0], b"x", 1, 1))

# shared_futex (kernel interfaces): wakes another bot that waits in a page of libc, which both have mapped
# contained by: seccomp: private futexes only
# without: seccomp
found = permitted(libc.syscall(202, ctypes.c_void_p(shared_page()), 1, 1, None, None, 0))

# environment (inherited descriptors): looks for passwords in its environment
# contained by: an environment of its own
known = "PATH HOME LANG PYTHONHASHSEED LD_LIBRARY_PATH LC_CTYPE PWD OMP_NUM_THREADS OPENBLAS_NUM_THREADS"
found = sorted(set(os.environ) - set(known.split()))

# fork_before_stub_dies (inherited descriptors): looks in its own process for what the stub left
# contained by: the stub: closes its pipe and leaves its module
found = [name for name, module in sys.modules.items() if hasattr(module, "lock_in")]
for fd in range(3, 64):
    found += did(**{f"{fd}": lambda: os.fstat(fd)})

# inherited (inherited descriptors): uses descriptors somebody forgot to close
# contained by: pass_fds, and the stub closes what it gets
for fd in range(3, 70000):
    found += did(**{f"{fd}": lambda: os.fstat(fd)})

# proc_descriptors (inherited descriptors): opens others' pipes in /proc, to answer for the opponent or to hear it
# contained by: the mount namespace has no /proc; at confined Landlock's rule for processes outside
names = ("fd/0", "fd/1", "fd/2", "root/usr", "cwd", "mem", "environ", "task")
for pid in {os.getppid(), *range(1, 40000)} - {os.getpid()}:
    found += opened(f"/proc/{pid}/fd/0", how=os.O_RDONLY | os.O_NONBLOCK)
    if os.path.exists(f"/proc/{pid}"):
        found += opened(*(f"/proc/{pid}/{name}" for name in names), how=os.O_RDONLY | os.O_NONBLOCK)

# same_pipe (inherited descriptors): reads and writes its pipes the wrong way round
# contained by: pipes, which have one
found = did(stdout=lambda: os.read(1, 1), stdin=lambda: os.write(0, b"x"), stderr=lambda: os.read(2, 1))
