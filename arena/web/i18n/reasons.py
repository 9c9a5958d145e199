"""Why games and checks ended, in the reader's language: what referee, sandbox and engine say of it.

They say it in English, and so it stands in records, in logs and in the API. Pages find the sentence again by
these patterns. A part that is itself one of them (`NESTED`) is told likewise; a sentence with a part that
nobody knows stays English as a whole.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop

from arena.web.i18n.messages import PLACE

TERMINATIONS: Final = {
    "win": gettext_lazy("all cards cleared"),
    "stop": gettext_lazy("stop called"),
    "stall": gettext_lazy("no progress"),
    "passes": gettext_lazy("no moves left"),
    "draw-agreed": gettext_lazy("draw agreed"),
    "resignation": gettext_lazy("resignation"),
    "illegal-move": gettext_lazy("illegal move"),
    "protocol": gettext_lazy("protocol error"),
    "timeout": gettext_lazy("out of time"),
    "silence": gettext_lazy("no answer"),
    "crash": gettext_lazy("crash"),
    "memory": gettext_lazy("out of memory"),
    "flood": gettext_lazy("too much output"),
    "startup": gettext_lazy("did not start"),
    "disconnected": gettext_lazy("disconnected"),
}
"""How a game ended, in two words for a list."""

SEATS: Final = (gettext_noop("Seat %(seat)s"), gettext_noop("seat %(seat)s"))
"""What scripts put a bot's name in place of. Each translation has these words as they are translated here."""
SENTENCES: Final = (
    gettext_noop("Won by going out."),
    gettext_noop("Drawn: %(turns)s turns without a card to a foundation."),
    gettext_noop("Drawn: every seat passed in a row."),
    gettext_noop("The game goes on."),
    gettext_noop("Nobody played a card for %(ticks)s ticks: %(first)s to %(second)s points."),
    gettext_noop("Seat %(seat)s called stop: %(first)s to %(second)s points."),
    gettext_noop("Seat %(seat)s played its last card: %(first)s to %(second)s points."),
    gettext_noop("Seat %(one)s offered a draw and seat %(seat)s accepted."),
    gettext_noop("Seat %(seat)s resigned."),
    gettext_noop("Seat %(seat)s used up its clock: all %(seconds)s seconds of CPU time it was given."),
    gettext_noop("Seat %(seat)s used up its clock: all %(seconds)s seconds it was given."),
    gettext_noop("Seat %(seat)s was disconnected for more than %(seconds)s seconds."),
    gettext_noop("Seat %(seat)s left the game."),
    gettext_noop("Seat %(seat)s came back without the program that played this game."),
    gettext_noop(
        "Seat %(seat)s did not answer within %(seconds)s seconds. It had used %(used)s ms of its %(given)s ms"
        " of CPU time."
    ),
    # Before the next one, which it would fit too; and so on.
    gettext_noop(
        "Seat %(seat)s was not ready after %(seconds)s seconds, nor in %(more)s more for which it had no"
        " core."
    ),
    gettext_noop("Seat %(seat)s was not ready after %(seconds)s seconds."),
    gettext_noop("Seat %(seat)s was not ready to play: it %(fault)s."),
    gettext_noop("Seat %(seat)s did not say that it was ready: %(error)s."),
    gettext_noop("Seat %(seat)s answered wrongly: %(error)s."),
    gettext_noop("Seat %(seat)s answered a poll wrongly: %(error)s."),
    gettext_noop(
        "Seat %(seat)s played %(move)s at ply %(ply)s: expected one of %(legal)s and %(more)s more."
    ),
    gettext_noop("Seat %(seat)s played %(move)s at ply %(ply)s: expected one of %(legal)s."),
    gettext_noop("Seat %(seat)s played %(move)s at ply %(ply)s: %(why)s."),
    gettext_noop("Seat %(seat)s chose %(move)s in tick %(tick)s: expected one of %(legal)s."),
    gettext_noop("Seat %(seat)s accepted a draw that nobody had offered, and played nothing."),
    gettext_noop('Seat %(seat)s does not play vitesse: it was ready, but without "ticks": true.'),
    gettext_noop("Seat %(seat)s was late in %(ticks)s ticks in a row."),
    gettext_noop("Seat %(seat)s %(fault)s."),
    gettext_noop("The person resigned."),
    gettext_noop("The person's clock ran out."),
    gettext_noop("The person did not come back."),
    gettext_noop("The bot is gone: its owner deleted the account."),
    gettext_noop("The trial was cut short after %(seconds)s seconds."),
    gettext_noop("The bot's ready message does not include this game."),
)
FAULTS: Final = (
    gettext_noop("made a forbidden system call (SIGSYS)"),
    gettext_noop("used up its %(seconds)s s of processor time"),
    gettext_noop("was ended by the kernel because the host ran out of memory"),
    gettext_noop("wanted more than its %(size)s MB of memory"),
    gettext_noop("held more than its %(size)s MB of memory"),
    gettext_noop("was killed by SIGKILL once more than the arena tolerates"),
    gettext_noop("was killed by %(signal)s"),
    gettext_noop(
        "exited with status %(status)s, as a program does that never calls run() and never reads its input"
    ),
    gettext_noop("exited with status %(status)s"),
    gettext_noop("was ended by the referee"),
    gettext_noop("closed its output"),
    gettext_noop("wrote more than %(bytes)s bytes that nobody asked for"),
    gettext_noop("wrote more than %(bytes)s bytes"),
    gettext_noop("wrote a line of more than %(bytes)s bytes"),
    gettext_noop("did not read what it was sent"),
    gettext_noop("gave no answer in time"),
    gettext_noop("caused an error that the arena did not expect (%(what)s)"),
)
"""What a bot's process did."""
ERRORS: Final = (
    gettext_noop("expected \"type\" to be 'ready', got %(got)s"),
    gettext_noop('expected "%(field)s" to be a string, got %(got)s'),
    gettext_noop('expected "%(field)s" to be true or false, got nothing'),
    gettext_noop('expected "%(field)s" to be true or false, got %(got)s'),
    gettext_noop('expected "%(field)s" to be a list of strings, got %(got)s'),
    gettext_noop('expected "%(field)s" to be a number from -1 to 1, got %(got)s'),
    gettext_noop('expected "moves" to name at least one move, got none'),
    gettext_noop('expected "action" to name an action, got none'),
    gettext_noop('expected at most %(most)s "moves", got %(got)s'),
    gettext_noop('expected at most %(most)s boards in "plays", got %(got)s'),
    gettext_noop(
        'expected "id" to repeat the question\'s %(id)s, got %(got)s (one line for each question, nothing'
        " unasked)"
    ),
    gettext_noop('expected "id" to repeat the question\'s %(id)s, got %(got)s'),
    gettext_noop('expected "id" to repeat the question\'s, got %(got)s'),
    gettext_noop("expected a line of UTF-8 like %(example)s, got %(got)s"),
    gettext_noop("expected one line of JSON like %(example)s, got %(got)s"),
    gettext_noop("expected a JSON object like %(example)s, got %(got)s"),
)
"""What is wrong with a bot's answer."""
CHECKS: Final = (
    gettext_noop("Passed: cleared all cards after %(length)s."),
    gettext_noop("Passed: stop called after %(length)s."),
    gettext_noop("Passed: resigned after %(length)s."),
    gettext_noop("Passed: drawn after %(length)s."),
    gettext_noop("A game against itself ended by %(how)s after %(length)s."),
    gettext_noop("A game against itself ended by %(how)s after %(length)s. %(detail)s"),
    gettext_noop("Its ready message does not include this game."),
    gettext_noop("It played %(length)s against itself without a mistake before its time was up."),
    gettext_noop(
        "It gave no answer within %(seconds)s seconds, but the arena was busy. Check it again later."
    ),
    gettext_noop("It gave no answer within %(seconds)s seconds."),
    gettext_noop("It played only %(length)s in %(seconds)s seconds."),
    gettext_noop("Its process: %(fault)s."),
    gettext_noop("The process that plays died in each of %(count)s checks of this version."),
    gettext_noop("The end of its standard error:"),
    gettext_noop("Version %(number)s has exactly the same files. Upload something new."),
    gettext_noop("With this file, your versions would take %(total)s MB. One account can store %(most)s MB."),
    gettext_noop("The file is gone. Upload it again."),
    gettext_noop("%(count)s plies"),
    gettext_noop("%(count)s ticks"),
)
"""What the check of a version says beside that."""
HINTS: Final = (
    gettext_noop("Hint: %(advice)s See “%(section)s” in the protocol."),
    gettext_noop(
        "%(name)s is missing: Python bots have the standard library, crapette and its engine. Put other"
        " modules of plain Python next to bot.py. For numpy and onnxruntime, add a requirements.txt that"
        " names them."
    ),
    gettext_noop("%(name)s is missing: put the packages your bot needs next to bot.js."),
    gettext_noop("Name the file bot.mjs if it uses import, and bot.js if it uses require."),
    gettext_noop("run() reads standard input. Do not read it yourself; choose(turn) gets all you need."),
    gettext_noop(
        "Make the session with one thread: options = onnxruntime.SessionOptions(), then"
        " options.intra_op_num_threads = 1."
    ),
    gettext_noop("A bot is one process, and in Python one thread."),
    gettext_noop("A bot is one process, and in Python one thread: do not use multiprocessing."),
    gettext_noop(
        "Nobody knows the card that draw turns up. To look ahead, guess the hidden cards:"
        " turn.sample(random.Random())."
    ),
    gettext_noop('An answer has "moves", a list of moves, even for a single move.'),
    gettext_noop(
        "It exited in the middle of the game: keep answering until the arena sends end. In Python, do not"
        " call exit() in choose."
    ),
    gettext_noop("A bot has 512 MB of memory, or 1 GB with NumPy and ONNX Runtime."),
    gettext_noop("A bot cannot write files, open network connections or start programs."),
    gettext_noop("A WebAssembly bot cannot open files. Compile the data it needs into the module."),
    gettext_noop(
        "%(name)s is missing: a bot can read only its own files. Upload the file together with bot.py."
    ),
    gettext_noop("Return one of turn.legal on every path; a function that ends without return gives None."),
    gettext_noop("To play vitesse, pass a function for its ticks: run(choose, tick=choose)."),
    gettext_noop("End your program with run(choose)."),
    gettext_noop("Copy the id of the question into the answer; every question has a new one."),
    gettext_noop(
        "Standard output is for answers only. Print to standard error; the Python SDK does that for you."
    ),
    gettext_noop("Answer with moves from legal, spelled exactly so; the first one must be legal now."),
    gettext_noop(
        "It computed the whole time (%(used)s ms of CPU): look for an endless loop, or let it think less."
    ),
    gettext_noop(
        "It slept or waited most of the time (%(used)s ms of CPU): let it answer at once, or it will lose"
        " games for not answering."
    ),
    gettext_noop(
        "It slept or waited (%(used)s ms of CPU). Let it answer at once. Without the SDK, end each answer"
        " with a newline and flush standard output. With the SDK, let only run() read standard input."
    ),
)
"""What its author can do about it (`referee.mistake_advice`)."""
REFUSALS: Final = (
    gettext_noop("The zip cannot be read: %(why)s"),
    gettext_noop("The zip has %(count)s entries. A bot can have at most %(most)s files."),
    gettext_noop("The zip has no files in it. It needs a bot.py, bot.js, bot.wasm or bot."),
    gettext_noop(
        "This file has %(size)s MB. A bot can have at most %(most)s MB, or %(large)s MB if it asks for NumPy"
        " and ONNX Runtime in requirements.txt."
    ),
    gettext_noop("The names %(one)s and %(other)s are too similar. Rename one."),
    gettext_noop("%(name)s is encrypted. Zip the files without a password."),
    gettext_noop(
        "%(name)s is compressed with method %(method)s. Make an ordinary zip, with files stored or deflated."
    ),
    gettext_noop("%(name)s is a link. A bot can have only plain files."),
    gettext_noop("%(name)s is a special file. A bot can have only plain files."),
    gettext_noop("The zip has %(count)s files. A bot can have at most %(most)s."),
    # Before the next one, which it would fit too.
    gettext_noop(
        "The zip unpacks to %(size)s bytes. A bot can have at most %(most)s. If the net is larger, store it"
        " in the zip without compression."
    ),
    gettext_noop("The zip unpacks to %(size)s bytes. A bot can have at most %(most)s."),
    gettext_noop("%(name)s is not a plain path inside the zip."),
    gettext_noop("The file name %(name)s has characters that cannot be printed."),
    gettext_noop(
        "The path %(name)s is too long. A path can have at most %(most)s characters and %(parts)s parts."
    ),
    gettext_noop("%(name)s in the zip cannot be read: %(why)s"),
    gettext_noop("%(name)s does not unpack to the size the zip says."),
    gettext_noop("The zip has %(names)s. Keep only the one that starts the bot."),
    gettext_noop("There is no bot.py, bot.js, bot.wasm or bot at the top of the zip, only %(names)s."),
    gettext_noop(
        "%(name)s is a model, which takes ONNX Runtime to run. Add a file requirements.txt with the lines"
        " numpy and onnxruntime."
    ),
    gettext_noop("Line %(line)s of requirements.txt asks for %(what)s. Bots can have only %(offered)s."),
    gettext_noop(
        "Line %(line)s of requirements.txt asks for %(what)s, but bots have %(offered)s here. Ask for"
        " %(name)s without a version."
    ),
    gettext_noop("%(name)s is not valid UTF-8: see line %(line)s, byte %(byte)s. Save it as UTF-8."),
    gettext_noop("%(name)s is not valid UTF-8: see byte %(byte)s."),
    gettext_noop("%(name)s does not compile: %(why)s"),
    gettext_noop(
        "%(name)s is native code, which a %(language)s bot cannot load. Upload a static executable called"
        " bot instead, or %(instead)s."
    ),
    gettext_noop("%(name)s is not a WebAssembly module."),
    gettext_noop(
        "%(name)s is a WebAssembly component. Bots are plain modules: build it for WASI preview 1"
        " (wasm32-wasip1)."
    ),
    gettext_noop("%(name)s is WebAssembly of a kind that is not known here."),
    gettext_noop("%(name)s is not a Linux executable (ELF)."),
    gettext_noop("%(name)s is not for 64-bit x86-64."),
    gettext_noop("%(name)s is not an executable but an ELF file of type %(type)s."),
    gettext_noop("%(name)s is damaged: it has no program headers where it says."),
    gettext_noop("%(name)s is damaged: it has nothing to load."),
    gettext_noop("%(name)s is not linked statically: it needs a loader. Link it with -static."),
    gettext_noop(
        "%(name)s is not a bot. Upload a .py, .js or .wasm file, a static Linux executable, or a zip with one"
        " of them."
    ),
    gettext_noop("%(name)s is empty."),
    gettext_noop("%(name)s is both a file and a folder."),
    gettext_noop("%(name)s is not a plain path inside the upload."),
    gettext_noop("Two file names differ only in case or accents."),
    gettext_noop("The path %(name)s is too long."),
    gettext_noop("The upload has %(count)s files. A bot has 1 to %(most)s."),
    gettext_noop("This file has %(size)s MB. A bot can have at most %(most)s MB."),
    gettext_noop(
        "This arena does not offer NumPy and ONNX Runtime. Write the bot without them, and leave out"
        " requirements.txt."
    ),
    gettext_noop("The upload could not be checked: its parts do not add up."),
    gettext_noop("The upload could not be checked: its check gave no answer."),
    gettext_noop("The upload could not be checked: its check named no file to start."),
    gettext_noop("The upload could not be checked: its check let too many bytes pass."),
    gettext_noop("The upload could not be checked: its check let native code pass."),
    gettext_noop("The upload could not be checked: its check %(what)s."),
)
"""Why an upload is no bot (`sandbox.inspector`)."""
PATTERNS: Final = (*SENTENCES, *FAULTS, *ERRORS, *CHECKS, *HINTS, *REFUSALS)
NESTED: Final = frozenset(("advice", "detail", "error", "fault", "length"))
STDERR: Final = "The end of its standard error:"
HINT: Final = "Hint: "


