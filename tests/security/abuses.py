"""Bots that abuse the protocol: how a game against each may end, what it does, and its answer to a question.

What some say when they are started ("before") or greeted ("hello") stands in the place of an answer.
"""

from __future__ import annotations

from typing import NamedTuple


class Abuse(NamedTuple):
    """A bot, with the terminations that its game may have."""

    name: str
    expect: list[str]
    program: bytes


BOT = r"""
import json, sys, time

def say(answer):
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()

READY = b'{"type": "ready"}\n'
GUESS = '{"id": "%08x", "moves": ["draw"]}\n'
BEFORE
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        HELLO
    elif message["type"] == "move":
        question, legal = message["id"], message["legal"]
        plain = json.dumps({"id": question, "moves": legal[:1]}).encode()
        def answer(**more):
            print(json.dumps({"id": question, "moves": legal[:1], **more}), flush=True)
        ANSWER
"""
USUAL = {"before": "pass", "hello": "say(READY)", "answer": "answer()"}
ANSWERS = r"""
accepts_nothing_offered | protocol | accepts a draw that nobody offered
    print(json.dumps({'id': question, 'accept_draw': True}), flush=True)
almost_too_long | protocol | sends the longest line there may be, of spaces
    say(b' ' * 65535 + b'\n')
byte_order_mark | protocol | begins its answer with a byte order mark
    say('\ufeff'.encode() + plain + b'\n')
carriage_returns | win stall passes | ends lines as Windows does, and names a key twice: harmless
    say(plain.replace(b'{', b'{"moves": ["t1-t1"], ', 1) + b'\r\n')
draw_offers | win stall passes draw-agreed | offers a draw with every move and thinks it will be taken
    answer(offer_draw=True, comment='x' * 5000, eval=1.0)
empty_lines | protocol | answers with nothing, and ends the line
    say(b'\n')
escape_codes | illegal-move | puts terminal codes into a move
    answer(moves=['\x1b[2J\x07'])
foreign_events | protocol | answers as if it were the referee
    print(json.dumps({'type': 'end', 'n': 0, 'result': {'termination': 'win', 'seat': None}}), flush=True)
garbage_at_start | startup protocol | says something else than ready
    hello: say(b'hello to you too\n')
guesses_ids | protocol flood | answers thousands of guessed questions before the first is put
    hello: say(READY + ''.join(GUESS % number for number in range(100000)).encode())
half_a_line | silence | does not end the line of its answer
    say(plain)
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
never_ready | startup | does not say that it is ready
    hello: pass
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
ready_before_hello | protocol | says that it is ready before it was asked, and answers what it guesses
    before: say(READY + ''.join(GUESS % number for number in range(1000)).encode()); sys.stdin.read()
ready_twice | protocol flood crash | says that it is ready, again and again
    hello: say(READY * 3)
surrogates | illegal-move | puts half characters into a move and a comment, which cannot be encoded
    answer(moves=['\ud800'], comment='\udfff')
takes_forever | silence timeout | answers with one byte a second
    [(say(b' '), time.sleep(1)) for _ in range(60)]
too_long | flood | sends a line one byte longer than may be
    say(b' ' * 65536 + b'\n')
trailing_garbage | protocol | writes more behind the end of its answer
    say(plain + b' rm -rf\n')
two_lines | protocol | answers twice, to have the second taken for the next question
    answer(); answer()
wrong_types | protocol | answers with values of other types
    answer(moves={'0': legal[0]})
"""


def abuses() -> list[Abuse]:
    """All of them."""
    lines = ANSWERS.strip().splitlines()
    found = []
    for head, code in zip(lines[::2], lines[1::2], strict=True):
        name, expect, _ = head.split(" | ")
        when, colon, what = code.strip().partition(": ")
        said = USUAL | ({when: what} if colon and when in USUAL else {"answer": code.strip()})
        program = BOT
        for place, words in said.items():
            program = program.replace(place.upper(), words, 1)
        found.append(Abuse(name, expect.split(), program.encode()))
    return found
