"""Every metric that areas declare, by name. A process exposes no other metric."""

from typing import Final

from afterword.pipeline.areas import all_areas

OTHER: Final = "other"
"""Label of kinds and models that this program does not know; it bounds the number of labels."""

OTHER_ROLES: Final = "other roles"
"""Label of all roles beyond the first hundred; its blank keeps it apart from ids of roles."""

NO_SKILL: Final = "no skill"
"""Label of roles that no skill declares any more."""

CATALOGUE: Final = {metric.name: metric for area in all_areas() for metric in area.metrics}
"""Every metric: its meaning, labels and buckets."""
