"""Build the model that the settings ask for."""

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


def build_llm(
    settings: Settings,
    instance: Store,
    budget: Budget,
    clock: Clock,
    category: str = "learning",
    *,
    resumes: bool = False,
) -> Llm | None:
    """Return the configured model; None if the provider is disabled.

    Args:
        instance: the installation's `instance.sqlite`, where the circuit of the service is.
        budget: pays for every request.
        clock: the real present, also in a replay, because a real service is asked.
        category: the category of the budget; `experiment` in a replay.
        resumes: what the cassette has is not asked again, where one is written; else each asking is
            recorded beside the earlier ones.

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
        return CassetteLlm(settings.llm_cassette.expanduser(), settings.llm_model)
    llm = build_metered(settings, instance, budget, clock, category)
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
) -> MeteredLlm:
    """Return a metered client of the configured service (see `build_llm`)."""
    from afterword.pipeline.gateway.llm.anthropic import (
        AnthropicModel,  # importing it takes 0.7 s
    )

    price = price_of_model(settings)
    client = AnthropicModel(
        settings.llm_base_url,
        settings.llm_api_key,
        settings.llm_model,
        settings.llm_timeout_s,
        clock,
    )
    breaker = llm_breaker(settings, instance, clock)
    return MeteredLlm(client, breaker, budget, price, category, monotonic)


def llm_breaker(settings: Settings, instance: Store, clock: Clock) -> Breaker:
    """Return the circuit breaker of the configured service."""
    setup = setup_of(settings.llm_base_url, settings.llm_api_key)
    name = CircuitName(settings.llm_provider, settings.llm_model, setup)
    return Breaker(instance, name, clock, settings.llm_timeout_s + SETTLING_S)


def price_of_model(settings: Settings) -> Price:
    """Return the price of the configured model: from the settings, else from the table.

    Raises:
        InvalidInputError: neither has a price for it, or the settings have half of one.
    """
    read = settings.llm_usd_per_million_input_tokens
    written = settings.llm_usd_per_million_output_tokens
    if read is None and written is None:
        return price_of(settings.llm_model, None, f"{_PRICE}INPUT_TOKENS and ..._OUTPUT_TOKENS")
    if read is None or written is None:
        missing = f"{_PRICE}{'INPUT' if read is None else 'OUTPUT'}_TOKENS"
        raise InvalidInputError(missing, "is not set, its counterpart is", "both, or neither")
    in_micro_usd = micro_usd(read, f"{_PRICE}INPUT_TOKENS", up=True)
    out_micro_usd = micro_usd(written, f"{_PRICE}OUTPUT_TOKENS", up=True)
    return Price(in_micro_usd, out_micro_usd, as_of=None)


_PRICE = "AFTERWORD_LLM_USD_PER_MILLION_"
