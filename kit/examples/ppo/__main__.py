"""Trains a bot by self-play and writes a folder to upload. Needs PyTorch: ``pip install 'crapette[torch]'``.

Run ``python -m crapette.examples.ppo``. Both seats are played by the same net, which learns by proximal
policy optimisation (Schulman et al. 2017, arXiv 1707.06347). It runs on the CPU, or on a GPU where PyTorch
finds one.
"""

from __future__ import annotations

import argparse
import csv
import math
import shutil
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from kit.environments import VectorEnv
from kit.examples.ppo.bot.features import BYTES, CARDS, MOVES, OTHER, OWN, PLAIN, TOPS, card_views
from kit.sdk.crapette.onnx import Layer
from kit.sdk.crapette.onnx import written as onnx_file

HIDDEN: Final = 256
STEPS: Final = 128
"""Moves of each game between two updates."""
EPOCHS, ROWS = 2, 4096
GAMMA, LAMBDA, CLIP, ENTROPY, RATE = 0.998, 0.95, 0.2, 0.01, 7e-4
SIGMAS: Final = 1.96
AHEAD: Final = 1 / 26
"""What a card fewer than the other has is worth while the game goes on (`Rollout.shape_rewards`)."""
OPPONENTS: Final = ("random", "greedy", "planner")
BOT: Final = Path(__file__).with_name("bot")


