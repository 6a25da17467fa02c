"""A bounded number of label values for names that come from outside."""

from dataclasses import dataclass, field

from afterword.workers.observability.catalogue import OTHER


@dataclass(slots=True)
class BoundedNames:
    """Returns the first names as they are, and `other` for any further name.

    Args:
        most: names that are shown (count).
    """

    most: int
    _seen: set[str] = field(default_factory=set)

    def label(self, name: str) -> str:
        """Return the label of a name; it is always the same for the same name."""
        if len(self._seen) < self.most:
            self._seen.add(name)
        return name if name in self._seen else OTHER
