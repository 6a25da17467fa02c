"""The jobs that a written memory causes; their payload is `{"memory_id": id}`."""

from typing import Final

from afterword.pipeline.core.jobs.model import Kind

# More rows cost less each, but occupy the only writer longer: with 128, 99 of 100 writes beside two
# busy workers take under 25 ms, and some 9,000 rows/s drain; with 256 they wait up to 50 ms.
EXTRACT_EDGES: Final = Kind("extract_edges", batch=128)

# 64 texts are one request; its own deadline (a setting) is far shorter than this one.
EMBED_MEMORIES: Final = Kind("embed_memories", batch=64, deadline_s=120.0)
