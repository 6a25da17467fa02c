"""Contract of the shipped fakes: each does what the real part does."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from anthropic.types import ErrorResponse, Message
from pydantic import SecretStr

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store
from afterword.pipeline.gateway.budget import Budget, Price, Purpose, Reply, caps_of, metered
from afterword.pipeline.gateway.embedding.openai import OpenAIEmbeddings
from afterword.pipeline.gateway.llm import Form, Question
from afterword.pipeline.gateway.llm.anthropic import AnthropicModel
from afterword.pipeline.gateway.llm.request import request_of
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.embedding_server import EmbeddingServer
from afterword.pipeline.testing.faulty_server import refuses
from afterword.pipeline.testing.market_server import CandleRequest as AskedForCandles
from afterword.pipeline.testing.market_server import MarketServer
from afterword.pipeline.testing.meter import FakeModel, ModelTurn
from afterword.pipeline.testing.model_server import ModelRequest, ModelServer, declines, talks


class Words(Form):
    """Say something."""

    words: str


QUESTION = Question("say", "main", "", "hello", Words)
REQUEST = request_of(QUESTION, "claude-haiku-5-5")
ONE_USD = Price(1_000_000, 1_000_000, as_of=None)
"""For a million tokens: micro-USD and tokens are the same number."""


@dataclass
class PaidModel:
    """A model that is paid.

    Args:
        ask: sends one request.
        billed: what it has billed so far, in micro-USD.
    """

    ask: Callable[[], Reply[Any]]
    billed: Callable[[], int]


@pytest.fixture(params=["fake model", "message API", "embeddings API"])
def model(request: pytest.FixtureRequest, clock: ManualClock) -> Iterator[PaidModel]:
    key = SecretStr("")
    with ExitStack() as opened:
        if request.param == "fake model":
            fake = FakeModel([ModelTurn(30, 4), ModelTurn(0, 5)], ONE_USD)
            yield PaidModel(fake, lambda: fake.billed_micro_usd)
        elif request.param == "message API":
            server = opened.enter_context(ModelServer())
            asked = AnthropicModel(server.origin, key, "claude-haiku-5-5", 30, clock)
            opened.enter_context(closing(asked))
            yield PaidModel(partial(asked.ask, REQUEST), lambda: sum(server.tokens))
        else:
            texts = opened.enter_context(EmbeddingServer(dimensions=8))
            client = OpenAIEmbeddings(texts.base_url, key, "m", 8, 30, clock)
            opened.enter_context(closing(client))
            yield PaidModel(partial(client.ask, ["hello"]), lambda: texts.tokens)


def test_a_model_names_the_tokens_it_bills_so_that_the_budget_books_them(
    model: PaidModel, instance: Store, clock: ManualClock, ids: IdSource
) -> None:
    budget = Budget(instance, caps_of(Settings()), clock, ids)
    purpose = Purpose("learning", "main", "say", "a-model")
    for _ in range(2):
        metered(
            budget,
            purpose,
            ONE_USD,
            model.ask,
            input_tokens=3_000,
            max_output_tokens=1_000,
            ttl_s=60,
        )

    (use,) = budget.overview().models
    assert use.cost_micro_usd == model.billed() > 0


@pytest.mark.parametrize("change", [lambda _: None, declines, talks])
def test_the_model_server_sends_messages_as_the_vendor_types_them(change) -> None:
    with ModelServer() as server:
        reply = server.work(ModelRequest({}, REQUEST))
    change(reply)

    Message.model_validate(reply, strict=True)


def test_the_model_server_sends_errors_as_the_vendor_types_them() -> None:
    with ModelServer() as server:
        server.script(refuses(529, "overloaded_error"))
        with closing(HTTPConnection(server.origin.removeprefix("http://"))) as conn:
            conn.request("POST", "/v1/messages", json.dumps(REQUEST))
            body = conn.getresponse().read()

    assert ErrorResponse.model_validate_json(body).error.type == "overloaded_error"


def test_the_venue_sends_candles_with_every_documented_field_open_and_close_included() -> None:
    """Source: Hyperliquid docs, info endpoint, "Candle snapshot"."""
    opened, hour, price = datetime(2026, 1, 5, tzinfo=UTC), timedelta(hours=1), Decimal("1.5")
    first = round(opened.timestamp()) * 1000
    with MarketServer() as server:
        server.trade("SOL", "1h", [Bar(opened, hour, *[price] * 4, Decimal(2))])
        (candle,) = server.work(AskedForCandles({}, "SOL", "1h", first, first))

    assert candle == {
        "t": first,
        "T": first + 3_600_000 - 1,
        "s": "SOL",
        "i": "1h",
        "n": 1,
        **dict.fromkeys("ohlc", "1.5"),
        "v": "2",
    }


LINES = {
    "an answer": ("memory", "read"),
    "an answer as JSON": ("switch", "ls", "--json"),
    "the version": ("--version",),
    "bad input": ("memory", "write", "gossip", "x"),
    "no such thing": ("memory", "delete", "99"),
    "no such command": ("memory", "guess"),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_line_in_this_process_answers_as_the_program_does(home: Path, line) -> None:
    ours = Command(home, system_clock, random_uid)
    ours("profile", "set", "risk_tolerance", "low")

    answer = ours(*line)
    program = [sys.executable, "-m", "afterword", "--home", str(home), *line]
    real = subprocess.run(program, capture_output=True, text=True)
    assert (answer.code, answer.out, answer.err) == (real.returncode, real.stdout, real.stderr)
