"""What works behind the pages: threads that take tasks from queues, and threads that play games."""

from arena.run.workers.team import Workers

__all__ = ["Workers"]
