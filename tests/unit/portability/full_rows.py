"""A row in each table that an export carries, beside those of the group that lived a little."""

import json
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import in_order
from afterword.pipeline.core.store import insert_row, read_value, run_sql

AT: Final = 1_750_000_000_000_000
"""When it was all known; microseconds."""

AMOUNTS: Final = {
    export.table: export.amounts.replace("?", "").split()
    for export in in_order(all_areas(), lambda area: area.exports)
}
_HASH: Final = "5" * 64
_COLUMNS: Final = (
    'SELECT name, type FROM pragma_table_info(?) WHERE "notnull" AND dflt_value IS NULL AND pk = 0'
)
_CONTEXT: Final = json.dumps({"seen": "BTC rose"})


def fill(conn: Connection) -> None:
    """Insert the rows; the memory, the fills and the methodology they name are the group's."""
    memory = read_value(conn, "SELECT id FROM memories ORDER BY id")
    fills = [row[0] for row in run_sql(conn, "SELECT id FROM perps_fills ORDER BY id").fetchall()]
    method = read_value(conn, "SELECT id FROM methodologies ORDER BY id DESC")
    uid = read_value(conn, "SELECT uid FROM methodologies ORDER BY id DESC")
    session = _row(conn, "sessions", uid="session-1", handle="handle-1", label="monday")
    turn = _row(
        *(conn, "turns"),
        uid="turn-1",
        session_id=session,
        message="Should I hold?",
        outcome="succeeded",
        busy_until=AT,
        finished_at=AT,
    )
    _about_the_user(conn, memory, turn)
    _learned(conn, turn)
    _decided(conn, method, uid)
    _traded(conn, fills)
    for table, values in _ALONE.items():
        _row(conn, table, **values)


def _about_the_user(conn: Connection, memory: int, turn: int) -> None:
    other = read_value(conn, "SELECT id FROM memories ORDER BY id LIMIT 1 OFFSET 1")
    run_sql(conn, "INSERT INTO memory_parents VALUES (?, ?)", (other, memory))
    run_sql(conn, "INSERT INTO import_keys VALUES (?, 'row-7')", (memory,))
    _row(
        *(conn, "chat_statements"),
        turn_id=turn,
        memory_id=memory,
        kind="goal",
        fingerprint="f",
        outcome="written",
    )
    _row(conn, "user_tags", dimension="risk", value="balanced", source="user")
    _row(
        *(conn, "onboarding_answers"),
        question="risk",
        answer="balanced",
        memory_id=memory,
    )
    flags = {"include_memories": 1, "include_trading_summary": 0, "include_tags": 1}
    before = {"reference_wallets_json": "[]", "custom_prompt": "Be brief.", **flags}
    first = _row(conn, "financial_profile", prompt_id=1, superseded_at=AT + 1, **before)
    later = {**before, "updated_at": AT + 1, "platform_wallet_summary": "Trades BTC."}
    _row(conn, "financial_profile", prompt_id=first, **later)


def _learned(conn: Connection, turn: int) -> None:
    learning = _row(
        *(conn, "learnings"),
        uid="learning-1",
        trigger="compare funding",
        tool_sequence='[{"tool_name": "funding", "args": {}}]',
        source="review",
        turn_id=turn,
        active_at=AT,
    )
    _row(conn, "learning_turns", turn_id=turn, learning_id=learning, arm="taught")
    run_sql(
        conn,
        "INSERT INTO learning_reviews (turn_id, reviewer, score, summary, suggested_trigger,"
        " suggested_tool_sequence, guidance, verdict, reason, learning_id, reviewed_at)"
        " VALUES (?, 'rule', 8, 'done', '', '[]', '', 'learned', 'twice', ?, ?)",
        (turn, learning, AT),
    )


