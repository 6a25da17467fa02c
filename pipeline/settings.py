"""Every setting, read once at a composition root, typed, documented and checked."""

import difflib
import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from pipeline.errors import InvalidInputError

PREFIX = "AFTERWORD_"

_OF_THE_TESTS = {"AFTERWORD_SHARED", "AFTERWORD_TEST_EVERYTHING", "AFTERWORD_CRASH_AT"}
"""Read by the test suite only: where its real data lies, whether all must run, where to die."""

Usd = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Settings(BaseSettings):
    """Settings come from `AFTERWORD_*` environment variables; unknown names are refused."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    home: Path = Field(
        default=Path("~/.afterword"), description="Folder of all files; a local disk."
    )
    group: str = Field(default="main", description="Group used where none is named.")
    redis_url: str = Field(
        default="",
        description="Redis database of the fleet, such as redis://127.0.0.1:6379/7; its own "
        "database, policy noeviction. Empty: one process only (`afterword up`, `demo`).",
    )
    synchronous: Literal["FULL", "NORMAL"] = Field(
        default="FULL",
        description="FULL: a returned commit survives a power cut. NORMAL: faster; a power cut may "
        "take the last commits, a killed process none.",
    )
    busy_timeout_s: float = Field(
        default=10, gt=0, le=600, description="Longest wait for another writer; seconds."
    )
    mmap_mb: int = Field(
        default=256, ge=0, le=65536, description="Megabytes of a file that reads may map."
    )
    jobs_max_ready: int = Field(
        default=2_000_000,
        ge=0,
        description="Ready jobs of one kind beyond which bulk writes are refused; 0: no bound.",
    )
    worker_threads: int = Field(
        default=8, ge=1, le=256, description="Jobs one worker process runs at once."
    )
    shutdown_grace_s: float = Field(
        default=20, ge=0, le=600, description="How long a stopping worker may finish what runs."
    )
    metrics_port: int = Field(
        default=9464,
        ge=0,
        le=65535,
        description="First loopback port for /metrics, /healthz, /readyz; each process takes the "
        "next free one. 0: none.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Log lines for people or for machines."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="Least important line that is logged."
    )

    embedding_provider: Literal["disabled", "openai"] = Field(
        default="disabled", description="disabled, or any OpenAI-compatible service."
    )
    embedding_base_url: str = Field(
        default="https://api.openai.com/v1", description="Where /embeddings is asked."
    )
    embedding_api_key: SecretStr = Field(
        default=SecretStr(""), description="Key of the embedding service."
    )
    embedding_model: str = Field(
        default="text-embedding-3-small", description="Embedding model asked for."
    )
    embedding_dimensions: int = Field(
        default=1536, ge=1, le=8192, description="Length of its vectors."
    )
    embedding_usd_per_million_tokens: float | None = Field(
        default=None,
        ge=0,
        le=10_000,
        allow_inf_nan=False,
        description="Price of a model that is not in the price table; without one it is refused.",
    )
    embedding_timeout_s: float = Field(
        default=30, gt=0, le=600, description="Deadline of one whole call; seconds."
    )

    learning_daily_cap_usd: Usd = Field(default=5, description="Hard daily cap, learning.")
    learning_monthly_cap_usd: Usd = Field(default=50, description="Hard monthly cap, learning.")
    agent_daily_cap_usd: Usd = Field(default=20, description="Hard daily cap, agent.")
    agent_monthly_cap_usd: Usd = Field(default=200, description="Hard monthly cap, agent.")
    workflow_daily_cap_usd: Usd = Field(default=20, description="Hard daily cap, workflow.")
    workflow_monthly_cap_usd: Usd = Field(default=200, description="Hard monthly cap, workflow.")
    experiment_daily_cap_usd: Usd = Field(default=5, description="Hard daily cap, experiment.")
    experiment_monthly_cap_usd: Usd = Field(default=50, description="Hard monthly cap, experiment.")
    budget_soft_ratio: float = Field(
        default=0.8, gt=0, le=1, description="Share of a cap at which a warning is logged once."
    )
    group_caps_usd: dict[str, Usd] = Field(
        default_factory=dict,
        description='Optional daily cap per group over all categories, JSON: {"main": 2.5}.',
    )


def load(**overrides: Any) -> Settings:
    """Return the settings of this process's environment; for composition roots only.

    Args:
        overrides: fields given on the command line, stronger than the environment; None is unset.

    Raises:
        InvalidInputError: an unknown `AFTERWORD_*` name (with a suggestion) or a bad value.
    """
    for variable in os.environ:
        if variable.upper().startswith(PREFIX) and variable not in _OF_THE_TESTS:
            _check_known(variable)
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        raise _refusal(error) from None
    except SettingsError as error:  # a value that should be JSON is not
        raise InvalidInputError(f"{PREFIX}*", str(error), "JSON, such as {}") from None
    return settings.model_copy(update={"home": settings.home.expanduser().absolute()})


def _check_known(variable: str) -> None:
    field = variable[len(PREFIX) :].lower()
    if field in Settings.model_fields:
        return
    near = difflib.get_close_matches(field, Settings.model_fields, n=1)
    meant = f"did you mean {PREFIX}{near[0].upper()}?" if near else "see `afterword config check`"
    raise InvalidInputError(variable, "no such setting", meant)


def _refusal(error: ValidationError) -> InvalidInputError:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    field = str(first["loc"][0])
    described = Settings.model_fields[field].description or ""
    return InvalidInputError(f"{PREFIX}{place.upper()}", first["msg"], described)
