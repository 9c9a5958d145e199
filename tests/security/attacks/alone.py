# Attacks of bots in Python that end their bot, or burden it: each is tried by a bot of its own.

# abort (output): aborts
# contained by: the process's own end; RLIMIT_CORE leaves no core
# expect: crashed
import os
input()
os.abort()

# address_space (memory): reserves address space to fill with page tables
# contained by: RLIMIT_AS
# expect: bounded; most: 512; without: rlimits
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
input()
size = 1 << 46
while size and libc.mmap(None, size, 1, 0x4022, -1, 0) == (1 << 64) - 1:
    size >>= 1
print("bounded", size >> 20)

# alarm_storm (time): has itself interrupted 100,000 times a second
# contained by: the deadline of the question
# expect: silent; seconds: 0.5
import signal
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.00001, 0.00001)
input()
while True:
    pass

# big_number (time): computes where no interpreter looks for signals
# contained by: the deadline of the question; SIGKILL
# expect: silent; seconds: 0.5
input()
print("escaped" if 7 ** (7**12) else "")

# close_stdin (output): closes its input and lives on
# contained by: the deadline of the question; writing to a closed pipe is its end
# expect: exited silent; seconds: 1; feed: 200000
import os, time
os.close(0)
time.sleep(60)

# close_stdout (output): closes its output and lives on
# contained by: the deadline of the question
# expect: silent; confined expects: exited; seconds: 0.5
import os, time
input()
os.close(1)
time.sleep(60)

# cpu_limit (time): burns more processor time than a game has
# contained by: RLIMIT_CPU
# expect: cpu; seconds: 40; cpu seconds: 1; without: rlimits
input()
while True:
    pass

# cpu_limit_ignored (time): ignores the signal that says its processor time is over
# contained by: RLIMIT_CPU: its hard limit cannot be ignored
# expect: cpu; seconds: 40; cpu seconds: 1
import signal
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
input()
while True:
    pass

# drip (time): sends a byte now and then, so that something always comes
# contained by: the deadline of the question, which is absolute
# expect: silent; seconds: 0.5
import os, time
input()
while True:
    os.write(1, b"x")
    time.sleep(0.02)

# drip_stderr (time): keeps the referee awake through standard error
# contained by: the deadline of the question, which is absolute
# expect: silent; seconds: 0.5
import os, time
input()
while True:
    os.write(2, b"x\n")
    time.sleep(0.001)

# exit_zero (output): leaves in the middle of the game as if all were well
# contained by: the end of its output
# expect: exited
input()

# fake_host_kill (output): kills itself as the kernel would for want of memory, to have the game void
# contained by: the diagnosis: only a kill the kernel counted is the host's
# expect: crashed
import os, signal
input()
os.kill(os.getpid(), signal.SIGKILL)

# fake_memory_exit (output): pretends to have run out of memory, to look like the host's fault
# contained by: the diagnosis: memory is the bot's own fault
# expect: memory
import os
input()
os._exit(86)

# fake_stub_failure (output): exits as a stub does that could not lock itself in, to have the game void
# contained by: the handshake: after it every end is the bot's
# expect: exited
import os
input()
os._exit(87)

# flood_lines (output): answers a question a million times
# contained by: reading one line a question; the cap on what waits unread
# expect: unasked flooded; linger: 0.3
import os
input()
while True:
    os.write(1, b"d\n" * 30000)

# flood_stderr (output): writes to standard error without end
# contained by: keeping 64 KB, reading once in five milliseconds; the deadline
# expect: silent; seconds: 1
import os
input()
while True:
    os.write(2, b"x" * 65536)

# flood_stdout (output): writes without end and without a newline
# contained by: the cap on a line
# expect: flooded
import os
input()
while True:
    os.write(1, b"x" * 65536)

