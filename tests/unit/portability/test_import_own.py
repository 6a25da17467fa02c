"""What a group signed brings back what it lost, as it was, and changes nothing that is here."""

from tests.unit.portability.lived import Lived, rows, texts, without


def test_an_import_into_the_restored_group_changes_no_byte_of_a_third_export(lived: Lived):
    first = lived.export("first", "--sign")
    lived.restore(lived.back_up())

    files = lived.take(first, "--apply")

    assert sum(file["new"] for file in files.values()) == 0
    assert texts(lived.export("third", "--sign")) == texts(first)


def test_what_an_older_backup_lacks_comes_back_with_its_standing(lived: Lived):
    backup = lived.back_up()
    lived.command("memory", "write", "observation", "SOL is quiet")
    lived.method("Wait for the third red day of SOL", "layer_1", "neutral")
    graduate(lived, 3)
    first = lived.export("first", "--sign")
    lived.restore(backup)

    lived.take(first, "--apply")

    assert texts(lived.export("third", "--sign")) == texts(first)
    assert lived.sql("SELECT quarantine, times_used FROM methodologies WHERE id = 3") == [(0, 20)]


def test_an_older_export_raises_nothing_that_fell_since(lived: Lived):
    first = lived.export("first", "--sign")
    with_fall(lived)

    lived.take(first, "--apply")

    fallen = "SELECT quarantine, confidence, times_used FROM methodologies WHERE id = 1"
    assert lived.sql(fallen) == [(1, 0.1, 0)]
    state = "SELECT state FROM learned_preferences WHERE dimension = 'direction'"
    assert lived.sql(f"{state} AND superseded_at IS NULL") == [("rejected",)]


def test_an_empty_group_gets_all_and_the_list_says_what_differs(lived: Lived):
    first = lived.export("first", "--sign")

    files = lived.take(first, "--apply", group="twin")
    twin = lived.export("twin", "--sign", group="twin")

    learned = ("known_at", "created_at", "updated_at", "superseded_at")
    for name in ("memories", "facts", "user_profile", "fills", "round_trips"):
        assert without(rows(twin, name), *learned) == without(rows(first, name), *learned)
    assert {tuple(file["notes"]) for path, file in files.items() if "methodologies/" in path} == {
        (
            "key, origin, source, session_id, seeded_from, state, quarantine, confidence,"
            " times_used, times_correct, standing: it starts in quarantine with the confidence of a"
            " new one, since what was counted elsewhere does not count here",
        )
    }
    assert lived.sql("SELECT DISTINCT quarantine, confidence FROM methodologies", "twin") == [
        (1, 0.1)
    ]
    assert lived.sql("SELECT DISTINCT state FROM learned_preferences", "twin") == [("proposed",)]
    again = lived.take(first, "--apply", group="twin")
    assert sum(file["new"] for file in again.values()) == 0


def graduate(lived: Lived, number: int) -> None:
    change(
        lived,
        "quarantine = 0, confidence = 0.8, times_used = 20, times_correct = 18,"
        f" strict_since = known_at WHERE id = {number}",
    )


def with_fall(lived: Lived) -> None:
    change(
        lived,
        "quarantine = 1, confidence = 0.1, times_used = 0, times_correct = 0,"
        " strict_since = NULL WHERE id = 1",
    )
    lived.command("preference", "reject", "direction")


def change(lived: Lived, what: str) -> None:
    from afterword.pipeline.core.store import writing

    with writing(lived.stores.group("main")) as conn:
        conn.exec_driver_sql(f"UPDATE methodologies SET {what}")
