"""The rules once more, plain: what the engine is compared with.

Written straight from docs/rules/rules.md with the clause at every rule, readable before fast, sharing
no line with the engine. `rulesets` holds the variants as data, `position` reads and writes RULES 1,
`dealing` is RULES 2, `moves` and `play` are RULES 3 to 6, `scoring` their points, `vitesse` is
RULES 7, `commands` RULES 8 as functions from line to line. `problems` makes positions that games
reach seldom, and `compare` plays engine and oracle side by side.
"""
