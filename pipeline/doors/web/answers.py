"""Answers to a browser: with what it may load, and nothing that it keeps."""

from typing import Final

from starlette.responses import Response

from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.gateway.access.pages import HOME_HEADER
from afterword.pipeline.views.blocks import Fields, Paragraph, View
from afterword.pipeline.views.cells import Ref

PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a browser may load for a page: the style sheet and the script of this server."""

_TITLES: Final = {
    403: "Not allowed",
    404: "Not found",
    409: "Changed meanwhile",
    422: "Not accepted",
    429: "A limit is reached",
    503: "Not available",
}


def answer_html(html: str, status: int, home: str = "", etag: str = "") -> Response:
    """Return a page, or its views, as the answer to a browser.

    Args:
        home: digest of the installation.
        etag: under which the script keeps the views.
    """
    headers = {
        "cache-control": "no-store",
        "content-security-policy": PAGE_POLICY,
        # With no-referrer a browser would hide the origin of a form.
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        HOME_HEADER: home,
    }
    if etag:
        headers["etag"] = etag
    body = html.encode("utf-8", "replace")
    return Response(body, status, headers, media_type="text/html; charset=utf-8")


def answer_text(words: str, status: int) -> Response:
    """Return a few words to the script."""
    return Response(words, status, {"cache-control": "no-store"}, "text/plain; charset=utf-8")


def problem_content(status: int, words: str, back: str) -> PageContent:
    """Return a page that says why something was refused, and leads back.

    Args:
        back: address of the page that it came from.
    """
    refusal = View([Paragraph(_sentence(words), "warning")])
    way = View([Fields({"go on": Ref("Back to the page as it is now", "page", back)})])
    return PageContent([refusal, way], _TITLES.get(status, "Failed"), status=status)


def empty_content(group: str) -> PageContent:
    """Return what every page shows of a group in which nothing was ever written."""
    begin = (
        "Nothing was written in the group yet. An agent's first memory makes it, or the import of "
        "your trades: `afterword history import FILE`."
    )
    return PageContent([View([Paragraph(begin), Fields({"group": group})])])


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"