class PolicyNet(nn.Module):
    """Observations and legal moves to what each move is worth, and to how the game will end."""

    def __init__(self) -> None:
        super().__init__()
        self.cards = nn.EmbeddingBag(CARDS * BYTES, HIDDEN, mode="sum")
        self.plain = nn.Linear(PLAIN, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN // 2)
        self.moves = nn.Linear(HIDDEN // 2, MOVES)
        self.value = nn.Linear(HIDDEN // 2, 1)
        nn.init.normal_(self.cards.weight, std=0.1)
        nn.init.normal_(self.moves.weight, std=0.01)
        nn.init.normal_(self.value.weight, std=0.01)
        self.register_buffer("places", torch.arange(CARDS) * BYTES)

    def forward(self, seen: Any, legal: Any) -> tuple[Any, Any]:
        """The log of each move's chance, (rows, 128), and the expected result, (rows,)."""
        houses, tops, numbers, sizes = card_views(seen)
        cards = torch.cat((houses, tops), 1).long() + self.places
        plain = torch.cat((numbers, sizes, legal.float()), 1)
        hidden = functional.relu(self.cards(cards) + self.plain(plain))
        hidden = functional.relu(self.second(hidden))
        logits = self.moves(hidden).masked_fill(~legal, -1e9)
        return functional.log_softmax(logits, 1), self.value(hidden)[:, 0]

    def layers(self) -> list[Layer]:
        """What the bot needs of it."""
        first = torch.cat((self.cards.weight, self.plain.weight.T))
        parts = ((first, self.plain.bias, "Relu"), (self.second.weight.T, self.second.bias, "Relu"))
        last = (self.moves.weight.T, self.moves.bias, "")
        return [
            Layer(weights.detach().cpu(), bias.detach().cpu(), then) for weights, bias, then in (*parts, last)
        ]


class Rollout:
    """What both seats saw and did in all games since the last update."""

    def __init__(self, env: VectorEnv, device: Any) -> None:
        self.env, self.device = env, device
        shape = (STEPS, env.games)
        self.seen = torch.empty((*shape, env.layout.size), dtype=torch.uint8, device=device)
        self.legal = torch.empty((*shape, MOVES), dtype=torch.bool, device=device)
        self.actions = torch.empty(shape, dtype=torch.long, device=device)
        self.chances, self.values = torch.empty(shape, device=device), torch.empty(shape, device=device)
        self.rewards, self.seats = np.empty(shape, np.float32), np.empty((STEPS + 1, env.games), np.uint8)
        self.ahead, self.ended = np.empty((STEPS + 1, env.games), np.float32), np.empty(shape, bool)

    @torch.no_grad()
    def play(self, net: PolicyNet) -> int:
        """Let the net play all games on; return how many ended."""
        env, games = self.env, np.arange(self.env.games)
        for step in range(STEPS):
            self.look(step)
            seen, legal = on(self.device, env.observations), on(self.device, env.legal)
            chances, self.values[step] = net(seen, legal)
            actions = choose(chances)
            self.seen[step], self.legal[step], self.actions[step] = seen, legal, actions
            self.chances[step] = chances.gather(1, actions[:, None])[:, 0]
            env.step(actions.cpu().numpy())
            self.rewards[step] = env.rewards[games, self.seats[step]]
            self.ended[step] = env.ended > 0
        self.look(STEPS)
        return int(self.ended.sum())

    def look(self, step: int) -> None:
        """Note who is to move, and by how many cards it is ahead."""
        seen = self.env.observations.astype(np.float32)
        own = seen[:, list(OWN)].sum(1) + (self.env.observations[:, TOPS[-1]] > 0)
        self.seats[step], self.ahead[step] = self.env.acting, AHEAD * (seen[:, list(OTHER)].sum(1) - own)

    def shape_rewards(self) -> tuple[Any, Any]:
        """The rewards with what the lead in cards changed by, and whose side each next decision is on.

        Ahead in cards is a potential (Ng, Harada and Russell 1999): what it adds cancels over a game, so that
        the best play stays the best. The sides are 1 where the same seat goes on, -1 where the other does,
        and 0 where the game ended.
        """
        sides = np.where(self.seats[1:] == self.seats[:-1], 1.0, -1.0) * ~self.ended
        rewards = self.rewards + GAMMA * sides * self.ahead[1:] - self.ahead[:-1]
        return on(self.device, rewards.astype(np.float32)), on(self.device, sides.astype(np.float32))

    @torch.no_grad()
    def advantages(self, net: PolicyNet) -> Any:
        """How much better than expected each decision turned out (Schulman et al. 2016), by its own seat."""
        rewards, sides = self.shape_rewards()
        _, following = net(on(self.device, self.env.observations), on(self.device, self.env.legal))
        found, later = torch.empty_like(rewards), torch.zeros_like(following)
        for step in range(STEPS - 1, -1, -1):
            surprise = rewards[step] + GAMMA * sides[step] * following - self.values[step]
            later = found[step] = surprise + GAMMA * LAMBDA * sides[step] * later
            following = self.values[step]
        return found


def on(device: Any, array: Any) -> Any:
    """A copy of an array as a tensor where the net is."""
    return torch.from_numpy(array).to(device, copy=True)


def choose(chances: Any) -> Any:
    """A move in each row, by its chance (the Gumbel trick)."""
    return (chances - torch.empty_like(chances).exponential_().log()).argmax(1)


def learn(net: PolicyNet, optimizer: Any, rollout: Rollout) -> dict[str, float]:
    """Improve the net by what was played; return the mean losses and the entropy."""
    gains = rollout.advantages(net).flatten()
    targets = gains + rollout.values.flatten()
    seen, legal = rollout.seen.flatten(0, 1), rollout.legal.flatten(0, 1)
    actions, before = rollout.actions.flatten(), rollout.chances.flatten()
    sums = np.zeros(3)
    batches = 0
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(gains), device=gains.device).split(ROWS):
            chances, values = net(seen[rows], legal[rows])
            ratio = (chances.gather(1, actions[rows][:, None])[:, 0] - before[rows]).exp()
            gain = gains[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy = -torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            value = (values - targets[rows]).square().mean()
            entropy = -(chances.exp() * chances).sum(1).mean()
            optimizer.zero_grad()
            (policy + 0.5 * value - ENTROPY * entropy).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimizer.step()
            sums += [policy.item(), value.item(), entropy.item()]
            batches += 1
    return dict(zip(("policy_loss", "value_loss", "entropy"), (sums / batches).tolist(), strict=True))


@torch.no_grad()
def score(net: PolicyNet, device: Any, variant: str, opponent: str, pairs: int) -> tuple[float, float, float]:
    """The share of points against an opponent over deals played from both seats; and its 95 % interval."""
    results = np.zeros((2, pairs))
    for seat in range(2):
        seats = (None, opponent) if seat == 0 else (opponent, None)
        env = VectorEnv(variant, games=pairs, prefix="score/", opponents=seats)
        env.reset(seed=0)
        waiting = np.ones(pairs, bool)
        while waiting.any():
            chances, _ = net(on(device, env.observations), on(device, env.legal))
            env.step(choose(chances).cpu().numpy())
            first = waiting & (env.ended > 0)
            results[seat, first] = (env.rewards[first, seat] + 1) / 2
            waiting &= ~first
    middle = float(results.mean())
    # Wilson's interval, as if each pair were won or lost: a little too wide, and never of no width.
    spread = SIGMAS**2 / pairs
    centre = (middle + spread / 2) / (1 + spread)
    margin = math.sqrt(spread * middle * (1 - middle) + spread**2 / 4) / (1 + spread)
    return middle, centre - margin, centre + margin


def write_bot(net: PolicyNet, folder: Path) -> None:
    """Write the bot: its code as it is here, and the net as an ONNX file."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("bot.py", "features.py"):
        shutil.copyfile(BOT / name, folder / name)
    (folder / "net.onnx").write_bytes(onnx_file(net.layers()))
    (folder / "requirements.txt").write_text("numpy\nonnxruntime\n", encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = argparse.ArgumentParser(
        prog="python -m crapette.examples.ppo", description="Train a bot by self-play."
    )
    made.add_argument("--minutes", type=float, default=20, help="how long to train; default: %(default)s")
    made.add_argument("--updates", type=int, default=10**9, help="or stop after so many updates")
    made.add_argument("--games", type=int, default=256, help="played side by side; default: %(default)s")
    made.add_argument("--threads", type=int, default=1, help="of the CPU; default: %(default)s")
    made.add_argument("--every", type=int, default=50, help="updates between two evaluations")
    made.add_argument("--pairs", type=int, default=200, help="deals of an evaluation; default: %(default)s")
    made.add_argument("--to", type=Path, default=Path("ppo"), help="the bot's folder; default: %(default)s")
    made.add_argument("--run", type=Path, default=Path("ppo-run"), help="log.csv and checkpoint.pt go here")
    made.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    made.add_argument("--seed", type=int, default=1, help="the same seed begins the same training")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Train until the time is over, log, and write the bot after each evaluation."""
    given = parser().parse_args(arguments)
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = PolicyNet().to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE, eps=1e-5)
    env = VectorEnv("crapaud", games=given.games, prefix=f"ppo/{given.seed}/", workers=given.threads)
    env.reset(seed=0)
    given.run.mkdir(parents=True, exist_ok=True)
    kept, done, spent = given.run / "checkpoint.pt", 0, 0.0
    if given.resume:
        state = torch.load(kept, map_location=device, weights_only=False)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        env, done, spent = state["env"], state["updates"], state["seconds"]
    rollout = Rollout(env, device)
    begun = time.monotonic() - spent
    print(f"Training on {device}.", flush=True)
    with (given.run / "log.csv").open("a" if given.resume else "w", newline="") as file:
        log = csv.writer(file)
        while True:
            seconds = time.monotonic() - begun
            last = done >= given.updates or seconds >= 60 * given.minutes
            if (done and done % given.every == 0) or last:
                state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "env": env}
                torch.save({**state, "updates": done, "seconds": seconds}, kept)
                write_bot(net, given.to)
                for opponent in OPPONENTS if last else OPPONENTS[:2]:
                    middle, low, high = score(net, device, "crapaud", opponent, given.pairs)
                    log.writerow([done, round(seconds), f"score_{opponent}", middle, low, high])
                    print(f"{middle:.1%} against {opponent} ({low:.1%} to {high:.1%})", flush=True)
                file.flush()
            if last:
                break
            for group in optimizer.param_groups:
                group["lr"] = RATE * max(0.1, 1 - seconds / (60 * given.minutes))
            ended = rollout.play(net)
            told = learn(net, optimizer, rollout)
            done += 1
            seconds = time.monotonic() - begun
            steps = done * STEPS * given.games
            told |= {"games": ended, "steps": steps}
            for name, number in told.items():
                log.writerow([done, round(seconds), name, number])
            if done % 10 == 0:
                words = ", ".join(f"{name} {number:.3g}" for name, number in told.items())
                print(f"update {done} after {seconds:.0f} s: {words}", flush=True)
    print(f"The bot is in {given.to}. Next: crapette check-bot {given.to}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
