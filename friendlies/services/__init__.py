"""A person's game against a bot: `starting` one, `acting` at the table, `answering` for the bot, `idle` ones.

Every change is one conditional update of one row (`store`): what lost a race has changed nothing.
"""
