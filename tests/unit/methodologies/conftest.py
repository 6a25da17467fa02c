"""Methodologies for tests: written by the owner, graduated on request."""

import pytest

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.methodologies.read import list_methodologies


@pytest.fixture
def add(owner):
    """Add a methodology of the major coins; other fields by name."""

    def write(text, *, as_new=False, by=owner, **fields):
        given = {"asset_class": "major_crypto", "direction": "bullish", "timeframe": "short"}
        given |= {"primary_signal": "technical"} | fields
        return add_methodology(by, NewMethodology(text, **given), as_new=as_new)

    return write


@pytest.fixture
def change(store, clock):
    """Change the state of a methodology as the synthesis does."""

    def run(added, change, gate="strict", **fields):
        one = StateChange(added.id, change, gate, **fields)
        with writing(store) as conn:
            return apply_changes(conn, [one], "strict", clock())

    return run


@pytest.fixture
def listed(store):
    def read(**filters):
        with reading(store) as conn:
            return list_methodologies(conn, **filters)

    return read
