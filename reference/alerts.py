"""Every alert of `deploy/prometheus/alerts.yml`, and when it fires."""

from pathlib import Path
from typing import Any

import yaml

from reference.markdown import code, page, table

ALERTS = Path(__file__).parents[1] / "deploy" / "prometheus" / "alerts.yml"

INTRODUCTION = """The rules of [`alerts.yml`](../../deploy/prometheus/alerts.yml). A *page* means \
that no job runs, or that money or data is at risk; a *ticket* can wait until the end of the day. \
Each leads to its section of the [runbook](../runbook.md): how to check it, and what to do."""


def alerts_page() -> str:
    """Return the page: one table, and the queries below it."""
    groups = yaml.safe_load(ALERTS.read_text())["groups"]
    alerts = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    queries = [f"### {rule['alert']}\n\n```promql\n{rule['expr'].strip()}\n```" for rule in alerts]
    return page(
        "Alerts",
        INTRODUCTION,
        table(("alert", "severity", "holds for", "what to do first"), map(_row, alerts)),
        "## Queries",
        *queries,
    )


def _row(rule: dict[str, Any]) -> tuple[str, str, str, str]:
    name, notes = rule["alert"], rule["annotations"]
    link = f"[{name}](../runbook.md#{name.lower()})"
    return link, rule["labels"]["severity"], code(rule.get("for")), notes["action"]
