"""`afterword role`: from record to lesson on the command line."""

import json

import pytest

from afterword.pipeline.domain.decisions.measure_outcomes import measure_due
from afterword.pipeline.domain.decisions.read import RoleCounts
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.operations.roles import counted
from afterword.pipeline.testing.roles import HOUR, book, jagged, learned

ROLE = "market.spot.momentum"


@pytest.fixture
def fallen(store, clock):
    """Prices of a market that fell by 5 % some 100 hours ago."""
    start = clock() - 300 * HOUR
    prices = book("SOLUSDT", start, jagged(200, [-0.05, *[0.0] * 90]))
    (series,) = prices.series("SOL")
    keep_bars(store, series, prices.bars(series, start, clock(), clock()), clock)
    return clock() - 100 * HOUR


@pytest.fixture
def record(command, fallen):
    def one(*more, text="Buy SOL on strength"):
        line = ("--asset", "SOL", "--direction", "long", "--decided-at", fallen.isoformat())
        return command("role", "record", ROLE, text, *line, *more)

    return one


def test_a_decision_from_record_to_reflection(command, record):
    done = record("--inputs", '{"rsi": 71}', "--key", "turn-1")
    assert done.out.startswith("decision 1 (")
    assert "as before" in record("--inputs", '{"rsi": 71}', "--key", "turn-1").out

    assert command("role", "reflect").out == "variance  1\n"
    shown = command("role", "show", "1", "--json").json
    assert shown["decision"]["state"] == "reflected"
    assert shown["decision"]["verdict"]["classification"] == "variance"
    assert "-5.00 %" in shown["decision"]["verdict"]["narrative"]
    assert shown["decision"]["lesson"] is None
    (row,) = [one for one in command("role", "list", "--json").json if one["role"] == ROLE]
    assert (row["decisions"], row["reflected"]) == (1, {"variance": 1})
    assert row["outcomes"] == {"wrong": 1}
    shown = command("role", "list").out.splitlines()
    assert [line.split() for line in shown if line.startswith(ROLE + " ")] == [
        [ROLE, "1", "0", "0", "1", "0", "0"]
    ]
    assert f"{ROLE}, classes: 1 variance" in shown
    assert "Buy SOL on strength" in command("role", "list", ROLE).out


def test_every_wrong_field_of_a_line_is_told_and_each_mistake_once(home, command):
    wrong = {"direction": "up", "decision": 7, "confidence": 9, "methods": "x", "decided_at": "now"}
    lines = [
        {"role": ROLE, "asset": "SOL", **wrong, "who": "me"},
        {"role": ROLE, "asset": "SOL", "direction": "long", "decision": "Buy", "confidence": 12},
        {"role": "no.such", "confidence": 9},
    ]
    refused = command(
        *("role", "record", "--file", "-"), stdin="".join(json.dumps(one) + "\n" for one in lines)
    )

    assert refused.code == 2
    assert [line.split(": ")[1] for line in refused.err.splitlines()] == [
        "decisions[0].who",
        "decisions[0].decided_at",
        "decisions[0].decision",
        "decisions[0].confidence",
        "decisions[0].direction",
        "decisions[0].methods",
        "decisions[2].role",
    ]
    assert "confidence: is 9 (also decisions[1])" in refused.err
    assert not home.exists()


def test_the_list_of_roles_fits_a_hundred_columns(command, record, monkeypatch):
    counts = [
        RoleCounts(
            "desk.of.seven.people.long_only_momentum",
            None,
            decisions=1_234_567,
            waiting={"pending": 123_456, "no price": 12_345, "no price source": 12_345},
            reflected={"logic_error": 1_234, "missing_data": 1_234, "exogenous": 1_234},
            outcomes={"right": 123_456, "wrong": 123_456, "noise": 123_456},
            skipped=12_345,
        )
    ]
    record()
    monkeypatch.setattr(counted, "count_roles", lambda *_: counts)
    shown = command("role", "list").out

    assert max(map(len, shown.splitlines())) <= 100
    for part in (
        "1,234,567",
        "148,146",
        "123,456 pending",
        "1,234 logic error",
        "declared no more",
    ):
        assert part in shown


def test_whoever_records_a_decision_is_told_when_it_will_be_judged(record):
    recorded = record("--decided-at", "2026-01-04T09:00:00Z", "--key", "a")
    again = record("--decided-at", "2026-01-04T09:00:00Z", "--key", "a")

    assert recorded.out.endswith("is recorded; it can be judged from 2026-01-05 09:00:00Z on\n")
    assert again.out.endswith("is recorded, as before\n")


