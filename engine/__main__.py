"""``python -m engine``: the command line of RULES 8."""

import signal

from engine.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the compiled core counts without listening to Python
    raise SystemExit(main())
