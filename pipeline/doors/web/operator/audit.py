"""How healthy the learning loop is, and how that changed."""

from datetime import timedelta

from afterword.pipeline.domain.audit.read import read_audit, read_audits
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.views.methods.audit import audit_report, audit_trend
from afterword.pipeline.views.numbers import sparkline


def audit(by: PageCaller, days: int = 90) -> PageContent:
    """Return the last report, and the trend of some days."""
    reports = read_audits(by.store(), since=by.now() - timedelta(days=days))
    line = sparkline([report.composite for report in reports])
    parts = [audit_report(read_audit(by.store())), audit_trend(reports, line, days)]
    return PageContent(parts, filters=[PageField("days", "Days to look back", "number", str(days))])


def one_audit(by: PageCaller, audit: str) -> PageContent:
    """Return one report."""
    return PageContent([audit_report(read_audit(by.store(), audit))], title="Audit")
