"""Answers that are kept for a while."""

import threading

from arena.web.cache.values import forget_all, kept_for


def test_an_answer_is_worked_out_once_for_each_argument_until_it_is_too_old() -> None:
    asked: list[str] = []

    @kept_for(3600)
    def answer(word: str) -> str:
        asked.append(word)
        return word.upper()

    @kept_for(0)
    def fresh() -> int:
        asked.append("fresh")
        return len(asked)

    assert [answer("a"), answer("b"), answer("a")] == ["A", "B", "A"]
    assert fresh() < fresh()
    assert asked == ["a", "b", "fresh", "fresh"]
    forget_all()
    assert answer("a") == "A"
    assert asked[-1] == "a"


def test_those_who_ask_while_an_old_answer_is_renewed_get_the_old_one() -> None:
    asked = []
    renewing, go_on = threading.Event(), threading.Event()

    @kept_for(0)
    def answer() -> int:
        asked.append(1)
        if len(asked) == 2:
            renewing.set()
            assert go_on.wait(60)
        return len(asked)

    assert answer() == 1
    other = threading.Thread(target=answer)
    other.start()
    assert renewing.wait(60)
    assert answer() == 1
    go_on.set()
    other.join()
    assert answer() == 3
