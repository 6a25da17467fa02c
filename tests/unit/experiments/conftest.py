"""Fixtures of these tests: a model over real HTTP, and a desk with a past."""

import pytest

from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm.build import build_llm
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.model_server import ModelServer
from tests.unit.experiments.ground import PRICED, Ground


@pytest.fixture
def ground(store, clock, ids):
    return Ground(store, clock, ids)


@pytest.fixture
def answers():
    """What the model says, with and without a block of memory; a test may change it."""
    return {False: "long", True: "short"}


@pytest.fixture
def server(answers):
    def fill(asked):
        has_memory = "## Lessons" in asked.user or "## Methods" in asked.user
        direction = answers[has_memory]
        if callable(direction):
            direction = direction(asked)
        return {"direction": direction, "confidence": 0.6, "reason": f"I go {direction}."}

    with ModelServer(fills=fill) as server:
        yield server


@pytest.fixture
def make_llm(server, instance, clock, ids):
    """Return the model as the settings build it, paid from the category of experiments."""
    made = []

    def make(**settings):
        given = {"llm_provider": "anthropic", "llm_base_url": server.origin, "llm_timeout_s": 2.0}
        found = Settings(**(given | PRICED | settings))
        budget = Budget(instance, caps_of(found), clock, ids)
        made.append(build_llm(found, instance, budget, clock, "experiment", resumes=True))
        return made[-1]

    yield make
    for one in made:
        one.close()
