"""Undoes what a process inherits from whoever started it: signals that are ignored or blocked.

A shell that starts a program in the background of a script has it ignore SIGINT and SIGQUIT, and some
supervisors ignore SIGCHLD or block signals. What is ignored stays so in every program that is started below:
Ctrl-C would end nothing, and the kernel would tell nobody how a bot ended. The stub does the same for bots,
with every signal, because it can import none of our modules.
"""

from __future__ import annotations

import signal


def accept() -> None:
    """Let SIGINT, SIGTERM, SIGQUIT and SIGCHLD do what they do in a terminal, and block no signal.

    SIGHUP stays as it is, since whoever ignores it (nohup) means us to. Call this first, from the main
    thread, on a Unix system.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGCHLD):
        if signal.getsignal(number) is signal.SIG_IGN:
            interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if interrupt else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
