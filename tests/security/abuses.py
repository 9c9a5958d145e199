"""Bots that abuse the protocol: how a game against each may end, what it does, and its answer to a question.

Those that abuse it otherwise than by an answer are in `protocol_attacks`.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.security.corpus import ATTACKS, read


class Abuse(NamedTuple):
    """A bot, with the terminations that its game may have."""

    name: str
    expect: list[str]
    program: bytes


BOT = """
import json, sys, time

def say(answer):
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        def answer(**more):
            print(json.dumps({"id": question, "moves": legal[:1], **more}), flush=True)
        ANSWER
"""
ANSWERS = r"""
almost_too_long | protocol | sends the longest line there may be, of spaces
    say(b' ' * 65535 + b'\n')
empty_lines | protocol | answers with nothing, and ends the line
    say(b'\n')
escape_codes | illegal-move | puts terminal codes into a move
    answer(moves=['\x1b[2J\x07'])
foreign_events | protocol | answers as if it were the referee
    print(json.dumps({'type': 'end', 'n': 0, 'result': {'termination': 'win', 'seat': None}}), flush=True)
huge_exponent | protocol | sends a number that is infinite
    say(b'{"id": "%b", "moves": ["%b"], "eval": 1e999999}\n' % (question.encode(), legal[0].encode()))
huge_number | protocol | sends a number of 60,000 digits
    say(b'{"id": ' + b'9' * 60000 + b'}\n')
infinite_evaluation | protocol | is infinitely sure
    answer(eval=1e308 * 10)
long_move | illegal-move | answers with a move of 50,000 letters
    answer(moves=['t' * 50000])
many_moves | protocol | answers with more moves than a game has
    answer(moves=legal[:1] * 5000)
markup_comment | crash stall passes win | puts a script into every comment
    answer(comment='<script>alert(1)</script>' * 100); sys.exit(len(message['events']) > 20)
nested_closed | protocol | nests just as deep as a parser can go, and has it quoted
    say(b'{"id":' + b'[' * 900 + b']' * 900 + b'}\n')
nested_lists | protocol | nests lists deeper than a parser can go
    say(b'[' * 60000 + b'\n')
nested_objects | protocol | nests objects deeper than a parser can go
    say(b'{"a":' * 10000 + b'\n')
no_utf8 | protocol | answers in no encoding
    say(b'\xff\xfe\x00{}\n')
not_a_number | protocol | sends what JSON does not have
    answer(eval=float('nan'))
nul_bytes | protocol | answers with zero bytes
    say(bytes(1000) + b'\n')
null | protocol | answers null
    say(b'null\n')
other_ids | protocol | answers another question
    answer(id='deadbeef')
surrogates | illegal-move | puts half characters into a move and a comment, which cannot be encoded
    answer(moves=['\ud800'], comment='\udfff')
takes_forever | silence timeout | answers with one byte a second
    [(say(b' '), time.sleep(1)) for _ in range(60)]
too_long | flood | sends a line one byte longer than may be
    say(b' ' * 65536 + b'\n')
two_lines | protocol | answers twice, to have the second taken for the next question
    answer(); answer()
wrong_types | protocol | answers with values of other types
    answer(moves={'0': legal[0]})
"""


def abuses() -> list[Abuse]:
    """All of them."""
    lines = ANSWERS.strip().splitlines()
    found = []
    for head, answer in zip(lines[::2], lines[1::2], strict=True):
        name, expect, _ = head.split(" | ")
        found.append(Abuse(name, expect.split(), BOT.replace("ANSWER", answer.strip()).encode()))
    for path in sorted(ATTACKS.with_name("protocol_attacks").glob("*.py")):
        found.append(Abuse(path.stem, read(path).expect.split(), path.read_bytes()))
    return found
