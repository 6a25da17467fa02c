"""A case: what was shown, what was done, and what came of it."""

from typing import Final, Literal

CaseState = Literal["pending", "resolved", "unresolved"]
"""`resolved`: every citation is closed, and one has an outcome. `unresolved`: none could be had."""

CitationState = Literal["pending", "right", "wrong", "noise", "unresolved"]

Standing = Literal["counts", "direction", "class", "late", "before", "withdrawn"]
"""Whether a citation casts a vote. If not: the decision points another way, is about another class
of assets, was recorded too late, was made before the methodology was known, or was withdrawn before
its outcome."""

ATTRIBUTION_MODEL: Final = "equal-1"
"""How a result is shared: equally among the ids cited; what no methodology that counts can have is
the unattributed rest."""
