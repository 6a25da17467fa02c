"""Build the models that the settings ask for: the usual one, and the fast one."""

from typing import NamedTuple

from afterword.pipeline.clock import Clock, Monotonic, monotonic
from afterword.pipeline.core.store import Store
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget import SETTLING_S, Budget, Price, price_of
from afterword.pipeline.gateway.budget.amounts import micro_usd
from afterword.pipeline.gateway.http.address import setup_of
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.circuit import CircuitName
from afterword.pipeline.gateway.llm.cassette import (
    CassetteLlm,
    RecordingLlm,
    ResumingLlm,
)
from afterword.pipeline.gateway.llm.metered import MeteredLlm
from afterword.pipeline.gateway.llm.model import Llm
from afterword.pipeline.settings import Settings


class ModelSettings(NamedTuple):
    """What the settings say of a model.

    Args:
        read_usd: price of a million tokens that it reads; None for the table's.
        written_usd: price of a million tokens that it writes.
        prefix: what the names of its settings begin with.
    """

    name: str
    read_usd: float | None
    written_usd: float | None
    prefix: str


def model_settings(settings: Settings, *, fast: bool = False) -> ModelSettings:
    """Return what the settings say of the usual or the fast model; the usual one is the default."""
    if fast and settings.llm_fast_model:
        return ModelSettings(
            settings.llm_fast_model,
            settings.llm_fast_usd_per_million_input_tokens,
            settings.llm_fast_usd_per_million_output_tokens,
            "AFTERWORD_LLM_FAST_",
        )
    return ModelSettings(
        settings.llm_model,
        settings.llm_usd_per_million_input_tokens,
        settings.llm_usd_per_million_output_tokens,
        "AFTERWORD_LLM_",
    )


def build_llm(
    settings: Settings,
    instance: Store,
    budget: Budget,
    clock: Clock,
    category: str = "learning",
    *,
    fast: bool = False,
    resumes: bool = False,
    deadline_s: float | None = None,
) -> Llm | None:
    """Return the configured model; None if the provider is disabled.

    Args:
        instance: the installation's `instance.sqlite`, where the circuit of the service is.
        budget: pays for every request.
        clock: the real present, also in a replay, because a real service is asked.
        category: the category of the budget; `experiment` in a replay.
        fast: the model for what is frequent and small, instead of the usual one.
        resumes: what the cassette has is not asked again, where one is written; else each asking is
            recorded beside the earlier ones.
        deadline_s: of one call, where somebody waits for it; the setting's if None. What is too
            late then counts in a circuit of its own: the service may be quick enough for others.

    Raises:
        InvalidInputError: the model has no price, or a setting can never work.
        NotFoundError: the cassette does not exist.
    """
    if settings.llm_provider == "disabled":
        return None
    if settings.llm_provider == "cassette":
        if settings.llm_cassette is None:
            accepted = "the file with the recorded answers"
            raise InvalidInputError("AFTERWORD_LLM_CASSETTE", "is not set", accepted)
        name = model_settings(settings, fast=fast).name
        return CassetteLlm(settings.llm_cassette.expanduser(), name)
    llm = build_metered(
        settings, instance, budget, clock, category, fast=fast, deadline_s=deadline_s
    )
    if settings.llm_cassette is None:
        return llm
    path = settings.llm_cassette.expanduser()
    return ResumingLlm(llm, path) if resumes else RecordingLlm(llm, path)


def build_metered(
    settings: Settings,
    instance: Store,
    budget: Budget,
    clock: Clock,
    category: str = "learning",
    monotonic: Monotonic = monotonic,
    *,
    fast: bool = False,
    deadline_s: float | None = None,
) -> MeteredLlm:
    """Return a metered client of the configured service (see `build_llm`)."""
    from afterword.pipeline.gateway.llm.anthropic import (
        AnthropicModel,  # importing it takes 0.7 s
    )

    price = price_of_model(settings, fast=fast)
    client = AnthropicModel(
        settings.llm_base_url,
        settings.llm_api_key,
        model_settings(settings, fast=fast).name,
        settings.llm_timeout_s if deadline_s is None else deadline_s,
        clock,
    )
    breaker = llm_breaker(settings, instance, clock, fast=fast, deadline_s=deadline_s)
    return MeteredLlm(client, breaker, budget, price, category, monotonic)


def llm_breaker(
    settings: Settings,
    instance: Store,
    clock: Clock,
    *,
    fast: bool = False,
    deadline_s: float | None = None,
) -> Breaker:
    """Return the circuit breaker of a model of the configured service."""
    setup = setup_of(settings.llm_base_url, settings.llm_api_key)
    if deadline_s is not None:
        setup = f"{setup}:{deadline_s:g}s"
    longest_s = settings.llm_timeout_s if deadline_s is None else deadline_s
    model = model_settings(settings, fast=fast).name
    name = CircuitName(settings.llm_provider, model, setup)
    gate = None if model == settings.llm_model else f"{settings.llm_provider}_fast"
    return Breaker(instance, name, clock, longest_s + SETTLING_S, gate)


def price_of_model(settings: Settings, *, fast: bool = False) -> Price:
    """Return the price of a configured model: from the settings, else from the table.

    Raises:
        InvalidInputError: neither has a price for it, or the settings have half of one.
    """
    model = model_settings(settings, fast=fast)
    price = f"{model.prefix}USD_PER_MILLION_"
    if model.read_usd is None and model.written_usd is None:
        return price_of(model.name, None, f"{price}INPUT_TOKENS and ..._OUTPUT_TOKENS")
    if model.read_usd is None or model.written_usd is None:
        missing = f"{price}{'INPUT' if model.read_usd is None else 'OUTPUT'}_TOKENS"
        raise InvalidInputError(missing, "is not set, its counterpart is", "both, or neither")
    in_micro_usd = micro_usd(model.read_usd, f"{price}INPUT_TOKENS", up=True)
    out_micro_usd = micro_usd(model.written_usd, f"{price}OUTPUT_TOKENS", up=True)
    return Price(in_micro_usd, out_micro_usd, as_of=None)
