"""What was sent to the real queues of tasks."""

from arena.celery import app
from bots.checks import CHECK_TASK


def checks_sent() -> list[list[int]]:
    """Take the check tasks from the real queue they were sent to; the arguments of each."""
    queue = app.amqp.router.route({}, CHECK_TASK)["queue"].name
    sent: list[list[int]] = []
    with app.connection_for_read() as connection, connection.SimpleQueue(queue) as messages:
        while True:
            try:
                message = messages.get(block=False)
            except messages.Empty:
                return sent
            message.ack()
            if message.headers["task"] == CHECK_TASK:
                sent.append(message.payload[0])
