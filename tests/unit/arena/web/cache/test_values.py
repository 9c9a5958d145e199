"""Answers that are kept for a while."""

import threading

from arena.web.cache.values import kept_for


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
