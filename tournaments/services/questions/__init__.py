"""Questions that need a search: asked by serving processes, answered by analysis processes.

`questions` defines what can be asked, `asking` queues questions within limits, `queue` hands each to one
worker at a time, and `answers` knows which function answers. Serving processes never import `answers` and
`working`.
"""
