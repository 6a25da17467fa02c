"""A browser without a window: what it asks, the forms of its pages, and what it is told."""

import http.client
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import urlencode

from afterword.pipeline.testing.network_door import NetworkDoor

FORM = "application/x-www-form-urlencoded"


def ask(
    door: NetworkDoor,
    method: str,
    path: str,
    fields: Mapping[str, str] | None = None,
    **headers: str,
) -> tuple[int, dict[str, str], str]:
    """Return the answer to one request, as no script of a browser could send it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = None if fields is None else urlencode(fields)
    if body is not None:
        named.setdefault("Content-Type", FORM)
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=60)
    try:
        connection.request(method, path, body, named)
        answer = connection.getresponse()
        lowered = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, lowered, answer.read().decode()
    finally:
        connection.close()


def cookie_of(door: NetworkDoor, role: str = "owner") -> str:
    """Return the cookie of a browser in which a token was typed."""
    status, headers, _body = ask(door, "POST", "/login", {"token": door.tokens[role]})
    assert (status, headers["location"]) == (303, "/")
    return headers["set-cookie"].split(";")[0]


def token_in(page: str) -> str:
    """Return what the forms of a page carry."""
    match = re.search(r'name="form_token" value="(\w+)"', page)
    assert match is not None
    return match[1]


class Told(NamedTuple):
    """What a person reads after sending a form."""

    status: int
    words: str


@dataclass
class Visitor:
    """Somebody who was let in."""

    door: NetworkDoor
    cookie: str

    def see(self, path: str) -> str:
        """Return a page as HTML."""
        status, _headers, page = ask(self.door, "GET", path, Cookie=self.cookie)
        assert status == 200, page
        return page

    def send(self, path: str, fields: Mapping[str, str]) -> Told:
        """Send a form; return the words of the page that comes next, in small letters."""
        status, headers, page = ask(self.door, "POST", path, fields, Cookie=self.cookie)
        if status == 303:
            status, _headers, page = ask(self.door, "GET", headers["location"], Cookie=self.cookie)
        return Told(status, text_of(page).lower())


@dataclass
class Page(HTMLParser):
    """The forms of a page by their address, with what they send, and its buttons."""

    forms: dict[str, dict[str, str]] = field(default_factory=dict)
    buttons: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._form: dict[str, str] | None = None
        self._is_button = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and given.get("method") == "post":
            self._form = self.forms.setdefault(given.get("action") or "", {})
        elif tag == "input" and given.get("type") == "hidden" and self._form is not None:
            self._form[given.get("name") or ""] = given.get("value") or ""
        self._is_button = tag == "button"

    def handle_endtag(self, tag: str) -> None:
        self._form = None if tag == "form" else self._form
        self._is_button = False

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._is_button:
            self.buttons.append(data)


def page_of(html: str) -> Page:
    """Return what a page holds."""
    page = Page()
    page.feed(html)
    return page


def text_of(html: str) -> str:
    """Return the words of a page, with each space as one."""
    return " ".join(" ".join(page_of(html).words).split())
