"""The job of the prices area."""

from typing import Final

from afterword.pipeline.core.jobs.model import Kind

FETCH_PRICES: Final = Kind("fetch_prices", batch=64, deadline_s=600.0)
"""Payload: `{}`, or `{"stretch": key}` where the job ends the rest of a stretch. Each run asks for
whatever is missing and does not rest; rests that end together are one run."""

KEY: Final = "prices.fetch"
"""Key of the job that goes on where a run ended: the one its schedule entry adds."""
