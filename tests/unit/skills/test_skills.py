"""What a skill declares is checked at the start, and found where it is put."""

import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.skills import (
    Custom,
    Manual,
    PeerRelative,
    PriceDelta,
    RefetchSource,
    RoleRegistry,
    Skill,
)
from afterword.pipeline.domain.skills import discover as discovery
from afterword.pipeline.domain.skills.builtin import BUILTIN, VALUATION
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.domain.skills.template import PROMPT_PLACES, fill, misplaced
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.testing.roles import role_of, skill_of


def with_policy(**changes):
    role = role_of()
    return replace(role, reflection_policy=replace(role.reflection_policy, **changes))


def test_the_built_in_skills_have_several_roles_each_under_their_own_probe():
    registry = RoleRegistry(BUILTIN)
    probes = {role.id: role.reflection_policy.outcome_probe for role in registry}

    assert probes["analysis.valuation.target_price"] == PriceDelta(168)
    assert isinstance(probes["analysis.valuation.peer_comp"], PeerRelative)
    assert {registry.owner(role).id for role in registry} == {
        "analysis.valuation",
        "market.spot",
        "market.perps",
    }
    assert len(registry) == 5


@pytest.mark.parametrize(
    ("role", "named"),
    [
        (role_of("elsewhere.calls"), "is not a role of skill desk"),
        (role_of("desk.Calls"), "is not an id"),
        (replace(role_of(), label=" "), "label: is blank"),
        (replace(role_of(), failure_modes=()), "failure_modes"),
        (replace(role_of(), reflection_prompt=" "), "reflection_prompt: is blank"),
        (replace(role_of(), reflection_prompt="{price}"), "unknown place {price}"),
        (replace(role_of(), reflection_prompt="{asset.id}"), "unknown place {asset.id}"),
        (replace(role_of(), reflection_prompt="{asset!r}"), "unknown place"),
        (replace(role_of(), reflection_prompt="{asset"), "is not a template"),
        (with_policy(min_age_hours=23), "min_age_hours: is 23"),
        (with_policy(max_age_hours=23), "max_age_hours: is 23"),
        (with_policy(max_age_hours=True), "max_age_hours: is True"),
        (with_policy(triggers=("noon",)), "triggers: name 'noon'"),
        (with_policy(triggers=()), "triggers: are none"),
        (with_policy(cron_expr="every day"), "cron_expr"),
        (with_policy(cron_expr="R * * * *"), "cron_expr"),
        (with_policy(cron_expr="0 0 30 2 *"), "cron_expr: is '0 0 30 2 *'"),
        (with_policy(outcome_probe=Custom("whales", 1)), "no outcome probe 'whales'"),
        (with_policy(outcome_probe=PeerRelative(24)), "peers"),
        (with_policy(post_hoc_probes=(RefetchSource("get_news"),)), "'get_news'"),
        (with_policy(post_hoc_probes=RefetchSource("get_price")), "post_hoc_probes: is of type"),
        (with_policy(post_hoc_probes=("get_price",)), "post_hoc_probes: is of type str"),
        (with_policy(outcome_probe="price_delta"), "outcome_probe: is of type str"),
        (with_policy(outcome_probe=PriceDelta("24")), "window_hours: is '24'"),
        (with_policy(triggers="cron"), "triggers: is of type str"),
        (replace(role_of(), label=None), "label: is of type NoneType"),
        (replace(role_of(), failure_modes="late"), "failure_modes: is of type str"),
        (replace(role_of(), reflection_prompt=None), "reflection_prompt: is of type NoneType"),
        (replace(role_of(), reflection_policy=None), "reflection_policy: is of type NoneType"),
    ],
)
def test_a_role_that_could_not_be_reflected_on_stops_the_start_by_name(role, named):
    with pytest.raises(InvalidInputError, match=re.escape(named)):
        RoleRegistry([Skill("desk", (role,))])


def test_a_bad_cron_expression_of_a_role_that_has_no_use_for_it_is_borne():
    assert RoleRegistry([skill_of(with_policy(cron_expr="", triggers=("on_new_write",)))])


def test_two_skills_or_roles_of_one_id_stop_the_start():
    with pytest.raises(InvalidInputError, match="declare desk twice"):
        RoleRegistry([skill_of(role_of()), skill_of(role_of("desk.others"))])
    one, other = Skill("desk", (role_of("desk.calls.a"),)), Skill("desk.calls", ())
    other = replace(other, memory_roles=(role_of("desk.calls.a"),))
    with pytest.raises(InvalidInputError, match=r"desk\.calls\.a twice, in desk and desk\.calls"):
        RoleRegistry([one, other])


def test_a_role_alone_without_its_comma_is_no_list_of_roles():
    with pytest.raises(InvalidInputError, match=r"skill 'desk': memory_roles: is of type Role"):
        RoleRegistry([Skill("desk", role_of())])


