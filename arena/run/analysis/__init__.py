"""The analysis processes, which run every search. Processes that serve pages never do.

``python -m arena.run.analysis`` is started by a parent (`arena.run.children`): the embedded site, or a worker
of the role ``analysis``. It imports everything that searches need once and then forks its workers, which
share that memory and have a low priority. One worker answers people only; one also measures luck; one judges
whole games by oracle, one at a time. A worker that takes too long, or whose answer nobody wants any more,
ends itself, and the next one starts in milliseconds.
"""
