"""Plays one game between sandboxed bots and says, as it happens, what happened.

`game` is the loop, `clock` the time, `player` the port to a bot and `sandboxed` the real bot behind it; `log`
and `result` are what is recorded. ``python -m tournaments.referee`` is the process that plays (it knows
neither Django nor any secret); `supervise` starts it; `play` and `check_bot` are the commands of
``./crapette``.
"""
