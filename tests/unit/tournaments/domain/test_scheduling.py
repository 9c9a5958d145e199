"""Which pair a ladder plays next."""

from collections import Counter

from tournaments.domain.scheduling import Candidate, choose, gain, may_meet


def test_a_new_version_is_served_before_all_others_and_meets_whoever_tells_most() -> None:
    pool = [
        Candidate(1, 0, 1500, 20, 200),
        Candidate(2, 0, 900, 20, 200),
        Candidate(3, 7, 1600, 60, 30),
        Candidate(4, 8),
    ]
    (couple,) = choose(pool, {8: 9999.0}, 1)
    # An equal whose rating is well known.
    assert couple == (4, 1)


def test_equals_tell_more_than_a_foregone_conclusion() -> None:
    unsure = Candidate(1, 1, 1500, 60, 50)
    assert gain(unsure, Candidate(2, 2, 1520, 30, 50)) > 3 * gain(unsure, Candidate(3, 2, 2100, 30, 50))


def test_a_quick_opponent_is_worth_more_than_a_slow_one() -> None:
    pool = [
        Candidate(1, 1),
        Candidate(2, 2, 1500, 40, 50, seconds=30.0),
        Candidate(3, 2, 1500, 40, 50, seconds=1.0),
    ]
    assert choose(pool, {}, 1) == [(1, 3)]


def test_owners_take_turns_by_what_their_versions_have_used() -> None:
    pool = [Candidate(1, 1, 1500, 90, 20), Candidate(2, 2, 1500, 90, 20), Candidate(9, 0, 1500, 20, 99)]
    assert choose(pool, {1: 500.0, 2: 10.0}, 1)[0][0] == 2
    served = Counter(
        first for first, _ in choose([*pool, *(Candidate(n, 1, 1500, 90, 20) for n in (3, 4, 5))], {}, 40)
    )
    by_owner = Counter({1: sum(served[n] for n in (1, 3, 4, 5)), 2: served[2]})
    # One owner has four versions, the other one: they are served about as often while both ask.
    assert served[2] >= 6
    assert by_owner[1] - by_owner[2] < 30


def test_settled_versions_ask_for_nothing_and_everyone_settles_in_the_end() -> None:
    pool = [Candidate(n, n, 1500.0 + 40 * n) for n in range(1, 6)]
    chosen = choose(pool, {}, 10_000)
    assert 100 < len(chosen) < 2_000
    assert set(Counter(one for couple in chosen for one in couple)) == {1, 2, 3, 4, 5}
    assert choose([Candidate(1, 1, 1500, 10, 50), Candidate(2, 2, 1500, 20, 50)], {}, 5) == []


def test_versions_of_one_author_never_meet_but_those_of_the_house_do() -> None:
    assert not may_meet(Candidate(1, 5), Candidate(2, 5))
    assert may_meet(Candidate(1, 0), Candidate(2, 0))
    assert not may_meet(Candidate(1, 0), Candidate(1, 0))
    assert choose([Candidate(1, 5), Candidate(2, 5)], {}, 3) == []


def test_a_new_version_has_its_first_eight_pairs_in_a_row() -> None:
    field = [Candidate(n, 0, 1100.0 + 200 * n, 60, 100) for n in range(1, 5)]
    couples = choose([*field, Candidate(9, 3)], {3: 1e6}, 9)
    assert [first for first, _ in couples[:8]] == [9] * 8
    # Then its owner, who has used so much, waits for the others.
    assert couples[8][0] != 9
