"""Labels that come from outside, kept to a bounded number."""

from dataclasses import dataclass, field

from afterword.workers.observability.catalogue import OTHER


@dataclass(slots=True)
class BoundedNames:
    """Shows the first names that come by themselves, and any further one as `other`.

    Args:
        most: names that are shown; count.
    """

    most: int
    _seen: set[str] = field(default_factory=set)

    def label(self, name: str) -> str:
        """Return what a name is shown as; always the same."""
        if len(self._seen) < self.most:
            self._seen.add(name)
        return name if name in self._seen else OTHER
