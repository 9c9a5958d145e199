"""Processes of a site: their start, their folder, their messages and their end."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
import redis
from asgiref.sync import async_to_sync
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from kombu import Connection

from arena.run.analysis import worker
from arena.run.analysis.worker import FreeCores
from arena.run.bus import Bus
from arena.run.channel_layers import ThreadSafeInMemoryLayer
from arena.run.embedded import address
from arena.run.embedded.folder import DataFolder, FolderTaken
from arena.run.embedded.preparation import migrate, tables_are_current
from arena.run.worker import Supervisor
from arena.run.workers.queue_consumer import Controller, Watch
from arena.run.workers.team import Workers
from tests.racing import until
from tests.site import ROOT


def test_a_worker_that_reads_nothing_keeps_no_page() -> None:
    ours, theirs = Bus.pair()
    with theirs:
        sent = [ours.send({"task": "x" * 1_000}, wait=False) for _ in range(10_000)]
    assert sent[0]
    assert not sent[-1]
    ours.end()
    ours._socket.close()


def test_a_core_that_this_process_uses_alone_counts_as_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted, scheduled, now = tmp_path / "stat", tmp_path / "schedstat", 100.0
    monkeypatch.setattr(worker, "COUNTED", counted)
    monkeypatch.setattr(worker, "SCHEDULED", scheduled)
    monkeypatch.setattr(worker, "time", Mock(monotonic=lambda: now))
    ticks = os.sysconf("SC_CLK_TCK")
    counted.write_text(f"cpu  9 9 9 {50 * ticks} {ticks} 9 9\ncpu0 1 1 1 1 1\n")
    scheduled.write_text("5000000000 1000000000 9\n")
    cores = FreeCores()
    now += worker.LEAST_SECONDS / 2
    assert cores.measure() == 0.0, "nothing is known yet"
    now += 3.5
    counted.write_text(f"cpu  9 9 9 {53 * ticks} {2 * ticks} 9 9\n")
    scheduled.write_text("8000000000 2000000000 9\n")
    assert cores.measure() == pytest.approx(1.5), "4 s of idle cores in 4 s, and 3 of this process less 1"


async def test_messages_of_other_threads_wake_the_receiver_and_none_is_lost_below_the_capacity() -> None:
    layer = ThreadSafeInMemoryLayer()
    channel = await layer.new_channel()
    await layer.group_add("game", channel)
    waiting = asyncio.ensure_future(layer.receive(channel))
    await asyncio.sleep(0)

    def publish(name: int) -> None:
        for number in range(100):
            async_to_sync(layer.group_send)("game", {"type": "events", "from": name, "n": number})

    threads = [threading.Thread(target=publish, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    seen = [await asyncio.wait_for(waiting, 10)]
    while len(seen) < 400:
        seen.append(await asyncio.wait_for(layer.receive(channel), 10))
    for thread in threads:
        await asyncio.to_thread(thread.join)
    for name in range(4):
        assert [message["n"] for message in seen if message["from"] == name] == list(range(100))


async def test_a_layer_serves_again_after_the_loop_of_its_first_receiver_is_closed() -> None:
    layer = ThreadSafeInMemoryLayer()

    async def once() -> str:
        await layer.send("first", {"type": "a"})
        return str((await layer.receive("first"))["type"])

    thread_result: list[str] = []
    thread = threading.Thread(target=lambda: thread_result.append(asyncio.run(once())))
    thread.start()
    thread.join()
    await layer.send("second", {"type": "b"})
    assert (await layer.receive("second"))["type"] == "b"
    assert thread_result == ["a"]


def test_a_process_that_ends_is_restarted_and_all_end_on_request(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    starts = tmp_path / "starts"
    failing = f"echo start >>{starts}; [ $(wc -l <{starts}) -ge 3 ] && exec sleep 60; exit 7"
    supervisor = Supervisor(
        {"failing": ("sh", "-c", failing), "steady": ("sh", "-c", "trap 'exit 0' TERM; read line; exit 3")},
        look_seconds=0.02,
        first_pause=0.05,
    )
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(supervisor.run()))
    thread.start()
    until(lambda: starts.exists() and len(starts.read_text().split()) == 3, "the third start")
    supervisor.stop()
    thread.join(30)
    # `sleep` does not know the signal, so it is ended by it.
    assert codes == [15]
    assert "the failing process ended with 7 and is started again in 0 s" in caplog.text
    assert "the steady process" not in caplog.text


def test_a_supervisor_that_is_killed_takes_its_processes_with_it(tmp_path: Path) -> None:
    said = tmp_path / "said"
    child = f"echo $$ >{said}; read line; echo ended >>{said}"
    code = (
        "import sys; from arena.run.worker import Supervisor; "
        "Supervisor({'child': ('sh', '-c', sys.argv[1])}).run()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code, child], cwd=ROOT, env={**os.environ})
    until(lambda: said.exists() and said.read_text().strip(), "the child to start")
    parent.kill()
    parent.wait(10)
    until(lambda: "ended" in said.read_text(), "the child to end")


def test_a_port_that_was_asked_for_and_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(address.NoAddress) as caught:
            address.listen("127.0.0.1", port)
    assert str(caught.value).startswith(f"Port {port} of 127.0.0.1 is taken. Choose another with --port")


def test_without_a_port_the_next_free_one_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(address, "FIRST_PORT", port)
        monkeypatch.setattr(address, "LAST_PORT", port + 20)
        with address.listen("127.0.0.1", None) as bound:
            assert port < bound.getsockname()[1] <= port + 20


HOLD = """
import sys
from pathlib import Path
from arena.run.embedded.folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
folder.take()
folder.describe("process 7, http://127.0.0.1:8000/")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_second_site_learns_who_holds_the_folder_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(FolderTaken) as caught:
            DataFolder(tmp_path).take()
        holder.kill()
        holder.wait(10)
    assert str(caught.value) == (
        f"Crapette Arena already runs on {tmp_path}: process 7, http://127.0.0.1:8000/. "
        "Stop it first, or choose another folder with CRAPETTE_DATA."
    )
    next_one = DataFolder(tmp_path)
    next_one.take()
    next_one.release()


