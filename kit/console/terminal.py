"""Shows strangers' text on a terminal without letting the terminal act on it."""

from __future__ import annotations


def plain(text: str, *, lines: bool = False) -> str:
    r"""Return the text with every unprintable character written as an escape, such as ``\x1b``.

    That covers control codes, line ends, marks that change the direction of writing, characters without
    width, and lone surrogates. If ``lines`` is true, line ends and tabs stay.
    """
    kept = "\n\t" if lines else ""
    return "".join(
        letter if letter.isprintable() or letter in kept else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
