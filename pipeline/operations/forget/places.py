"""The places: columns that can hold stored content, and how each one is erased."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Place:
    """Columns of one table that can hold stored content.

    Args:
        words: columns of plain text.
        json: columns of JSON; their strings are compared unescaped.
        erase: the statement that erases the rows `:ids`, a JSON array of rowids.
        does: its effect in one word: `erased` or `blanked`.
        names: the condition that a row refers to one of the memories `:memories`, a JSON array of
            their ids; empty if no row does.
        quotes: whether a row may quote a part of a text, as errors do.
    """

    table: str
    words: tuple[str, ...]
    json: tuple[str, ...]
    erase: str
    does: str = "erased"
    names: str = ""
    quotes: bool = False


_THESE: Final = "rowid IN (SELECT value FROM json_each(:ids))"
_NAMES_JOB: Final = "payload ->> 'memory_id' IN (SELECT value FROM json_each(:memories))"

MEMORIES: Final = Place(
    "memories",
    ("content", "scenario_id", "embedding_error"),
    ("metadata", "tags"),
    f"DELETE FROM memories WHERE {_THESE}",
)
FILLS: Final = Place(
    "perps_fills",
    ("sub_account_id", "wallet_address"),
    ("raw_json",),
    f"DELETE FROM perps_fills WHERE {_THESE}",
)
"""The venue's own record of trades: erased only on request."""

PLACES: Final = (
    MEMORIES,
    Place("user_profile", ("key", "value"), (), f"DELETE FROM user_profile WHERE {_THESE}"),
    Place(
        "turns",
        ("message", "reply"),
        ("tool_calls",),
        f"UPDATE turns SET message = '', reply = NULL, tool_calls = '[]' WHERE {_THESE}",
        "blanked",
    ),
    Place(
        "session_snapshots",
        ("body",),
        (),
        f"DELETE FROM session_snapshots WHERE {_THESE}",
        names="EXISTS (SELECT 1 FROM json_each(memory_ids) AS shown"
        " WHERE shown.value IN (SELECT value FROM json_each(:memories)))",
    ),
    Place(
        "sessions",
        ("label",),
        (),
        f"UPDATE sessions SET label = NULL WHERE {_THESE}",
        "blanked",
    ),
    Place(
        "memory_consolidation_events",
        ("said",),
        (),
        f"UPDATE memory_consolidation_events SET said = '' WHERE {_THESE}",
        "blanked",
        quotes=True,
    ),
    # Before the decisions: erasing a decision removes its context, which the proof must know.
    Place(
        "decision_contexts",
        (),
        ("body",),
        f"DELETE FROM decision_contexts WHERE {_THESE}",
    ),
    Place(
        "role_shadows",
        ("said",),
        (),
        f"DELETE FROM role_shadows WHERE {_THESE}",
        quotes=True,
    ),
    Place(
        "role_memory",
        (
            *("decision", "asset", "record_key", "scenario_id", "why", "mark_note"),
            *("narrative", "lesson", "embedding_error"),
        ),
        ("inputs", "measured"),
        f"DELETE FROM role_memory WHERE {_THESE}",
    ),
    # Before the errors of jobs: a job that is erased as a whole need not be blanked.
    Place("jobs", (), ("payload",), f"DELETE FROM jobs WHERE {_THESE}", names=_NAMES_JOB),
    Place(
        "jobs",
        ("last_error", "last_traceback", "waits_for"),
        (),
        "UPDATE jobs SET last_error = NULL, last_traceback = NULL, waits_for = NULL"
        f" WHERE {_THESE}",
        "blanked",
        quotes=True,
    ),
    Place(
        "job_runs",
        ("note",),
        (),
        f"UPDATE job_runs SET note = NULL WHERE {_THESE}",
        "blanked",
        quotes=True,
    ),
)
"""Every place, in the order in which they are erased."""

QUIET: Final = {
    "store_identity": "kind group_name instance_id",
    # Of jobs: names of kinds and states, uids of workers; keys are ids or an account's name.
    "jobs": "kind key state lease_owner gate",
    "job_runs": "kind outcome owner",
    "job_stats": "kind outcome",
    "paused_kinds": "kind note",
    "cron_entries": "entry spec",
    "cron_ticks": "entry",
    # Fixed words and uids; grams are derived from the content and change with it.
    "memories": "uid category source origin type session_id embedding_state grams",
    # These rows are erased with their memory.
    "memory_edges": "src_table dst_entity_kind dst_entity_key edge_type src_category",
    "memory_vectors": "vector",
    "memory_absences": "cause",
    "facts": "state fingerprint",
    "embedding_models": "provider model",
    "audit_log": "actor tool_call object_table session_id detail",
    # These rows are erased with their fills, if fills are requested.
    "perps_fills": "oid symbol side dir size price start_position closed_pnl fee fee_token"
    " fill_uid",
    "fill_gaps": "sub_account_id symbol expected_position found_position",
    "round_trips": "trip_uid digest sub_account_id symbol direction first_fill_uid entry_px exit_px"
    " max_size flags",
    # Market prices hold no stored content.
    "price_series": "source symbol asset",
    "prices": "open high low close volume",
    "price_splits": "source symbol",
    "sessions": "uid handle",
    "turns": "uid outcome",
    "session_snapshots": "surface memory_ids",
    "memory_consolidation_events": "kind decided_by detail",
    "decision_contexts": "hash",
    # Ids, fixed words, names of models, and the key of the asset.
    "role_memory": "uid role_id skill_id session_id origin asset_key direction context_hash state"
    " reason mark outcome classification classified_by lesson_by embedding_state",
    "role_vectors": "vector",
    "role_shadows": "task said_by classification",
    "role_stats": "role_id state reason outcome classification classified_by",
    "erasures": "sealed",
}
"""All other columns of text or bytes, by table: ids, fixed words and numbers."""