def test_a_plan_is_given_by_options_or_on_a_line_and_shown(command, record, fallen, tmp_path):
    plan = ("--stop", "148.50", "--target", "171", "--size-usd", "2000", "--leverage", "3")
    record(*plan, "--method", "breakout.v2", "--method", "volume", "--hint-hash", "0f" * 32)
    line = {"decision": "Buy", "asset": "SOL", "direction": "long", "stop_price": 148.5}
    file = tmp_path / "decisions.jsonl"
    file.write_text(json.dumps(line | {"methods": ["volume"], "inputs": {"tp": "171"}}))
    command("role", "record", ROLE, "--file", str(file))

    told = command("role", "show", "1").out
    assert "stop 148.5, target 171, size 2000 USD, leverage 3" in told
    assert "breakout.v2, volume" in told
    one = command("role", "show", "1", "--json").json["decision"]
    assert (one["stop_price"], one["size_usd"], one["hint_hash"]) == ("148.5", "2000", "0f" * 32)
    two = command("role", "show", "2", "--json").json["decision"]
    assert (two["stop_price"], two["target_price"], two["methods"]) == ("148.5", "171", ["volume"])

    refused = record("--stop", "low")
    assert refused.code == 2
    assert "stop_price: is 'low'" in refused.err
    beside = command("role", "record", "--file", str(file), "--stop", "148")
    assert "is given beside a decision" in beside.err


def test_the_ladder_of_a_decision_is_shown_a_line_a_window(command, record, store, clock):
    record("--stop", "90", "--size-usd", "2000")
    command("role", "reflect")
    registry = load_roles(store.path.parent.parent)
    clock.advance(days=4)
    measure_due(store, registry, StoredPrices, clock, lambda *_: None)

    told = command("role", "show", "1").out
    assert "after 1 d" in told
    assert "-5.00 %, wrong, -5.13 % after costs" in told
    assert "neither stop nor target by the end" in told
    (one,) = command("role", "show", "1", "--json").json["outcomes"]
    assert (one["window_hours"], one["move"], one["plan"]) == (24, "-0.05", "neither")
    assert one["result_micro_usd"] < -100_000_000


def test_a_plan_that_was_not_measured_says_why(command, record):
    record("--stop", "500")
    record("--key", "without a plan")
    command("role", "reflect")

    told = command("role", "show", "1").out
    assert "its stop or target was passed at the entry: the window decides" in told
    assert "plan result" not in command("role", "show", "2").out


def test_a_file_of_decisions_is_recorded_as_a_whole_or_not_at_all(command, fallen, tmp_path):
    line = {
        "decision": "Buy",
        "asset": "SOL",
        "direction": "long",
        "decided_at": fallen.isoformat(),
        "key": "a",
        "context": {"prompt": "now?"},
    }
    file = tmp_path / "decisions.jsonl"
    other = line | {"role": "market.perps.swing", "key": "b"}
    file.write_text(f"{json.dumps(line)}\n{json.dumps(other)}\n")
    done = command("role", "record", ROLE, "--file", str(file))
    assert done.out == "2 decisions are recorded, 0 were before\n"
    one_more = f"{json.dumps(line)}\n{json.dumps(line | {'key': 'x'})}\n"
    done = command("role", "record", ROLE, "--file", "-", stdin=one_more)
    assert done.out == "1 decision is recorded, 1 was before\n"
    again = command("role", "record", ROLE, "--file", str(file), "--json").json
    assert [one["is_new"] for one in again] == [False, False]

    made = [line | {"key": "c"}, {}, [], {"who": 1}, line | {"role": "no.such"}, {"role": 5}]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in made))
    bad = command("role", "record", ROLE, "--file", str(file))
    assert bad.code == 2
    assert "decisions[1].decision: is blank" in bad.err
    assert "decisions[2]: is a list" in bad.err
    assert "decisions[3].who: is an unknown field" in bad.err
    assert "decisions[4].role: 'no.such' is declared by no skill" in bad.err
    assert "decisions[5].role: 5 is not a role" in bad.err
    assert len(command("role", "list", ROLE, "--json").json) == 2

    late = line | {"key": "d", "decided_at": "2999-01-01T00:00:00Z"}
    other = line | {"direction": "short"}
    for wrong, told in ((late, "decided_at: 2999"), (other, "key: 'a' names another decision")):
        file.write_text(f"{json.dumps(line | {'key': 'e'})}\n{json.dumps(wrong)}\n")
        bad = command("role", "record", ROLE, "--file", str(file))
        assert (bad.code, f"afterword: decisions[1].{told}" in bad.err) == (2, True)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--direction", "up"), "direction"),
        (("--confidence", "7"), "confidence"),
        (("--inputs", "["), "inputs"),
        (("--decided-at", "yesterday"), "decided_at"),
        (("--context", "/nowhere.json"), "context"),
        (("--context", "/dev/zero"), "context: '/dev/zero' is not a regular file"),
        (("--context", "x" * 300), "context"),
        (("--file", "/nowhere.jsonl"), "file"),
    ],
)
def test_bad_input_is_one_line_and_makes_nothing(command, record, more, named):
    done = record(*more)

    assert (done.code, done.err.count("\n")) == (2, 1)
    assert f"afterword: {named}" in done.err
    assert command("role", "list", ROLE, "--json").json == []


