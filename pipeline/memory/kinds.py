"""The jobs a written memory causes; the payload of each is `{"memory_id": id}`."""

from typing import Final

from pipeline.jobs.model import Kind

EXTRACT_EDGES: Final = Kind("extract_edges", batch=256)

# 64 texts are one request; its own deadline (a setting) is far shorter than this one.
EMBED_MEMORIES: Final = Kind("embed_memories", batch=64, deadline_s=120.0)
