"""Messages between the processes of one site."""

from arena.run.bus import Bus


def test_a_worker_that_reads_nothing_keeps_no_page() -> None:
    ours, theirs = Bus.pair()
    with theirs:
        sent = [ours.send({"task": "x" * 1_000}, wait=False) for _ in range(10_000)]
    assert sent[0]
    assert not sent[-1]
    ours.end()
    ours._socket.close()
