"""Check that the stored patterns are those that the outcomes of their decisions give."""

from collections.abc import Iterator

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.patterns.form_rows import count_states
from afterword.pipeline.domain.patterns.verify import doubts, weigh_again
from afterword.pipeline.operations.doctor.fix import Tools
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


def check_patterns(file: SoundFile) -> Iterator[Finding]:
    """Weigh the patterns of one group again; there is no finding if it has none."""
    with reading(file.store) as conn:
        patterns = sum(number for _, _, number in count_states(conn))
        found = list(doubts(conn))
    subject = f"memory of {file.name}"
    for one in found:
        said = "1 pattern" if one.patterns == 1 else f"{one.patterns:,} patterns"
        says = f"{said} of {one.role_id} not as its outcomes give them"
        remedy = "afterword doctor --fix --only patterns --apply"
        yield Finding(subject, "wrong", says, remedy, private=(one.role_id,))
    if patterns and not found:
        yield Finding(subject, "fine", f"patterns: {patterns:,}, as their outcomes give them")


def fix_patterns(tools: Tools) -> tuple[int, str]:
    """Write the patterns anew that their outcomes do not give."""
    with reading(tools.store) as conn:
        found = list(doubts(conn))
    if found and tools.apply:
        with writing(tools.store) as conn:
            found = list(doubts(conn))
            for one in found:
                weigh_again(conn, one, tools.now)
            tools.log(conn, "patterns", "role_patterns", sum(one.patterns for one in found))
    patterns = sum(one.patterns for one in found)
    return patterns, "writes patterns anew that their outcomes do not give"
