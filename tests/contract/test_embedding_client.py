"""Contract of the clients of embedding models: over the network, and in this process."""

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from pydantic import SecretStr

from afterword.pipeline import local_model
from afterword.pipeline.gateway.embedding.local import LocalEmbeddings
from afterword.pipeline.gateway.embedding.model import EmbeddingClient
from afterword.pipeline.gateway.embedding.openai import OpenAIEmbeddings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.embedding_server import EmbeddingServer

needs_model = pytest.mark.skipif(
    not local_model.is_installed(), reason="the extra afterword[local] is not installed"
)


@pytest.fixture(params=["openai", pytest.param("local", marks=needs_model)])
def client(request: pytest.FixtureRequest, clock: ManualClock) -> Iterator[EmbeddingClient]:
    with EmbeddingServer(dimensions=8) as server:
        key = SecretStr("")
        made: dict[str, Callable[[], EmbeddingClient]] = {
            "openai": lambda: OpenAIEmbeddings(server.base_url, key, "m", 8, 30, clock),
            "local": LocalEmbeddings,
        }
        with closing(made[request.param]()) as client:
            yield client


def test_it_says_which_model_it_asks_and_how_long_a_call_may_take(client):
    assert client.provider
    assert client.model
    assert client.dimensions > 0
    assert client.timeout_s > 0


def test_a_reply_has_a_vector_for_each_text_in_order_and_the_tokens_that_were_read(client):
    texts = ["one text", "another text", "one text"]

    for ask in (client.ask, client.ask_query):
        reply = ask(texts)
        assert [len(vector) for vector in reply.content] == [4 * client.dimensions] * 3
        assert reply.content[0] == reply.content[2] != reply.content[1]
        assert type(reply.input_tokens) is int and reply.input_tokens >= 3
        assert reply.output_tokens == 0


def test_more_words_are_more_tokens(client):
    assert client.ask(["one two three four"]).input_tokens > client.ask(["one"]).input_tokens


def test_it_may_be_closed_twice(client):
    client.ask(["one text"])

    client.close()
    client.close()
