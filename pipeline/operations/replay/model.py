"""What a replay is made of, and how far it is."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config

from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.errors import CorruptStoreError
from afterword.pipeline.rules.market.signals import RuleName

_FORMAT: Final = 1
"""Version of the settings of a replay."""

InputKind = Literal["prices", "factors", "decisions", "trades", "group"]
ReplayState = Literal["preparing", "running", "done"]


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class ReplayInput:
    """What was read once, at the start of a replay.

    Args:
        name: of the file without its folder, or of the group.
        sha256: digest of the bytes of the file; empty for a group.
        reading: options of the command that said how the file is read, as typed; empty if none.
    """

    kind: InputKind
    name: str
    sha256: str = ""
    reading: str = ""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """All that decides what becomes of a replay; equal settings give an equal state.

    Args:
        inputs: in the order in which they were read.
        rules: who decides by a rule, with the parameters of each as text.
        horizon_hours: after which rule decisions are judged: 24, 168, 720 or 2160.
        every_hours: time between two decisions of a rule about one asset.
        placebos: whether decisions without skill run beside.
        seed: of ids and of placebos.
        gate, fdr, pattern_error: as the settings of the same names.
        judge: `heuristic`, or the name of the model whose answers a cassette has.
        known_until: the last day that the model may know, such as `2025-03-31`; empty if unknown.
        begins_at: first moment of the replay; `ends_at` its last pass; microseconds.
    """

    inputs: tuple[ReplayInput, ...]
    rules: tuple[tuple[RuleName, str], ...]
    horizon_hours: int
    every_hours: int
    placebos: bool
    seed: int
    gate: MethodGate
    fdr: float
    pattern_error: float
    judge: str
    known_until: str
    begins_at: int
    ends_at: int
    format: int = field(default=_FORMAT)

    def as_json(self) -> str:
        """Return the settings as one canonical line."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @property
    def digest(self) -> str:
        """The SHA-256 of the settings, as 64 hexadecimal digits."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()


_SETTINGS: Final = TypeAdapter(ReplaySettings)


def read_settings(text: str, name: str) -> ReplaySettings:
    """Return stored settings.

    Args:
        name: of the replay, for the message.

    Raises:
        CorruptStoreError: another program wrote them, or a newer one.
    """
    try:
        return _SETTINGS.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise CorruptStoreError(
            f"replay {name}: its settings cannot be read ({where}: {first['msg']}); a newer "
            "Afterword wrote them, or they are damaged"
        ) from None


@dataclass(frozen=True, slots=True)
class ReplayStatus:
    """How far a replay is; moments in microseconds.

    Args:
        cursor: everything up to this pass is done.
        state_hash: digest of all that is done, the last of its chain; empty before the first link.
        decisions: prepared ones; `recorded` of these so far; counts.
        events: rows that became known in the links of the chain (count).
    """

    name: str
    settings: ReplaySettings
    state: ReplayState
    cursor: int
    state_hash: str
    decisions: int
    recorded: int
    events: int


@dataclass(frozen=True, slots=True)
class ReplayLink:
    """One link of the chain: a fixed span of simulated time.

    Args:
        events: rows that became known in it; count.
        digest: of these rows alone.
        chain: of these and of all before.
    """

    number: int
    from_at: int
    to_at: int
    events: int
    digest: str
    chain: str