def test_before_there_is_any_file_the_roles_are_there_and_a_typo_is_told(command, home):
    found = {one["role"]: one for one in command("role", "list", "--json").json}
    assert found[ROLE]["decisions"] == 0
    assert ROLE in command("role", "list").out
    assert command("role", "list", ROLE).out == "no decisions\n"
    for line in (("list", "market.nosuch"), ("list", "market.nosuch", "--state", "parked")):
        done = command("role", *line)
        assert (done.code, done.err.count("\n"), ROLE in done.err) == (1, 1, True)
    done = command("role", "record")
    assert (done.code, "role: is missing" in done.err, ROLE in done.err) == (2, True, True)
    assert not home.exists()


def test_a_role_nobody_knows_is_told_beside_those_that_are_there(command, record):
    record()
    assert command("role", "list", "market.nosuch").code == 1
    assert command("role", "list", "market.perps.swing").out == "no decisions\n"


def test_a_decision_is_told_from_its_making_to_its_lesson(command, clock, tmp_path, record):
    context = tmp_path / "context.json"
    context.write_text(json.dumps({"prompt": "x" * 900}))
    more = ("--inputs", '{"rsi": 71}', "--context", str(context), "--key", "turn-1")
    record(*more, "--confidence", "0.7")
    waits = dict(line.split("  ", 1) for line in command("role", "show", "1").out.splitlines())
    assert list(waits) == [
        *("decision", "role", "made by", "key", "decided", "recorded", "asset", "direction"),
        *("confidence", "text", "inputs", "context", "ripe", "state"),
    ]
    assert waits["inputs"].strip() == '{"rsi": 71}'
    assert waits["context"].endswith("… (914 characters; --json has all)")
    command("role", "reflect")
    told = [line.split("  ", 1)[0] for line in command("role", "show", "1").out.splitlines()]
    assert told[: len(waits)] == list(waits)
    assert told[len(waits) :] == [
        *("entry", "exit", "change", "noise band", "after costs"),
        *("measured over", "entered", "trend before", "base rate", "against it", "with it"),
        *("after 1 d",),
        *("outcome", "class", "judged", "story", "reflected"),
    ]
    lines = command("role", "show", "1").out
    assert " at 2" in lines and "SOLUSDT of test" in lines
    assert "in 24 h, band" in lines
    assert not any(line.split("  ", 1)[-1].strip() == "" for line in lines.splitlines())
    shown = command("role", "show", "1", "--json").json
    assert len(shown["context"]["prompt"]) == 900
    assert shown["ripe_at"] > shown["decision"]["decided_at"]


def test_what_the_judge_saw_is_shown_on_request(command, record):
    record("--inputs", '{"rsi": 71}')
    waiting = command("role", "show", "1", "--evidence")
    assert (waiting.code, "has no evidence" in waiting.err) == (1, True)
    command("role", "reflect")

    seen = command("role", "show", "1", "--evidence", "--json").json
    assert (seen["judge"], seen["decision"]["inputs"]) == ("heuristic", {"rsi": 71})
    assert seen["record"]["stretches"] == 0
    assert json.loads(command("role", "show", "1", "--evidence").out) == seen


def test_a_decision_tells_what_it_took_the_place_of_and_what_took_its_own(command, record):
    record()
    uid = command("role", "show", "1", "--json").json["decision"]["uid"]
    record("--supersedes", uid, text="Buy SOL at 180")

    first, second = command("role", "show", "1").out, command("role", "show", "2").out
    assert "by decision 2" in first and "skipped: superseded" in first
    assert "supersedes  decision 1" in second