@pytest.mark.django_db
@pytest.mark.each_database
def test_tables_are_current_until_a_migration_is_missing_or_unknown() -> None:
    assert tables_are_current()
    assert migrate() == f"{connection.vendor}, up to date"
    recorder = MigrationRecorder(connection)
    for app in ("accounts", "bots", "classes"):
        recorder.record_applied(app, "0099_later")
        assert not tables_are_current(), app
        with pytest.raises(ImproperlyConfigured, match=f"newer version of the arena, which knows {app}.0099"):
            migrate()
        recorder.record_unapplied(app, "0099_later")
    recorder.record_applied("left_out_long_ago", "0001_initial")
    assert tables_are_current(), "tables of a package that we no longer use"
    recorder.record_unapplied("tournaments", "0001_tables")
    assert not tables_are_current()


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


class Away(Connection):
    """A connection to a broker that goes away as soon as it is there."""

    def ensure_connection(self, *_: object, **__: object) -> "Away":
        return self

    @property
    def default_channel(self) -> Any:
        raise redis.ConnectionError


def test_a_broker_that_goes_away_while_it_is_asked_has_not_answered() -> None:
    controller = Controller.__new__(Controller)
    controller.queue, controller._app = "one", Mock(connection_for_read=partial(Away, "redis://localhost/0"))
    assert controller._waiting() is None


def test_a_worker_that_nobody_watches_any_more_has_ended() -> None:
    workers = Workers.__new__(Workers)
    workers._controllers, workers._slots, workers._ended = [], [], set()
    workers._watchers = [threading.Thread(name="the thread that keeps watch")]
    assert workers.find_ended() == ["the thread that keeps watch"]
