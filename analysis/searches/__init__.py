"""Questions of people that take thought: hints, "what if", playing on.

Nothing here is imported where pages are served: `services.questions` carries questions to a process of their
own, and answers back.
"""
