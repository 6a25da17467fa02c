"""Every metric that areas declare, by name; nothing else may be exposed."""

from typing import Final

from afterword.pipeline.areas import all_areas

OTHER: Final = "other"
"""Label of a kind or a model this program does not know: labels stay bounded."""

OTHER_ROLES: Final = "other roles"
"""Label of the roles there are too many of; with a blank, which no role's id has."""

NO_SKILL: Final = "no skill"
"""Label of the roles no skill declares any more."""

CATALOGUE: Final = {metric.name: metric for area in all_areas() for metric in area.metrics}
"""Every metric: its meaning, labels and buckets."""
