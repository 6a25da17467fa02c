"""Post-hoc evidence: read-only sources a judge may use, limited to what was known at a moment.

What they return is third-party text: data, never instructions.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Literal, Protocol

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.outcomes.probes import Claim
from afterword.pipeline.domain.outcomes.tools import Evidence, Tool, get_price
from afterword.pipeline.domain.prices.feed import (
    LookAheadError,
    PriceSource,
    asset_of,
    refuse_future,
)
from afterword.pipeline.errors import InvalidInputError

MOST_ITEMS: Final = 50
MOST_CHARACTERS: Final = 2000
_MOST_BYTES: Final = 64 * 1024 * 1024


class Snapshots(Protocol):
    """A record of news or of a chain: what became known about an asset in a span of time."""

    def about(
        self, asset: str, start: datetime, end: datetime, known_by: datetime
    ) -> Iterable[Evidence]:
        """Return what became known from `start` to `end`, both included."""
        ...


@dataclass(frozen=True, slots=True)
class RefetchSource:
    """Ask a tool of the skill again, with the data there was at the decision.

    Args:
        tool: its name in the registry; an unknown one stops the start.
        params: input of the decision for each parameter of the tool (`{"symbol": "asset"}` is
            R2's `asset→symbol`).
    """

    tool: str
    params: Mapping[str, str] = field(default_factory=lambda: {"symbol": "asset"})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Read a record of what may have moved the market between decision and outcome.

    Args:
        kind: `news` or `onchain`.
        lookback_hours: how long before the decision the record is read from.
    """

    kind: Literal["news", "onchain"]
    asset_field: str = "asset"
    lookback_hours: int = 24


PostHocSpec = RefetchSource | Snapshot


@dataclass(frozen=True, slots=True)
class PostHoc:
    """The registered read-only sources, chosen once at the composition root.

    Args:
        tools: by the name a `RefetchSource` gives.
        snapshots: by the kind a `Snapshot` gives; a missing one yields no evidence.
    """

    tools: Mapping[str, Tool] = field(default_factory=lambda: {"get_price": get_price})
    snapshots: Mapping[str, Snapshots] = field(default_factory=dict)

    def check(self, specs: Iterable[PostHocSpec]) -> None:
        """Refuse declarations of unregistered sources; called at start.

        Raises:
            InvalidInputError: the first of them.
        """
        for spec in specs:
            if isinstance(spec, RefetchSource):
                _check_known("tool", spec.tool, self.tools)
            elif spec.kind not in ("news", "onchain"):
                raise InvalidInputError("kind", f"is {spec.kind!r}", "news or onchain")

    def known(
        self, spec: PostHocSpec, claim: Claim, prices: PriceSource, known_by: datetime
    ) -> tuple[Evidence, ...]:
        """Return the evidence a source had at a moment.

        Args:
            known_by: `claim.decided_at` for evidence the decision could have used; its due moment
                for what explains the outcome, which must not count against the decision.

        Raises:
            LookAheadError: a source returned something later.
        """
        return limited_to(known_by, _read(self, spec, claim, prices, known_by))


def limited_to(known_by: datetime, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return evidence in order of time: the last `MOST_ITEMS`, each text cut to its limit.

    Raises:
        LookAheadError: an item is later than `known_by`; then none of them can be trusted.
        InvalidInputError: an item is not evidence.
    """
    items = [_checked(item) for item in evidence]
    items.sort(key=lambda item: (item.known_at, item.source, item.text))
    for item in items:
        if item.known_at > known_by:
            problem = f"{item.source} has an item of {iso(item.known_at)}"
            raise LookAheadError("evidence", problem, f"what was known by {iso(known_by)}")
    return tuple(
        Evidence(item.source, item.known_at, item.text[:MOST_CHARACTERS])
        for item in items[-MOST_ITEMS:]
    )


class FileSnapshots:
    """A record in a file: JSON lines of `known_at`, `asset` (or null: the whole market), `text`.

    Args:
        source: name of its evidence, such as `news`.

    Raises:
        InvalidInputError: the file, or a line of it, cannot be read.
    """

    def __init__(self, source: str, path: Path) -> None:
        self._source = source
        self._items = _read_lines(path)

    def about(
        self, asset: str, start: datetime, end: datetime, known_by: datetime
    ) -> Sequence[Evidence]:
        """See `Snapshots`."""
        refuse_future(end, known_by)
        key = asset_of(asset)
        return [
            Evidence(self._source, at, text)
            for at, about, text in self._items
            if start <= at <= end and about in (None, key)
        ]


def _checked(item: object) -> Evidence:
    """Refuse what a registered source returned in place of evidence."""
    accepted = "Evidence(source, known_at, text), known_at with its time zone"
    if not isinstance(item, Evidence):
        raise InvalidInputError("its answer", f"has a {type(item).__name__}", accepted)
    if not (isinstance(item.text, str) and isinstance(item.source, str)):
        raise InvalidInputError("its answer", "has evidence without text", accepted)
    if not isinstance(item.known_at, datetime) or item.known_at.tzinfo is None:
        raise InvalidInputError("its answer", f"has the moment {item.known_at!r}", accepted)
    return item


def _read(
    sources: PostHoc, spec: PostHocSpec, claim: Claim, prices: PriceSource, known_by: datetime
) -> Iterable[Evidence]:
    if isinstance(spec, RefetchSource):
        params = {name: claim.inputs.get(of) for name, of in spec.params.items()}
        return sources.tools[spec.tool](params, prices, known_by)
    asset, record = claim.inputs.get(spec.asset_field), sources.snapshots.get(spec.kind)
    if record is None or not isinstance(asset, str):
        return ()
    start = claim.decided_at - timedelta(hours=spec.lookback_hours)
    return record.about(asset, start, known_by, known_by)


def _check_known(field_name: str, name: str, registered: Mapping[str, object]) -> None:
    if name not in registered:
        known = ", ".join(sorted(registered)) or "none is registered"
        raise InvalidInputError(field_name, f"no read-only source {name!r}", known)


def _read_lines(path: Path) -> list[tuple[datetime, str | None, str]]:
    accepted = '{"known_at": "2026-01-05T00:00:00Z", "asset": "BTC", "text": "..."}'
    if not path.is_file() or path.stat().st_size > _MOST_BYTES:
        raise InvalidInputError(path.name, "is not a file, or too large", f"JSON lines: {accepted}")
    items = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            row = json.loads(line)
            at, about, text = datetime.fromisoformat(row["known_at"]), row["asset"], row["text"]
            if at.tzinfo is None or not isinstance(text, str) or not isinstance(about, str | None):
                raise ValueError
        except (ValueError, LookupError, TypeError, RecursionError):
            place = f"{path.name}: line {number}"
            raise InvalidInputError(place, "is not an item", accepted) from None
        items.append((at, None if about is None else asset_of(about), text))
    return items
