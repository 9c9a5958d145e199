"""A person's game against a bot: `new_games`, `turn_actions`, `tick_actions`, the bot's turns, `idle` games.

Every change is one conditional update of one row (`store`): what lost a race has changed nothing.
"""