def tell_reason(text: str) -> str:
    """What was said of an end, in the language spoken now; as it is if it fits no pattern."""
    if not text or get_language() in (None, settings.LANGUAGE_CODE):
        return text
    found = _told(text)
    return text if found is None else found


def knows(text: str) -> bool:
    """Whether a sentence fits a pattern: catalogues may have words for it."""
    return _told(text) is not None


def told_lines(text: str) -> str:
    """The same of each line of a report, but for what a bot wrote itself."""
    lines, own = [], True
    for line in text.split("\n"):
        lines.append(tell_reason(line) if own or line.startswith(HINT) else line)
        own = own and line != STDERR
    return "\n".join(lines)


def for_scripts() -> list[list[str]]:
    """What scripts need to tell the ends of games: seats, then sentences and their parts, each as it is said
    in English and in the language spoken now."""
    return [[one, gettext(one)] for one in (*SEATS, *SENTENCES, *FAULTS, *ERRORS)]


def _told(text: str) -> str | None:
    for pattern in PATTERNS:
        found = _expression(pattern).fullmatch(text)
        parts = _parts(found.groupdict()) if found else None
        if parts is not None:
            return gettext(pattern) % parts if parts else gettext(pattern)
    return None


def _parts(said: dict[str, str]) -> dict[str, str] | None:
    """The parts of a sentence as they are told, or None if one of them is unknown."""
    parts: dict[str, str] = {}
    for name, text in said.items():
        if name == "how":
            part = str(TERMINATIONS[text]) if text in TERMINATIONS else None
        else:
            part = _told(text) if name in NESTED else text
        if part is None:
            return None
        parts[name] = part
    return parts


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    texts = PLACE.split(pattern)
    said = zip(texts[1::2], texts[2::2], strict=True)
    # A part ends where the text after it begins for the first time: what bots wrote comes last.
    return re.compile(
        re.escape(texts[0]) + "".join(f"(?P<{name}>.+?){re.escape(text)}" for name, text in said), re.DOTALL
    )
