"""What decisions show: the record of each role, its patterns, and the decisions behind one."""

from typing import Literal

from afterword.pipeline.domain.decisions.read import count_roles
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.model import PatternKey
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.operations.roles.hypotheses import hypothesis_story, list_hypotheses
from afterword.pipeline.operations.roles.summary import summarise_roles
from afterword.pipeline.rules.evidence.model import HYPOTHESES, Side
from afterword.pipeline.rules.setup import Direction, Trend
from afterword.pipeline.views.roles.pattern import pattern_list, pattern_story
from afterword.pipeline.views.roles.summary import role_summary

MOST_BEHIND = 100
"""Decisions on the page of a pattern."""

ShownPatterns = Literal["told", "all"]


def lessons(by: PageCaller) -> PageContent:
    """Return the record of each role against the base rate, and the patterns with their state."""
    store, level, now = by.store(), by.settings.pattern_error, by.now()
    registry = load_roles(by.settings.home)
    waiting = {count.role_id: count.waiting for count in count_roles(store, registry)}
    roles = [(role, waiting.get(role.id, {})) for role in registry]
    ageing = Ageing(now, by.settings.pattern_unplayed_days)
    summaries = summarise_roles(store, roles, level, None, ageing)
    shown = [each for each in summaries if each.classes or each.waiting or each.erased]
    lines = list_hypotheses(store, list(registry), level, None)
    parts = [
        pattern_list(lines, is_counted=bool(lines)),
        role_summary(shown, level, by.settings.group, is_past=False),
    ]
    return PageContent(parts)


def pattern(
    by: PageCaller, role: str, asset_class: str, direction: Direction, trend: Trend, side: Side
) -> PageContent:
    """Return one pattern: its numbers in words, the texts it had, and the decisions it counts."""
    asked, level = load_roles(by.settings.home).role(role), by.settings.pattern_error
    key = PatternKey(asked.id, asset_class, direction, trend, side)
    story = hypothesis_story(by.store(), asked, key, level, MOST_BEHIND, "", None)
    return PageContent([pattern_story(story, len(HYPOTHESES) / level, "")])
