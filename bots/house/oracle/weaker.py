"""Plays below full strength: how strongly, a game against a person says by its `level`.

It misjudges like a person. What is nearly as good is often taken for better, what is much worse hardly ever:
each choice is as likely as the exponential of its worth over the level's temperature. Levels 1 to 4 take one
move at a time by greedy's rules of thumb, so they overlook cards that could be played. The levels above look
at all lines of the turn, and have the net judge where they end. None guesses hidden cards or works endings
out. After many moves in one turn, levels 1 to 4 see no more and end it.

`./crapette bench levels` measures what each level is worth.
"""

from math import exp

from engine.policies.greedy import EMPTIES_HOUSE, ranks
from engine.policies.tick_greedy import tick_greedy
from engine.policies.valued import MOST_NODES, SAME_GAME, valuer
from engine.ticks import ACTIONS
from engine.turns.core import COMPILED
from engine.turns.knowledge.sampling import cores
from engine.turns.moves import texts
from engine.variants import VARIANTS

FULL = 8  # the level of full strength, at which nothing here is asked
TEMPERATURES = {  # of levels 1 to 4 in greedy's ranks, which are ten apart, and of 5 to 7 in log odds
    "crapaud": (54, 26, 16, 7.5, 0.9, 0.22, 0),
    "crapette": (50, 26, 13, 5.5, 0.32, 0.15, 0),
    "crapette-it": (50, 26, 16, 8, 0.6, 0.25, 0),
    "crapo": (28, 21, 14, 8, 0.33, 0.19, 0),
    "russian-bank": (28, 17.5, 10.5, 6, 0.18, 0.09, 0),
}
NETS = 5  # the lowest level that asks the net
MOST_LINES, QUICK_NODES = 60, 64  # lines it chooses from, and positions looked at by an engine not compiled
SLIPS = (0.35, 0.22, 0.14, 0.04)  # of levels 1 to 4: how often it forgets that other moves come first
BLIND = (0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0)  # of the calls of stop, the part that each level misses
SLOW = (0.52, 0.39, 0.25, 0.11, 0.08, 0, 0.03)  # of the ticks, the part that each level lets pass
PLANS, SEARCHES = 5, 7  # the lowest levels that choose as planner does in ticks, and that search
PATIENCE = 50  # moves in a turn after which levels 1 to 4 end it
ENDS = ("h-d", "pass", "draw")  # how, in this order
nets = {}  # the valuers of this process, by variant
moved = [0]  # moves in this turn so far, counted for levels 1 to 4


def level_of(hello):
    """The level of a game; `FULL` unless another is asked for. There are levels for two seats."""
    level = hello.get("level")
    return level if hello["players"] == 2 and level in range(1, FULL) else FULL


def weakly(turn, rng):
    """The moves that a level below the full one plays."""
    level, rules, names = level_of(turn.hello), VARIANTS[turn.hello["variant"]], texts(2, turn.seat)
    warmth = TEMPERATURES[SAME_GAME.get(rules.name, rules.name)][level - 1]
    if level < NETS:
        if ends := ending_long_turn(turn):
            return ends[0]
        return names[by_thumb(turn.game().core, warmth, SLIPS[level - 1], rng)]
    core = next(cores(turn.tracker(), rng))
    if rules.name not in nets:
        nets[rules.name] = valuer(core, rules, MOST_NODES if COMPILED else QUICK_NODES)
    found = nets[rules.name].lines(core, MOST_LINES)
    if not found:  # every move is irregular
        return names[by_thumb(core, 0, 0, rng)]
    return [names[move] for move in misjudge(found, warmth, rng)]


def ending_long_turn(turn):
    """The moves that end this turn, best first, if it has become too long for a weak level; else none."""
    moved[0] = moved[0] + 1 if turn.events and turn.events[-1].get("seat") == turn.seat else 0
    return [word for word in ENDS if word in turn.legal] if moved[0] >= PATIENCE else []


def by_thumb(core, warmth, slips, rng):
    """The number of a move by greedy's ranks; irregular ones are left out unless it slips."""
    table, names, legal = ranks(2, core.turn), texts(2, core.turn), core.legal()
    if rng.random() >= slips:
        legal = [move for move in legal if not core.irregular(move)] or legal

    def rank(move):
        source, _, target = names[move].partition("-")
        if source[0] == "t" == target[:1]:  # between houses only a last card goes, onto another
            sizes = [core.size(int(house[1:]) - 1) for house in (source, target)]
            return EMPTIES_HOUSE if sizes[0] == 1 and sizes[1] else table[move]
        return table[move]

    return misjudge([(-rank(move), move) for move in legal], warmth, rng)


def misjudge(found, warmth, rng):
    """One of `found`, which are pairs of a worth and what has it; without warmth the first of the best."""
    best = max(worth for worth, _ in found)
    if not warmth:
        return next(one for worth, one in found if worth == best)
    likely = [exp((worth - best) / warmth) for worth, _ in found]
    return rng.choices([one for _, one in found], likely)[0]


def in_tick(view, seat, level, rng):
    """The action that a level below the full one chooses, given what everybody knows of the game; "" if it
    searches in this tick, as the full one does."""
    if rng.random() < SLOW[level - 1]:
        return "wait"
    if level >= SEARCHES:
        return ""
    return ACTIONS[view.planned(seat) if level >= PLANS else tick_greedy(view, seat)]


def notices(hello, rng):
    """Whether it looks at all if stop may be called."""
    level = level_of(hello)
    return level == FULL or rng.random() >= BLIND[level - 1]
