"""Questions that need a search: asked by serving processes, answered by analysis processes.

`question_types` defines what can be asked, `requests` asks within limits, `queue` hands each question to one
worker at a time, and `handlers` knows which function answers. Serving processes never import `handlers` and
`worker`.
"""
