"""Bots that play on an arena from their authors' own machines: `crapette connect`.

`program` runs one bot, `game` numbers its lines and answers, `wire` is the websocket and its refusals,
`session` keeps connected and hands lines to and fro, `connect` is the command.
"""
