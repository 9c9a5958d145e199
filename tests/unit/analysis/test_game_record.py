"""Everyone who writes the record of a game writes the same fields."""

from analysis import game_record

SEATS = [game_record.seat_head("Ann"), game_record.seat_head("greedy", 2, house=True, url="/bots/greedy/2/")]


def test_a_record_has_all_fields_whatever_its_writer_knows() -> None:
    begun, slow = (
        game_record.head(
            game="g", variant="crapaud", seats=SEATS, start="", status="running", clock_scale=scale
        )
        for scale in (1, 1.5)
    )
    made = game_record.whole(begun, [])
    assert made.keys() == game_record.GameRecord.__required_keys__
    assert (made["format"], made["players"], made["clock"], made["result"]) == (1, 2, {}, None)
    assert made["seats"][0] == {"bot": "Ann", "version": None, "owner": None, "house": False, "url": None}
    assert "clock_scale" not in begun
    assert slow["clock_scale"] == 1.5
    # What can be verified is a record with its proof.
    assert game_record.FIELDS - game_record.GameRecord.__required_keys__ == {"links", "proof", "digests"}