# full_sockets (memory): fills socket buffers, memory of the kernel
# contained by: RLIMIT_NOFILE
# expect: bounded; most: 64; without: rlimits
import _socket, ctypes
libc = ctypes.CDLL(None, use_errno=True)
input()
ends = (ctypes.c_int * 2)()
total = 0
while libc.socketpair(1, 1, 0, ends) == 0 and total <= 1 << 28:
    while (sent := libc.send(ends[0], bytes(65536), 65536, 0x4040)) > 0:
        total += sent
print("bounded", total >> 20)

# int80 (kernel interfaces): calls the kernel through the 32-bit table, whose numbers mean other things
# contained by: seccomp: another architecture ends the process
# expect: forbidden; without: seccomp
import ctypes, mmap
page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
input()
print("escaped: the 32-bit table answered", call())

# long_line (output): writes a line one byte too long
# contained by: the cap on a line
# expect: flooded
input()
print("x" * 65536)

# many_pipes (memory): opens pipes without end
# contained by: RLIMIT_NOFILE
# expect: bounded; most: 64; without: rlimits
import os
input()
ends = []
try:
    while len(ends) < 5000:
        ends += os.pipe()
except OSError:
    pass
print("bounded", len(ends))

# memory_bomb (memory): takes memory until there is none
# contained by: RLIMIT_AS
# expect: memory; seconds: 20
input()
taken = []
while len(taken) < 2000:
    taken.append(bytearray(16 << 20))
print("escaped: 32 GB")

# memory_bomb_caught (memory): takes all memory there is and keeps it
# contained by: RLIMIT_AS
# expect: bounded; most: 512; without: rlimits; seconds: 20
input()
taken = []
try:
    while len(taken) < 40:
        taken.append(bytearray(16 << 20))
except MemoryError:
    pass
print("bounded", len(taken) * 16)

# mmap_bomb (memory): maps memory without end
# contained by: RLIMIT_AS
# expect: bounded; most: 512; without: rlimits
import mmap
input()
taken = []
try:
    while len(taken) < 2000:
        taken.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
except OSError:
    pass
print("bounded", len(taken) * 16)

# never_reads (time): never reads what it is sent
# contained by: writes that do not block, with the same deadline
# expect: silent; seconds: 0.5; feed: 300000
import time
time.sleep(60)

# raises (output): fails with an exception
# contained by: the process's own end
# expect: exited
input()
raise RuntimeError("as if by accident")

# recursion (memory): recurses without end
# contained by: RLIMIT_AS
# expect: memory silent crashed; seconds: 2
import sys
input()
sys.setrecursionlimit(1 << 30)
def deeper(depth):
    return deeper(depth + 1) + [depth]
deeper(0)
print("escaped")

# segfault (output): crashes its interpreter
# contained by: the process's own end
# expect: crashed
import ctypes
input()
ctypes.string_at(0)

# signals_ignored (time): ignores every signal there is
# contained by: SIGKILL
# expect: silent; seconds: 0.5
import signal, time
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
input()
while True:
    time.sleep(1)

# sleep (time): sleeps on its turn
# contained by: the deadline of the question
# expect: silent; seconds: 0.5
import time
input()
time.sleep(60)

# spin (time): thinks for ever
# contained by: the deadline of the question
# expect: silent; seconds: 0.5
input()
while True:
    pass

# stop_self (time): stops itself
# contained by: the deadline of the question
# expect: silent; seconds: 0.5
import os, signal
input()
os.kill(os.getpid(), signal.SIGSTOP)
print("escaped")

# two_answers (output): answers the next question before it is put
# contained by: draining before a question is put
# expect: unasked; linger: 0.2
input()
print("first\nsecond", flush=True)
input()

# x32 (kernel interfaces): calls the kernel by the numbers of the x32 table
# contained by: seccomp: the x32 table ends the process
# expect: forbidden; without: seccomp
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
input()
got = libc.syscall(0x40000000 | 39)
print("denied" if got == -1 and ctypes.get_errno() == 1 else f"escaped: {got}")
