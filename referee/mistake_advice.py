"""What to do about the commonest mistakes of bots, told from how they failed."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class Advice(NamedTuple):
    """What to do, in a sentence or two, and the section of the protocol that says more."""

    text: str
    section: str

    def __str__(self) -> str:
        return f"Hint: {self.text} See “{self.section}” in the protocol."


CALL: Final = "The conversation (protocol 1)"
LANGUAGES: Final = "Languages"
LIMITS: Final = "Limits"
CLOCKS: Final = "Clocks"
TICKS: Final = "`vitesse`: both at once"
MOVE: Final = "`move` → an answer"
BUSY: Final = 0.1
"""The least share of a wait that a loop has a core, on a busy machine; a bot that waits uses almost none."""

_STDERR: Final = (
    (
        r"No module named '(?!bot\b)(\w+)",
        "{0} is missing: Python bots have the standard library, crapette and its engine. Put other modules"
        " of plain Python next to bot.py. For numpy and onnxruntime, add a requirements.txt that names them.",
        LANGUAGES,
    ),
    (
        r"Cannot find module '([^']+)'",
        "{0} is missing: put the packages your bot needs next to bot.js.",
        LANGUAGES,
    ),
    (
        r"(?:Cannot use import statement|require is not defined)",
        "Name the file bot.mjs if it uses import, and bot.js if it uses require.",
        LANGUAGES,
    ),
    (
        r"EOFError|input\(",
        "run() reads standard input. Do not read it yourself; choose(turn) gets all you need.",
        LANGUAGES,
    ),
    (
        r"pthread_create failed",
        "Make the session with one thread: options = onnxruntime.SessionOptions(), then"
        " options.intra_op_num_threads = 1.",
        LANGUAGES,
    ),
    (
        r"SemLock|multiprocessing",
        "A bot is one process, and in Python one thread: do not use multiprocessing.",
        LIMITS,
    ),
    (
        r"HiddenCard",
        "Nobody knows the card that draw turns up. To look ahead, guess the hidden cards:"
        " turn.sample(random.Random()).",
        MOVE,
    ),
    (
        r"can't start new thread|BlockingIOError|Resource temporarily unavailable",
        "A bot is one process, and in Python one thread.",
        LIMITS,
    ),
    (
        r"MemoryError|heap out of memory|Cannot allocate Wasm memory|bad_alloc|BFCArena::AllocateRawInternal",
        "A bot has 512 MB of memory, or 1 GB with NumPy and ONNX Runtime.",
        LIMITS,
    ),
    (
        r"PermissionError|Read-only file system|Operation not permitted|Permission denied|gaierror|URLError",
        "A bot cannot write files, open network connections or start programs.",
        LIMITS,
    ),
    (
        r"pre-opened file descriptor|Capabilities insufficient",
        "A WebAssembly bot cannot open files. Compile the data it needs into the module.",
        LANGUAGES,
    ),
    (
        r"FileNotFoundError: .*: '([^']+)'",
        "{0} is missing: a bot can read only its own files. Upload the file together with bot.py.",
        LIMITS,
    ),
    (
        r"choose must return|tick must return",
        "Return one of turn.legal on every path; a function that ends without return gives None.",
        LANGUAGES,
    ),
)


_DETAIL: Final = (
    (
        r'[Ee]xpected "moves" to name',
        'An answer has "moves", a list of moves, even for a single move.',
        MOVE,
    ),
    (
        r"exited with status 0(?![\d,])",
        "It exited in the middle of the game: keep answering until the arena sends end. In Python, do not"
        " call exit() in choose.",
        CALL,
    ),
    (r"does not play", "To play vitesse, pass a function for its ticks: run(choose, tick=choose).", TICKS),
    (r"never calls run\(\)", "End your program with run(choose).", LANGUAGES),
    (
        r'[Ee]xpected "id" to repeat',
        "Copy the id of the question into the answer; every question has a new one.",
        MOVE,
    ),
    (
        r"JSON|unasked|one more",
        "Standard output is for answers only. Print to standard error; the Python SDK does that for you.",
        CALL,
    ),
    (
        r"^Expected one of |illegal",
        "Answer with moves from legal, spelled exactly so; the first one must be legal now.",
        MOVE,
    ),
)
_LATE: Final = frozenset({"timeout", "silence", "startup"})


def hint(
    termination: str, detail: str, stderr: str = "", cpu_ms: int = 0, waited_s: float = 0.0
) -> Advice | None:
    """The hint for a bot that failed so, or None.

    ``waited_s`` is how long an answer was awaited, and ``cpu_ms`` the CPU time the bot used in all.
    """
    for pattern, text, section in _STDERR:
        found = re.search(pattern, stderr)
        if found:
            return Advice(text.format(*(found.groups() or ("",))), section)
    for pattern, text, section in _DETAIL:
        if re.search(pattern, f"{detail} {termination}"):
            return Advice(text, section)
    if termination in _LATE or "no answer" in detail or "got none" in detail:
        return slow_advice(cpu_ms, waited_s or _seconds(detail), looped=termination == "timeout")
    return None


def _seconds(detail: str) -> float:
    """How long an answer was awaited, as the referee says; 0.0 if it does not."""
    found = re.search(r"(?:within|ready after) (\d+(?:\.\d+)?) seconds", detail)
    return float(found[1]) if found else 0.0


def slow_advice(cpu_ms: int, waited_s: float, *, looped: bool = False, answered: bool = False) -> Advice:
    """What to do about a bot that used so much CPU time while so long an answer was awaited, 0.0 if nobody
    knows how long. ``looped`` says that the CPU time was what was too long, and ``answered`` that it has
    answered before."""
    if looped or (waited_s > 0 and cpu_ms / 1000 >= BUSY * waited_s):
        return Advice(
            f"It computed the whole time ({cpu_ms} ms of CPU): look for an endless loop, or let it think"
            " less.",
            CLOCKS,
        )
    if answered:
        return Advice(
            f"It slept or waited most of the time ({cpu_ms} ms of CPU): let it answer at once, or it will"
            " lose games for not answering.",
            CLOCKS,
        )
    return Advice(
        f"It slept or waited ({cpu_ms} ms of CPU). Let it answer at once. Without the SDK, end each answer"
        " with a newline and flush standard output. With the SDK, let only run() read standard input.",
        CALL,
    )


def warn_of_lost_moves(moves: tuple[str, ...]) -> str:
    """A warning about moves that never count, since a card is turned up before them; empty without any."""
    if "draw" not in moves[:-1]:
        return ""
    rest = ", ".join(moves[moves.index("draw") + 1 :])
    return f"draw turns up a card, so the arena drops what follows it ({rest}) and asks again"
