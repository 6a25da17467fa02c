"""Who gets in, what a browser keeps, and what nobody can do without it."""

from contextlib import closing
from typing import Any

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores, writing
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.process import run_afterword
from tests.unit.web.raw import Visitor, ask, cookie_of, page_of, token_in


def test_a_link_opens_one_browser_once_and_leaves_no_secret_in_an_address(
    empty_browser: Any, empty_door: NetworkDoor
):
    opened = run_afterword(
        "open", "--no-browser", home=empty_door.home, http_port=empty_door.port
    )  # it finds the server that runs
    link = opened.stdout.strip().removeprefix("afterword: open ")
    empty_browser.driver.delete_all_cookies()
    empty_browser.driver.get(link)
    assert empty_browser.driver.current_url == f"{empty_browser.address}/overview"
    cookie = empty_browser.driver.get_cookies()[0]
    assert (cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (True, "Strict", "/")

    status, _headers, page = ask(empty_door, "GET", link.removeprefix(empty_browser.address))
    assert status == 403
    assert "used already" in page


def test_nobody_sees_a_page_without_being_let_in(empty_door: NetworkDoor):
    for path in ("/", "/jobs", "/nothing-here", "/jobs/7", "/budget"):
        status, headers, page = ask(empty_door, "GET", path)
        assert status in (303, 401)
        assert headers.get("location", "/login").startswith(("/login", "/overview"))
        assert "backlog" not in page


def test_an_agents_token_opens_no_page(empty_door: NetworkDoor):
    for token in (empty_door.tokens["agent"], "aw_owner_" + "0" * 64, "", "x" * 5_000):
        status, headers, _page = ask(empty_door, "POST", "/login", {"token": token})
        assert (status, headers.get("set-cookie")) == (403, None)


def test_the_end_of_a_token_or_a_browser_ends_its_session(empty_door: NetworkDoor):
    text = empty_door.issue("observer")
    _status, headers, _page = ask(empty_door, "POST", "/login", {"token": text})
    cookie = headers["set-cookie"].split(";")[0]
    assert ask(empty_door, "GET", "/budget", Cookie=cookie)[0] == 200

    listed = run_afterword("token", "ls", home=empty_door.home).stdout
    run_afterword("token", "revoke", listed.split("\n")[-2].split()[0], home=empty_door.home)
    assert ask(empty_door, "GET", "/budget", Cookie=cookie)[0] == 303

    cookie = cookie_of(empty_door)
    browsers = run_afterword("browsers", "ls", home=empty_door.home).stdout
    run_afterword("browsers", "end", browsers.split("\n")[-2].split()[0], home=empty_door.home)
    assert ask(empty_door, "GET", "/budget", Cookie=cookie)[0] == 303


def test_a_form_counts_only_from_its_own_browser(demo_door: NetworkDoor):
    cookie, other = cookie_of(demo_door), cookie_of(demo_door)
    token = token_in(ask(demo_door, "GET", "/budget", Cookie=cookie)[2])

    def stop(fields: dict[str, str], **headers: str) -> int:
        return ask(demo_door, "POST", "/budget/stop", fields, **headers)[0]

    assert stop({}, Cookie=cookie) == 403
    assert stop({"form_token": token}, Cookie=other) == 403
    assert stop({"form_token": token}, Cookie=cookie, Origin="https://evil.example") == 403
    assert stop({"form_token": token}, Cookie=cookie, Origin="null") == 403
    assert stop({"form_token": token}) == 303  # to the login
    assert ask(demo_door, "GET", "/budget/stop", Cookie=cookie)[0] in (404, 405)
    assert "Allow spending again" not in ask(demo_door, "GET", "/budget", Cookie=cookie)[2]


def test_an_observer_sees_no_button_and_its_forms_are_refused(demo_door: NetworkDoor):
    cookie = cookie_of(demo_door, "observer")
    page = ask(demo_door, "GET", "/budget", Cookie=cookie)[2]

    assert "Stop all spending" not in page
    fields = {"form_token": token_in(page)}  # the one of its logout
    status, _headers, refusal = ask(demo_door, "POST", "/budget/stop", fields, Cookie=cookie)
    assert status == 403
    assert "This is for: owner" in refusal


def test_a_page_that_was_open_for_a_day_acts_no_more_and_says_so(demo_door: NetworkDoor):
    visitor = Visitor(demo_door, cookie_of(demo_door))
    form = page_of(visitor.see("/budget")).forms["/budget/stop"]
    stores = Stores(demo_door.home, StoreOptions(), system_clock, random_uid)
    with closing(stores), writing(stores.instance) as conn:
        conn.execute(text("UPDATE page_sessions SET seen_at = seen_at - 86400 * 1000000"))

    told = visitor.send("/budget/stop", form)

    assert "you were logged out before you sent this, so nothing was done" in told.words
    assert "spending is stopped" not in run_afterword("budget", "show", home=demo_door.home).stdout


def test_what_nothing_asked_for_is_refused_by_name(demo_door: NetworkDoor):
    cookie = cookie_of(demo_door)

    for query, words in (
        ("state=lost", "is not"),
        ("colour=red", "is not an argument of jobs"),
        ("older_than_min=long", "a number"),
        ("group=..%2Fetc", "group"),
    ):
        status, _headers, page = ask(demo_door, "GET", f"/jobs?{query}", Cookie=cookie)
        assert status == 422
        assert words in page


def test_a_secret_that_was_typed_into_a_reason_is_masked(demo_door: NetworkDoor):
    cookie = cookie_of(demo_door)
    page = ask(demo_door, "GET", "/kinds/extract_edges", Cookie=cookie)[2]
    secret = "sk-ant-api03-" + "A1b2C3d4" * 8
    fields = {"form_token": token_in(page), "note": f"key {secret}"}

    ask(demo_door, "POST", "/kinds/extract_edges/pause", fields, Cookie=cookie)
    said = ask(demo_door, "GET", "/kinds/extract_edges", Cookie=cookie)[2]
    said += run_afterword("browsers", "actions", home=demo_door.home).stdout
    assert secret not in said
    del fields["note"]
    ask(demo_door, "POST", "/kinds/extract_edges/resume", fields, Cookie=cookie)