def test_two_roles_the_schedule_could_not_tell_apart_stop_the_start():
    with pytest.raises(InvalidInputError, match=r"desk\.a_b and desk\.a\.b"):
        RoleRegistry([Skill("desk", (role_of("desk.a_b"), role_of("desk.a.b")))])


def test_a_role_nobody_declares_is_not_found():
    registry = RoleRegistry(BUILTIN)
    assert registry.find("market.moon") is None
    with pytest.raises(NotFoundError, match=r"market\.moon"):
        registry.role("market.moon")
    with pytest.raises(NotFoundError, match="moon"):
        registry.skill("moon")


def test_a_file_in_the_home_declares_skills_and_registers_what_they_ask(tmp_path: Path):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine.py").write_text(
        "from afterword import Custom, ReflectionPolicy, Role, Skill\n"
        "class Whales:\n"
        "    def outcome(self, claim, due, known_by): ...\n"
        "PROBES = {'whales': Whales()}\n"
        "policy = ReflectionPolicy(Custom('whales', 4), 4, 48)\n"
        "MINE = Skill('mine', (Role('mine', 'M', ('late',), '{decision}', policy),))\n"
    )
    registry = load_roles(tmp_path)

    assert registry.role("mine").reflection_policy.outcome_probe == Custom("whales", 4)
    assert registry.owner(registry.role("mine")).id == "mine"
    assert len(registry) == 6


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("1 / 0", r"skills/mine\.py: cannot be loaded \(ZeroDivisionError"),
        ("raise SystemExit(0)", r"skills/mine\.py: cannot be loaded \(SystemExit"),
        ("SKILLS = []", r"skills/mine\.py: declares nothing"),
        ("PROBES = []", r"skills/mine\.py: PROBES: is a list"),
        ("TOOLS = {'get_price': print}", r"registers 'get_price' twice"),
        (
            "from afterword.pipeline.domain.skills.builtin import VALUATION",
            r"analysis\.valuation twice",
        ),
    ],
)
def test_a_file_that_does_not_work_stops_the_start_by_name(tmp_path: Path, words, named):
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine.py").write_text(words)

    with pytest.raises(InvalidInputError, match=named):
        load_roles(tmp_path)


def test_a_file_may_hold_dataclasses_whose_annotations_are_text(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "mine.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "@dataclass\n"
        "class Whales:\n"
        "    least: int = 3\n"
        "    def outcome(self, claim, due, known_by): ...\n"
        "PROBES = {'whales': Whales()}\n"
    )

    assert load_roles(tmp_path).probes.custom["whales"].least == 3


def test_an_installed_package_declares_skills_by_an_entry_point(tmp_path: Path, monkeypatch):
    module = ModuleType("theirs")
    module.THEIRS = skill_of(role_of("theirs.calls"))

    class Point:
        name = "theirs"

        def load(self):
            return module

    monkeypatch.setattr(discovery, "entry_points", lambda **_: [Point()])

    assert load_roles(tmp_path).role("theirs.calls").label == "Desk call"


def test_a_role_without_a_probe_needs_no_window():
    assert RoleRegistry([skill_of(role_of(probe=Manual(), min_age_hours=0))])


@given(st.dictionaries(st.sampled_from(PROMPT_PLACES), st.text(), min_size=len(PROMPT_PLACES)))
def test_what_stands_in_a_place_is_not_read_as_a_template(values):
    template = "{{x}} " + " ".join(f"{{{place}}}" for place in PROMPT_PLACES)

    assert misplaced(template) is None
    assert fill(template, values) == "{x} " + " ".join(values[place] for place in PROMPT_PLACES)


def test_the_sample_of_the_requirements_can_be_declared_as_it_stands():
    (role, _) = VALUATION.memory_roles
    policy = role.reflection_policy
    assert (policy.min_age_hours, policy.max_age_hours) == (168, 720)
    assert (policy.triggers, policy.cron_expr) == (("cron", "on_price_fetch"), "0 6 * * *")
    assert policy.post_hoc_probes == (RefetchSource("get_price", {"symbol": "asset"}),)


def test_the_example_of_the_pages_can_be_declared_and_its_line_recorded(
    tmp_path: Path, command, stores
):
    pages = (Path(__file__).parents[3] / "docs" / "skills.md").read_text()
    part = pages.split("## A role that prices judge")[1]
    blocks = re.findall(r"```(python|json)\n(.*?)```", part, re.S)
    (_, code), (_, line) = blocks[:2]
    (stores.home / "skills").mkdir()
    (stores.home / "skills" / "desk.py").write_text(code)
    (tmp_path / "one.jsonl").write_text(line)

    assert "desk.breakout" in command("role", "list").out
    assert command("role", "record", "--file", str(tmp_path / "one.jsonl")).code == 0
