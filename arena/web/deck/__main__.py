"""``python -m arena.web.deck``: writes ``arena/static/cards/deck.svg``."""

from pathlib import Path

from arena.web.deck.sprite import sprite

TARGET = Path(__file__).resolve().parents[2] / "static" / "cards" / "deck.svg"

if __name__ == "__main__":
    TARGET.write_text(sprite(), encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")
