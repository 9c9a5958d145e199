"""Remote bots, and the connections that speak for them, without a socket."""

from arena.accounts.models import User
from bots.bots import BotDetails
from bots.models import Bot
from bots.remote.connections import RemoteConnection, RemoteWish, connect
from bots.remote.creation import create_remote_bot


def remote_bot(owner: User, name: str = "Ada's GPU") -> Bot:
    """A remote bot that was never online."""
    return create_remote_bot(owner, BotDetails(name))


def online(bot: Bot, *boards: str, games: int = 1, people: bool = False) -> RemoteConnection:
    """Take a remote bot online for its owner."""
    assert bot.owner is not None
    return connect(bot.owner, bot.slug, RemoteWish(boards, games, people))
