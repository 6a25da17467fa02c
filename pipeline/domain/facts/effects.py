"""What comparing facts writes: the real effects, or in the shadow only a record of the verdicts.

The switch `judge_facts` chooses between the two (`effects_of`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from sqlalchemy import Connection

from afterword.pipeline.domain.facts import rows
from afterword.pipeline.domain.facts.judge import FACT_REASON_CHARS, FactVerdict
from afterword.pipeline.domain.facts.rows import FactVersion
from afterword.pipeline.gateway.switches import Mode


class FactEffects(Protocol):
    """Which facts wait to be compared, and what a judge's verdicts on them do."""

    def unjudged(self, conn: Connection, limit: int) -> list[FactVersion]:
        """Return the facts to compare, the oldest first."""
        ...

    def effective(self, verdicts: Sequence[FactVerdict]) -> list[FactVerdict]:
        """Return the verdicts that take effect."""
        ...

    def mark_judged(self, conn: Connection, fact: FactVersion) -> None:
        """Note that a fact was compared with everything stated before it."""
        ...


class RealFactEffects:
    """Verdicts count."""

    def unjudged(self, conn: Connection, limit: int) -> list[FactVersion]:
        """See `FactEffects`."""
        return rows.unjudged(conn, after=0, limit=limit)

    def effective(self, verdicts: Sequence[FactVerdict]) -> list[FactVerdict]:
        """Return them as they are."""
        return list(verdicts)

    def mark_judged(self, conn: Connection, fact: FactVersion) -> None:
        """See `FactEffects`."""
        rows.judged(conn, fact.id, fact.said_at)


class ShadowFactEffects:
    """Every fact is kept, and the judge's verdict becomes the recorded reason.

    The shadow has its own progress, so each fact is asked about again once verdicts count.
    """

    def unjudged(self, conn: Connection, limit: int) -> list[FactVersion]:
        """Return the facts that neither reality nor the shadow has compared."""
        return rows.unjudged(conn, after=0, limit=limit, in_shadow=True)

    def effective(self, verdicts: Sequence[FactVerdict]) -> list[FactVerdict]:
        """Return verdicts that keep every fact, with the judge's words as their reasons."""
        return [_kept(verdict) for verdict in verdicts]

    def mark_judged(self, conn: Connection, fact: FactVersion) -> None:
        """Note it for the shadow only."""
        rows.judged(conn, fact.id, fact.said_at, in_shadow=True)


class NoFactEffects(ShadowFactEffects):
    """Facts are not compared: as the shadow, and no fact waits."""

    def unjudged(self, conn: Connection, limit: int) -> list[FactVersion]:  # noqa: ARG002
        """Return nothing."""
        return []


def effects_of(mode: Mode) -> FactEffects:
    """Return what comparing facts writes in a mode of its switch."""
    real: FactEffects = RealFactEffects()
    return mode.choose(real, shadow=ShadowFactEffects(), off=NoFactEffects())


def _kept(verdict: FactVerdict) -> FactVerdict:
    reason = f"in the shadow, {verdict.relation}: {verdict.reason}"
    return replace(verdict, relation="keep", reason=reason[:FACT_REASON_CHARS])
