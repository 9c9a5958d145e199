"""The games as OpenSpiel has them."""

import pyspiel
import pytest

import engine
from kit.environments import spiel


@pytest.mark.parametrize(
    ("name", "how"), [("python_crapette", {"variant": "crapette-it"}), ("python_crapette_vitesse", {})]
)
def test_a_game_passes_the_random_simulation(name: str, how: dict[str, str]) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(name, {**how, "deals": 20}), num_sims=1, serialize=False, verbose=False
    )


def test_what_a_seat_is_told_does_not_depend_on_hidden_cards() -> None:
    game = pyspiel.load_game("python_crapette", {"variant": "crapaud", "deals": 20})
    state = game.new_initial_state()
    state.apply_action(7)
    full, shown = str(state), state.information_state_string(0)
    assert state.clone().information_state_string(0) == shown
    hidden = engine.turns.TurnPosition.parse(full.splitlines()[0]).seats[0].hand
    assert "??" in shown
    assert "/".join(hidden) not in shown
    assert not any(",".join(hidden[at : at + 3]) in shown for at in range(len(hidden) - 3))


assert spiel  # it registers the games
