"""Check the learnings of a group: how many there are, and whether their counts are sums."""

from collections.abc import Iterator

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.learnings.read_rows import counts, review_counts, wrong_counts
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


def check_learnings(file: SoundFile) -> Iterator[Finding]:
    """Count the learnings and reviews of one group; there is no finding if it has none."""
    with reading(file.store) as conn:
        states, reviews, wrong = counts(conn, None), review_counts(conn), wrong_counts(conn)
    if not states and not reviews:
        return
    subject = f"memory of {file.name}"
    kept = ", ".join(f"{number:,} {state}" for state, number in sorted(states.items())) or "none"
    reviewed = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(reviews.items()))
    yield Finding(subject, "fine", f"learnings: {kept}; turns reviewed: {reviewed or 'none'}")
    if wrong:
        says = f"{wrong:,} learnings have other counts than their turns, or no words"
        remedy = "`afterword learning rm` removes one; turns teach it again"
        yield Finding(subject, "wrong", says, remedy)
