"""The games as OpenSpiel has them."""

import pyspiel
import pytest

import engine

TURNS = [name for name, variant in engine.VARIANTS.items() if not variant.in_ticks]


@pytest.mark.parametrize(
    ("name", "how"), [("python_crapette", {"variant": "crapette-it"}), ("python_crapette_vitesse", {})]
)
def test_a_game_passes_the_random_simulation(name: str, how: dict[str, str]) -> None:
    pyspiel.random_sim_test(
        pyspiel.load_game(name, {**how, "deals": 20}), num_sims=1, serialize=False, verbose=False
    )


@pytest.mark.parametrize("variant", TURNS)
def test_every_variant_of_turns_plays_clones_and_pickles(variant: str) -> None:
    game = pyspiel.load_game("python_crapette", {"variant": variant, "deals": 20})
    state = game.new_initial_state()
    state.apply_action(7)
    for _ in range(40):
        state.apply_action(state.legal_actions()[-1])
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    for other in (again, state.clone()):
        assert str(other) == str(state)
        assert other.observation_tensor(1) == state.observation_tensor(1)
        assert other.information_state_string(0) == state.information_state_string(0)
        other.apply_action(other.legal_actions()[0])
        assert str(other) != str(state)


def test_what_a_seat_is_told_does_not_depend_on_hidden_cards() -> None:
    """Two deals that look alike at the start give the same information state."""
    game = pyspiel.load_game("python_crapette", {"variant": "crapaud", "deals": 20})
    state = game.new_initial_state()
    state.apply_action(7)
    full, shown = str(state), state.information_state_string(0)
    hidden = engine.turns.TurnPosition.parse(full.splitlines()[0]).seats[0].hand
    assert "??" in shown
    assert "/".join(hidden) not in shown
    assert not any(",".join(hidden[at : at + 3]) in shown for at in range(len(hidden) - 3))
