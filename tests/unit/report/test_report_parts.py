"""`doors/render`: one HTML file from our own numbers, with nothing in it that could act or load."""

import base64
import hashlib
import re
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.doors.render.charts import (
    calibration_chart,
    figure,
    interval_bar,
)
from afterword.pipeline.doors.render.markup import Html, element, join
from afterword.pipeline.doors.render.page import (
    badge,
    code,
    fields,
    paragraph,
    report_page,
    section,
)
from afterword.pipeline.doors.render.plots import tick_label, ticks
from afterword.pipeline.doors.render.table import (
    RowGroup,
    grouped_table,
    scrolled_table,
    table,
)
from afterword.pipeline.views.numbers import count, percent, signed_percent, usd
from afterword.pipeline.views.pictures import CalibrationPoint

HOSTILE = "<script>alert(1)</script>\"'&\x00\u202e]]><!-- </style>"

POINTS = (CalibrationPoint(0.6, 0.52, 0.4, 0.63, 71), CalibrationPoint(0.9, 0.57, 0.42, 0.71, 41))


def whole_page(words: str = "Shorts after a fall") -> str:
    parts = (
        section(
            words,
            paragraph(words, " ", badge(words)),
            paragraph(words, kind="quiet"),
            fields({words: words}),
            table(("pattern", "n", words), [(words, 41, interval_bar(0.25, 0.1, 0.4, 0.5))]),
            figure(calibration_chart(POINTS), words),
        ),
        paragraph(code(words)),
    )
    return report_page(words, words, *parts)


