"""Makers of what tests need: rows as the services make them, and games whose ends may be invented.

============== ================================================================================
`accounts`     users, operators, mail addresses, tokens
`bots`         files of bots, versions that wait for their check, are accepted or are the house's
`tournaments`  entrants, drafts, tournaments that have started
`results`      claims of games, and invented ends of games
`streams`      a game that goes on, told event by event
`games`        games that were really played, move by move
`ratings`      rows of leaderboards
`friendlies`   games of people against bots
`hosts`        hosts and workers that were heard of
`puzzles`      games with a puzzle in them, and puzzles
============== ================================================================================
"""
