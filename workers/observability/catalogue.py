"""Every metric that areas declare, by name. A process exposes no other metric."""

from typing import Final

from afterword.pipeline.areas import all_areas

CATALOGUE: Final = {metric.name: metric for area in all_areas() for metric in area.metrics}
"""Every metric: its meaning, labels and buckets."""