def test_what_is_refused_makes_no_group(command, home, tmp_path):
    file = tmp_path / "decisions.jsonl"
    file.write_text('{"decision": "Buy", "asset": "SOL"}\n')
    for more in (("Buy",), ("--file", str(file)), ("Buy", "--file", str(file))):
        done = command("role", "record", ROLE, *more)
        assert (done.code, done.err.count("\n")) == (2, 1)
    assert not home.exists()


@pytest.mark.parametrize(
    "beside", [("--asset", "SOL"), ("--confidence", "0"), ("--key", "a"), ("--inputs", "{}")]
)
def test_beside_a_file_nothing_of_a_decision_is_given(command, tmp_path, beside):
    file = tmp_path / "decisions.jsonl"
    file.write_text("")
    done = command("role", "record", ROLE, "--file", str(file), *beside)

    assert (done.code, "file: is given beside a decision" in done.err) == (2, True)


def test_the_lessons_that_fit_a_decision_at_hand_come_first(command, store, clock, ids):
    at = clock().isoformat()
    for text, lesson in (("Bought the breakout", "Wait"), ("Faded the spike", "Size down")):
        command("role", "record", ROLE, text, "--asset", "SOL", "--direction", "long")
        clock.advance(hours=1)
        decision = command("role", "list", ROLE, "--json").json[0]["id"]
        learned(store, decision, lesson, clock())

    def recalled(*more):
        found = command("role", "recall", ROLE, "--all", *more, "--json").json
        return [one["text"] for one in found]

    assert recalled() == ["Size down", "Wait"]
    assert recalled("--like", "A breakout") == ["Wait", "Size down"]
    assert recalled("--like", "A breakout", "--limit", "1") == ["Wait"]
    assert recalled("--like", "A breakout", "--as-of", at) == []
    asked = ("--like", "A breakout", "--all")
    told = command("role", "recall", ROLE, "--all", "--like", "A breakout").out
    assert told.startswith("1. one case       Wait\n   about          SOL\n   known since    2026-")
    assert "   decision       1\n   comes because  " in told
    prompt = command("role", "recall", "market.spot", "--prompt", *asked).out
    assert prompt.index("Wait") < prompt.index("Size down")


def test_a_mark_by_hand_decides(command, record):
    record()
    assert "marked right" in command("role", "mark", "1", "right", "--note", "Hedged.").out
    command("role", "reflect", ROLE)

    decision = command("role", "show", "1", "--json").json["decision"]
    assert (decision["verdict"]["outcome"], decision["verdict"]["by"]) == ("right", "mark")
    assert command("role", "mark", "1", "wrong", "--note", "No.").code == 1
    refused = command("role", "mark", "1", "maybe", "--note", "No.")
    assert (refused.code, "outcome: is 'maybe'" in refused.err) == (2, True)
    assert command("role", "mark", "99", "right", "--note", "No.").code == 1


def test_reflecting_on_nothing_and_on_nobody(command, fallen):
    nothing = "reflected  0\nno decision waits for a judgement\n"
    assert command("role", "reflect").out == nothing
    assert command("role", "reflect", "market.moon").code == 1
    assert command("role", "recall", "market.moon").code == 1
    assert "nothing that evidence confirms yet" in command("role", "recall", ROLE).out


def test_as_of_a_moment_nothing_later_is_listed(command, store, clock, record):
    record()
    at = clock().isoformat()
    clock.advance(hours=1)
    learned(store, 1, "If it gaps, wait.", clock())

    (then,) = command("role", "list", ROLE, "--as-of", at, "--json").json
    assert (then["state"], then["verdict"], then["lesson"]) == ("pending", None, None)
    assert command("role", "recall", ROLE, "--all", "--as-of", at, "--json").json == []
    assert len(command("role", "recall", ROLE, "--all", "--json").json) == 1


def test_a_model_that_is_to_judge_and_is_not_there_is_named(command, record):
    record()
    done = command("role", "reflect", env={"AFTERWORD_ROLE_JUDGE": "model"})

    assert (done.code, "AFTERWORD_ROLE_JUDGE" in done.err) == (2, True)


def test_of_parked_decisions_no_past_is_told(command, record):
    record()
    now = command.clock().isoformat()
    refused = command("role", "list", "--state", "parked", "--as-of", now)

    assert refused.code == 2
    assert "pending (the parked among them), skipped or reflected" in refused.err
    (waits,) = command("role", "list", "--state", "pending", "--as-of", now, "--json").json
    told = {name: waits[name] for name in ("retry_at", "tries", "embedding_state", "reason")}
    assert set(told.values()) == {None}
