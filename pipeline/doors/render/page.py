"""The document: a head with its rules for the browser, a title, and parts below each other."""

import re
from collections.abc import Mapping
from typing import Final

from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.style import POLICY, STYLE

_UNIT: Final = re.compile(r"(?<=\d) (?=%|σ|[A-Z]{3,5}\b)")
"""The blank in `57 %`, `12 σ` and `12 USDT`: a line must not end there."""


def report_page(title: str, note: str, *parts: str) -> str:
    """Return a whole HTML file.

    Args:
        note: below the title: what the report is made from, and until when.
        parts: HTML, or text that becomes escaped.
    """
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        # The digest in the policy is that of these very bytes.
        element("style", Html(STYLE)),
    )
    heading = element("header", element("h1", title), element("p", note, class_="quiet"))
    body = element("body", heading, element("main", *parts))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def section(heading: str, *parts: str, level: int = 2, name: str | None = None) -> Html:
    """Return parts below a heading.

    Args:
        level: of the heading, from 2.
        name: under which links find it.
    """
    return element("section", element(f"h{level}", heading), *parts, id=name)


def contents(headings: Mapping[str, str]) -> Html:
    """Return a line of links to sections.

    Args:
        headings: by the name of the section.
    """
    links = (element("a", heading, href=f"#{name}") for name, heading in headings.items())
    return element("nav", *links, aria_label="On this page")


def paragraph(*parts: str, kind: str | None = None) -> Html:
    """Return a paragraph of text and HTML.

    Args:
        kind: of the style sheet: `lead` is what must be read, `named` what differs by more than
            chance.
    """
    return element("p", *map(_unbroken, parts), class_=kind)


def badge(word: str) -> Html:
    """Return a word in a frame, such as the state of a pattern."""
    return element("span", word, class_="badge")


def code(line: str) -> Html:
    """Return a command as it is typed."""
    return element("code", line)


def opened(summary: str, *parts: str) -> Html:
    """Return a summary that opens a list of small parts."""
    return element("details", element("summary", summary), element("div", *parts, class_="list"))


def fields(values: Mapping[str, str]) -> Html:
    """Return names and values, one a line."""
    pairs = (
        join(element("dt", name), element("dd", _unbroken(value))) for name, value in values.items()
    )
    return element("dl", *pairs)


def _unbroken(part: str) -> Html:
    # Escaping makes every blank a plain one: the lasting one is put in after it.
    return part if isinstance(part, Html) else Html(_UNIT.sub("\u00a0", join(part)))
