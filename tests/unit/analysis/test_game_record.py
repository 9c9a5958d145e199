"""Everyone who writes the record of a game writes the same fields."""

from analysis import game_record

SEATS = [game_record.seat_head("Ann"), game_record.seat_head("greedy", 2, house=True, url="/bots/greedy/2/")]


def test_a_record_has_all_fields_whatever_its_writer_knows() -> None:
    begun = game_record.head(
        game="example", variant="crapaud", seats=SEATS, start="crapaud 0 …", status="running"
    )
    made = game_record.whole(begun, [])
    assert made.keys() == game_record.GameRecord.__required_keys__
    assert (made["format"], made["players"], made["clock"], made["result"]) == (1, 2, {}, None)
    assert made["seats"][0] == {"bot": "Ann", "version": None, "owner": None, "house": False, "url": None}


def test_a_clock_that_a_slow_host_stretched_is_told_and_no_other() -> None:
    def scaled(factor: float) -> game_record.Head:
        return game_record.head(
            game="g", variant="crapaud", seats=SEATS, start="", status="finished", clock_scale=factor
        )

    assert scaled(1.5)["clock_scale"] == 1.5
    assert "clock_scale" not in scaled(1)


def test_what_can_be_verified_is_a_record_with_its_proof() -> None:
    assert game_record.FIELDS - game_record.GameRecord.__required_keys__ == {"links", "proof", "digests"}
