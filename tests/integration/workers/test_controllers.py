"""Consumers of several queues in one process, on a Redis that drops their connections."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
import redis as client

from tests import servers
from tests.site import ROOT, clean_environment

SCRIPT = """
import os, sys, threading, time
import django
django.setup()
from celery import shared_task
from django.db import connection, connections
from arena.celery import app
from arena.run.workers.queue_consumer import Controller

@shared_task(name="tests.say")
def say(word):
    os.write(1, f"{word}\\n".encode())  # whole, whatever other threads say

@shared_task(name="tests.link")
def link():
    connection.ensure_connection()
    os.write(1, f"{id(connection.connection)}\\n".encode())

@shared_task(name="tests.hold")
def hold(seconds):
    time.sleep(seconds)

connections.settings["default"]["CONN_MAX_AGE"] = 600
lost = threading.Semaphore(0)
controllers = [Controller(queue, 1, lost.release) for queue in ("one", "two", "three")]
for controller in controllers:
    controller.watch.seconds = 1.0
    controller.thread.start()
    assert controller.ready.wait(60)
assert "arena.urls" not in sys.modules, "expected a worker to read the code of no page"

def send(word):
    for controller in controllers:
        app.send_task("tests.say", [f"{word} {controller.queue}"], queue=controller.queue)

for line in sys.stdin:
    match line.split():
        case ["say", word]:
            send(word)
        case ["crowd", count]:
            app.send_task("tests.hold", [1.0], queue="one")
            time.sleep(0.5)
            for number in range(int(count)):
                app.send_task("tests.say", [f"number {number:02}"], queue="one")
            app.send_task("tests.say", ["urgent"], queue="one", priority=0)
        case ["link"]:
            for _ in range(3):
                app.send_task("tests.link", queue="one")
        case ["reconnected"]:
            for _ in controllers:
                assert lost.acquire(timeout=60)
            print("all are back", flush=True)
        case ["unplug"]:
            # As a connection that is dead on the other side only: nothing is raised, and nothing comes.
            controllers[1]._worker.consumer.task_consumer.cancel()
            # The first may answer a request that was under way.
            for _ in range(2):
                app.send_task("tests.hold", [0.0], queue="two")
            deadline = time.monotonic() + 60
            stuck = []
            while not stuck and time.monotonic() < deadline:
                stuck = [one.queue for one in controllers if one.stuck()]
                time.sleep(0.1)
            print("stuck", *stuck, flush=True)
            os._exit(0)
"""


@pytest.mark.timeout(200)
def test_each_consumer_takes_tasks_promptly_comes_back_to_its_own_queue_and_is_found_when_it_takes_nothing(
    tmp_path: Path,
) -> None:
    with (
        servers.Redis() as redis,
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env={
                **clean_environment(),
                "CRAPETTE_DATA": str(tmp_path),
                "DJANGO_SETTINGS_MODULE": "arena.settings",
                "REDIS_URL": redis.url,
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None

        given, output = process.stdin, process.stdout

        def tell(words: str) -> None:
            given.write(words + "\n")
            given.flush()

        def heard(lines: int) -> list[str]:
            return sorted(output.readline().strip() for _ in range(lines))

        try:
            tell("say hello")
            assert heard(3) == ["hello one", "hello three", "hello two"]
            tell("link")
            assert len(set(heard(3))) == 1  # each task has the database's connection of the one before
            with client.Redis.from_url(redis.url) as link:
                link.client_kill_filter(_type="normal", skipme=True)
            tell("reconnected")
            assert heard(1) == ["all are back"]
            tell("say again")
            assert heard(3) == ["again one", "again three", "again two"]
            # With a pause of two seconds after each, these would take 40 seconds.
            begun = time.monotonic()
            tell("crowd 20")
            said = [output.readline().strip() for _ in range(21)]
            assert said.index("urgent") < 3
            assert sorted(said)[:-1] == [f"number {number:02}" for number in range(20)]
            assert time.monotonic() - begun < 30
            tell("unplug")
            assert heard(1) == ["stuck two"]
            assert process.wait(60) == 0
        finally:
            process.kill()
