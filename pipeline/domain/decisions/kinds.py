"""The jobs of role memory."""

from typing import Final

from afterword.pipeline.core.jobs.model import Kind

REFLECT_ENTRIES: Final = Kind("reflect_entries", deadline_s=1_200.0)
"""Payload: `{"role": id}`. Its deadline holds a pass of `asking.LONGEST_PASS`, and the two answers
that were asked for last."""

EXTRACT_ROLE_EDGES: Final = Kind("extract_role_edges", batch=128)
EMBED_ROLE_ENTRIES: Final = Kind("embed_role_entries", batch=64, deadline_s=120.0)
"""Payload of both: `{"role_memory_id": id}`."""
