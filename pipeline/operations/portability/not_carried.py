"""The tables of a group that no export carries, each with the reason."""

from typing import Final

DERIVED: Final[dict[str, str]] = {
    "indexes of words, names and vectors, made again from the rows": (
        "memories_fts memory_edges memory_vectors embedding_models role_vectors learning_terms "
        "methodology_terms"
    ),
    "counts, made again as rows come in": "role_stats outcome_stats role_weighings",
    "what passes find in the rows again": (
        "injection_flags trade_verdicts trading_summary_parts capital_parts"
    ),
}
"""Tables that the import, or the jobs after it, make again; by what they are."""

NOT_CARRIED: Final[dict[str, str]] = {
    "the evidence that this file was not changed": (
        "store_identity chain_blocks audit_log erasures"
    ),
    "what was deleted, and what can be undone, in this file": (
        "memory_absences memory_purges memory_consolidation_events"
    ),
    "work that is to do, and how far it is": (
        "jobs job_runs job_stats paused_kinds cron_entries cron_ticks rebuilds rebuild_cursors "
        "minara_history_sync_state preference_minings ended_turns"
    ),
    "the clients of this home, and what sessions were shown": (
        "client_sessions client_days client_answers session_snapshots turn_tags workspace_files "
        "workspace_sessions workspace_bootstraps"
    ),
    "replays, each in a file of its own": "replay_runs replay_decisions replay_links",
}
"""Tables that stay in this file, by the reason; a backup has them."""
