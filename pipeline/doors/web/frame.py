"""The frame around views: head, navigation, filters and forms, from templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from afterword.pipeline.doors.render.html import fragment
from afterword.pipeline.doors.render.markup import Html, join
from afterword.pipeline.doors.render.page import paragraph
from afterword.pipeline.doors.render.style import STYLE
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.declared import DeclaredPages
from afterword.pipeline.doors.web.model import PageContent, PageForm
from afterword.pipeline.views.blocks import View
from afterword.pipeline.views.words import printable

_HERE: Final = Path(__file__).parent

_PARTS: Final = {"trades": "Trades", "memory": "Memory", "operator": "Operator"}
"""The parts of the navigation, in their order."""


@dataclass(frozen=True, slots=True)
class PageFrame:
    """What stands around the content of one page.

    Args:
        path: of its declaration, which the navigation marks.
        back: its own address, to which a refused form leads back.
        form_token: which its forms carry.
        notice: what the last action did, if it led here.
    """

    title: str
    path: str
    back: str
    form_token: str
    notice: str = ""
    is_refusal: bool = False


def static_files() -> dict[str, tuple[str, bytes]]:
    """Return the style sheet and the script with their media types, by name."""
    own = (_HERE / "static/site.css").read_text()
    return {
        "site.css": ("text/css; charset=utf-8", (STYLE + own).encode()),
        "site.js": ("text/javascript; charset=utf-8", (_HERE / "static/site.js").read_bytes()),
    }


def whole_page(
    by: PageCaller, frame: PageFrame, content: PageContent, declared: DeclaredPages
) -> str:
    """Return a page as HTML."""
    groups = [*by.parts.stores.groups()]
    if by.group not in groups:
        groups = sorted([*groups, by.group])
    html: str = _template("page.html").render(
        frame=frame,
        title=printable(content.title or frame.title),
        parts=[_part(by, part, declared) for part in content.parts],
        filters=content.filters,
        navigation=_navigation(by, declared),
        groups=groups,
        group=by.group,
        named_group="" if by.group == by.settings.group else by.group,
        who=by.session.called,
        is_owner=by.is_owner,
        version=_version(),
    )
    return html


def live_parts(by: PageCaller, content: PageContent) -> str:
    """Return the views of a page alone, each in its place."""
    return "".join(
        f'<div data-part="{place}">{_html(by, part)}</div>\n'
        for place, part in enumerate(content.parts)
        if isinstance(part, View)
    )


def login_page(refusal: str, following: str) -> str:
    """Return the page that asks for a token, or says how to open a link.

    Args:
        refusal: why the last try opened nothing; empty for none.
        following: path that is shown after it.
    """
    html: str = _template("login.html").render(
        title="Open the pages", refusal=refusal, following=following, version=_version()
    )
    return html


def _part(by: PageCaller, part: View | PageForm, declared: DeclaredPages) -> dict[str, Any]:
    if isinstance(part, View):
        return {"html": Markup(_html(by, part))}
    may = by.session.role in declared.callers_of_action(part.action)
    return {"form": part if may else None, "address": by.address(part.action)}


def _html(by: PageCaller, view: View) -> Html:
    note = [paragraph(view.note, kind="quiet")] if view.note else []
    return join(*note, fragment(view, by.resolve()))


def _navigation(
    by: PageCaller, declared: DeclaredPages
) -> Sequence[tuple[str, Sequence[tuple[str, str, str]]]]:
    """Return the pages of each part, with address and title; the path marks the present one."""
    return [
        (
            title,
            [
                (page.path, by.address(page.path), page.title)
                for page in declared.pages
                if page.section == part and by.session.role in page.callers.split()
            ],
        )
        for part, title in _PARTS.items()
    ]


@cache
def _version() -> str:
    """Return a name for the present style sheet and script: a browser keeps each for good."""
    digest = sha256(b"".join(content for _type, content in static_files().values()))
    return digest.hexdigest()[:12]


@cache
def _template(name: str) -> Any:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
