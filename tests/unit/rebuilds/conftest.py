"""A trader with and without a model that words the profile."""

from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.llm.build import build_metered
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.model_server import ModelServer
from tests.unit.rebuilds.trader import Trader

PRICED = {"llm_usd_per_million_input_tokens": 1.0, "llm_usd_per_million_output_tokens": 1.0}


@pytest.fixture
def trader(writer: Writer, clock: ManualClock) -> Trader:
    return Trader(writer, clock)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def worded(trader: Trader, server: ModelServer, instance, clock, ids) -> Iterator[Trader]:
    """The same trader, with the model of `server`."""
    settings = Settings(
        llm_provider="anthropic", llm_base_url=server.origin, llm_timeout_s=2.0, **PRICED
    )

    with ExitStack() as opened:

        def priced(daily_cap_usd: float) -> Llm:
            capped = settings.model_copy(update={"learning_daily_cap_usd": daily_cap_usd})
            budget = Budget(instance, caps_of(capped), clock, ids)
            llm = build_metered(settings, instance, budget, clock, fast=True)
            return opened.enter_context(closing(llm))

        trader.llm, trader.settings, trader.priced = priced(1.0), settings, priced
        yield trader
