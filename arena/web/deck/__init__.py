"""The arena's own deck of cards, drawn by program: ``python -m arena.web.deck`` writes the sprite.

One SVG file, ``arena/static/cards/deck.svg``, a symbol for each picture, in a box of 250 × 350:
``AS`` … ``KC`` with an index in each corner, ``LAS`` … the same with large indices, ``TAS`` … for columns
that overlap downwards (rank and suit side by side on the top edge), ``back0`` … ``back3`` one for each
seat's pack, ``pipS`` … a bare suit. Colours are CSS variables (``--suit-s`` …), so that a page can choose
four colours without another file.
"""
