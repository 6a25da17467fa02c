"""A desk of five roles, as what each of them hands in."""

from typing import Any

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.core.store.content_hash import content_hash

SETTING = "AFTERWORD_INSTITUTION_LEARNING_ENABLED"


def portfolio(**given: Any) -> dict[str, Any]:
    """Return what a portfolio manager fills in."""
    return {
        "direction": "long",
        "confidence": 0.7,
        "horizon_days": 7,
        "trigger": "It broke out of its range today",
        "base_case": "It trades above the range for a week",
        "thesis": "Supply falls while demand grows",
    } | given


def outputs(*methods: str, **given: Any) -> list[dict[str, Any]]:
    """Return what five roles hand in; the portfolio manager decides by `given`."""
    forms = [
        ("market analyst", "analyst_report", {"direction": "long", "summary": "RSI at 28"}),
        ("bull", "debate_argument", {"side": "bull", "claim": "It is cheap"}),
        ("risk", "risk_assessment", {"level": "low", "verdict": "approve", "reasons": "Small"}),
        (
            "trader",
            "trader_proposal",
            {"direction": "long", "horizon_days": 7, "rationale": "Buy the break"},
        ),
    ]
    made = [
        {"role": role, "form": form, "output": {"confidence": 0.6, **output}}
        for role, form, output in forms
    ]
    made[0]["output"]["methods"] = list(methods)
    return [*made, {"role": "pm", "form": "portfolio_decision", "output": portfolio(**given)}]


def hashes(store: Store) -> dict[str, str]:
    """Return the digest of each table of the group."""
    with reading(store) as conn:
        tables = conn.exec_driver_sql(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            " AND name NOT LIKE '%_fts%' AND name NOT LIKE 'sqlite_%'"
        ).scalars()
        return {name: content_hash(conn, name) for name in tables.all()}
