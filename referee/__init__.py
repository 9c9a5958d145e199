"""Plays one game between sandboxed bots and says, as it happens, what happened.

`turns` and `ticks` hold the two loops, `clock` the time, `player` the port to a bot and `sandboxed` the real
bot behind it; `log` and `result` are what is recorded. ``python -m referee`` is the process that plays: it
knows neither Django nor any secret. `supervise` starts it.
"""