def _decided(conn: Connection, method: int, uid: str) -> None:
    _row(conn, "decision_contexts", hash=_HASH, body=_CONTEXT)
    _row(conn, "judge_evidence", hash=_HASH, body=_CONTEXT)
    run_sql(conn, "INSERT INTO lesson_sets VALUES (?, '[]', ?)", (_HASH, AT))
    run_sql(conn, "INSERT INTO lesson_prompts VALUES ('r', ?, 0, ?, ?)", (_HASH, _HASH, AT))
    _row(conn, "methodology_case_hints", hash=_HASH, snapshot="[]")
    run = {"role_id": "desk.call", "skill_id": "desk", "asset": "BTC", "asset_key": "BTC"}
    decision = _row(
        *(conn, "role_memory"),
        uid="decision-1",
        origin="agent",
        decision="Buy BTC, since funding is negative",
        direction="long",
        methods=json.dumps([uid]),
        context_hash=_HASH,
        evidence_hash=_HASH,
        lessons_hash=_HASH,
        hint_hash=_HASH,
        recorded_by="agent",
        **run,
    )
    _row(conn, "role_shadows", role_memory_id=decision, task="classify_entry", said="variance")
    _row(
        *(conn, "outcomes"),
        subject_kind="decision",
        subject_id=decision,
        window_hours=24,
        rule_version=1,
        direction="long",
        verdict="right",
        window_verdict="right",
        exit_at=AT + 1,
    )
    case = _row(
        *(conn, "methodology_cases"),
        decision_id=decision,
        direction="long",
        cited=json.dumps([uid]),
        hint_hash=_HASH,
    )
    run_sql(
        conn,
        "INSERT INTO methodology_citations (case_id, methodology_id, standing, window_hours,"
        " due_at) VALUES (?, ?, 'counts', 24, ?)",
        (case, method, AT),
    )
    _row(
        *(conn, "methodology_sightings"),
        methodology_id=method,
        digest=_HASH,
        origin="agent",
        recognised_by="fields",
    )
    place = {"digest": _HASH, "direction": "long", "confidence": 0.5, "horizon_hours": 24}
    desk = _row(
        conn,
        "institution_runs",
        uid="run-1",
        decision_uid="decision-1",
        meta="{}",
        cited="[]",
        **place,
    )
    output = {"place": 0, "form": "analyst_report", "body": "{}", "cited": "[]"}
    _row(conn, "institution_role_outputs", run_id=desk, **output)
    note = {"kind": "manual", "digest": _HASH, "text": "It came back."}
    _row(conn, "institution_reflections", run_id=desk, **note)


def _traded(conn: Connection, fills: list[int]) -> None:
    gap = {"earlier_fill_id": fills[0], "later_fill_id": fills[1], "from_ms": 1, "to_ms": 2}
    _row(conn, "fill_gaps", expected_position="1", found_position="2", **gap)
    series = _row(conn, "price_series", source="file", symbol="BTC", asset="BTC")
    run_sql(
        conn,
        "INSERT INTO prices (series_id, t_open, revision, open, high, low, close, volume,"
        " first_known_at, known_at) VALUES (?, ?, 1, '1', '2', '1', '2', '9', ?, ?)",
        (series, AT, AT, AT),
    )


_ALONE: Final[dict[str, dict[str, Any]]] = {
    "preference_observations": {
        "dimension": "direction",
        "value": "long",
        "kind": "soft_preference",
        "seen_in": "trades",
        "is_against": 0,
        "evidence": "[]",
    },
    "role_patterns": {
        "direction": "long",
        "trend": "up",
        "side": "works",
        "state": "single",
        "assets": "[]",
        "numbers": "{}",
    },
    "methodology_cron_runs": {"trigger": "cron", "is_frozen": 0, "numbers": "{}"},
    "methodology_audit_reports": {
        "trigger": "cron",
        "dimension_scores": "{}",
        "dimension_weights_used": "{}",
        "findings": "[]",
        "advisory_actions": "[]",
    },
    "export_mappings": {"header": '["day"]'},
    "accounts": {"name": "desk", "venue": "hyperliquid", "kind": "own", "role": "user"},
    "funding_payments": {},
    "transfers": {"raw_json": "{}"},
    "account_values": {"is_unified": 0, "positions": "[]", "tokens": "[]"},
    "external_spot_activities": {
        "to_token": "ETH",
        "to_amount": "1",
        "status": "confirmed",
        "raw_json": "{}",
    },
    "capital_metrics": {
        "spot_holdings_micro_usd": 1,
        "perp_value_micro_usd": 2,
        "capital_total_micro_usd": 3,
        "tier": "tier_1",
        "parts": "[]",
    },
    "trade_history": {"side": "B", "decision_uid": "decision-1"},
    "history_files": {"digest": _HASH, "first_equal": "[]", "last_equal": "[]"},
    "closed_trades": {
        "kind": "perp",
        "direction": "long",
        "net_is_after": "fees",
        "raw_json": "{}",
    },
    "trip_tags": {"direction": "long", "origin": "owner", "tag": "breakout"},
    "trip_notes": {"direction": "long", "families": "[]", "note": "Too early."},
    "strategy_runs": {"symbols": "[]", "status": "running"},
    "price_splits": {},
    "price_classes": {"told_by": "owner"},
}
"""Rows that name no other one, by their table."""


def _row(conn: Connection, table: str, **values: Any) -> int:
    """Insert a row; a required column that is not named gets a moment, a 1 or its own name."""
    for name, kind in run_sql(conn, _COLUMNS, (table,)).fetchall():
        if name in AMOUNTS.get(table, ()):
            values.setdefault(name, "1.5")
        given = AT if name.endswith("_at") or name in ("since", "stretch") else 1
        values.setdefault(name, name if kind == "TEXT" else given)
    return insert_row(conn, table, values)
