"""Named facts: one value each now, and the values they had before."""

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.user_profile import read_profile, set_profile_value
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.testing.clock import ManualClock


def test_a_new_value_replaces_the_old_one_and_keeps_it(
    store: Store, clock: ManualClock, owner: Writer, writer: Writer
):
    set_profile_value(writer, "risk_tolerance", "conservative")
    set_profile_value(writer, "home_language", "en")
    clock.advance(days=1)
    set_profile_value(owner, "risk_tolerance", "balanced")

    assert read_profile(store) == {"home_language": "en", "risk_tolerance": "balanced"}
    with reading(store) as conn:
        old = conn.exec_driver_sql(
            "SELECT value, superseded_at - updated_at FROM user_profile "
            "WHERE superseded_at IS NOT NULL"
        ).all()
        audited = conn.exec_driver_sql("SELECT tool_call, actor FROM audit_log ORDER BY id").all()
    assert [tuple(row) for row in old] == [("conservative", 86_400_000_000)]
    assert [tuple(row) for row in audited] == [
        ("profile.set", "agent"),
        ("profile.set", "agent"),
        ("profile.set", "owner"),
    ]


@pytest.mark.parametrize(
    ("key", "value", "field"),
    [
        ("", "x", "key"),
        ("k" * 65, "x", "key"),
        ("k\0", "x", "key"),
        ("key", "", "value"),
        ("key", "v" * 2_001, "value"),
        ("key", "\ud800", "value"),
    ],
)
def test_what_is_no_line_of_a_prompt_is_refused(
    store: Store, key: str, value: str, field: str, writer: Writer
):
    with pytest.raises(InvalidInputError) as caught:
        set_profile_value(writer, key, value)

    assert caught.value.field == field
    assert read_profile(store) == {}
