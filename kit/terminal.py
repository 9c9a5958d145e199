"""Text of strangers on a terminal: shown, never obeyed."""

from __future__ import annotations


def plain(text: str, *, lines: bool = False) -> str:
    r"""The text with everything a terminal would act on, or nobody would see, written as an escape: ``\x1b``.

    That is every character which is not printable: control codes, line ends, marks that turn the direction of
    writing, characters without width, lone surrogates. With ``lines`` line ends and tabs stay.
    """
    kept = "\n\t" if lines else ""
    return "".join(
        letter if letter.isprintable() or letter in kept else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
