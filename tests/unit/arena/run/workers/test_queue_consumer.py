"""When a consumer is taken to be stuck, and when not."""

from arena.run.workers.queue_consumer import Watch


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def watched() -> tuple[Watch, Clock]:
    """A watch that has just seen its consumer start."""
    clock = Clock()
    watch = Watch(seconds=30, clock=clock)
    assert not watch.stuck(0, 0, room=True)
    return watch, clock


def test_a_consumer_that_takes_nothing_of_what_waits_is_stuck_after_a_while() -> None:
    watch, clock = watched()
    assert not watch.stuck(3, 0, room=True)
    clock.now += 29
    assert not watch.stuck(4, 0, room=True)
    clock.now += 1
    assert watch.stuck(5, 0, room=True)


def test_a_consumer_is_not_stuck_while_it_takes_tasks_however_many_wait() -> None:
    watch, clock = watched()
    for taken in range(10):
        assert not watch.stuck(1000, taken, room=True)
        clock.now += 20


def test_a_consumer_is_not_stuck_while_nothing_waits_it_has_no_room_or_the_broker_is_away() -> None:
    for waiting, room in ((0, True), (5, False), (None, True)):
        watch, clock = watched()
        assert not watch.stuck(5, 0, room=True)
        clock.now += 29
        assert not watch.stuck(waiting, 0, room=room)
        clock.now += 29
        assert not watch.stuck(5, 0, room=True)
        clock.now += 29
        assert not watch.stuck(5, 0, room=True)
