"""Spoils lines of the notation a little or thoroughly, for fuzzing what reads them."""

from collections.abc import Callable
from random import Random

_FRAGMENTS = """
?? AS KD 10S as -1 00 007 100 101 199 200 201 255 256 65536 4294967296 99999999999999999999999
1e3 0x1 ١ １ é ./. // ,, play lay0.0 lay3.2 lay4.0 lay1.3 lay2 Play crapaud crapette crapette-it
crapo vitesse russian-bank None nan %s {} \\n ' "
"""
_MOVES = """
draw pass stop stop! draw-f pass-d h h- -f h-d h-f h-h r-r r-r0 r-r1 r-d0 r-d1 d-d d-d0 d-d1 t0-f
t1-f t9-f t17-f t1-t1 t1-t01 t01-t1 t1-t9 t1--f T1-F t1-f! DRAW t1-d t1-r t1-r2 t1-d3 t1-r4 t1-é
x-f f-t1 resign undo t8-t7 t4-d0 t4-r0 h-r1 h-t3 t１-f
"""
_CHARACTERS = "0123456789-+!?.,/ATJQKSHDCtrdhfx \t\x00\x7f\r"
_PIECES: tuple[str, ...] = (*_CHARACTERS, *_FRAGMENTS.split(), "  ", "crapaud ")
_WORDS: tuple[str, ...] = (*_MOVES.split(), "", " ", "\x00", "t1-f\t", "t1-f t1-f", "draw draw")


def spoiled(line: str, rng: Random) -> str:
    """The line with one to three changes of characters or fields; some leave its meaning as it was."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        line = rng.choice(_CHANGES)(line, rng)
    return line.replace("\n", " ")


def spoiled_moves(words: list[str], rng: Random) -> str:
    """A list of moves with one word put in, replaced, doubled, dropped or spoiled."""
    words = words[:]
    place = rng.randrange(len(words) + 1)
    change = rng.randrange(5)
    if change == 0 or place == len(words):
        words.insert(place, rng.choice(_WORDS))
    elif change == 1:
        words[place] = rng.choice(_WORDS)
    elif change == 2:
        words.insert(place, words[place])
    elif change == 3:
        del words[place]
    else:
        words[place] = spoiled(words[place], rng)
    return " ".join(words)


def _replace_character(line: str, rng: Random) -> str:
    place = rng.randrange(len(line) + 1)
    return line[:place] + rng.choice(_PIECES) + line[place + 1 :]


def _insert(line: str, rng: Random) -> str:
    place = rng.randrange(len(line) + 1)
    return line[:place] + rng.choice(_PIECES) + line[place:]


def _delete(line: str, rng: Random) -> str:
    start = rng.randrange(len(line) + 1)
    return line[:start] + line[start + rng.choice((1, 1, 2, 4, 30)) :]


def _copy_elsewhere(line: str, rng: Random) -> str:
    start, place = rng.randrange(len(line) + 1), rng.randrange(len(line) + 1)
    return line[:place] + line[start : start + rng.choice((2, 2, 4, 20))] + line[place:]


def _change_field(line: str, rng: Random) -> str:
    fields = line.split(" ")
    place = rng.randrange(len(fields))
    change = rng.randrange(5)
    if change == 0:
        fields[place] = rng.choice(_PIECES)
    elif change == 1:
        fields[place] = fields[rng.randrange(len(fields))]
    elif change == 2:
        del fields[place]
    elif change == 3:
        fields.insert(place, rng.choice(fields))
    else:
        other = rng.randrange(len(fields))
        fields[place], fields[other] = fields[other], fields[place]
    return " ".join(fields)


def _change_part(line: str, rng: Random) -> str:
    fields = line.split(" ")
    place = rng.randrange(len(fields))
    separator = rng.choice("/,")
    parts = fields[place].split(separator)
    part = rng.randrange(len(parts))
    change = rng.randrange(4)
    if change == 0:
        parts[part] = rng.choice(_PIECES)
    elif change == 1:
        parts[part] = "."
    elif change == 2:
        parts.insert(part, parts[part])
    else:
        other = rng.randrange(len(parts))
        parts[part], parts[other] = parts[other], parts[part]
    fields[place] = separator.join(parts)
    return " ".join(fields)


_CHANGES: tuple[Callable[[str, Random], str], ...] = (
    _replace_character,
    _insert,
    _delete,
    _copy_elsewhere,
    _change_field,
    _change_part,
    _change_part,
    _change_part,
)
