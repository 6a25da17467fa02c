"""The fake model service: its forms are valid, and its meter survives it."""

import subprocess
import sys
import threading
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Literal

import httpx2
import pytest
from pydantic import BaseModel, Field

from afterword.pipeline.testing.faulty_server import answer, refuses
from afterword.pipeline.testing.model_server import ModelServer, filled, mixed, read_meter


class Colour(StrEnum):
    RED = "red"


class Inner(BaseModel):
    count: int = Field(ge=3)
    share: float = Field(gt=0, lt=1)


class Everything(BaseModel):
    colour: Colour
    choice: Literal["a"]
    text: str = Field(min_length=20, max_length=30)
    none: str | None
    many: list[Inner] = Field(min_length=2)
    inner: Inner
    yes: bool
    day: str = str(date(2026, 1, 5))


BODY = {
    "model": "m",
    "messages": [{"role": "user", "content": "hello"}],
    "tools": [{"name": "answer", "input_schema": Inner.model_json_schema()}],
}


def test_what_it_fills_in_fits_the_form():
    schema = Everything.model_json_schema()

    assert Everything.model_validate(filled(schema)).inner.count == 3


def test_it_answers_only_where_the_api_does():
    with ModelServer() as server:
        assert httpx2.post(f"{server.origin}/v1/complete", json=BODY).status_code == 404
        reply = httpx2.post(f"{server.origin}/v1/messages", json=BODY).json()

    assert reply["content"][0]["input"]["count"] == 3
    assert server.tokens == tuple(reply["usage"].values())


def test_it_ends_what_a_client_keeps_open():
    before = set(threading.enumerate())
    with httpx2.Client() as client:
        with ModelServer() as server:
            client.post(f"{server.origin}/v1/messages", json=BODY)
        left = set(threading.enumerate()) - before

    assert left == set()


def test_the_same_seed_draws_the_same_faults():
    def statuses(seed: int) -> list[int]:
        with ModelServer(mix=[refuses(429), refuses(500)], seed=seed) as server:
            url = f"{server.origin}/v1/messages"
            return [httpx2.post(url, json=BODY).status_code for _ in range(8)]

    assert statuses(1) == statuses(1)
    assert set(statuses(1)) == {429, 500}


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_mix_has_the_share_of_faults_that_was_asked_for(share):
    mix = mixed(share)
    assert 1 - mix.count(answer) / len(mix) == pytest.approx(share, abs=0.02)


def test_as_a_process_it_says_where_it_is_and_leaves_its_meter_behind(tmp_path: Path):
    meter = tmp_path / "meter"
    line = [sys.executable, "-m", "afterword.pipeline.testing.model_server", "--meter", str(meter)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        origin = process.stdout.readline().strip()
        reply = httpx2.post(f"{origin}/v1/messages", json=BODY).json()
        process.kill()

    [served] = read_meter(meter)
    assert (served.input_tokens, served.output_tokens) == tuple(reply["usage"].values())
    assert served.model == "m"