class Reader(HTMLParser):
    """Reads elements with their attributes; each must be closed where it was opened."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_equal_numbers_give_equal_bytes():
    assert whole_page() == whole_page()
    assert whole_page().startswith('<!doctype html>\n<html lang="en"><head>')


def test_a_page_loads_nothing_and_runs_nothing():
    found = read(whole_page()).elements

    assert {name for name, _ in found} & {"script", "link", "img", "iframe", "object", "a"} == set()
    assert not any(
        attribute.startswith("on") or attribute in ("src", "href", "style")
        for _, attributes in found
        for attribute in attributes
    )
    assert "url(" not in whole_page() and "@import" not in whole_page()
    assert "://" not in whole_page()


def test_the_policy_of_a_page_allows_its_own_style_sheet_and_nothing_else():
    page = whole_page()
    (styled,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (policy,) = [
        one["content"] for name, one in read(page).elements if one.get("http-equiv") is not None
    ]

    digest = base64.b64encode(hashlib.sha256(styled.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'"


def test_hostile_text_stays_text_wherever_it_stands():
    plain, hostile = read(whole_page("plain")), read(whole_page(HOSTILE))

    assert [name for name, _ in hostile.elements] == [name for name, _ in plain.elements]
    assert hostile.text.count("<script>alert(1)</script>\"'&\\x00\\u202e]]><!-- </style>") >= 9
    assert "\x00" not in whole_page(HOSTILE) and "\u202e" not in whole_page(HOSTILE)


@given(st.text())
def test_any_text_is_read_back_as_one_line(words):
    read_back = read(element("p", words, title=words))

    assert [name for name, _ in read_back.elements] == ["p"]
    assert "\n" not in read_back.text
    assert read_back.text == read_back.elements[0][1]["title"]


def test_words_around_an_element_stay_apart_from_it():
    assert paragraph("right ", badge("7 of 31"), " of all") == (
        '<p>right <span class="badge">7 of 31</span> of all</p>'
    )


def test_only_html_is_left_as_it_is():
    assert join("<b>", Html("<b>")) == "&lt;b&gt;<b>"
    assert element("p", Html("<i>x</i>"), id=None, class_="a", data_name="b") == (
        '<p class="a" data-name="b"><i>x</i></p>'
    )


def test_a_table_has_its_numbers_on_the_right_and_names_each_cell_for_a_narrow_screen():
    shown = table(("asset", "stretches"), [("BTC", 1204), ("ETH", 7)])

    assert '<td role="cell" class="number" data-name="stretches">1,204</td>' in shown
    assert '<th scope="row" role="rowheader" class="short" data-name="asset">BTC</th>' in shown
    assert "result" not in table(("asset", "result"), [("BTC", "–"), ("ETH", "")])
    assert table(("asset",), [], "no patterns yet") == '<p class="quiet">no patterns yet</p>'


def test_numbers_written_as_words_stand_on_the_right_and_names_on_the_left():
    shown = table(
        ("year", "result", "interval", "right", "held"),
        [("2025", "−$1,240", "24–56 %", "12 (39 %)", "2 d 5 h"), ("2026", "–", "–", "–", "4 min")],
    )
    kinds = re.findall(r'<th [^>]*class="(\w+)">(\w+)', shown)

    assert kinds == [
        *(("short", "year"), ("number", "result"), ("number", "interval"), ("number", "right")),
        ("short", "held"),
    ]


def test_rows_that_scroll_can_be_reached_by_a_key_and_have_a_name():
    shown = scrolled_table("Sums", ("month", "net"), [("2026-01", "+1.00")])

    assert shown.startswith('<div class="scroll" role="region" aria-label="Sums" tabindex="0">')
    assert "data-name" not in shown and scrolled_table("Sums", ("month",), []) == ""


def test_groups_of_rows_share_columns_and_have_a_heading_each():
    shown = grouped_table(
        "Cuts", ("which", "net"), [RowGroup("by hour", [("8", 1)]), RowGroup("by day", [("1", 2)])]
    )

    assert shown.count("<thead") == 1 and shown.count("<tbody") == 2
    assert '<th scope="rowgroup" colspan="2" role="rowheader">by hour</th>' in shown


@given(st.integers(0, 10**12), st.integers(1, 10**12), st.sampled_from([1.0, 1e-8]))
def test_numbers_of_an_axis_are_round_and_reach_from_end_to_end(below, above, unit):
    low, high = -below * unit, above * unit
    found = ticks(low, high)
    nearly = 1e-9 * (high - low)

    assert float(found[0]) <= low + nearly and float(found[-1]) >= high - nearly
    assert 2 <= len(found) <= 8
    assert len({later - earlier for earlier, later in pairwise(found)}) == 1
    assert all(len(f"{one:f}".replace(".", "").strip("-0")) <= 2 for one in found)


def test_numbers_of_an_axis_are_told_with_sign_and_separators():
    assert [tick_label(one) for one in ticks(-30_000, 60_000, 4)] == [
        *("−50,000", "0", "+50,000", "+100,000"),
    ]
    assert [tick_label(one) for one in ticks(0, 0.0003, 4)] == [
        *("0", "+0.0001", "+0.0002", "+0.0003"),
    ]


@pytest.mark.parametrize(
    "picture",
    [
        interval_bar(0.25, 0.14, 0.41, 0.5),
        interval_bar(-1.0, 2.0, 0.5),
        calibration_chart(POINTS),
    ],
)
def test_every_mark_of_a_picture_lies_inside_it(picture):
    drawn = ElementTree.fromstring(picture)
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())

    for part in drawn:
        across = [
            float(part.attrib[name]) for name in ("x", "x1", "x2", "cx") if name in part.attrib
        ]
        down = [float(part.attrib[name]) for name in ("y", "y1", "y2", "cy") if name in part.attrib]
        assert all(0 <= x <= width for x in across), part.attrib
        assert all(0 <= y <= height for y in down), part.attrib


def test_a_picture_says_in_words_what_it_shows():
    assert "<title>25 %, interval 14 % to 41 %, base 50 %</title>" in interval_bar(
        0.25, 0.14, 0.41, 0.5
    )
    assert "stated 90 %, right 57 %, n = 41" in calibration_chart(POINTS)


def test_an_interval_bar_is_drawn_to_scale():
    drawn = ElementTree.fromstring(interval_bar(0.25, 0.0, 1.0, 0.5))
    (dot,) = [one for one in drawn if one.attrib.get("class") == "dot"]
    (base,) = [one for one in drawn if one.attrib.get("class") == "base"]

    assert (float(dot.attrib["cx"]), float(base.attrib["x1"])) == (6 + 188 / 4, 100)


def test_there_is_no_picture_of_nothing():
    assert figure(calibration_chart([]), "calibration") == ""


def test_numbers_are_short_words_without_a_minus_before_zero():
    assert (percent(0.5749), percent(None), percent(-0.001)) == ("57 %", "–", "0 %")
    assert percent(-1.26) == "−126 %"
    assert (signed_percent(-0.021), signed_percent(0.03), signed_percent(0.0001)) == (
        "−2.1 %",
        "+3.0 %",
        "0.0 %",
    )
    assert (usd(-1_240_000_000), usd(12_500_000), usd(-1), usd(None)) == (
        "−$1,240",
        "$12.50",
        "$0.00",
        "–",
    )
    assert (count(1, "stretch", "stretches"), count(1204, "decision")) == (
        "1 stretch",
        "1,204 decisions",
    )
