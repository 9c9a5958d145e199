"""Questions that take thought: asked where pages are served, answered in analysis processes.

`questions` says what can be asked, `asking` queues it within limits, `queue` hands it out to one worker at a
time, `answers` knows who works it out. `answers` and `working` are never imported where pages are served.
"""
