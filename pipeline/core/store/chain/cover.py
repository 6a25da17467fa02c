"""The tables that the chain covers: what a prompt can show, what decides it, and what money is."""

from typing import Any, Final, NamedTuple

ROW_DIGEST: Final = "afterword_row"
"""The SQL function that names a row without an id."""

ID_COLUMNS: Final = ("id", "memory_id", "turn_id", "session_id")
"""Columns that are the id of their row where they are the whole key."""

COVERED: Final[dict[str, str]] = {
    "audit_log": "",
    "memories": "grams embedding_state embedding_error",
    "memory_parents": "",
    "memory_absences": "",
    "memory_purges": "",
    "injection_flags": "",
    "user_profile": "",
    "facts": "",
    "memory_consolidation_events": "",
    "chat_statements": "",
    "user_tags": "",
    "financial_profile": "",
    "onboarding_answers": "",
    "trading_summary_parts": "",
    "learned_preferences": "",
    "preference_observations": "",
    "learnings": "",
    "learning_turns": "",
    "learning_reviews": "",
    "role_memory": "embedding_state embedding_error retry_at tries",
    "role_patterns": "",
    "decision_contexts": "",
    "judge_evidence": "",
    "lesson_sets": "",
    "methodologies": "",
    "methodology_sightings": "",
    "methodology_lifecycle_events": "",
    "methodology_case_hints": "",
    "methodology_cases": "",
    "methodology_citations": "",
    "institution_runs": "",
    "institution_role_outputs": "",
    "institution_reflections": "",
    "sessions": "stores supersedes deletes decisions trades methodologies",
    "session_snapshots": "",
    "workspace_files": "",
    "workspace_sessions": "",
    "trade_history": "",
    "trip_tags": "",
    "trip_notes": "",
    "trade_verdicts": "",
    "strategy_runs": "",
    "perps_fills": "order_in_ms",
    "closed_trades": "",
    "round_trips": "",
    "fill_gaps": "",
    "history_files": "",
    "export_mappings": "",
    "accounts": "",
    "transfers": "",
    "account_values": "",
    "funding_payments": "",
    "external_spot_activities": "",
    "capital_parts": "",
    "capital_metrics": "",
    "outcomes": "",
    "price_splits": "",
    "price_classes": "",
}
"""The covered tables, each with the columns left out: what an upkeep job derives from the rest."""

NOT_COVERED: Final[dict[str, str]] = {
    "chain": "chain_blocks",
    "the search for memories, rebuilt from them": (
        "memories_fts memory_edges memory_vectors embedding_models role_vectors learning_terms "
        "methodology_terms import_keys"
    ),
    "counts, checked against their rows": "role_stats outcome_stats role_weighings",
    "the work that is to do": (
        "jobs job_runs job_stats paused_kinds cron_entries cron_ticks rebuilds rebuild_cursors "
        "minara_history_sync_state methodology_cron_runs preference_minings workspace_bootstraps"
    ),
    "turns and clients: shown to no later prompt": (
        "turns ended_turns turn_tags client_sessions client_days client_answers lesson_prompts "
        "role_shadows"
    ),
    "quotes of markets, many and fetched again; what is made of them is covered": (
        "prices price_series"
    ),
    "reports for people": "methodology_audit_reports",
    "the file itself": "store_identity erasures replay_runs replay_decisions replay_links",
}
"""All other tables of a group, by the reason."""


class CoveredTable(NamedTuple):
    """One covered table of a file.

    Args:
        key: the columns of its primary key.
        columns: all covered columns, the key's too.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]

    def row(self, of: str = "") -> str:
        """Return the SQL that names a row as a whole number: its id, or a digest of its key.

        Args:
            of: what stands before a column, such as `NEW.`.
        """
        key = ", ".join(of + name for name in self.key)
        return key if len(self.key) == 1 and self.has_id else f"{ROW_DIGEST}({key})"

    @property
    def has_id(self) -> bool:
        """Whether a row is named by its id, which no `VACUUM` changes."""
        return self.key[0] in ID_COLUMNS and len(self.key) == 1

    def values(self, of: str = "") -> str:
        """Return the covered columns, as SQL lists them."""
        return ", ".join(of + name for name in self.columns)


def layout_of(conn: Any) -> tuple[CoveredTable, ...]:
    """Return the covered tables of a file (raw connection), in the order of their numbers."""
    schema = conn.execute("PRAGMA user_version").fetchone()[0]
    if schema not in _layouts:  # asking takes a millisecond, and all files of a schema are alike
        tables = (_table(conn, name, COVERED[name].split()) for name in sorted(COVERED))
        _layouts[schema] = tuple(tables)
    return _layouts[schema]


_layouts: Final[dict[int, tuple[CoveredTable, ...]]] = {}


def _table(conn: Any, name: str, left_out: list[str]) -> CoveredTable:
    columns = conn.execute(
        "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,)
    ).fetchall()
    keys = sorted((place, column) for column, place in columns if place)
    return CoveredTable(
        name,
        tuple(column for _place, column in keys),
        tuple(column for column, _place in columns if column not in left_out),
    )
