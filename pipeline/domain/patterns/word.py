"""Have a model word the confirmed patterns of roles; its words are checked before they count."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.patterns import form_rows
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.writer import PatternWriter, cleaned, refusal_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import UnusableAnswerError
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.rules.text.line import one_line

MOST_WORDED: Final = 12
"""Questions of one run: so many answers fit into the job's deadline."""

MAX_REFUSAL: Final = 300
"""Characters of a stored refusal."""


class Wording(NamedTuple):
    """How patterns are worded: the model, and the mode of the switch `word_pattern`."""

    writer: PatternWriter
    mode: Mode


def word_patterns(
    store: Store, writer: PatternWriter, role_ids: Sequence[str], mode: Mode, clock: Clock
) -> int:
    """Ask a model to word the confirmed patterns that it was not asked about; return how many.

    A pattern is asked about once: with other numbers it is another form. What was settled before an
    error stays.

    Args:
        mode: of the switch `word_pattern`. In the shadow the words are recorded beside the
            template.

    Raises:
        PostponedError: nothing may be asked for now.
        UnavailableError: no answer; another try may succeed.
    """
    if not mode.is_enabled:
        return 0
    with reading(store) as conn:
        patterns = form_rows.to_word(conn, role_ids)[:MOST_WORDED]
    for pattern in patterns:
        # No transaction is open while a model is asked: it must not hold the only writer.
        words, refusal = _asked(writer, pattern, store.address)
        _keep(store, writer.name, pattern, words, refusal, mode, clock)
    return len(patterns)


def _asked(writer: PatternWriter, pattern: Pattern, group: str) -> tuple[str, str | None]:
    """Return the words, and why they are refused; None if they are not."""
    if families_of(pattern.text, *(own.asset for own in pattern.numbers.assets)):
        return "", "the name of an asset reads like an order to the agent"
    try:
        words = cleaned(writer.word(pattern, group))
    except (UnusableAnswerError, InvalidInputError) as error:
        return "", one_line(f"gave no usable answer: {error}", MAX_REFUSAL)
    refusal = refusal_of(words, pattern)
    return words, None if refusal is None else one_line(refusal, MAX_REFUSAL)


def _keep(
    store: Store,
    name: str,
    pattern: Pattern,
    words: str,
    refusal: str | None,
    mode: Mode,
    clock: Clock,
) -> None:
    """Write what was said; only accepted words of a switched-on task take the template's place."""
    with writing(store) as conn:
        now = clock()
        is_kept = refusal is None and mode.has_effect
        recorded = None if is_kept else words or None
        if not form_rows.keep_asked(conn, pattern.id, name, recorded, refusal, to_micros(now)):
            return  # other numbers took its place meanwhile
        if is_kept:
            row_id = form_rows.reword(conn, pattern.id, words, name, to_micros(now))
            detail = {"role": pattern.role_id, "replaces": pattern.id}
            changed = [ChangedRow(row_id, detail=detail)]
            audit(conn, now, "system", "pattern.word", "role_patterns", changed)
    result = "kept" if is_kept else "refused" if refusal is not None else "shadow"
    emit("pattern.worded", result=result, role=pattern.role_id, refusal=refusal)
