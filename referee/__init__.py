"""Plays one game between sandboxed bots, and reports its events while it is played.

`turns` and `ticks` hold the two game loops. `clock` measures time. `player` is the interface to a bot, and
`sandboxed` implements it. `log` and `result` define what is recorded. ``python -m referee`` is the process
that plays. It knows neither Django nor any secret; `supervise` starts it.
"""
