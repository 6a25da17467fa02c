"""`afterword skill check`: a skill file tried out before a process starts with it."""

import re
from pathlib import Path

import pytest

from afterword.pipeline.domain.skills.template import PROMPT_PLACES

PAGE = Path(__file__).parents[3] / "docs" / "skills.md"

ROLE = """
from afterword import Custom, Evidence, ReflectionPolicy, RefetchSource, Role, Skill, marked
POLICY = ReflectionPolicy(Custom("whales", 4), 4, 48, post_hoc_probes=(RefetchSource("news"),))
PROMPT = "{asset} {decision} {window} {pnl} {evidence} {type}"
DESK = Skill("desk", (Role("desk.calls", "Calls", ("late",), PROMPT, POLICY),))
class Whales:
    def outcome(self, claim, due, known_by):
        <probe>
def news(params, prices, known_by):
    <tool>
PROBES = {"whales": Whales()}
TOOLS = {"news": news}
"""


@pytest.fixture
def check(tmp_path: Path, command):
    """Write a skill file outside the home, and check it."""

    def one(text: str, *more: str):
        path = tmp_path / "desk.py"
        path.write_text(text)
        return command("skill", "check", str(path), *more)

    return one


def role(probe: str = "return marked('right', 'they held')", tool: str = "return []") -> str:
    return ROLE.replace("<probe>", probe).replace("<tool>", tool)


def test_the_example_of_the_page_is_fine_and_shows_what_it_declares(check):
    code, _judged_by_prices = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)

    done = check(code)

    assert done.code == 0, done.out
    assert "whales.follow" in done.out
    assert "registered probe 'wallet_flows', due after 72 h" in done.out
    assert "cron (0 7 * * * UTC)" in done.out
    assert "After 72 hours: long lost 4.20 %" in done.out
    assert re.search(r"probe wallet_flows \(whales\.follow\) +right: \+29 wallets", done.out)
    assert re.search(r"tool top_holders \(whales\.follow\) +1 item .* when decided", done.out)
    assert done.out.endswith("nothing was stored\n")


def test_a_check_stores_nothing_and_makes_no_home(check, home):
    check(role())

    assert not (home / "instance.sqlite").exists()


def test_every_place_of_a_prompt_is_filled(check):
    (shown,) = check(role(), "--json").json["roles"]

    assert [place for place in PROMPT_PLACES if f"{{{place}}}" in shown["prompt"]] == []
    assert "Buy BTC above 60,000" in shown["prompt"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (role("return claim.inputs['wallet']"), "failed (KeyError: 'wallet' at desk.py:8)"),
        (role("return True"), "failed (InvalidInputError: its answer: is of type bool"),
        (
            role(tool="raise ConnectionError('down')"),
            "failed (ConnectionError: down at desk.py:10)",
        ),
        (role(tool="return [{'text': 'x'}]"), "failed (InvalidInputError: its answer: has a dict"),
        (
            role(tool="return [Evidence('n', known_by.replace(year=2100), 'x')]"),
            "failed (LookAheadError: evidence: n has an item of 2100-",
        ),
    ],
)
def test_code_that_fails_is_told_and_the_status_is_not_0(check, text, said):
    done = check(text, "--json")

    assert done.code == 1
    assert [one["answer"] for one in done.json["sources"] if not one["is_fine"]] != []
    assert any(one["answer"].startswith(said) for one in done.json["sources"])


def test_inputs_of_the_sample_decision_can_be_given(check):
    text = role("return marked('right', claim.inputs['wallet'])")

    done = check(text, "--inputs", '{"wallet": "0xab"}', "--json")

    assert done.json["sources"][0]["answer"] == "right: 0xab"
    assert check(text, "--inputs", "[]").code == 2


def test_a_file_that_would_stop_a_start_is_refused_with_its_name(check):
    done = check(role().replace("4, 48", "1, 48"))

    assert done.code == 2
    assert "desk.py: role 'desk.calls': min_age_hours: is 1" in done.err


def test_a_file_stands_in_for_the_one_of_its_name_in_the_home(check, home):
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "desk.py").write_text(role())

    assert check(role()).code == 0


def test_a_file_of_the_home_is_checked_in_its_place(command, home):
    (home / "skills").mkdir(parents=True)
    (home / "skills" / "desk.py").write_text(role())

    done = command("skill", "check", str(home / "skills" / "desk.py"), "--json")

    assert (done.code, done.json["file"]) == (0, "skills/desk.py")


def test_what_a_file_prints_is_not_a_part_of_the_answer(check):
    done = check("print('hello')\n" + role(), "--json")

    assert done.json["is_fine"]


def test_a_file_that_is_not_there_is_said(command):
    done = command("skill", "check", "nothing.py")

    assert done.code == 1
    assert "there is no file nothing.py" in done.err


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (role("while True: pass"), "probe whales"),
        (role(tool="__import__('threading').Event().wait()"), "tool news"),
        ("while True: pass", "loading it"),
    ],
)
def test_code_that_never_ends_is_ended_with_one_line(check, tmp_path, text, where):
    done = check(text, "--limit-s", "3")

    said = f"{tmp_path}/desk.py: {where} took more than 3 s and was ended; --limit-s allows more"
    assert (done.code, done.out) == (1, "")
    assert done.err.strip().endswith(said)
    assert len(done.err.strip().splitlines()) == 1


def test_code_that_ends_its_process_is_told(check):
    done = check(role("__import__('os')._exit(3)"))

    assert done.code == 1
    assert "desk.py: probe whales ended the whole process" in done.err
