"""When a consumer is taken to be stuck, and when not."""

from arena.run.workers.queue_consumer import Watch


class Watched(Watch):
    """A watch that has just seen its consumer start; its clock is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        super().__init__(seconds=30, clock=lambda: self.now)
        assert not self.stuck(0, 0, room=True)

    def after(self, seconds: float, waiting: int | None, taken: int = 0, room: bool = True) -> bool:
        self.now += seconds
        return self.stuck(waiting, taken, room=room)


def test_a_consumer_that_takes_nothing_of_what_waits_is_stuck_after_a_while() -> None:
    watch = Watched()
    assert [watch.after(seconds, waiting) for seconds, waiting in ((0, 3), (29, 4), (1, 5))] == [
        False,
        False,
        True,
    ]
    watch = Watched()
    assert not any(watch.after(20, 1000, taken) for taken in range(10)), "however many wait"


def test_a_consumer_is_not_stuck_while_nothing_waits_it_has_no_room_or_the_broker_is_away() -> None:
    for waiting, room in ((0, True), (5, False), (None, True)):
        watch = Watched()
        assert not watch.after(0, 5)
        assert not watch.after(29, waiting, room=room)
        assert not watch.after(29, 5)
        assert not watch.after(29, 5)
