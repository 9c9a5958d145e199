"""The analysis processes: whatever takes thought is worked out here, never where pages are served.

``python -m arena.analysis`` is started by a parent (`arena.children`): the embedded site, or a worker of the
role ``analysis``. It imports what searches need once and then forks its workers, which share that memory and
yield to everything else. One answers people, one does the arena's own sums as well. A worker that takes too
long, or whose answer nobody waits for any more, ends itself; the next is there in milliseconds.
"""
