"""Lines that are no position get one sentence that says what was expected and what was found (RULES 1)."""

import pytest

from engine import TurnPosition
from engine.errors import EngineError
from engine.variants import VARIANTS

LINE = "crapaud 0 play - ./././3D/./././. 8,1/12,8/12,0/5,3 ./AD/TD KD/QD8CTH/. 0,198,0,.,. 1,1/0/."
LAYING = "crapette-it 1 lay0.1 7D JH/TC/./././6H/5D/. 0,0/0,0/0,0/2,0 3D/TD/. 3S/3H/9S 0,1,0,0,! 0,0/./."


def changed(line: str, *changes: str) -> str:
    """The line with parts replaced, each of which must be there once."""
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert line.count(old) == 1, (line, old)
        line = line.replace(old, new)
    return line


EMPTY = "./AD/TD", "././."
BAD = [
    ("", f"expected one of {', '.join(VARIANTS)}, got ''"),
    ((LINE, "crapaud 0", "crapaud 2"), "expected the seat to move from 0 to 1, got '2'"),
    ((LINE, "play", "lay3.2"), "expected the phase as play, got 'lay3.2'"),
    ((LAYING, "lay0.1", "lay4.1"), "expected the phase as play or lay<k>.<q>, k to 3, q to 2, got 'lay4.1'"),
    ((LINE, "./././3D/", "././3D/"), "expected 8 houses separated by '/', got 7 in '././3D/./././.'"),
    ((LINE, "3D/", "3D??/"), "expected a known card on top of house t4, got '??'"),
    ((LINE, "AD/TD", "AD/??"), "expected a known card on top of the discard of seat 0, got '??'"),
    ((LINE, "8,1", "1,8"), "expected the heights of spades highest first, got '1,8'"),
    ((LINE, "AD/TD", "??" * 80 + "/TD"), "expected at most 104 cards, got 135"),
    ((LAYING, "0,1,0,0,!", "1,1,0,0,!"), "expected idle and passes 0 with a card drawn, got 1 and 0"),
    ((LAYING, "TC/./././6H", "TC/2S/2D/KC/6H"), "expected at least 2 empty houses in lay0.1, got 1"),
    ((LINE, "1,1/0/.", "1,1/./."), "expected emptied to name the seats with an empty reserve, 0, got '.'"),
    ((LINE, "1,1/0/.", "1,1/0/0"), "expected no card left to seat 0, which is out, got 2"),
    ((LINE, *EMPTY), "expected seat 0, which has no card, in out, got '.'"),
    ((LINE, "crapaud", "crapo", "1,1/0/.", "1,1/./."), "expected no reserve of seat 1 in crapo, got 'KD'"),
]


@pytest.mark.parametrize(("line", "message"), BAD)
def test_a_bad_line_is_refused_with_a_sentence(line: str | tuple[str, ...], message: str) -> None:
    with pytest.raises(EngineError) as caught:
        TurnPosition.parse(line if isinstance(line, str) else changed(*line))
    assert str(caught.value) == message


def test_a_good_line_is_written_back_and_the_public_one_hides_hands_what_lies_below_tops_and_the_mark() -> (
    None
):
    for line in (LINE, LAYING):
        assert str(TurnPosition.parse(line)) == line
    begin = "crapette-it 0 play - JH/TC/./././6H/5D9C/. 0,0/0,0/0,0/2,0"
    hidden = f"{begin} ??4D/????/??7C KS/??/. 0,1,0,.,? 0,0/./."
    assert str(TurnPosition.parse(f"{begin} 3D4D/TD8H/9S7C KS/3H/. 0,1,0,.,! 0,0/./.").public()) == hidden
    assert not TurnPosition.parse(hidden).is_full


def test_renaming_the_suits_moves_the_foundations_along() -> None:
    line = "crapo 0 play KD 2H/./././././9S/. 4,1/3,0/2,0/0,0 ./TD/. ./3H/9C 0,1,0,.,. 0,0/./."
    renamed = "crapo 0 play KC 2S/./././././9H/. 3,0/4,1/0,0/2,0 ./TC/. ./3S/9D 0,1,0,.,. 0,0/./."
    assert str(TurnPosition.parse(line).relabelled("HSCD")) == renamed
    with pytest.raises(ValueError, match="expected the letters S, H, D and C in some order, got 'HHCD'"):
        TurnPosition.parse(line).relabelled("HHCD")
