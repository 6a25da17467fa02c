"""The owner's door to the profile."""

from afterword.pipeline.core.store import reading

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_a_value_is_set_listed_and_dropped_and_its_past_is_read(store, command, clock):
    assert command("profile", "set", "risk_tolerance", "balanced").out == "risk_tolerance is set\n"
    then = clock().isoformat()
    clock.advance(days=1)
    command("profile", "set", "home_language", "en")

    assert command("profile", "ls", "--json").json == {
        "home_language": "en",
        "risk_tolerance": "balanced",
    }
    assert "- risk_tolerance: balanced" in command("snapshot").out
    assert command("profile", "drop", "risk_tolerance").out == "risk_tolerance is dropped\n"
    assert command("profile", "ls", "--json").json == {"home_language": "en"}
    assert "balanced" in command("profile", "ls", "--as-of", then).out
    assert "risk_tolerance" not in command("snapshot").out
    again = command("profile", "drop", "risk_tolerance")
    assert (again.code, "profile ls" in again.err) == (1, True)
    with reading(store) as conn:
        query = "SELECT tool_call, actor FROM audit_log ORDER BY id"
        assert [tuple(row) for row in conn.exec_driver_sql(query)] == [
            *[("profile.set", "owner")] * 2,
            ("profile.drop", "owner"),
        ]


def test_a_secret_is_masked_under_its_name_and_in_its_value(store, command):
    command("profile", "set", SECRET, f"see {SECRET}")
    assert SECRET not in command("profile", "ls").out
    assert command("profile", "drop", SECRET).code == 0
    assert command("profile", "ls").out == "the profile is empty\n"


def test_what_is_refused_makes_no_group(command, home):
    for line in (("set", " ", "x"), ("set", "k" * 65, "x"), ("set", "key", " ")):
        answer = command("profile", *line)
        assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert not home.exists()


def test_an_answer_beside_the_question_for_the_status_is_refused(command):
    command("profile", "onboard", "--risk", "conservative")
    done = command("profile", "onboard", "--status", "--risk", "balanced")

    assert (done.code, done.out) == (2, "")
    assert "status: is asked for beside an answer" in done.err
