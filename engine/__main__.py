"""``python -m engine``: the command line of RULES 8."""

from engine.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
